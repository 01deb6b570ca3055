#include "device/compiler/precompiled.hpp"

#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>

#include <chrono>
#include <thread>

#include "device/compiler/composition.hpp"
#include "device/worker/channel.hpp"
#include "tests/device/compiler/compilers.hpp"

namespace warpbook::tests::precompiled_test {

using namespace warpbook::device;

TEST_CASE("A precompiled header is made for the second compile that wants it, and once") {
  PrecompiledHeaders headers;
  const PrecompiledKey key{{"-option"}, {"x.h"}};
  CHECK_FALSE(headers.ask(key).worth_making);
  CHECK(headers.ask(key).worth_making);
  CHECK_FALSE(headers.ask(key).worth_making);
  CHECK_FALSE(headers.ask(key).memory);
  headers.made(key, make_memory("made"));
  CHECK(headers.ask(key).memory);
  CHECK_FALSE(headers.ask({{"-other"}, {"x.h"}}).memory);
  CHECK_FALSE(headers.ask({{"-option"}, {"y.h"}}).memory);
}

TEST_CASE("What could not be precompiled is not tried again") {
  PrecompiledHeaders headers;
  const PrecompiledKey key{{}, {"x.h"}};
  headers.ask(key);
  headers.ask(key);
  headers.made(key, UniqueFd());
  CHECK_FALSE(headers.ask(key).memory);
  CHECK_FALSE(headers.ask(key).worth_making);
}

TEST_CASE("Of many precompiled headers those asked for last are kept") {
  PrecompiledHeaders headers;
  const auto key = [](int i) { return PrecompiledKey{{}, {std::to_string(i)}}; };
  for (int i = 0; i < 4; ++i) {
    headers.ask(key(i));
    headers.ask(key(i));
    headers.made(key(i), make_memory("made"));
  }
  CHECK_FALSE(headers.ask(key(0)).memory);
  CHECK(headers.ask(key(1)).memory);
  CHECK(headers.ask(key(3)).memory);
}

TEST_CASE("Slow headers are found before anything that could change what they mean") {
  using Names = std::vector<std::string>;
  CHECK(leading_slow_headers("#include <cooperative_groups.h>\n") == Names{"cooperative_groups.h"});
  CHECK(leading_slow_headers("// text\n\n#include <cstdio>\n  #  include <cuda/barrier> // "
                             "why\n#include <cuda/barrier>") == Names{"cuda/barrier"});
  CHECK(leading_slow_headers("#define A 1\n#include <cuda/barrier>\n").empty());
  CHECK(leading_slow_headers("int x;\n#include <cuda/barrier>\n").empty());
  CHECK(leading_slow_headers("/*\n#include <cuda/barrier>\n*/").empty());
  CHECK(leading_slow_headers("#include \"cuda/barrier\"\n").empty());
  CHECK(leading_slow_headers("// spliced \\\n#include <cuda/barrier>\n").empty());
  CHECK(leading_slow_headers("#include </etc/passwd>\n").empty());
}

TEST_CASE("Lines, defines and results are the same with a slow header as without one") {
  auto request = request_of(
      "#include <cooperative_groups.h>\n__global__ void f(int* x) {\n  x[0] = N;\n  y;\n}\n");
  request.defines = {{"N", "7"}};
  const auto program = compiler().compile(request);
  REQUIRE_FALSE(program);
  REQUIRE(program.error().diagnostics.size() == 1);
  CHECK(program.error().diagnostics[0].place.line == 4);
  CHECK(program.error().diagnostics[0].place.column == 3);
}

TEST_CASE("A slow header gets fast once it is precompiled, and makes the same PTX", "[ci]") {
  Compiler::Options options;
  options.cache_folder = "-";
  options.highest_level = GENERATE(ConfinementLevel::seccomp, ConfinementLevel::namespaces);
  Compiler compiler(options);
  if (compiler.status().level == ConfinementLevel::limits) SKIP("this machine allows no box");
  const auto request = request_of(
      "#include <cstdio>\n#include <cooperative_groups.h>\n"
      "__global__ void f(int* x) { x[0] = cooperative_groups::this_thread_block().thread_rank(); "
      "}\n");
  const auto first = compiler.compile(request);
  REQUIRE(first);
  double fastest = (*first)->seconds;
  std::string last_ptx;
  for (int i = 0; i < 40 && fastest > (*first)->seconds / 2; ++i) {
    const auto next = compiler.compile(request);
    REQUIRE(next);
    fastest = std::min(fastest, (*next)->seconds);
    last_ptx = (*next)->ptx;
  }
  CAPTURE((*first)->seconds, fastest);
  CHECK(fastest < (*first)->seconds / 2);
  CHECK((last_ptx == (*first)->ptx));
}

}  // namespace warpbook::tests::precompiled_test
