// Compiled programs on disk (file_cache.hpp).
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "device/compiler/compiler.hpp"
#include "device/file_cache.hpp"

namespace warpbook::device {

class ProgramCache {
 public:
  /// An empty `folder` keeps nothing. `most_bytes` bounds the files of the folder; the least
  /// recently used go first.
  ProgramCache(std::filesystem::path folder, std::uint64_t most_bytes);

  /// `key` is all that the program depends on; no two keys share a program.
  std::optional<Program> find(std::string_view key);
  void store(std::string_view key, const Program& program);

  /// Why nothing is kept, in a sentence; empty while all is well.
  [[nodiscard]] std::string note() const { return files_.note(); }

 private:
  FileCache files_;
};

}  // namespace warpbook::device
