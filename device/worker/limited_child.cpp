#include "device/worker/limited_child.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <string>
#include <system_error>
#include <vector>

#include "device/box/resource_limit.hpp"
#include "device/unique_fd.hpp"
#include "device/worker/spawn.hpp"

namespace warpbook::device {
namespace {

using Clock = std::chrono::steady_clock;
using End = ChildOutcome::End;

constexpr std::uint64_t kErrorBytes = 4096;
constexpr int kPatience = 10;  // milliseconds between looks at the clock, the stop and the child

std::string words_of(int number) { return std::generic_category().message(number); }

/// One end that reads without waiting, one that is given away.
struct ChildPipe {
  UniqueFd read, write;
  ChildPipe() {
    std::array<int, 2> ends{-1, -1};
    if (::pipe2(ends.data(), O_CLOEXEC) != 0) return;
    read = UniqueFd(ends[0]);
    write = UniqueFd(ends[1]);
    ::fcntl(read.get(), F_SETFL, O_NONBLOCK);
  }
};

/// A process and all that it started: killed and waited for at the latest when this goes.
class Child {
 public:
  explicit Child(pid_t pid) : pid_(pid) {}
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;
  ~Child() { kill(); }

  /// True once it has ended; `status` is then waitpid()'s. Processes that it started are in its group and are killed with it,
  /// before the group's number can be used again.
  bool ended(int& status) {
    siginfo_t about{};
    constexpr int kLook = WEXITED | WNOHANG | WNOWAIT;
    if (::waitid(P_PID, static_cast<id_t>(pid_), &about, kLook) != 0 || about.si_pid != pid_)
      return false;
    ::kill(-pid_, SIGKILL);
    ::waitpid(pid_, &status, 0);
    pid_ = -1;
    return true;
  }
  void kill() {
    if (pid_ <= 0) return;
    ::kill(-pid_, SIGKILL);
    while (::waitpid(pid_, nullptr, 0) < 0 && errno == EINTR) {
    }
    pid_ = -1;
  }

 private:
  pid_t pid_;
};

/// The files that the child starts with. Their numbers are above all that they will get, so that none overwrites another.
struct Wiring {
  UniqueFd nothing, out, err, file, report;
};

/// In the child, where only calls that are safe between fork and exec may be made: becomes the program, or tells why not.
[[noreturn]] void become(const ChildRequest& request, const Wiring& wiring, char* const* arguments,
                         char* const* environment) {
  constexpr int kReportFd = kChildFileFd + 1;
  ::setpgid(0, 0);
  sigset_t none;
  sigemptyset(&none);
  ::pthread_sigmask(SIG_SETMASK, &none, nullptr);
  for (int signal = 1; signal < NSIG; ++signal) ::signal(signal, SIG_DFL);
  ::dup2(wiring.nothing.get(), STDIN_FILENO);
  ::dup2(wiring.out.get(), STDOUT_FILENO);
  ::dup2(wiring.err.get(), STDERR_FILENO);
  ::dup3(wiring.report.get(), kReportFd, O_CLOEXEC);
  if (wiring.file) {
    ::dup2(wiring.file.get(), kChildFileFd);
  } else {
    ::close(kChildFileFd);
  }
  ::syscall(SYS_close_range, kReportFd + 1, ~0U, 0);
  lower_limit(RLIMIT_AS, request.memory_bytes);
  lower_limit(RLIMIT_CPU, static_cast<std::uint64_t>(request.seconds) + 1);
  lower_limit(RLIMIT_FSIZE, request.file_bytes);
  lower_limit(RLIMIT_CORE, 0);
  if (::chdir(request.folder.c_str()) == 0) ::execve(arguments[0], arguments, environment);
  const int error = errno;
  (void)!::write(kReportFd, &error, sizeof error);
  ::_exit(127);
}

/// The number of an error, or 0: then `pid` is the child's.
int start(const ChildRequest& request, const ChildPipe& output, const ChildPipe& errors,
          pid_t& pid) {
  constexpr int kAbove = 16;
  const auto above = [](int fd) { return UniqueFd(::fcntl(fd, F_DUPFD_CLOEXEC, kAbove)); };
  const UniqueFd nothing(::open("/dev/null", O_RDONLY | O_CLOEXEC));
  ChildPipe report;
  const UniqueFd& errors_to = request.joined_output ? output.write : errors.write;
  Wiring wiring{above(nothing.get()), above(output.write.get()), above(errors_to.get()),
                request.file < 0 ? UniqueFd() : above(request.file), above(report.write.get())};
  if (!wiring.nothing || !wiring.out || !wiring.err || !wiring.report ||
      (request.file >= 0 && !wiring.file))
    return errno;
  std::vector<std::string> arguments{request.program.string()}, environment{"LC_ALL=C"};
  arguments.insert(arguments.end(), request.arguments.begin(), request.arguments.end());
  environment.insert(environment.end(), request.environment.begin(), request.environment.end());
  const std::vector<char*> argument_list = pointers_to(arguments),
                           environment_list = pointers_to(environment);
  pid = ::fork();
  if (pid < 0) return errno;
  if (pid == 0) become(request, wiring, argument_list.data(), environment_list.data());
  ::setpgid(pid, pid);  // the child does the same: either may be first
  wiring.report.reset();
  report.write.reset();
  // The report closes with the exec, or brings why there was none.
  pollfd end{report.read.get(), POLLIN, 0};
  while (::poll(&end, 1, -1) < 0 && errno == EINTR) {
  }
  int error = 0;
  if (::read(report.read.get(), &error, sizeof error) != sizeof error) return 0;
  ::waitpid(pid, nullptr, 0);
  return error;
}

/// Reads what a pipe holds, up to many times its capacity; false once its other end is closed. Bytes beyond `most` are read
/// and dropped, so that the writer does not wait.
bool drain(const UniqueFd& from, std::string& into, std::uint64_t most) {
  constexpr int kPieces = 16;
  std::array<char, 65536> piece{};
  for (int i = 0; i < kPieces; ++i) {
    const ssize_t got = ::read(from.get(), piece.data(), piece.size());
    if (got < 0) return errno == EAGAIN || errno == EINTR;
    if (got == 0) return false;
    const std::uint64_t room = most - std::min<std::uint64_t>(most, into.size());
    into.append(piece.data(), std::min(room, static_cast<std::uint64_t>(got)));
  }
  return true;
}

}  // namespace

ChildOutcome run_limited(const ChildRequest& request, const std::stop_token& stop) {
  ChildOutcome outcome;
  ChildPipe output, errors;
  pid_t pid = -1;
  const int error = output.write && errors.write ? start(request, output, errors, pid) : errno;
  if (error != 0) {
    outcome.end = End::not_started;
    outcome.errors = request.program.string() + ": " + words_of(error);
    return outcome;
  }
  Child child(pid);
  output.write.reset();
  errors.write.reset();

  const auto deadline = Clock::now() + std::chrono::duration<double>(request.seconds);
  const std::uint64_t most = request.output_bytes + 1;  // one more: there was too much
  bool more = true, more_errors = true;
  const auto take = [&] {
    more = more && drain(output.read, outcome.output, most);
    more_errors = more_errors && drain(errors.read, outcome.errors, kErrorBytes);
  };
  const auto ended_as = [&](End end) {
    child.kill();
    outcome.end = end;
    return outcome;
  };
  int status = 0;
  while (true) {
    std::array<pollfd, 2> ends{pollfd{more ? output.read.get() : -1, POLLIN, 0},
                               pollfd{more_errors ? errors.read.get() : -1, POLLIN, 0}};
    ::poll(ends.data(), ends.size(), kPatience);
    const bool ended = child.ended(status);
    take();
    if (outcome.output.size() >= most) return ended_as(End::too_much_output);
    if (ended) break;
    if (stop.stop_requested()) return ended_as(End::stopped);
    if (Clock::now() > deadline) return ended_as(End::out_of_time);
  }
  if (WIFSIGNALED(status)) {
    outcome.end = End::signalled;
    outcome.code = WTERMSIG(status);
  } else {
    outcome.code = WEXITSTATUS(status);
  }
  return outcome;
}

}  // namespace warpbook::device
