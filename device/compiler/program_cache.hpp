// Compiled programs on disk. Safe between processes and against a kill at any moment; a damaged
// entry is dropped; a folder that cannot be written costs speed and nothing else.
#pragma once

#include <cstdint>
#include <filesystem>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>

#include "device/compiler/compiler.hpp"

namespace warpbook::device {

class ProgramCache {
 public:
  /// An empty `folder` keeps nothing. `most_bytes` bounds the files of the folder; the least
  /// recently used go first.
  ProgramCache(std::filesystem::path folder, std::uint64_t most_bytes)
      : folder_(std::move(folder)), most_bytes_(most_bytes) {}

  /// `key` is all that the program depends on. It is stored whole and compared, so no two keys
  /// share a program.
  std::optional<Program> find(std::string_view key);
  void store(std::string_view key, const Program& program);

  /// Why nothing is kept, in a sentence; empty while all is well.
  [[nodiscard]] std::string note() const;

 private:
  [[nodiscard]] std::filesystem::path file_of(std::string_view key) const;
  void evict();

  const std::filesystem::path folder_;
  const std::uint64_t most_bytes_;
  mutable std::mutex mutex_;
  std::string note_;
  std::uint64_t unchecked_bytes_ =
      UINT64_MAX;  ///< stored since the folder was last measured; at first unknown
};

}  // namespace warpbook::device
