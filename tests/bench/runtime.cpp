// What a call of the CUDA runtime costs through the boundary between a program and the service, and how soon a program's first
// kernel has run. The figures depend on the machine and on what else runs there, so they are printed beside what is aimed at and
// nothing fails.
#include <sys/mman.h>

#include <array>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>
#include <stdexcept>
#include <string>
#include <string_view>

#include <fmt/format.h>

#include "device/compiler/compiler.hpp"
#include "device/runtime/run_program.hpp"
#include "device/unique_fd.hpp"
#include "device/worker/channel.hpp"
#include "tests/bench/bars.hpp"
#include "tests/bench/clock.hpp"
#include "tests/temporary_folder.hpp"

namespace warpbook::bench {
namespace {

namespace fs = std::filesystem;

struct Aim {
  std::string_view name;
  double microseconds;
};
constexpr std::array kAims = {Aim{"cudaMemcpy-to-device", 20}, Aim{"cudaMemcpy-to-host", 20},
                              Aim{"launch", 30}, Aim{"first-kernel", 300'000}};

void print(std::string_view name, double microseconds, std::string_view more = "") {
  for (const Aim& aim : kAims) {
    if (aim.name != name) continue;
    fmt::print("{:26} {:10.1f} us, {:.2f} of the {:.0f} us aimed at{}\n", name, microseconds,
               microseconds / aim.microseconds, aim.microseconds, more);
    return;
  }
  fmt::print("{:26} {:10.1f} us{}\n", name, microseconds, more);
}

std::string kernels_ptx() {
  device::Compiler compiler(device::Compiler::Options{});
  device::CompileRequest request;
  request.name = "kernels.cu";
  std::ifstream source(WARPBOOK_SOURCE_DIR "/tests/device/runtime/programs/kernels.cu");
  request.source.assign(std::istreambuf_iterator<char>(source), {});
  const auto compiled = compiler.compile(request);
  if (!compiled) throw std::runtime_error(compiled.error().error.english());
  return (*compiled)->ptx;
}

/// What the case prints.
std::string run_case(const fs::path& program, const fs::path& ptx, const char* wanted) {
  const device::UniqueFd output(::memfd_create("output", MFD_CLOEXEC));
  device::runtime::ProgramRun run;
  run.executable = program;
  run.arguments = {ptx.string(), wanted};
  run.service.gpu = **device::known_gpu("h100");
  run.output = output.get();
  run.box.reset();  // it reads its kernels from a folder of the bench's
  const auto outcome = device::runtime::run_program(run);
  if (!outcome) throw std::runtime_error(outcome.error().english());
  return device::read_memory(output.get()).value_or("");
}

int measure(std::string_view /*name*/) {
  const fs::path program =
      fs::path(WARPBOOK_BINARY).parent_path() / "tests/device/runtime/programs/timing";
  if (!fs::exists(program)) {
    fmt::print("CUDA's headers were not here when Warpbook was built: nothing to measure\n");
    return 0;
  }
  const tests::TemporaryFolder folder;
  const fs::path ptx = folder.write("kernels.ptx", kernels_ptx());

  Best best;
  for (int i = 0; i < 5; ++i) {
    const auto begin = std::chrono::steady_clock::now().time_since_epoch();
    std::istringstream said(run_case(program, ptx, "first-kernel"));
    std::string label;
    double at = 0;
    if (said >> label >> at)
      best.take(1e-6 * (at - std::chrono::duration<double, std::micro>(begin).count()));
  }
  print("first-kernel", 1e6 * best.seconds());

  std::istringstream lines(run_case(program, ptx, "calls"));
  std::string call;
  for (double median = 0, late = 0; lines >> call >> median >> late;)
    print(call, median, fmt::format("; 95 of 100 within {:.1f} us", late));
  return 0;
}

}  // namespace
}  // namespace warpbook::bench

int main(int argc, char** argv) {
  return warpbook::bench::main_of(argc, argv, warpbook::bench::measure);
}
