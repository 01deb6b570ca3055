// The solution of an exercise as students get it: compiled. Gates compare a submission's counters with those of the solution, so
// their copies need one that runs; but none that reads like the answer.
#pragma once

#include <string>

#include "device/compiler/compiler.hpp"
#include "lab/exercise/exercise.hpp"

namespace warpbook::lab {

/// Where it lies in a students' copy, below the root: solutions/<id>.ptx.
std::string sealed_solution(const std::string& id);

/// The PTX of the solution `source` for the GPU that checks run on unless they are told otherwise, without the lines of the source and
/// its names of files.
tl::expected<std::string, device::CompileFailure> seal_solution(device::Compiler& compiler,
                                                                const std::string& source);

}  // namespace warpbook::lab
