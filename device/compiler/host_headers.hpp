// Small stand-ins for headers of C, of C++ and of CUDA's host side. NVRTC does not have them or does not accept them, but
// much code includes them. Those with a text of their own are the files of the folder host_headers/, which the build embeds
// (cmake/host_headers.cmake); the others are empty or include one of those.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace warpbook::device {

/// The header of ours with all that nvcc declares before the first line of a .cu: INFINITY, M_PI, uint,
/// INT_MAX, std::min.
inline constexpr const char* kUnasked = "warpbook/unasked.h";
/// The same with what nearly every header of a whole program brings along: uint32_t, FLT_MAX.
inline constexpr const char* kUnaskedByPrograms = "warpbook/unasked_by_programs.h";

/// A file of the folder host_headers/, by its path in there.
struct HostHeaderFile {
  std::string_view name, text;
};
std::span<const HostHeaderFile> host_header_files();

/// Names and texts. Everything in them is something that NVRTC offers by itself or that device code
/// may use.
const std::vector<std::pair<std::string, std::string>>& host_headers();

}  // namespace warpbook::device
