#include "device/libraries/files.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <iterator>
#include <optional>
#include <system_error>

#include <fmt/format.h>

#include "device/characters.hpp"
#include "device/compiler/toolkit.hpp"
#include "device/platform.hpp"

namespace warpbook::device::libraries {
namespace {

namespace fs = std::filesystem;

// Relative to a folder: itself, a toolkit, NVIDIA's wheels.
constexpr std::array kLayouts{
    "", "lib64", "targets/x86_64-linux/lib", "lib", "nvidia/cudnn/lib", "nvidia/cu13/lib"};

struct Wanted {
  const char* stem;
  int major;
};

Wanted wanted(Kind kind) {
  switch (kind) {
    case Kind::cudnn: return {"libcudnn.so", kCudnnMajor};
    case Kind::cublas: return {"libcublas.so", kCudaMajor};
    case Kind::onednn: return {"libdnnl.so", kOneDnnMajor};
  }
  __builtin_unreachable();
}

std::vector<fs::path> usual_folders() {
  std::vector<fs::path> folders;
  if (const char* chosen = std::getenv("WARPBOOK_CUDA"); chosen != nullptr && chosen[0] == '/')
    folders.emplace_back(chosen);
  std::ranges::copy(toolkit_folders(), std::back_inserter(folders));
  folders.push_back(root_folder() / "build" / "deps" / "libraries");
  for (const char* folder : {"/usr/lib/x86_64-linux-gnu", "/usr/local/lib", "/usr/lib64"})
    folders.emplace_back(folder);
  return folders;
}

// "libcudnn.so.8" -> 8; nothing for "libcudnn.so" and for another library's name.
std::optional<int> major_of(const std::string& name, const Wanted& what) {
  const std::string start = std::string(what.stem) + ".";
  if (!name.starts_with(start)) return std::nullopt;
  const std::string rest = name.substr(start.size(), name.find('.', start.size()) - start.size());
  if (rest.empty() || rest.size() > 4 || !std::ranges::all_of(rest, is_digit)) {
    return std::nullopt;
  }
  return std::stoi(rest);
}

}  // namespace

Expected<fs::path> find_library_in(Kind kind, const std::vector<fs::path>& folders) {
  const Wanted what = wanted(kind);
  const std::string name = fmt::format("{}.{}", what.stem, what.major);
  std::error_code ignored;
  for (const fs::path& folder : folders) {
    for (const char* layout : kLayouts) {
      const fs::path file = folder / layout / name;
      if (fs::exists(file, ignored)) return file.lexically_normal();
    }
  }
  for (const fs::path& folder : folders) {
    for (const char* layout : kLayouts) {
      for (const auto& entry : fs::directory_iterator(folder / layout, ignored)) {
        const auto major = major_of(entry.path().filename().string(), what);
        if (!major) continue;
        return failure(ErrorCode::library_version,
                       {{"library", std::string(name_of(kind))},
                        {"file", entry.path().lexically_normal().string()},
                        {"found", std::to_string(*major)},
                        {"needed", std::to_string(what.major)},
                        {"command", std::string(command_for(kind))}});
      }
    }
  }
  return failure(ErrorCode::library_missing,
                 {{"library", std::string(name_of(kind))},
                  {"detail", fmt::format("no {} in {}", name,
                                         folders.size() == 1 ? folders.front().string()
                                                             : std::string("the usual places"))},
                  {"command", std::string(command_for(kind))}});
}

Expected<fs::path> find_library(Kind kind) {
  if (const char* only = std::getenv("WARPBOOK_LIBRARIES"); only != nullptr && only[0] != '\0')
    return find_library_in(kind, {fs::path(only)});
  return find_library_in(kind, usual_folders());
}

}  // namespace warpbook::device::libraries
