// For posix_spawn: files, signals and arguments of a program that inherits nothing else from us.
#pragma once

#include <spawn.h>

#include <string>
#include <vector>

namespace warpbook::device {

class FileActions {
 public:
  FileActions() { ::posix_spawn_file_actions_init(&actions_); }
  FileActions(const FileActions&) = delete;
  FileActions& operator=(const FileActions&) = delete;
  ~FileActions() { ::posix_spawn_file_actions_destroy(&actions_); }
  posix_spawn_file_actions_t* get() { return &actions_; }

 private:
  posix_spawn_file_actions_t actions_{};
};

/// No signal is blocked or ignored, and the process leads a group of its own, which has its number.
class SpawnAttributes {
 public:
  SpawnAttributes();
  SpawnAttributes(const SpawnAttributes&) = delete;
  SpawnAttributes& operator=(const SpawnAttributes&) = delete;
  ~SpawnAttributes() { ::posix_spawnattr_destroy(&attributes_); }
  posix_spawnattr_t* get() { return &attributes_; }

 private:
  posix_spawnattr_t attributes_{};
};

/// Arguments or environment in the form of posix_spawn: pointers to `texts`, which must outlive them, and a null.
std::vector<char*> pointers_to(std::vector<std::string>& texts);

}  // namespace warpbook::device
