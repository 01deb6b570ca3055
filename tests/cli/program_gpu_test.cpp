// `warpbook program --device gpu`: a program on a real GPU with NVIDIA's own runtime. Driver, toolkit and runtime stand in for
// NVIDIA's here; whether real ones do the same only a GPU can show.
#include <catch2/catch_test_macros.hpp>

#include <nlohmann/json.hpp>

#include "device/sanitized.hpp"
#include "tests/cli/program.hpp"
#include "tests/device/gpu/stand_in.hpp"
#include "tests/device/nvcc/stand_in.hpp"
#include "tests/says.hpp"

namespace warpbook::tests::program_gpu_test {
namespace {

using nlohmann::json;

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

TEST_CASE("doctor says whether nvcc is here, and the command that gets it", "[ci]") {
  const GpuShop shop;
  const auto nvcc = [](const std::map<std::string, std::string>& environment) {
    return json::parse(warpbook({"doctor", "--json"}, environment).out).at("parts").at("nvcc");
  };
  const std::string toolkit = shop.shop.folder().path() / "toolkit";
  CHECK(nvcc({}).at("found") == json::array({toolkit + "/bin/nvcc"}));
  const json none = nvcc({{"WARPBOOK_NVCC", shop.shop.folder().path() / "sources"}});
  CHECK(none.at("here") == false);
  CHECK(none.at("remedy") == "./warpbook fetch nvcc");
}

TEST_CASE("the script that holds a GPU's whole programs against the simulator's finds a difference",
          "[ci]") {
  const StandIn driver;
  const GpuShop shop;
  const auto compare = [](const std::filesystem::path& program) {
    const auto variable = [](const std::string& name) {
      return name + "=" + std::getenv(name.c_str());
    };
    return device::run_limited(
        {.program = WARPBOOK_SOURCE_DIR "/tests/gpu/programs",
         .arguments = {std::filesystem::path(WARPBOOK_BINARY).parent_path(), program},
         .environment = {variable("PATH"), variable("WARPBOOK_NVCC"), variable("WARPBOOK_HOME"),
                         variable("LD_LIBRARY_PATH")},
         .seconds = 60 * device::kSlowdown,
         .memory_bytes = 1ull << 46,
         .file_bytes = 1ull << 46});
  };
  // A time is no difference.
  const auto same = compare(shop.shop.write("same.cu", R"(#include <chrono>
#include <cstdio>
int main() {
  std::printf("%.6f ms\n", 1e-6 * std::chrono::steady_clock::now().time_since_epoch().count());
  return 7;
}
)"));
  CAPTURE(same.output, same.errors);
  CHECK(same.code == 0);
  const auto other = compare(shop.shop.write("other.cu", R"(#include <cstdio>
#include <dlfcn.h>
int main() { std::puts(dlsym(RTLD_DEFAULT, "whose_runtime") ? "NVIDIA's" : "Warpbook's"); }
)"));
  CAPTURE(other.output, other.errors);
  CHECK(other.code == 1);
  CHECK(other.output.find("-Warpbook's\n+NVIDIA's\n") != std::string::npos);
}

}  // namespace warpbook::tests::program_gpu_test
