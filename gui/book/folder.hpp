// What a folder holds of use: folders and pictures.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace warpbook::gui {

struct Folder {
  struct Entry {
    std::string name;
    bool folder = false;
    std::uint64_t bytes = 0;  ///< of a file
  };
  std::filesystem::path path;
  std::vector<Entry>
      entries;          ///< folders first, each kind by name whatever its case; nothing hidden
  bool cut = false;     ///< there are more than are kept
  std::string problem;  ///< why it cannot be read; empty: it could
};

/// At most `most` entries: folders, and files whose names end as those of PNGs and JPEGs do.
Folder read_folder(const std::filesystem::path& path, std::size_t most = 2000);

/// The folder that a file lies in or would lie in, or the nearest above it that is there.
std::filesystem::path nearest_folder(const std::filesystem::path& file);

}  // namespace warpbook::gui
