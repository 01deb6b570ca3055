#include "device/worker/spawn.hpp"

#include <csignal>

namespace warpbook::device {

SpawnAttributes::SpawnAttributes() {
  ::posix_spawnattr_init(&attributes_);
  // The starter may be a thread with signals blocked, or one that ignores some: a child starts
  // with neither. Its own process group keeps the terminal's Ctrl-C from it, so that its owner
  // decides when it ends.
  sigset_t none, all;
  sigemptyset(&none);
  sigfillset(&all);
  ::posix_spawnattr_setsigmask(&attributes_, &none);
  ::posix_spawnattr_setsigdefault(&attributes_, &all);
  ::posix_spawnattr_setpgroup(&attributes_, 0);
  ::posix_spawnattr_setflags(
      &attributes_, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP);
}

std::vector<char*> pointers_to(std::vector<std::string>& texts) {
  std::vector<char*> pointers;
  for (std::string& text : texts) pointers.push_back(text.data());
  pointers.push_back(nullptr);
  return pointers;
}

}  // namespace warpbook::device
