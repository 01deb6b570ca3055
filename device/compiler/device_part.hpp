// Somebody's .cu as a whole program, reduced to what runs on the device. nvcc parts host from
// device code; NVRTC takes device code only, and refuses a file for its main().
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "device/error.hpp"

namespace warpbook::device {

/// `source` with its own headers put in place (the quoted includes that lie beside the file, or
/// below its folder; all others stay) and without its host code. Lines stay where they were.
/// Errors: file_unreadable, ptx_limit.
Expected<std::string> device_part_of(const std::filesystem::path& file, std::string_view source);

/// `source` without the functions, variables and using-directives that only a host compiler takes:
/// those at namespace scope that carry no execution or memory space. They are blanked, character
/// for character, so that every line and column of the rest stays. constexpr functions, which nvcc
/// lets device code fold, become __device__ (only that line's columns move). What cannot be
/// understood stays as it is, for the compiler to judge.
std::string without_host_code(std::string_view source);

}  // namespace warpbook::device
