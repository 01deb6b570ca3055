#include "device/compiler/toolkit.hpp"

#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <system_error>

#include "device/platform.hpp"

namespace warpbook::device {
namespace {

namespace fs = std::filesystem;

// Relative to the folder: the toolkit's own layout, its cross-compile layout, NVIDIA's wheels. Not
// /usr itself: the box lets the include folders through, and /usr/include tells what else is
// installed.
struct Layout {
  const char* libraries;
  const char* headers;
};
constexpr std::array kLayouts{
    Layout{"lib64", "include"},
    Layout{"targets/x86_64-linux/lib", "targets/x86_64-linux/include"},
    Layout{"nvidia/cu13/lib", "nvidia/cu13/include"},
    Layout{"lib", "include"},
};

tl::unexpected<Error> toolkit_missing(Message detail) {
  return failure(ErrorCode::compiler_missing, {{"detail", std::move(detail)}});
}

fs::path resolved(const fs::path& path) {
  std::error_code error;
  fs::path real = fs::canonical(path, error);
  return error ? fs::path() : real;
}

// libnvrtc-builtins.so.13.0 stands beside libnvrtc; its name carries the minor version.
fs::path builtins_beside(const fs::path& folder) {
  const std::string wanted = fmt::format("libnvrtc-builtins.so.{}.", kCudaMajor);
  std::vector<fs::path> found;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(folder, error)) {
    if (entry.path().filename().string().starts_with(wanted)) found.push_back(entry.path());
  }
  if (found.empty()) return {};
  // libnvrtc-builtins.so.13.0 comes before the file it links to, libnvrtc-builtins.so.13.0.88.
  return *std::min_element(found.begin(), found.end());
}

std::string stamp_of(const fs::path& file) {
  struct stat about {};
  if (::stat(file.c_str(), &about) != 0) return "none";
  return fmt::format("{}:{}.{}", about.st_size, about.st_mtim.tv_sec, about.st_mtim.tv_nsec);
}

}  // namespace

Expected<Toolkit> toolkit_in(const fs::path& folder) {
  Message detail = Message{
      "phrase.detail.no-nvrtc-under", {{"major", kCudaMajor}, {"folder", folder.string()}}, {}};
  for (const Layout& layout : kLayouts) {
    const fs::path library =
        resolved(folder / layout.libraries / fmt::format("libnvrtc.so.{}", kCudaMajor));
    if (library.empty()) continue;
    Toolkit toolkit;
    toolkit.library = library;
    toolkit.builtins = builtins_beside(library.parent_path());
    if (toolkit.builtins.empty()) {
      detail = Message{
          "phrase.detail.no-builtins", {{"major", kCudaMajor}, {"library", library.string()}}, {}};
      continue;
    }
    const fs::path headers = resolved(folder / layout.headers);
    std::error_code error;
    if (headers.empty() || !fs::exists(headers / "cuda_runtime_api.h", error)) {
      detail =
          Message{"phrase.detail.no-headers", {{"folder", (folder / layout.headers).string()}}, {}};
      continue;
    }
    toolkit.includes.push_back(headers);
    if (const fs::path cccl = resolved(headers / "cccl"); !cccl.empty())
      toolkit.includes.push_back(cccl);
    return toolkit;
  }
  return toolkit_missing(std::move(detail));
}

std::vector<fs::path> toolkit_folders() {
  std::vector<fs::path> folders;
  for (const char* name : {"CUDA_HOME", "CUDA_PATH"}) {
    if (const char* value = std::getenv(name); value != nullptr && value[0] == '/')
      folders.emplace_back(value);
  }
  folders.emplace_back("/usr/local/cuda");
  folders.emplace_back(fmt::format("/usr/local/cuda-{}", kCudaMajor));
  for (int minor = 9; minor >= 0; --minor)
    folders.emplace_back(fmt::format("/usr/local/cuda-{}.{}", kCudaMajor, minor));
  folders.emplace_back("/opt/cuda");
  folders.push_back(root_folder() / "build" / "deps" / "cuda");
  return folders;
}

Expected<Toolkit> find_toolkit() {
  if (const char* only = std::getenv("WARPBOOK_CUDA"); only != nullptr && only[0] != '\0')
    return toolkit_in(only);
  for (const fs::path& folder : toolkit_folders()) {
    if (auto toolkit = toolkit_in(folder)) return toolkit;
  }
  return toolkit_missing(Message{"phrase.detail.no-nvrtc", {{"major", kCudaMajor}}, {}});
}

std::vector<fs::path> folders_of(const Toolkit& toolkit) {
  std::vector<fs::path> folders{toolkit.library.parent_path()};
  folders.insert(folders.end(), toolkit.includes.begin(), toolkit.includes.end());
  return folders;
}

std::string identity_of(const Toolkit& toolkit) {
  std::string identity =
      toolkit.library.string() + " " + stamp_of(toolkit.library) + " " + stamp_of(toolkit.builtins);
  for (const fs::path& folder : toolkit.includes) {
    identity += "\n" + folder.string();
    for (const char* file :
         {"cuda_runtime_api.h", "cuda.h", "cooperative_groups.h", "cuda_fp16.hpp",
          "cuda/std/version", "cuda/std/__cccl/version.h", "cub/version.cuh"}) {
      identity += " " + stamp_of(folder / file);
    }
  }
  return identity;
}

}  // namespace warpbook::device
