// `warpbook program --device gpu`: a program on a real GPU with NVIDIA's own runtime. Driver, toolkit and runtime stand in for
// NVIDIA's here; whether real ones do the same only a GPU can show.
#include <catch2/catch_test_macros.hpp>

#include "tests/cli/program.hpp"
#include "tests/device/gpu/stand_in.hpp"
#include "tests/device/nvcc/stand_in.hpp"
#include "tests/says.hpp"

namespace warpbook::tests::program_gpu_test {
namespace {

constexpr const char* kRuntime = R"(extern "C" const char* whose_runtime() { return "NVIDIA's"; })";
constexpr const char* kProgram = R"(#include <cstdio>
extern "C" const char* whose_runtime();
int main(int argc, char** argv) {
  std::printf("%s runtime, %s\n", whose_runtime(), argv[argc - 1]);
  return 7;
}
)";

/// A toolkit with a runtime of its own, as NVIDIA's wheels have it, and a program that asks for that.
struct GpuShop {
  Workshop shop;
  std::filesystem::path program = shop.write("asks.cu", kProgram);

  GpuShop() {
    write_runtime(shop.folder(), kRuntime);
    const auto lib = shop.folder().path() / "toolkit" / "lib";
    std::filesystem::create_directories(lib);
    std::filesystem::copy_file(shop.folder().path() / "runtime" / device::kRuntimeFile,
                               lib / device::kRuntimeFile);
  }
  [[nodiscard]] Outcome run(std::vector<std::string> more) const {
    std::vector<std::string> arguments{"program", program.string(), "--device", "gpu"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return warpbook(arguments);
  }
};

}  // namespace

TEST_CASE("a program on a GPU gets NVIDIA's runtime, and its output and exit code are its own") {
  const StandIn driver;
  const GpuShop shop;
  const Outcome outcome = shop.run({"--unboxed", "--", "an argument"});
  CAPTURE(outcome.err);
  CHECK(outcome.code == 7);
  CHECK(outcome.out == "NVIDIA's runtime, an argument\n");
  CHECK_THAT(outcome.err, said("cli.program.gpu-runs", {{"gpu", "Stand-in GPU"}}));
}

TEST_CASE("without a GPU a program is not run, and what is missing is said") {
  const StandIn none{StandIn::Absent{}};
  const GpuShop shop;
  const Outcome outcome = shop.run({"--unboxed"});
  CHECK(outcome.code == 3);
  CHECK(outcome.out.empty());
  CHECK_THAT(outcome.err, Says("error.driver_missing.long"));
}

TEST_CASE("on a GPU a program leaves its box only where that was asked for, and has no report") {
  const StandIn driver;
  const GpuShop shop;
  const Outcome boxed = shop.run({});
  CHECK(boxed.code == 2);
  CHECK(boxed.out.empty());
  CHECK_THAT(boxed.err, said("cli.program.gpu-unboxed"));
  const Outcome reported = shop.run({"--unboxed", "--json", "report.json"});
  CHECK(reported.code == 2);
  CHECK_THAT(reported.err, said("cli.program.gpu-no-report"));
}

TEST_CASE("where NVIDIA's runtime is missing, the command that brings it is said") {
  const StandIn driver;
  const GpuShop shop;
  std::filesystem::remove_all(shop.shop.folder().path() / "toolkit" / "lib");
  const Outcome outcome = shop.run({"--unboxed"});
  CHECK(outcome.code == 3);
  CHECK(outcome.err.find("./warpbook fetch nvcc") != std::string::npos);
}

}  // namespace warpbook::tests::program_gpu_test
