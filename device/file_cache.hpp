// Answers on disk that cost much to find anew, each by all that it depends on. Safe between processes and against a kill at any
// moment; a damaged entry is dropped; a folder that cannot be written costs speed and nothing else.
#pragma once

#include <cstdint>
#include <filesystem>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>

namespace warpbook::device {

class FileCache {
 public:
  /// The form of its entries. Caches of two forms neither read nor drop each other's entries.
  struct Form {
    std::string_view magic;    ///< "warpbook program"
    std::uint32_t schema = 1;  ///< a part of the file's name as well
    std::string_view kept;  ///< "compiled programs", for the note that says that they are not kept
  };
  /// An empty `folder` keeps nothing. `most_bytes` bounds the files of the folder; the least
  /// recently used go first.
  FileCache(std::filesystem::path folder, std::uint64_t most_bytes, Form form)
      : folder_(std::move(folder)), most_bytes_(most_bytes), form_(form) {}

  /// `key` is all that the entry depends on. It is stored whole and compared, so no two keys
  /// share an entry.
  std::optional<std::string> find(std::string_view key);
  void store(std::string_view key, std::string_view bytes);
  /// For a caller that finds an entry of find() unusable.
  void drop(std::string_view key);

  /// Why nothing is kept, in a sentence; empty while all is well.
  [[nodiscard]] std::string note() const;

 private:
  [[nodiscard]] std::filesystem::path file_of(std::string_view key) const;
  void evict();

  const std::filesystem::path folder_;
  const std::uint64_t most_bytes_;
  const Form form_;
  mutable std::mutex mutex_;
  std::string note_;
  std::uint64_t unchecked_bytes_ =
      UINT64_MAX;  ///< stored since the folder was last measured; at first unknown
};

}  // namespace warpbook::device
