#include "device/worker/limited_child.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <system_error>

#include "device/worker/spawn.hpp"
#include "device/worker/unique_fd.hpp"

namespace warpbook::device {
namespace {

using Clock = std::chrono::steady_clock;
using End = ChildOutcome::End;

constexpr std::uint64_t kErrorBytes = 4096;
constexpr int kPatience = 10;  // milliseconds between looks at the clock, the stop and the child

std::string words_of(int number) { return std::generic_category().message(number); }

/// One end that reads without waiting, one that is given away.
struct Pipe {
  UniqueFd read, write;
  Pipe() {
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

  void limit(__rlimit_resource resource, std::uint64_t most) const {
    rlimit bound{most, most};
    if (rlimit now{}; ::prlimit(pid_, resource, nullptr, &now) == 0 && now.rlim_max < most)
      bound = {now.rlim_max, now.rlim_max};
    ::prlimit(pid_, resource, &bound, nullptr);
  }
  /// True once it has ended; then `status` is as waitpid() has it. What it started has its group, and ends with it, before
  /// its number is given to another.
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

/// The number of an error, or 0: then `pid` is the child's.
int start(const ChildRequest& request, const Pipe& output, const Pipe& errors, pid_t& pid) {
  // Above every number that they are to have, so that none overwrites another.
  constexpr int kAbove = 16;
  const auto above = [](int fd) { return UniqueFd(::fcntl(fd, F_DUPFD_CLOEXEC, kAbove)); };
  const UniqueFd out = above(output.write.get()), err = above(errors.write.get()),
                 file = request.file < 0 ? UniqueFd() : above(request.file);
  if (!out || !err || (request.file >= 0 && !file)) return errno;
  FileActions actions;
  ::posix_spawn_file_actions_addopen(actions.get(), STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  ::posix_spawn_file_actions_adddup2(actions.get(), out.get(), STDOUT_FILENO);
  ::posix_spawn_file_actions_adddup2(actions.get(), err.get(), STDERR_FILENO);
  if (file) ::posix_spawn_file_actions_adddup2(actions.get(), file.get(), kChildFileFd);
  ::posix_spawn_file_actions_addclosefrom_np(actions.get(),
                                             file ? kChildFileFd + 1 : STDERR_FILENO + 1);
  ::posix_spawn_file_actions_addchdir_np(actions.get(), "/");
  SpawnAttributes attributes;
  std::vector<std::string> arguments{request.program.string()}, environment{"LC_ALL=C"};
  arguments.insert(arguments.end(), request.arguments.begin(), request.arguments.end());
  return ::posix_spawn(&pid, arguments.front().c_str(), actions.get(), attributes.get(),
                       pointers_to(arguments).data(), pointers_to(environment).data());
}

/// Takes what is there, up to what a full pipe holds many times over; false once there is nothing more to come. Of more than
/// `most` bytes the rest is thrown away, so that who writes them does not wait for us.
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
  Pipe output, errors;
  pid_t pid = -1;
  const int error = output.write && errors.write ? start(request, output, errors, pid) : errno;
  if (error != 0) {
    outcome.end = End::not_started;
    outcome.errors = request.program.string() + ": " + words_of(error);
    return outcome;
  }
  Child child(pid);
  child.limit(RLIMIT_AS, request.memory_bytes);
  child.limit(RLIMIT_CPU, static_cast<std::uint64_t>(request.seconds) + 1);
  child.limit(RLIMIT_FSIZE, 0);
  child.limit(RLIMIT_CORE, 0);
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
