// The changes that are made of a solution: each is one word or one statement, and nothing outside functions.
#include "lab/exercise/mutation.hpp"

#include <algorithm>
#include <set>

#include <catch2/catch_test_macros.hpp>

namespace warpbook::tests::mutation_test {

using warpbook::lab::Mutated;
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
                              "if (i < n) /* y[i] = 2 * x[i]; */ ;", "if (i < n) y[i] = 3 * x[i];",
                              "if (i < n) y[i] = 1 * x[i];", "if (i < n) y[i] = 2 + x[i];"});
  CHECK(texts_of(in_function("int i = threadIdx.x;")) ==
        std::set<std::string>{"int i = blockIdx.x;", "int i = threadIdx.y;"});
  CHECK(texts_of(in_function("float a = 0.5f, b = 1e-3f, c = 0x10;")) ==
        std::set<std::string>{"float a = 1.5f, b = 1e-3f, c = 0x10;"});
}

TEST_CASE("a barrier and the way out of a loop are left out, a declaration is not") {
  CHECK(texts_of(in_function("__syncthreads();")) ==
        std::set<std::string>{"/* __syncthreads(); */ ;"});
  CHECK(texts_of(in_function("continue;")) == std::set<std::string>{"/* continue; */ ;", "break;"});
  CHECK(texts_of(in_function("float sum;")).empty());
  CHECK(texts_of(in_function("return;")).empty());
}

TEST_CASE("comments, strings, the preprocessor and what is outside functions stay as they are") {
  CHECK(mutations_of("#define N 3 + 4\n__constant__ float a[3 + 4];\n").empty());
  CHECK(texts_of(in_function("#define N \\\n  { 3 + 4; }")).empty());
  CHECK(texts_of(in_function("// a < b + 1\n  /* 3 */")).empty());
  CHECK(texts_of(in_function("print(\"a \\\" < 3\", '<');")) ==
        std::set<std::string>{"/* print(\"a \\\" < 3\", '<'); */ ;"});
}

TEST_CASE("of a whole program, the functions that run on the GPU alone can be changed") {
  std::set<std::string> texts;
  for (const Mutation& mutation : mutations_of("__device__ int twice(int a) { return a * 2; }\n"
                                               "namespace kernels {\n"
                                               "__global__ void f(int* x) {\n"
                                               "  if (threadIdx.x) {\n"
                                               "    x[0] = 5;\n"
                                               "  }\n"
                                               "  x[1] = 5;\n"
                                               "}\n"
                                               "int host(int n) { return n + 1; }\n"
                                               "}\n"
                                               "__global__ void declared(int* x);\n"
                                               "int main() { return 2 - 2; }\n",
                                               Mutated::gpu_functions))
    texts.insert(mutation.text);
  CHECK(texts == std::set<std::string>{"__device__ int twice(int a) { return a + 2; }",
                                       "__device__ int twice(int a) { return a * 3; }",
                                       "__device__ int twice(int a) { return a * 1; }",
                                       "if (blockIdx.x) {", "if (threadIdx.y) {", "if (true) {",
                                       "if (false) {", "/* x[0] = 5; */ ;", "/* x[1] = 5; */ ;",
                                       "x[1] = 5;", "x[0] = 5;", "x[0] = 6;", "x[0] = 4;",
                                       "x[2] = 5;", "x[1] = 6;", "x[1] = 4;"});
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
  const auto left_out = std::ranges::find(mutations, "/* a += 1; */ ;", &Mutation::text);
  REQUIRE(left_out != mutations.end());
  CHECK(left_out->now.empty());
  CHECK(left_out->source == "// head\nvoid f() {\n  ;\n}\n");
}

TEST_CASE("source that ends in the middle of anything is no trouble") {
  const std::string source =
      "void f() { if (a < \"x\\\" /* c */ ) y[1.5e+3f] += 'c'; while (true) { g(\"";
  for (std::size_t length = 0; length <= source.size(); ++length)
    CHECK_NOTHROW(mutations_of(source.substr(0, length)));
  CHECK_NOTHROW(mutations_of("void f() { a = 99999999999999999999999999; }"));
  CHECK(mutations_of("void f() {}\n#define A \\\n").empty());
}

}  // namespace warpbook::tests::mutation_test
