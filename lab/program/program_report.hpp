// What a whole CUDA program did, as a report: what was found wrong, with lines of device and host, and how its work lay in time.
#pragma once

#include <filesystem>
#include <string>

#include "device/runtime/host_lines.hpp"
#include "device/runtime/run_program.hpp"
#include "lab/report/report.hpp"

namespace warpbook::lab {

/// What findings call the memory that a call allocated: the variable that the source gives the pointer to ("d_x"), else the line
/// ("the memory of line 12").
std::string name_of_memory(const device::runtime::CallRecord& call, std::uint64_t base,
                           device::runtime::HostLines& lines);

struct ProgramFacts {
  std::string name;  ///< of the program: "vecadd"
  device::Properties gpu;
  device::Checks checks;
  std::uint64_t seed = 0;
  std::string folder;  ///< places of sources below it are said from there
  std::string source =
      {};  ///< the one file whose lines are meant where a line stands alone; empty: any
};
/// The line of a place where it lies in that file; 0 where it lies in another.
std::uint32_t line_in_source(const ProgramFacts& facts, const device::SourcePlace& place);

/// The first line of a file in which the function frees what has that name; 0 where there is none.
std::uint32_t line_that_frees(const std::string& file, const std::string& function,
                              const std::string& name);

/// The report: a check with what holds and what does not, and where the program called the runtime at all, what it did.
Report report_of(const device::runtime::ProgramOutcome& outcome, const ProgramFacts& facts,
                 device::runtime::HostLines& lines);

/// Whether something was found that a GPU would have passed over in silence, or that stopped the program.
bool is_clean(const Report& report);

}  // namespace warpbook::lab
