// A whole CUDA program beside the host calls of a run: which line of the program stands for which call.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "lab/document/document.hpp"

namespace warpbook::lab {

/// A call of CUDA in a program's text.
struct ProgramCall {
  std::size_t line = 0;  ///< from 0: where the call's name is
  std::size_t last = 0;  ///< the last line of its statement
  std::string name;  ///< "cudaMalloc"; "<<<" for a launch, "__global__" for a kernel's definition
  std::string
      host_call;  ///< device::HostCall::call that does the same: "allocate"; empty where a run needs none
};

/// All calls of CUDA in the program, in the order of the text. Comments, strings and macros' definitions have none. A
/// kernel's definition counts as one: loading the kernel onto the GPU has no line of its own in a CUDA program.
std::vector<ProgramCall> program_calls(std::string_view text);

struct ProgramLine {
  std::string code;
  Message call;  ///< what the run did instead of this line; empty where it did nothing
};

/// The program's lines. Where the list of `report` has the program's calls in the same order, each is beside the last line of its
/// statement. Where the run ended early, the remaining lines have none. `report` may be null.
std::vector<ProgramLine> program_lines(const CodeBlock& program, const Report* report);

/// A line as it is shown: the code, and after it the call with what leads to it, blanks or a new line. Text, HTML and the window
/// colour the two.
struct SetProgramLine {
  std::string code, call;
};
/// The calls stand in a column beside the code where the longest of them fits within `columns`, else each under its line.
std::vector<SetProgramLine> set_program(const CodeBlock& program, const Report* report,
                                        const Strings& strings, std::size_t columns);

}  // namespace warpbook::lab
