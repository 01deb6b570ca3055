#include "device/box/landlock.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cstddef>

#include "device/unique_fd.hpp"

namespace warpbook::device {
namespace {

// The uapi header may be older than the kernel; numbers from linux/landlock.h of 6.12.
struct Ruleset {
  std::uint64_t handled_files = 0, handled_net = 0, scoped = 0;
};
struct [[gnu::packed]] PathRule {
  std::uint64_t allowed = 0;
  std::int32_t parent = -1;
};
#ifndef SYS_landlock_create_ruleset
constexpr long SYS_landlock_create_ruleset = 444;
constexpr long SYS_landlock_add_rule = 445;
constexpr long SYS_landlock_restrict_self = 446;
#endif
constexpr unsigned kAskForVersion = 1;
constexpr int kPathBeneath = 1;

constexpr std::uint64_t kExecute = 1u << 0, kWriteFile = 1u << 1, kReadFile = 1u << 2,
                        kReadFolder = 1u << 3, kMakeCharacterDevice = 1u << 6,
                        kMakeBlockDevice = 1u << 11, kRefer = 1u << 13, kTruncate = 1u << 14,
                        kControlDevice = 1u << 15;
constexpr std::uint64_t kOfFiles = kExecute | kWriteFile | kReadFile | kTruncate | kControlDevice;

Ruleset everything_known_to(long version) {
  Ruleset all;
  all.handled_files = (1u << 13) - 1;  // execute .. make_sym
  if (version >= 2) all.handled_files |= kRefer;
  if (version >= kLandlockKeepsLengths) all.handled_files |= kTruncate;
  if (version >= 5) all.handled_files |= kControlDevice;
  if (version >= 4) all.handled_net = 3;                 // bind_tcp, connect_tcp
  if (version >= kLandlockKeepsSignals) all.scoped = 3;  // abstract Unix sockets, signals
  return all;
}

std::size_t ruleset_bytes(long version) { return version >= 6 ? 24 : version >= 4 ? 16 : 8; }

std::uint64_t rights_of(PlaceUse use) {
  constexpr std::uint64_t kNewDevices = kMakeCharacterDevice | kMakeBlockDevice;
  switch (use) {
    case PlaceUse::read: return kExecute | kReadFile | kReadFolder;
    case PlaceUse::write: return ~(kNewDevices | kControlDevice);
    case PlaceUse::device: return kReadFile | kWriteFile | kControlDevice;
  }
  return 0;
}

Refusal allow(int ruleset, const Ruleset& handled, const Place& place) {
  const UniqueFd where(::open(place.path.c_str(), O_PATH | O_CLOEXEC));
  struct stat about {};
  if (!where || ::fstat(where.get(), &about) != 0) return std::nullopt;
  std::uint64_t rights = rights_of(place.use) & handled.handled_files;
  if (!S_ISDIR(about.st_mode)) rights &= kOfFiles;
  const PathRule rule{rights, where.get()};
  if (::syscall(SYS_landlock_add_rule, ruleset, kPathBeneath, &rule, 0) != 0)
    return refused(("a Landlock rule for " + place.path).c_str());
  return std::nullopt;
}

}  // namespace

long landlock_version() {
  return ::syscall(SYS_landlock_create_ruleset, nullptr, 0, kAskForVersion);
}

Refusal enter_landlock(std::span<const Place> places) {
  const long version = landlock_version();
  if (version < 1) return refused("Landlock");
  const Ruleset all = everything_known_to(version);
  const UniqueFd ruleset(
      static_cast<int>(::syscall(SYS_landlock_create_ruleset, &all, ruleset_bytes(version), 0)));
  if (!ruleset) return refused("a Landlock ruleset");
  for (const Place& place : places) {
    if (Refusal refusal = allow(ruleset.get(), all, place)) return refusal;
  }
  if (::syscall(SYS_landlock_restrict_self, ruleset.get(), 0) != 0) return refused("Landlock");
  return std::nullopt;
}

}  // namespace warpbook::device
