#include "device/runtime/program_root.hpp"

#include <fcntl.h>
#include <sched.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "device/box/empty_root.hpp"
#include "device/unique_fd.hpp"

namespace warpbook::device::runtime {
namespace {

namespace fs = std::filesystem;

constexpr const char* kTemporary = "/tmp";
constexpr const char* kShared = "/dev/shm";

/// `path` is relative to the folder `in`, unless it is absolute.
bool write_file(int in, const char* path, const std::string& text) {
  const UniqueFd file(::openat(in, path, O_WRONLY | O_CLOEXEC));
  return file && ::write(file.get(), text.data(), text.size()) == static_cast<ssize_t>(text.size());
}

/// The user stays who they are, so that files which the program makes are theirs.
Refusal keep_user(uid_t user, gid_t group) {
  if (!write_file(AT_FDCWD, "/proc/self/setgroups", "deny") ||
      !write_file(AT_FDCWD, "/proc/self/uid_map", fmt::format("{0} {0} 1", user)) ||
      !write_file(AT_FDCWD, "/proc/self/gid_map", fmt::format("{0} {0} 1", group))) {
    return refused("the user in a user namespace");
  }
  return std::nullopt;
}

/// A part of the old file system, to be put into the new one.
struct Part {
  std::string path;  ///< its name in the new one
  bool folder = false;
  UniqueFd mount;
  fs::path link;  ///< instead of `mount`, where it is a link
};

Refusal take(const Place& place, const std::string& name, std::vector<Part>& parts) {
  Part part{name};
  std::error_code error;
  if (fs::is_symlink(place.path, error)) {
    part.link = fs::read_symlink(place.path, error);
    parts.push_back(std::move(part));
    return std::nullopt;
  }
  part.folder = fs::is_directory(place.path, error);
  part.mount = UniqueFd(::open_tree(AT_FDCWD, place.path.c_str(),
                                    OPEN_TREE_CLONE | OPEN_TREE_CLOEXEC | AT_RECURSIVE));
  if (!part.mount) return refused(place.path.c_str());
  mount_attr attributes{};
  attributes.attr_set = MOUNT_ATTR_NOSUID;
  if (place.use != PlaceUse::device) attributes.attr_set |= MOUNT_ATTR_NODEV;
  if (place.use == PlaceUse::read) attributes.attr_set |= MOUNT_ATTR_RDONLY;
  if (::mount_setattr(part.mount.get(), "", AT_EMPTY_PATH | AT_RECURSIVE, &attributes,
                      sizeof attributes) != 0) {
    return refused(("rights on " + place.path).c_str());
  }
  parts.push_back(std::move(part));
  return std::nullopt;
}

Refusal put(const Part& part) {
  std::error_code error;
  const fs::path path = part.path;
  fs::create_directories(part.folder ? path : path.parent_path(), error);
  if (!part.link.empty()) {
    fs::create_symlink(part.link, path, error);
    return error ? refused(part.path.c_str(), error.value()) : std::nullopt;
  }
  // A file is mounted over an empty one.
  if (!part.folder) UniqueFd(::open(part.path.c_str(), O_CREAT | O_WRONLY | O_CLOEXEC, 0444));
  if (::move_mount(part.mount.get(), "", AT_FDCWD, part.path.c_str(), MOVE_MOUNT_F_EMPTY_PATH) != 0)
    return refused(part.path.c_str());
  return std::nullopt;
}

/// The processes of the namespace, to be shown under /proc. The kernel only makes this while the old file system, with its own
/// /proc, is still there.
Refusal take_processes(std::uint32_t most, std::vector<Part>& parts) {
  const UniqueFd made(::fsopen("proc", FSOPEN_CLOEXEC));
  if (!made || ::fsconfig(made.get(), FSCONFIG_CMD_CREATE, nullptr, nullptr, 0) != 0)
    return refused("/proc");
  constexpr unsigned kRights = MOUNT_ATTR_NOSUID | MOUNT_ATTR_NODEV | MOUNT_ATTR_NOEXEC;
  Part part{"/proc", true, UniqueFd(::fsmount(made.get(), FSMOUNT_CLOEXEC, kRights))};
  if (!part.mount) return refused("/proc");
  // Linux 6.14 and newer count a namespace's processes by itself, and begin again at 300 when the numbers are used up. Older ones
  // refuse this, and the limit of the user's processes has to do.
  constexpr std::uint32_t kReserved = 300;
  (void)write_file(part.mount.get(), "sys/kernel/pid_max", std::to_string(most + kReserved));
  // The settings of the kernel belong to root, and the user of this computer may be root.
  mount_attr attributes{};
  attributes.attr_set = MOUNT_ATTR_RDONLY;
  if (::mount_setattr(part.mount.get(), "", AT_EMPTY_PATH, &attributes, sizeof attributes) != 0)
    return refused("a read-only /proc");
  parts.push_back(std::move(part));
  return std::nullopt;
}

/// What programs expect in /dev beside the devices.
Refusal furnish_devices() {
  constexpr std::array<std::pair<const char*, const char*>, 4> kLinks{{
      {"/proc/self/fd", "/dev/fd"},
      {"/proc/self/fd/0", "/dev/stdin"},
      {"/proc/self/fd/1", "/dev/stdout"},
      {"/proc/self/fd/2", "/dev/stderr"},
  }};
  std::error_code error;
  fs::create_directories(kShared, error);
  for (const auto& [to, name] : kLinks) fs::create_symlink(to, name, error);
  if (::mount("none", kShared, "tmpfs", MS_NOSUID | MS_NODEV, "size=1g,mode=1777") != 0)
    return refused(kShared);
  return std::nullopt;
}

}  // namespace

Refusal enter_user_namespace() {
  const uid_t user = ::geteuid();
  const gid_t group = ::getegid();
  if (::unshare(CLONE_NEWUSER | CLONE_NEWPID) != 0) return refused("user namespaces");
  return keep_user(user, group);
}

Refusal enter_program_root(std::span<const Place> places, const std::string& temporary,
                           std::uint32_t most) {
  if (::unshare(CLONE_NEWNS | CLONE_NEWNET | CLONE_NEWIPC | CLONE_NEWUTS) != 0)
    return refused("namespaces");
  std::vector<Part> parts;
  if (Refusal refusal = take_processes(most, parts)) return refusal;
  if (Refusal refusal = take({temporary, PlaceUse::write}, kTemporary, parts)) return refusal;
  for (const Place& place : places) {
    if (Refusal refusal = take(place, place.path, parts)) return refusal;
  }
  if (Refusal refusal = enter_empty_root("size=256k,mode=0755")) return refusal;
  // What is inside another comes after it. A program that runs in /tmp itself sees that one, which is mounted last.
  std::ranges::stable_sort(parts, {}, [](const Part& part) { return part.path.size(); });
  for (const Part& part : parts) {
    if (Refusal refusal = put(part)) return refusal;
  }
  if (Refusal refusal = furnish_devices()) return refusal;
  return make_root_read_only();
}

std::vector<Place> places_of_root() {
  return {{kTemporary, PlaceUse::write}, {kShared, PlaceUse::write}, {"/proc", PlaceUse::read}};
}

}  // namespace warpbook::device::runtime
