#include "device/box/empty_root.hpp"

#include <sys/mount.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <array>

namespace warpbook::device {
namespace {

constexpr unsigned long kFlags = MS_NOSUID | MS_NODEV | MS_NOEXEC;

}  // namespace

Refusal enter_empty_root(const char* options) {
  if (::mount(nullptr, "/", nullptr, MS_REC | MS_PRIVATE, nullptr) != 0)
    return refused("a private mount tree");
  // The new root is mounted over some folder, and any will do: its contents are hidden from this process alone.
  constexpr std::array kMountPoints{"/tmp", "/proc", "/dev", "/var"};
  for (const char* point : kMountPoints) {
    if (::mount("none", point, "tmpfs", kFlags, options) != 0) continue;
    if (::chdir(point) != 0 || ::syscall(SYS_pivot_root, ".", ".") != 0)
      return refused("pivot_root");
    if (::umount2(".", MNT_DETACH) != 0 || ::chdir("/") != 0)
      return refused("leaving the old file system");
    return std::nullopt;
  }
  return refused("an empty file system");
}

Refusal make_root_read_only() {
  if (::mount(nullptr, "/", nullptr, MS_REMOUNT | MS_RDONLY | kFlags, nullptr) != 0)
    return refused("a read-only root");
  return std::nullopt;
}

}  // namespace warpbook::device
