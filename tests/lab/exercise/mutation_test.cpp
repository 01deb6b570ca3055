// The changes that are made of a solution: each is one word or one statement, and nothing outside functions.
#include "lab/exercise/mutation.hpp"

#include <algorithm>
#include <set>

#include <catch2/catch_test_macros.hpp>

namespace warpbook::tests::mutation_test {

using warpbook::lab::Mutation;
using warpbook::lab::mutations_of;

namespace {
std::set<std::string> texts_of(const std::string& source) {
  std::set<std::string> texts;
  for (const Mutation& mutation : mutations_of(source)) texts.insert(mutation.text);
  return texts;
}
std::string in_function(const std::string& line) { return "void f() {\n  " + line + "\n}\n"; }
}  // namespace

TEST_CASE("operators, numbers, axes and guards change one at a time") {
  CHECK(texts_of(in_function("if (i < n) y[i] = 2 * x[i];")) ==
        std::set<std::string>{"if (i <= n) y[i] = 2 * x[i];", "if (i > n) y[i] = 2 * x[i];",
                              "if (true) y[i] = 2 * x[i];", "if (false) y[i] = 2 * x[i];",
                              "if (i < n) ;", "if (i < n) y[i] = 3 * x[i];",
                              "if (i < n) y[i] = 1 * x[i];", "if (i < n) y[i] = 2 + x[i];"});
  CHECK(texts_of(in_function("int i = threadIdx.x;")) ==
        std::set<std::string>{"int i = blockIdx.x;", "int i = threadIdx.y;"});
  CHECK(texts_of(in_function("float a = 0.5f, b = 1e-3f, c = 0x10;")) ==
        std::set<std::string>{"float a = 1.5f, b = 1e-3f, c = 0x10;"});
}

TEST_CASE("a barrier and the way out of a loop are left out, a declaration is not") {
  CHECK(texts_of(in_function("__syncthreads();")) == std::set<std::string>{";"});
  CHECK(texts_of(in_function("continue;")) == std::set<std::string>{";", "break;"});
  CHECK(texts_of(in_function("float sum;")).empty());
  CHECK(texts_of(in_function("return;")).empty());
}

TEST_CASE("comments, strings, the preprocessor and what is outside functions stay as they are") {
  CHECK(mutations_of("#define N 3 + 4\n__constant__ float a[3 + 4];\n").empty());
  CHECK(texts_of(in_function("// a < b + 1\n  /* 3 */")).empty());
  CHECK(texts_of(in_function("print(\"a \\\" < 3\", '<');")) == std::set<std::string>{";"});
}

TEST_CASE("a change says where it is, and is the whole program") {
  const std::string source = "// head\nvoid f() {\n  a += 1;\n}\n";
  const auto mutations = mutations_of(source);
  const auto found = std::ranges::find(mutations, "a = 1;", &Mutation::text);
  REQUIRE(found != mutations.end());
  CHECK(found->line == 3);
  CHECK(found->was == "+=");
  CHECK(found->now == "=");
  CHECK(found->source == "// head\nvoid f() {\n  a = 1;\n}\n");
}

TEST_CASE("source that ends in the middle of anything is no trouble") {
  const std::string source =
      "void f() { if (a < \"x\\\" /* c */ ) y[1.5e+3f] += 'c'; while (true) { g(\"";
  for (std::size_t length = 0; length <= source.size(); ++length)
    CHECK_NOTHROW(mutations_of(source.substr(0, length)));
  CHECK_NOTHROW(mutations_of("void f() { a = 99999999999999999999999999; }"));
}

}  // namespace warpbook::tests::mutation_test
