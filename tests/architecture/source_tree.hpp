// The repository's own source files, as the tests of its shape see them.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace warpbook::architecture {

struct SourceFile {
  std::string path;  ///< from the root: "device/device.hpp"
  std::string text;
};

/// A file's bytes. Throws if it cannot be read.
std::string read_text(const std::filesystem::path& path);

/// Every file of ours with one of these extensions ("" for none), sorted by path: all but build* and what is hidden.
std::vector<SourceFile> source_files(const std::filesystem::path& root,
                                     const std::vector<std::string>& extensions);

/// One #include directive.
struct Include {
  int line = 0;
  bool quoted = false;  ///< "x", not <x>
  std::string header;
};

std::vector<Include> includes_of(const std::string& text);

}  // namespace warpbook::architecture
