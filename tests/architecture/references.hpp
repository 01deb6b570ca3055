// Files and folders that comments and texts of the repository name, and whether they exist.
#pragma once

#include <filesystem>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "tests/architecture/source_tree.hpp"

namespace warpbook::architecture {

/// A name in a comment or a text that can only be that of a file or a folder.
struct Reference {
  int line = 0;
  std::string name;  ///< as it is written: "lab/text/unicode.hpp", "unicode.*", "gui/exhibits"
};

/// The names of all files and folders of the repository.
class Paths {
 public:
  explicit Paths(const std::vector<std::string>& files);

  /// Whether a file or a folder has this path or ends with it ("text/unicode.hpp", "unicode.hpp"). In a path the extension may
  /// be left out, and * stands for any characters.
  bool hold(std::string_view name) const;
  bool hold_at_root(std::string_view folder) const;

 private:
  std::set<std::string, std::less<>>
      ends_;  ///< of each path, whole components; with and without the extension
  std::vector<std::string> paths_;
};

/// The paths of all files of ours from the root, but for build* and hidden folders.
std::vector<std::string> paths_of_tree(const std::filesystem::path& root);

/// The comments of C++, CUDA and C; the comments of scripts, CMake and requirements; all of Markdown and TOML.
std::vector<Reference> references_in(const SourceFile& file, const Paths& paths);

}  // namespace warpbook::architecture
