// What `warpbook launch --json` prints, whole, against its schema.
#include <catch2/catch_test_macros.hpp>

#include "tests/bump.hpp"
#include "tests/cli/program.hpp"
#include "tests/schema.hpp"

namespace warpbook::tests::launch_json_test {

using nlohmann::json;

namespace {

json output_of(std::vector<std::string> arguments, int code) {
  arguments.insert(arguments.begin(), "launch");
  arguments.emplace_back("--json");
  const Outcome outcome = warpbook(arguments);
  CAPTURE(outcome.err);
  CHECK(outcome.code == code);
  return json::parse(outcome.out);
}

}  // namespace

TEST_CASE("all that launch --json prints is what lab/render/launch.schema.json says", "[ci]") {
  const TemporaryFolder folder;
  const std::string bump = folder.write("bump.ptx", kBump),
                    cut = folder.write("cut.ptx", "ld.global"),
                    talks = folder.write("talks.cu", R"(#include <cstdio>
__global__ void talks(int* x) {
  int unused;
  x[threadIdx.x] = threadIdx.x;
  printf("thread %d\n", static_cast<int>(threadIdx.x));
}
)"),
                    broken =
                        folder.write("broken.cu", "__global__ void broken(int* x) { x[0] = ; }\n");
  const json good = output_of({bump, "--block", "4", "--arg", "out:16", "--arg", "4"}, 0);
  CHECK(good.at("geometry").at("block") == json({4, 1, 1}));
  const json printed = output_of({talks, "--block", "2", "--arg", "out:8"}, 0);
  CHECK(printed.at("output") == "thread 0\nthread 1\n");
  CHECK_FALSE(printed.at("diagnostics").empty());
  const json stray = output_of({talks, "--block", "3", "--arg", "out:8"}, 1);
  CHECK(stray.at("errors").at(0).at("code") == "out_of_bounds_write");
  const json uncompiled = output_of({broken, "--arg", "out:8"}, 1);
  CHECK_FALSE(uncompiled.at("diagnostics").empty());
  const json refused = output_of({bump, "--grid", "0", "--arg", "out:16", "--arg", "4"}, 1);
  CHECK(refused.at("errors").at(0).at("code") == "invalid_configuration");
  const json unparsed = output_of({cut}, 1);
  CHECK(complaints("launch.schema.json", {good, printed, stray, uncompiled, refused, unparsed}) ==
        "");
}

}  // namespace warpbook::tests::launch_json_test
