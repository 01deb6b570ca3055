// Compiled programs on disk (file_cache.hpp).
#pragma once

#include <condition_variable>
#include <cstdint>
#include <deque>
#include <filesystem>
#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <thread>
#include <utility>

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
  /// As store(), but returns at once: a thread of the cache writes the file, and find() knows the program meanwhile. The cache's
  /// destructor waits until all is written.
  void store_soon(std::string key, std::shared_ptr<const Program> program);

  /// Why nothing is kept, in a sentence; empty while all is well. Waits for what is being written.
  [[nodiscard]] std::string note();

 private:
  void write(const std::stop_token& stop);

  const bool keeps_;
  FileCache files_;
  std::mutex mutex_;  ///< guards the members below
  std::condition_variable_any changed_;
  /// To be written. The first one stays until its file is there.
  std::deque<std::pair<std::string, std::shared_ptr<const Program>>> waiting_;
  int asked_ = 0;        ///< who waits for all to be written
  std::jthread writer_;  ///< last, so that it ends before what it uses
};

}  // namespace warpbook::device
