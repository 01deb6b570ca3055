#include "device/compiler/box.hpp"

#include <fcntl.h>
#include <linux/types.h>
#include <sched.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <optional>
#include <system_error>

#include "device/compiler/file_broker.hpp"
#include "device/compiler/seccomp_filter.hpp"
#include "device/sanitized.hpp"
#include "device/wire/bytes.hpp"
#include "device/worker/channel.hpp"

namespace warpbook::device {
namespace {

using Refusal = std::optional<std::string>;

Refusal refused(const char* what, int number = errno) {
  return std::string(what) + ": " + std::generic_category().message(number);
}

void limit(int resource, std::uint64_t most) {
  rlimit bound{most, most};
  if (rlimit now{};
      ::getrlimit(static_cast<__rlimit_resource>(resource), &now) == 0 && now.rlim_max < most) {
    bound = {now.rlim_max, now.rlim_max};
  }
  ::setrlimit(static_cast<__rlimit_resource>(resource), &bound);
}

void set_limits(const BoxLimits& limits) {
  if (!kSanitized) limit(RLIMIT_AS, limits.memory_bytes);
  limit(RLIMIT_CPU, limits.processor_seconds);
  limit(RLIMIT_FSIZE, limits.file_bytes);
  limit(RLIMIT_NOFILE, 64);
  limit(RLIMIT_CORE, 0);
}

// Closes every descriptor but these two. They first move to numbers above both targets, so that neither overwrites the
// other.
void keep_only(int broker, int result) {
  const int high_broker = ::fcntl(broker, F_DUPFD, 16);
  const int high_result = ::fcntl(result, F_DUPFD, 16);
  ::dup2(high_broker, kBoxBrokerFd);
  ::dup2(high_result, kBoxResultFd);
  ::dup2(STDIN_FILENO, STDOUT_FILENO);  // /dev/null, opened for the worker
  ::dup2(STDIN_FILENO, STDERR_FILENO);
  if (::syscall(SYS_close_range, kBoxResultFd + 1, ~0U, 0) != 0) {
    for (int fd = kBoxResultFd + 1; fd < 4096; ++fd) ::close(fd);
  }
}

Refusal enter_namespaces() {
  if (::unshare(CLONE_NEWUSER | CLONE_NEWNS | CLONE_NEWNET | CLONE_NEWIPC | CLONE_NEWUTS) != 0) {
    return refused("user namespaces");
  }
  if (::mount(nullptr, "/", nullptr, MS_REC | MS_PRIVATE, nullptr) != 0)
    return refused("a private mount tree");
  // The new root is mounted over some folder, and any will do: its contents are hidden from this process alone.
  constexpr std::array kMountPoints{"/tmp", "/proc", "/dev", "/var"};
  constexpr unsigned long kFlags = MS_NOSUID | MS_NODEV | MS_NOEXEC;
  for (const char* point : kMountPoints) {
    if (::mount("none", point, "tmpfs", kFlags, "size=4k,mode=0500") != 0) continue;
    if (::chdir(point) != 0 || ::syscall(SYS_pivot_root, ".", ".") != 0)
      return refused("pivot_root");
    if (::umount2(".", MNT_DETACH) != 0 || ::chdir("/") != 0)
      return refused("leaving the old file system");
    if (::mount(nullptr, "/", nullptr, MS_REMOUNT | MS_RDONLY | kFlags, nullptr) != 0)
      return refused("a read-only root");
    return std::nullopt;
  }
  return refused("an empty file system");
}

// The uapi header may be older than the kernel; numbers from linux/landlock.h of 6.12.
struct LandlockRuleset {
  std::uint64_t handled_files = 0, handled_net = 0, scoped = 0;
};
#ifndef SYS_landlock_create_ruleset
constexpr long SYS_landlock_create_ruleset = 444;
constexpr long SYS_landlock_restrict_self = 446;
#endif
constexpr unsigned kLandlockVersion = 1;

LandlockRuleset everything_known_to(long version) {
  LandlockRuleset all;
  all.handled_files = (1u << 13) - 1;               // execute .. make_sym
  if (version >= 2) all.handled_files |= 1u << 13;  // refer
  if (version >= 3) all.handled_files |= 1u << 14;  // truncate
  if (version >= 5) all.handled_files |= 1u << 15;  // ioctl_dev
  if (version >= 4) all.handled_net = 3;            // bind_tcp, connect_tcp
  if (version >= 6) all.scoped = 3;                 // abstract Unix sockets, signals
  return all;
}

std::size_t ruleset_bytes(long version) { return version >= 6 ? 24 : version >= 4 ? 16 : 8; }

// The ruleset handles every kind of access and allows none, because the files that a compile may read come from the broker
// as open descriptors.
Refusal enter_landlock() {
  const long version = ::syscall(SYS_landlock_create_ruleset, nullptr, 0, kLandlockVersion);
  if (version < 1) return refused("Landlock");
  const LandlockRuleset all = everything_known_to(version);
  const long ruleset = ::syscall(SYS_landlock_create_ruleset, &all, ruleset_bytes(version), 0);
  if (ruleset < 0) return refused("a Landlock ruleset");
  const UniqueFd owner(static_cast<int>(ruleset));
  if (::syscall(SYS_landlock_restrict_self, ruleset, 0) != 0) return refused("Landlock");
  return std::nullopt;
}

Refusal enter_seccomp() {
  if (!install_file_request_handler(kBoxBrokerFd)) return refused("a handler for SIGSYS");
  if (const int number = close_with_seccomp(kBoxBrokerFd); number != 0)
    return refused("seccomp", number);
  return std::nullopt;
}

}  // namespace

BoxEntry enter_box(ConfinementLevel level, const BoxLimits& limits, int broker, int result) {
  // The zygote's death takes the compile along; the compile never outlives who would stop it.
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  ::clearenv();
  ::umask(0077);
  keep_only(broker, result);
  set_limits(limits);
  if (level == ConfinementLevel::limits) return {};

  // Namespaces come first while mounting is still possible, seccomp last because it ends all of
  // that.
  std::string why;
  bool namespaces = false, landlock = false;
  ::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
  ::prctl(PR_SET_DUMPABLE, 0);
  if (level >= ConfinementLevel::namespaces) {
    const Refusal refusal = enter_namespaces();
    namespaces = !refusal;
    if (refusal) why = *refusal;
  }
  if (level >= ConfinementLevel::landlock) {
    const Refusal refusal = enter_landlock();
    landlock = !refusal;
    if (refusal) why = *refusal;
  }
  if (const Refusal refusal = enter_seccomp()) return {ConfinementLevel::limits, *refusal};
  if (landlock && namespaces) return {ConfinementLevel::namespaces, why};
  return {landlock ? ConfinementLevel::landlock : ConfinementLevel::seccomp, why};
}

BoxEntry probe_box(ConfinementLevel cap) {
  BoxEntry unknown{ConfinementLevel::limits, "the probe did not answer"};
  auto ends = Channel::pair();
  const UniqueFd answer = make_memory({});
  if (!ends || !answer) return unknown;
  const pid_t child = ::fork();
  if (child < 0) return unknown;
  if (child == 0) {
    const BoxEntry entry = enter_box(cap, BoxLimits{}, ends->second.fd(), answer.get());
    // A test rather than trust: a call that is not on the list must fail.
    const bool holds =
        entry.reached == ConfinementLevel::limits || (::syscall(SYS_getppid) < 0 && errno == EPERM);
    const std::string reply = to_bytes(
        holds ? entry : BoxEntry{ConfinementLevel::limits, "the seccomp filter is not obeyed"});
    const bool written = ::write(kBoxResultFd, reply.data(), reply.size()) > 0;
    ::_exit(written ? 0 : 1);
  }
  int status = 0;
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  const auto bytes = read_memory(answer.get());
  if (!WIFEXITED(status) || WEXITSTATUS(status) != 0 || !bytes) return unknown;
  const auto entry = from_bytes<BoxEntry>(*bytes);
  return entry && entry->reached <= cap ? *entry : unknown;
}

}  // namespace warpbook::device
