#include "device/compiler/box.hpp"

#include <fcntl.h>
#include <sched.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdlib>

#include "device/box/empty_root.hpp"
#include "device/box/landlock.hpp"
#include "device/box/resource_limit.hpp"
#include "device/compiler/file_broker.hpp"
#include "device/compiler/seccomp_filter.hpp"
#include "device/sanitized.hpp"
#include "device/wire/bytes.hpp"
#include "device/worker/channel.hpp"

namespace warpbook::device {
namespace {

void set_limits(const BoxLimits& limits) {
  if (!kSanitized) lower_limit(RLIMIT_AS, limits.memory_bytes);
  lower_limit(RLIMIT_CPU, limits.processor_seconds);
  lower_limit(RLIMIT_FSIZE, limits.file_bytes);
  lower_limit(RLIMIT_NOFILE, 64);
  lower_limit(RLIMIT_CORE, 0);
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
  if (Refusal refusal = enter_empty_root("size=4k,mode=0500")) return refusal;
  return make_root_read_only();
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
    // No place at all, because the files that a compile may read come from the broker as open descriptors.
    const Refusal refusal = enter_landlock({});
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
