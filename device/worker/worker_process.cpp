#include "device/worker/worker_process.hpp"

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "device/platform.hpp"
#include "device/worker/spawn.hpp"

namespace warpbook::device {
namespace {

// The variables that a worker inherits: how to find shared libraries, which GPUs are visible, and the sanitizers' options.
// NVRTC obeys variables of its own (NVRTC_APPEND_FLAGS, CUDA_CACHE_PATH), which it must not see.
constexpr std::array kPassedOn{"LD_LIBRARY_PATH", "CUDA_VISIBLE_DEVICES", "CUDA_DEVICE_ORDER",
                               "ASAN_OPTIONS",    "UBSAN_OPTIONS",        "TSAN_OPTIONS",
                               "LSAN_OPTIONS"};

// Set in every worker. A program that starts workers but does not know the verb `worker` would otherwise start itself
// again and again.
constexpr const char* kIsWorker = "WARPBOOK_WORKER";

std::vector<std::string> clean_environment(const std::string& kind) {
  std::vector<std::string> environment{"CUDA_CACHE_DISABLE=1", "LC_ALL=C",
                                       std::string(kIsWorker) + "=1"};
  for (const char* name : kPassedOn) {
    const char* const value = std::getenv(name);
    if (value == nullptr) continue;
    environment.push_back(std::string(name) + "=" + value);
    // The thread sanitizer does not see how libraries that it was not built into keep their threads
    // apart.
    if (kind == "device" && std::string_view(name) == "TSAN_OPTIONS")
      environment.back() += ":ignore_noninstrumented_modules=1";
  }
  return environment;
}

}  // namespace

std::string worker_binary() {
  if (const char* binary = std::getenv("WARPBOOK_BINARY"); binary != nullptr && binary[0] != '\0')
    return binary;
  return "/proc/self/exe";
}

WorkerProcess::WorkerProcess(WorkerProcess&& other) noexcept
    : pid_(std::exchange(other.pid_, -1)), channel_(std::move(other.channel_)) {}

WorkerProcess& WorkerProcess::operator=(WorkerProcess&& other) noexcept {
  std::swap(pid_, other.pid_);
  std::swap(channel_, other.channel_);
  return *this;
}

WorkerProcess::~WorkerProcess() { kill(); }

Expected<WorkerProcess> WorkerProcess::start(const std::string& kind) {
  if (std::getenv(kIsWorker) != nullptr) {
    return failure(
        ErrorCode::worker_failed,
        {{"why", fmt::format("this process is a worker itself, as {} in its environment says: a "
                             "program that starts workers calls worker_main() when it is asked to "
                             "be one (tests: link tests/main/worker_or_tests.cpp)",
                             kIsWorker)}});
  }
  auto ends = Channel::pair();
  if (!ends) return tl::unexpected(ends.error());

  FileActions actions;
  ::posix_spawn_file_actions_addopen(actions.get(), STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  ::posix_spawn_file_actions_addopen(actions.get(), STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
  ::posix_spawn_file_actions_adddup2(actions.get(), ends->second.fd(), kWorkerChannelFd);
  ::posix_spawn_file_actions_addclosefrom_np(actions.get(), kWorkerChannelFd + 1);
  SpawnAttributes attributes;

  std::vector<std::string> arguments{"warpbook", "worker", kind};
  std::vector<std::string> environment = clean_environment(kind);
  const std::string binary = worker_binary();
  pid_t pid = -1;
  const int error = ::posix_spawn(&pid, binary.c_str(), actions.get(), attributes.get(),
                                  pointers_to(arguments).data(), pointers_to(environment).data());
  if (error != 0) {
    return failure(ErrorCode::worker_failed,
                   {{"why", binary + ": " + std::generic_category().message(error)}});
  }
  WorkerProcess worker;
  worker.pid_ = pid;
  worker.channel_ = std::move(ends->first);
  return worker;
}

void WorkerProcess::kill() {
  if (pid_ <= 0) return;
  ::kill(pid_, SIGKILL);
  while (::waitpid(pid_, nullptr, 0) < 0 && errno == EINTR) {
  }
  pid_ = -1;
  channel_.close();
}

Message WorkerProcess::ending() {
  if (pid_ <= 0) return {"phrase.ended.not-running"};
  // The channel closes a moment before the process is gone.
  constexpr int kTries = 200;
  int status = 0;
  pid_t gone = 0;
  for (int i = 0; i < kTries && gone == 0; ++i) {
    gone = ::waitpid(pid_, &status, WNOHANG);
    if (gone == 0) ::usleep(5000);
  }
  if (gone != pid_) {
    kill();
    return {"phrase.ended.closed"};
  }
  pid_ = -1;
  channel_.close();
  if (WIFSIGNALED(status)) {
    const int signal = WTERMSIG(status);
    const char* const meaning = ::sigdescr_np(signal);
    return {"phrase.ended.signal",
            {{"number", std::to_string(signal)}, {"meaning", meaning != nullptr ? meaning : "?"}}};
  }
  return {"phrase.ended.code", {{"code", std::to_string(WEXITSTATUS(status))}}};
}

}  // namespace warpbook::device
