// Tiny in-memory stand-ins for the host's headers, C, C++ and CUDA's own, which NVRTC does not have or
// does not take and much code includes all the same.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace warpbook::device {

/// The header of ours with all that nvcc declares before the first line of a .cu: INFINITY, M_PI, uint,
/// INT_MAX, std::min.
inline constexpr const char* kUnasked = "warpbook/unasked.h";
/// The same with what nearly every header of a whole program brings along: uint32_t, FLT_MAX.
inline constexpr const char* kUnaskedByPrograms = "warpbook/unasked_by_programs.h";

/// Names and texts. Everything in them is something that NVRTC offers by itself or that device code
/// may use.
const std::vector<std::pair<std::string, std::string>>& host_headers();

}  // namespace warpbook::device
