// Finds NVRTC and CUDA's headers on this computer.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "device/error.hpp"

namespace warpbook::device {

/// Only CUDA 13 will do: the options, the architectures and the builtins' name are of that release.
inline constexpr int kCudaMajor = 13;

struct Toolkit {
  std::filesystem::path library;   ///< libnvrtc.so.13, links resolved
  std::filesystem::path builtins;  ///< its sibling libnvrtc-builtins.so.13.x
  std::vector<std::filesystem::path>
      includes;  ///< links resolved, in the order of search: include, include/cccl
};
template <class V>
void fields(V&& visit, Is<Toolkit> auto& v) {
  visit("library", v.library);
  visit("builtins", v.builtins);
  visit("includes", v.includes);
}

/// $WARPBOOK_CUDA and nothing else where it is set; else $CUDA_HOME, $CUDA_PATH, the usual folders
/// of an installed toolkit, and the wheels under build/deps/cuda. Error: compiler_missing.
Expected<Toolkit> find_toolkit();

/// Where a toolkit is looked for when $WARPBOOK_CUDA does not say: $CUDA_HOME, $CUDA_PATH, the usual
/// folders, the wheels. Not all of them need exist.
std::vector<std::filesystem::path> toolkit_folders();

/// The toolkit in one folder, in any of the layouts that NVIDIA and the distributions use.
Expected<Toolkit> toolkit_in(const std::filesystem::path& folder);

/// The folders that NVRTC reads: for programs that compile kernels themselves, in a box.
std::vector<std::filesystem::path> folders_of(const Toolkit& toolkit);

/// Distinguishes the output of one toolkit from that of another: a cached program is good only for the identity that it was
/// compiled with.
std::string identity_of(const Toolkit& toolkit);

}  // namespace warpbook::device
