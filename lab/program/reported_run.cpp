#include "lab/program/reported_run.hpp"

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "device/compiler/toolkit.hpp"
#include "device/nvcc/nvcc.hpp"

namespace warpbook::lab {
namespace {

/// Of CUDA's own headers, whose lines stand for those that use them.
std::vector<std::string> foreign_headers() {
  const auto nvcc = device::find_nvcc();
  return nvcc ? std::vector{nvcc->includes.string()} : std::vector<std::string>();
}

}  // namespace

device::Expected<ReportedRun> run_and_report(device::runtime::ProgramRun run,
                                             const ProgramFacts& facts) {
  auto library = device::runtime::library_folder();
  if (!library) return tl::unexpected(library.error());
  device::runtime::HostLines lines(run.executable, foreign_headers());
  run.library = std::move(*library);
  // A program may compile kernels itself, with NVRTC and CUDA's headers.
  if (const auto toolkit = device::find_toolkit(); toolkit && run.box) {
    for (std::filesystem::path& folder : device::folders_of(*toolkit))
      run.box->readable.push_back(std::move(folder));
  }
  run.service.gpu = facts.gpu;
  run.service.checks = facts.checks;
  run.service.seed = facts.seed;
  run.service.name_of_memory = [&lines](const device::runtime::CallRecord& call,
                                        std::uint64_t base) {
    return name_of_memory(call, base, lines);
  };
  auto outcome = device::runtime::run_program(run);
  if (!outcome) return tl::unexpected(outcome.error());
  Report report = report_of(*outcome, facts, lines);
  return ReportedRun{std::move(*outcome), std::move(report)};
}

}  // namespace warpbook::lab
