// Which files something was made of.
#pragma once

#include <filesystem>
#include <map>
#include <mutex>
#include <string_view>

#include "device/launch_memo.hpp"

namespace warpbook::lab {

/// Notes what is read below the root, on the thread that made it, while it lives: sources, operations and trainings.
class FilesRead {
 public:
  using Files = std::map<std::filesystem::path, device::Fingerprint>;

  FilesRead() : here_(this) {}
  FilesRead(const FilesRead&) = delete;
  FilesRead& operator=(const FilesRead&) = delete;

  [[nodiscard]] Files files() const;

  /// For whoever reads a file.
  static void note(const std::filesystem::path& file, std::string_view contents);

  /// The one of this thread; null where nobody notes.
  static FilesRead* current();
  /// Lets another thread's note what this thread reads, until the scope ends.
  class Scope {
   public:
    explicit Scope(FilesRead* notes);
    ~Scope();
    Scope(const Scope&) = delete;
    Scope& operator=(const Scope&) = delete;

   private:
    FilesRead* before_;
  };

 private:
  mutable std::mutex mutex_;
  Files files_;
  Scope here_;
};

/// Whether each of the files still holds what it held.
bool unchanged(const FilesRead::Files& files);

}  // namespace warpbook::lab
