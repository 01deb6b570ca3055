// Finds the libraries on this computer.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "device/error.hpp"
#include "device/libraries/library.hpp"

namespace warpbook::device::libraries {

inline constexpr int kCudnnMajor = 9;
inline constexpr int kOneDnnMajor = 2;

/// In $WARPBOOK_LIBRARIES and nowhere else where it is set; else beside the CUDA toolkit, in what `./warpbook fetch
/// libraries` brought, and in the system's folders. Errors: library_missing; library_version where there is one of
/// another major version only.
Expected<std::filesystem::path> find_library(Kind kind);

/// The same in one folder, in any of the layouts that toolkits, wheels and distributions use.
Expected<std::filesystem::path> find_library_in(Kind kind,
                                                const std::vector<std::filesystem::path>& folders);

}  // namespace warpbook::device::libraries
