// Tells when files of the book change while it is open. Watches folders, since editors replace files; polls, so that it
// works on every file system and misses nothing that happens between two looks.
#pragma once

#include <chrono>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "lab/document/document.hpp"

namespace warpbook::lab {

/// Looks at all files below some folders. No thread of its own: whoever wants to know asks.
class FolderWatch {
 public:
  /// Paths below `root`, as "lessons/first-kernel". Folders that are not there count as empty.
  FolderWatch(std::string root, std::vector<std::string> folders,
              std::chrono::milliseconds interval = std::chrono::milliseconds(250));

  /// Files (below the root) that appeared, changed or went since the last look; at most one look an interval, and rarer ones
  /// where a look takes so long that they would keep a core busy for more than half a per cent. A file
  /// that is still being written is held back until two looks see the same of it.
  std::vector<std::string> changes();

 private:
  struct Stamp {
    std::filesystem::file_time_type time;
    std::uintmax_t bytes = 0;
    std::uint64_t inode = 0;
    friend bool operator==(const Stamp&, const Stamp&) = default;
  };
  using Stamps = std::map<std::string, Stamp>;
  [[nodiscard]] Stamps look() const;

  std::string root_;
  std::vector<std::string> folders_;
  std::chrono::milliseconds interval_;
  std::chrono::steady_clock::time_point next_;
  Stamps reported_, last_;
};

/// A chapter's text that follows its file. A save that is broken keeps the last good page and says what is wrong.
class LiveDocument {
 public:
  LiveDocument(std::string root, std::string slug, const std::string& language);

  /// Reads the file again. True where there is a new good document.
  bool reload();
  /// The last good one; null where there never was one.
  [[nodiscard]] std::shared_ptr<const Document> document() const { return document_; }
  /// What is wrong with the file as it is now, with its line.
  [[nodiscard]] const std::optional<device::Error>& error() const { return error_; }

 private:
  std::string root_, slug_;
  std::string language_;
  std::shared_ptr<const Document> document_;
  std::optional<device::Error> error_;
};

}  // namespace warpbook::lab
