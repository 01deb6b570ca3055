// A zip written file by file. The same files make the same bytes.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "device/error.hpp"

namespace warpbook::lab {

struct ZipEntry {
  std::string path;   ///< in the archive, with "/" between
  std::string bytes;  ///< unless it is a file's
  std::filesystem::path
      file{};  ///< not empty: its content, which may be too large to be held at once
  bool executable = false;
};

/// Adds a file as `as`, or all files of a folder below that, in whatever order. Links are followed. `leaves_out` is asked with each
/// path below `from`. Error: file_unreadable.
using LeavesOut = std::function<bool(const std::filesystem::path&)>;
device::Expected<void> add_tree(std::vector<ZipEntry>& entries, const std::filesystem::path& from,
                                const std::string& as, const LeavesOut& leaves_out = {});

/// Written beside it first, so that `file` is whole or as it was before. Errors: file_unwritable, or file_unreadable for an entry's file.
device::Expected<void> write_zip(const std::filesystem::path& file,
                                 const std::vector<ZipEntry>& entries);

}  // namespace warpbook::lab
