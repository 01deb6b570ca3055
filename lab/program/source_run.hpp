// A program that its author is working at: the source is built and run, and everything comes back as one report, with marks at
// the lines of the source.
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "device/runtime/run_program.hpp"
#include "lab/report/report.hpp"

namespace warpbook::lab {

struct SourceRun {
  std::filesystem::path file;  ///< absolute; the program runs in its folder, in the box
  std::string text;            ///< that the file holds
  std::vector<std::string> arguments;
  std::string gpu;  ///< that is simulated; a row of the GPU table
};

struct SourceResult {
  /// Why the program did not begin, in `errors`; else exhibits: "source", "output", "errors" where it wrote some, and those of
  /// report_of(). "source" is there in any case.
  Report report;
  std::optional<device::runtime::ProgramOutcome::End> end;  ///< nothing: it did not begin
  int code = 0;                                             ///< exit code, or the signal's number
};

/// On the calling thread, until the program ends or `stop` is asked for. `progress` is told what is being done; may be empty.
SourceResult run_source(const SourceRun& run, const std::stop_token& stop,
                        const std::function<void(const Message&)>& progress);

}  // namespace warpbook::lab
