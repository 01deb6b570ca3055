// Runs the real binary as a user would, with a home of its own, and keeps what it said.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace warpbook::tests {

struct Outcome {
  int code = -1;  ///< the exit code; 128 + signal where it was killed
  std::string out, err;
};

/// A folder that goes away with the object.
class TemporaryFolder {
 public:
  TemporaryFolder();
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  [[nodiscard]] const std::filesystem::path& path() const { return path_; }
  /// Writes a file below the folder and gives its path.
  [[nodiscard]] std::string write(const std::string& name, const std::string& content) const;

 private:
  std::filesystem::path path_;
};

std::string read_whole(const std::filesystem::path& file);

/// WARPBOOK_BINARY with `arguments`. Its home is shared by one test program and starts empty; `environment` adds or
/// replaces variables ("" removes one).
Outcome warpbook(const std::vector<std::string>& arguments, const std::map<std::string, std::string>& environment = {},
                 const std::string& input = {});

}  // namespace warpbook::tests
