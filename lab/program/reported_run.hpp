// A run of a built program together with the report on it: what the command line and the window do alike.
#pragma once

#include "device/runtime/run_program.hpp"
#include "lab/program/program_report.hpp"

namespace warpbook::lab {

struct ReportedRun {
  device::runtime::ProgramOutcome outcome;
  Report report;
};

/// Runs it on the simulated GPU, with the checks and the seed that the facts name; `run` says the rest. Errors: those of
/// library_folder() and run_program().
device::Expected<ReportedRun> run_and_report(device::runtime::ProgramRun run,
                                             const ProgramFacts& facts);

}  // namespace warpbook::lab
