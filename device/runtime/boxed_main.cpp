#include "device/runtime/boxed_main.hpp"

#include <fcntl.h>
#include <linux/capability.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "device/box/resource_limit.hpp"
#include "device/runtime/program_box.hpp"
#include "device/runtime/program_filter.hpp"
#include "device/runtime/program_root.hpp"
#include "device/sanitized.hpp"
#include "device/wire/bytes.hpp"
#include "device/worker/channel.hpp"
#include "device/worker/spawn.hpp"

namespace warpbook::device::runtime {
namespace {

constexpr int kBadUsage = 2, kNotBegun = 127, kSignalled = 128;
using Failed = BoxReport::Failed;

[[noreturn]] void give_up(Failed failed, std::string why) {
  const std::string report = to_bytes(BoxReport{failed, std::move(why)});
  (void)!::write(kBoxReportFd, report.data(), report.size());
  ::_exit(kNotBegun);
}

BoxOrder read_order() {
  const auto bytes = read_memory(kBoxOrderFd);
  if (bytes) {
    if (auto order = from_bytes<BoxOrder>(*bytes)) return std::move(*order);
  }
  std::fputs(
      "warpbook worker: Warpbook starts this itself; there is nothing to do with it by hand\n",
      stderr);
  ::_exit(kBadUsage);
}

/// The signals that this process waits for: a child ended, and its starter asks for the end.
sigset_t awaited_signals() {
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGCHLD);
  sigaddset(&set, SIGTERM);
  return set;
}

/// Ctrl-C is for the program; if it ends Warpbook, this process is told to end the program.
class Signals {
 public:
  Signals() {
    const sigset_t awaited = awaited_signals();
    ::sigprocmask(SIG_BLOCK, &awaited, &mask_);
    struct sigaction ignored {};
    ignored.sa_handler = SIG_IGN;
    ::sigaction(SIGINT, &ignored, &interrupt_);
    ::sigaction(SIGQUIT, &ignored, &quit_);
    ::prctl(PR_SET_PDEATHSIG, SIGTERM);
  }
  /// As they were when this process began.
  void restore() const {
    ::sigaction(SIGINT, &interrupt_, nullptr);
    ::sigaction(SIGQUIT, &quit_, nullptr);
    ::sigprocmask(SIG_SETMASK, &mask_, nullptr);
  }

 private:
  sigset_t mask_{};
  struct sigaction interrupt_ {
  }, quit_{};
};

/// Processes that the program leaves behind become children of this one, so that they can be found and ended.
class Descendants {
 public:
  Descendants() : list_(::open("/proc/thread-self/children", O_RDONLY | O_CLOEXEC)) {
    ::prctl(PR_SET_CHILD_SUBREAPER, 1);
  }
  /// Ends the children, then those that their end made children, until there are none.
  void end() {
    if (!list_) return;
    do {
      for (const pid_t child : children()) ::kill(child, SIGKILL);
    } while (::waitpid(-1, nullptr, 0) > 0 || errno == EINTR);
  }

 private:
  [[nodiscard]] std::vector<pid_t> children() const {
    std::string text(1 << 16, '\0');
    const ssize_t got = ::pread(list_.get(), text.data(), text.size(), 0);
    text.resize(got > 0 ? static_cast<std::size_t>(got) : 0);
    std::vector<pid_t> all;
    for (char *at = text.data(), *end = nullptr; const long pid = std::strtol(at, &end, 10);
         at = end)
      all.push_back(static_cast<pid_t>(pid));
    return all;
  }

  UniqueFd list_;
};

/// The first process of a namespace: the kernel gives it what others leave behind, and ends the namespace with it.
void start_first_process() {
  const pid_t first = ::fork();
  if (first < 0) give_up(Failed::namespaces, *refused("the first process"));
  if (first > 0) return;
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  ::signal(SIGCHLD, SIG_IGN);  // so that the kernel keeps no record of who ended
  ::syscall(SYS_close_range, 0, ~0U, 0);
  while (true) ::pause();
}

void drop_capabilities() {
  for (unsigned long capability = 0; ::prctl(PR_CAPBSET_DROP, capability, 0, 0, 0) == 0;
       ++capability) {
  }
  __user_cap_header_struct header{_LINUX_CAPABILITY_VERSION_3, 0};
  std::array<__user_cap_data_struct, _LINUX_CAPABILITY_U32S_3> none{};
  ::syscall(SYS_capset, &header, none.data());
}

void set_limits(const ProgramLimits& limits, std::uint64_t processes) {
  // The devices' memory, hundreds of gigabytes of addresses, is shared and does not count here; the address space has no bound.
  if (!kSanitized) lower_limit(RLIMIT_DATA, limits.memory_bytes);
  lower_limit(RLIMIT_FSIZE, limits.file_bytes);
  lower_limit(RLIMIT_NPROC, processes);
  lower_limit(RLIMIT_CORE, 0);
}

/// Where the computer runs out of memory, the kernel ends this process and the program before it ends the user's others.
void die_first_of_memory() {
  if (const UniqueFd score(::open("/proc/self/oom_score_adj", O_WRONLY | O_CLOEXEC)); score)
    (void)!::write(score.get(), "1000", 4);
}

/// The number of the user's processes that is the bound: older kernels count all of them, not those in the box alone.
std::uint64_t most_processes(const ProgramLimits& limits) {
  unsigned long running = 0, here = 0;
  if (std::FILE* const load = std::fopen("/proc/loadavg", "re")) {
    // NOLINTNEXTLINE(cert-err34-c): the kernel wrote these numbers
    if (std::fscanf(load, "%*f %*f %*f %lu/%lu", &running, &here) != 2) here = 0;
    (void)std::fclose(load);
  }
  return here + limits.processes;
}

/// What Landlock lets a process see of /proc where it shows all processes.
void add_own_process(std::vector<Place>& places) {
  for (const char* path : {"/proc/self/", "/proc/cpuinfo", "/proc/meminfo", "/proc/stat",
                           "/proc/filesystems", "/proc/sys/vm/overcommit_memory"})
    places.push_back({path, PlaceUse::read});
}

void enter_landlock_of(const BoxOrder& order) {
  std::vector<Place> places = order.places;
  if (order.layers.namespaces) {
    for (Place& place : places_of_root()) places.push_back(std::move(place));
  } else if (landlock_version() < kLandlockKeepsLengths) {
    give_up(Failed::landlock,
            "Landlock of Linux 6.2 or newer is needed where there are no namespaces");
  } else {
    places.push_back({order.temporary, PlaceUse::write});
    add_own_process(places);
  }
  if (const Refusal refusal = enter_landlock(places)) give_up(Failed::landlock, *refusal);
}

/// In the child that becomes the program. The order matters: mounting comes first, and seccomp, which ends most of what is
/// done here, last.
[[noreturn]] void become_program(BoxOrder& order, const Signals& signals, std::uint64_t processes) {
  const BoxLayers& layers = order.layers;
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (layers.namespaces) {
    if (const Refusal refusal =
            enter_program_root(order.places, order.temporary, order.limits.processes))
      give_up(Failed::namespaces, *refusal);
    if (::chdir(order.folder.c_str()) != 0)
      give_up(Failed::namespaces, *refused(order.folder.c_str()));
  }
  ::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
  ::setenv("TMPDIR", layers.namespaces ? "/tmp" : order.temporary.c_str(), 1);
  const std::vector<char*> arguments = pointers_to(order.arguments);
  drop_capabilities();
  set_limits(order.limits, processes);
  if (layers.landlock) enter_landlock_of(order);
  signals.restore();
  const FilterNeeds needs{layers.namespaces, layers.namespaces,
                          layers.landlock && landlock_version() >= kLandlockKeepsSignals};
  if (const Refusal refusal = enter_program_filter(needs)) give_up(Failed::seccomp, *refusal);
  ::execve(order.executable.c_str(), arguments.data(), environ);
  give_up(Failed::program, *refused(order.executable.c_str()));
}

/// waitpid()'s status of the program. If the starter asks for it, the program is killed.
int wait_for(pid_t program) {
  const sigset_t awaited = awaited_signals();
  while (true) {
    int status = 0;
    pid_t ended = 0;
    while ((ended = ::waitpid(-1, &status, WNOHANG)) > 0) {
      if (ended == program) return status;
    }
    if (::sigwaitinfo(&awaited, nullptr) == SIGTERM) ::kill(program, SIGKILL);
  }
}

/// Ends this process as another ended.
[[noreturn]] void end_as(int status) {
  if (!WIFSIGNALED(status)) ::_exit(WEXITSTATUS(status));
  lower_limit(RLIMIT_CORE, 0);
  ::signal(WTERMSIG(status), SIG_DFL);
  ::raise(WTERMSIG(status));
  sigset_t all;
  sigfillset(&all);
  ::sigprocmask(SIG_UNBLOCK, &all, nullptr);
  ::_exit(kSignalled + WTERMSIG(status));
}

}  // namespace

void boxed_main() {
  BoxOrder order = read_order();
  ::fcntl(kBoxReportFd, F_SETFD, FD_CLOEXEC);
  ::syscall(SYS_close_range, STDERR_FILENO + 1, kProgramChannelFd - 1, 0);
  ::close(kBoxOrderFd);
  ::syscall(SYS_close_range, kBoxReportFd + 1, ~0U, 0);
  const Signals signals;
  Descendants descendants;
  die_first_of_memory();
  const std::uint64_t processes = most_processes(order.limits);
  if (order.layers.namespaces) {
    if (const Refusal refusal = enter_user_namespace()) give_up(Failed::namespaces, *refusal);
    start_first_process();
  }
  const pid_t program = ::fork();
  if (program < 0) give_up(Failed::program, *refused("a process"));
  if (program == 0) become_program(order, signals, processes);
  // The connection ends with the program.
  ::syscall(SYS_close_range, kProgramChannelFd, kBoxReportFd, 0);
  const int status = wait_for(program);
  descendants.end();
  // Here, because the starter may be gone.
  std::error_code ignored;
  std::filesystem::remove_all(order.temporary, ignored);
  end_as(status);
}

}  // namespace warpbook::device::runtime
