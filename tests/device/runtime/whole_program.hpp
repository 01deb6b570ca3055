// Runs the programs of programs/, each case of which is a run, with their kernels compiled for the simulated GPU.
#pragma once

#include <sys/mman.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <ranges>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <catch2/catch_test_macros.hpp>

#include "device/compiler/compiler.hpp"
#include "device/runtime/run_program.hpp"
#include "device/sanitized.hpp"
#include "device/unique_fd.hpp"
#include "device/worker/channel.hpp"
#include "tests/temporary_folder.hpp"

namespace warpbook::tests {

inline const std::string kKernelsFile =
    WARPBOOK_SOURCE_DIR "/tests/device/runtime/programs/kernels.cu";

/// The PTX of programs/kernels.cu in a file, compiled once.
inline const std::string& kernels_ptx() {
  static const TemporaryFolder folder;
  static const std::string file = [] {
    device::Compiler::Options options;
    options.cache_folder = "-";
    device::Compiler compiler(options);
    device::CompileRequest request;
    request.name = "kernels.cu";
    std::ifstream source(kKernelsFile, std::ios::binary);
    request.source.assign(std::istreambuf_iterator<char>(source), {});
    const auto compiled = compiler.compile(request);
    if (!compiled) throw std::runtime_error(compiled.error().error.english());
    return folder.write("kernels.ptx", (*compiled)->ptx).string();
  }();
  return file;
}

/// How a case is run, where a test wants it otherwise.
struct ProgramWishes {
  std::uint32_t devices = 1;
  double seconds = 60;
  device::Checks checks;
  bool late_copies = false;
  std::function<std::string(const device::runtime::CallRecord&, std::uint64_t)> name_of_memory;
};

struct RanProgram {
  device::runtime::ProgramOutcome outcome;
  std::string output, errors;
};

/// In the build folder.
inline std::filesystem::path program_path(std::string_view program) {
  return std::filesystem::path(WARPBOOK_BINARY).parent_path() / "tests/device/runtime/programs" /
         program;
}

inline RanProgram run_case(std::string_view program, const std::string& wanted,
                           const ProgramWishes& wishes = {}) {
  if (!std::filesystem::exists(program_path(program)))
    SKIP("CUDA's headers were not here when Warpbook was built (./warpbook fetch cuda)");
  const device::UniqueFd output(::memfd_create("output", MFD_CLOEXEC)),
      errors(::memfd_create("errors", MFD_CLOEXEC));
  device::runtime::ProgramRun run;
  run.executable = program_path(program);
  run.arguments = {kernels_ptx(), wanted};
  run.box
      .reset();  // it reads the kernels from a folder of the test's; program_box_test.cpp is about the box
  run.service.gpu = **device::known_gpu("h100");
  run.service.devices = wishes.devices;
  run.service.checks = wishes.checks;
  run.service.late_copies = wishes.late_copies;
  run.service.name_of_memory = wishes.name_of_memory;
  run.seconds = wishes.seconds * device::kSlowdown;
  run.output = output.get();
  run.errors = errors.get();
  auto outcome = device::runtime::run_program(run);
  REQUIRE(outcome);
  return {std::move(*outcome), device::read_memory(output.get()).value(),
          device::read_memory(errors.get()).value()};
}

/// The errors of a function's calls, in their order.
inline std::vector<std::int32_t> errors_of(const device::runtime::ProgramOutcome& outcome,
                                           device::runtime::Function function) {
  std::vector<std::int32_t> errors;
  for (const auto& call : outcome.calls)
    if (call.function == function) errors.push_back(call.error);
  return errors;
}

inline std::size_t never_freed(const device::runtime::ProgramOutcome& outcome) {
  return static_cast<std::size_t>(std::ranges::count_if(
      outcome.record.allocations, [](const auto& a) { return !a.freed_by.has_value(); }));
}

/// The program ran to its end, and every answer was the documented one; what it printed says which was not.
inline void check_documented(const RanProgram& ran) {
  CHECK(ran.output.empty());
  CHECK(ran.outcome.end == device::runtime::ProgramOutcome::End::exited);
  CHECK(ran.outcome.code == 0);
}

}  // namespace warpbook::tests
