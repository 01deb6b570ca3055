// The folders and files in a folder, for choosing a file.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace warpbook::gui {

/// What sort of file is to be chosen.
enum class FileSort : std::uint8_t { picture, program };

struct Folder {
  struct Entry {
    std::string name;
    bool folder = false;
    std::uint64_t bytes = 0;  ///< of a file
  };
  std::filesystem::path path;
  /// Folders first, then files of the sort, each sorted by name regardless of case; without hidden ones.
  std::vector<Entry> entries;
  bool cut = false;     ///< the folder has more entries than these
  std::string problem;  ///< why the folder cannot be read; empty: it was read
};

/// Reads at most `most` entries: folders, and files named as pictures (*.png, *.jpg, *.jpeg) or programs (*.cu) are.
Folder read_folder(const std::filesystem::path& path, FileSort sort, std::size_t most = 2000);

/// The folder of that path, or its nearest parent that exists.
std::filesystem::path nearest_folder(const std::filesystem::path& file);

}  // namespace warpbook::gui
