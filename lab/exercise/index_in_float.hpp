// Finds elements whose place in an array is computed in single precision, from the PTX that a launch ran.
#pragma once

#include <cstdint>

#include "device/launch_record.hpp"

namespace warpbook::lab {

/// The source line of an access to global memory whose address comes from a thread's index over the whole grid that was a float on its
/// way; 0 where there is none. A float has 24 bits, so beyond 2^24 elements such an index leaves places out, and no array that is
/// quickly run through is long enough to show that. A value that was loaded from memory, or that knows the thread within its block
/// alone, may be a float.
std::uint32_t line_of_index_in_float(const device::LaunchRecord& record);

}  // namespace warpbook::lab
