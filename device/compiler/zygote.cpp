#include "device/compiler/zygote.hpp"

#include <fmt/format.h>
#include <poll.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <optional>
#include <string>
#include <vector>

#include "device/compiler/box.hpp"
#include "device/compiler/composition.hpp"
#include "device/compiler/file_broker.hpp"
#include "device/compiler/host_headers.hpp"
#include "device/compiler/messages.hpp"
#include "device/compiler/nvrtc.hpp"
#include "device/compiler/precompiled.hpp"

namespace warpbook::device {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::uint64_t kStackBytes = 64ull << 20;  // deep templates and nests recurse in NVRTC
constexpr int kCouldNotWrite = 40;                  // exit code of a child whose result did not fit

// One child at work: it compiles a source, or it makes a precompiled header.
struct Job {
  std::uint64_t id = 0;  ///< 0: a precompiled header
  pid_t pid = -1;
  UniqueFd broker_socket;
  FileBroker broker;
  UniqueFd result;
  Clock::time_point started;
  bool stopped = false;
  PrecompiledKey making;  ///< of a precompiled header
  UniqueFd made;
};

class Zygote {
 public:
  explicit Zygote(Channel channel) : channel_(std::move(channel)) {}
  int run();

 private:
  WorkerReady get_ready(const WorkerHello& hello);
  void handle(const Packet& message);
  void start_compile(std::uint64_t id, const CompileRequest& request);
  void start_precompiling(PrecompiledKey key, const CompileRequest& request);
  bool fork_into_box(Job& job, const NvrtcJob& work);
  void finish(Job& job);
  CompileDone verdict(const Job& job, int status, const rusage& usage) const;

  Channel channel_;
  WorkerHello hello_;
  std::optional<Nvrtc> nvrtc_;
  ConfinementLevel level_ = ConfinementLevel::limits;
  std::vector<std::string> include_folders_;  ///< as NVRTC is told them
  std::vector<Job> jobs_;
  PrecompiledHeaders precompiled_;
};

void raise_stack_limit() {
  rlimit stack{};
  if (::getrlimit(RLIMIT_STACK, &stack) != 0) return;
  stack.rlim_cur = std::min<rlim_t>(stack.rlim_max, kStackBytes);
  ::setrlimit(RLIMIT_STACK, &stack);
}

// NVRTC writes "Cuda compilation tools, release 13.0, V13.0.88" into every PTX.
std::string version_in(const std::string& ptx) {
  const std::size_t at = ptx.find(", V");
  if (at == std::string::npos) return {};
  return ptx.substr(at + 3, ptx.find_first_not_of("0123456789.", at + 3) - at - 3);
}

int Zygote::run() {
  Packet message;
  if (channel_.receive(message) != Channel::Outcome::message) return 0;
  const auto hello = from_bytes<WorkerHello>(message.bytes);
  if (message.kind != static_cast<std::uint32_t>(CompileMessage::hello) || !hello) return 1;
  const WorkerReady ready = get_ready(*hello);
  if (!channel_.send(static_cast<std::uint32_t>(CompileMessage::ready), to_bytes(ready))) return 0;
  if (!ready.missing.empty()) return 0;

  while (true) {
    std::vector<pollfd> waiting{{channel_.fd(), POLLIN, 0}};
    for (const Job& job : jobs_) waiting.push_back({job.broker_socket.get(), POLLIN, 0});
    if (::poll(waiting.data(), waiting.size(), -1) < 0 && errno != EINTR) return 1;
    // Children first: a finished one frees memory that the next request may need.
    for (std::size_t i = waiting.size() - 1; i > 0; --i) {
      Job& job = jobs_[i - 1];
      if (waiting[i].revents == 0 || job.broker.answer(job.broker_socket.get())) continue;
      finish(job);
      jobs_.erase(jobs_.begin() + static_cast<std::ptrdiff_t>(i - 1));
    }
    if (waiting[0].revents != 0) {
      if (channel_.receive(message) != Channel::Outcome::message) return 0;
      handle(message);
    }
  }
}

WorkerReady Zygote::get_ready(const WorkerHello& hello) {
  hello_ = hello;
  WorkerReady ready;
  // NVRTC looks for quoted includes in its current folder, which it remembers.
  if (::chdir("/") != 0) ready.missing = "the folder / cannot be entered";
  raise_stack_limit();
  auto nvrtc = Nvrtc::open(hello.toolkit);
  if (!nvrtc) {
    ready.missing = nvrtc.error().arguments.front().value.english();
    return ready;
  }
  nvrtc_ = *nvrtc;
  const BoxEntry box = probe_box(hello.highest_level);
  level_ = ready.level = box.reached;
  ready.why_not_higher = box.why_not_higher;
  if (level_ == ConfinementLevel::limits) {
    for (const auto& folder : hello.toolkit.includes) include_folders_.push_back(folder.native());
  } else {
    include_folders_ = names_in_box(hello.toolkit.includes.size());
  }

  // A first compile warms NVRTC: whatever it loads and allocates once is then in every child that is forked, at the same
  // addresses.
  CompileRequest trivial{"warm.cu", "__global__ void warm(float* x) { x[threadIdx.x] = 1.0f; }"};
  trivial.cubin = true;
  const NvrtcResult warm = nvrtc_->compile(
      {trivial.name, trivial.source, options_of(trivial, {}), host_headers(), {}, false});
  if (warm.code != kNvrtcSuccess)
    ready.missing = fmt::format("it fails with {} {}", warm.error, warm.log);
  ready.release = fmt::format("{}.{}", nvrtc_->major(), nvrtc_->minor());
  ready.version = version_in(warm.ptx);
  ready.architectures = nvrtc_->architectures();
  return ready;
}

void Zygote::handle(const Packet& message) {
  switch (static_cast<CompileMessage>(message.kind)) {
    case CompileMessage::compile: {
      const auto asked = from_bytes<CompileAsked>(message.bytes);
      if (asked) start_compile(asked->id, asked->request);
      return;
    }
    case CompileMessage::stop: {
      const auto id = from_bytes<std::uint64_t>(message.bytes);
      for (Job& job : jobs_) {
        if (job.id != id) continue;
        job.stopped = true;
        ::kill(job.pid, SIGKILL);
      }
      return;
    }
    default: return;
  }
}

void Zygote::start_compile(std::uint64_t id, const CompileRequest& request) {
  const std::vector<std::string> slow = leading_slow_headers(request.source);
  NvrtcJob work{name_in_box(request.name),
                composed_source(request, slow),
                options_of(request, include_folders_),
                host_headers(),
                request.name_expressions,
                request.cubin};
  UniqueFd precompiled;
  if (!slow.empty() && level_ != ConfinementLevel::limits) {
    const PrecompiledKey key{options_of(request, include_folders_), slow};
    PrecompiledHeaders::Answer answer = precompiled_.ask(key);
    if (answer.memory) {
      precompiled = std::move(answer.memory);
      work.options.push_back(fmt::format("--use-pch={}", kPrecompiledInBox));
      work.options.emplace_back("--pch-messages=false");
    } else if (answer.worth_making) {
      start_precompiling(key, request);
    }
  }
  Job job;
  job.id = id;
  job.broker = FileBroker(hello_.toolkit.includes, std::move(precompiled), UniqueFd());
  if (!fork_into_box(job, work)) {
    const CompileDone done{id, CompileEnd::died,
                           std::string("it could not be started: ") + std::strerror(errno), 0, 0};
    channel_.send(static_cast<std::uint32_t>(CompileMessage::done), to_bytes(done));
    return;
  }
  jobs_.push_back(std::move(job));
}

void Zygote::start_precompiling(PrecompiledKey key, const CompileRequest& request) {
  Job job;
  job.made = make_memory({});
  if (!job.made) return;
  NvrtcJob work{"precompiled.cu",
                precompiled_source(key.headers),
                options_of(request, include_folders_),
                host_headers(),
                {},
                false};
  work.options.push_back(fmt::format("--create-pch={}", kNewPrecompiledInBox));
  work.options.emplace_back("--pch-messages=false");
  job.making = std::move(key);
  job.broker = FileBroker(hello_.toolkit.includes, UniqueFd(), duplicate(job.made));
  if (fork_into_box(job, work)) jobs_.push_back(std::move(job));
}

bool Zygote::fork_into_box(Job& job, const NvrtcJob& work) {
  std::array<int, 2> sockets{};
  if (::socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, sockets.data()) != 0) return false;
  job.broker_socket = UniqueFd(sockets[0]);
  const UniqueFd boxed_end(sockets[1]);
  job.result = make_memory({});
  if (!job.result) return false;
  job.started = Clock::now();
  job.pid = ::fork();
  if (job.pid != 0) return job.pid > 0;

  const BoxEntry box = enter_box(level_, hello_.limits, boxed_end.get(), job.result.get());
  NvrtcResult result;
  if (box.reached == level_) {
    result = nvrtc_->compile(work);
  } else {
    result.code = -1;
    result.error = "the box did not close: " + box.why_not_higher;
  }
  const std::string bytes = to_bytes(result);
  std::string_view rest = bytes;
  while (!rest.empty()) {
    const ssize_t written = ::write(kBoxResultFd, rest.data(), rest.size());
    if (written <= 0) ::_exit(kCouldNotWrite);
    rest.remove_prefix(static_cast<std::size_t>(written));
  }
  ::_exit(0);
}

void Zygote::finish(Job& job) {
  // The child's socket closes a moment before the process ends, when its exit code is decided. A child that closed it by
  // itself, or sent nonsense, and goes on running is killed rather than waited for.
  ::kill(job.pid, SIGKILL);
  int status = 0;
  rusage usage{};
  while (::wait4(job.pid, &status, 0, &usage) < 0 && errno == EINTR) {
  }
  if (job.id == 0) {
    const auto bytes = read_memory(job.result.get());
    const auto result = from_bytes<NvrtcResult>(bytes.value_or(""));
    const bool good =
        WIFEXITED(status) && WEXITSTATUS(status) == 0 && result && result->code == kNvrtcSuccess;
    precompiled_.made(job.making, good ? std::move(job.made) : UniqueFd());
    return;
  }
  const CompileDone done = verdict(job, status, usage);
  const int memory = done.end == CompileEnd::finished ? job.result.get() : -1;
  channel_.send(static_cast<std::uint32_t>(CompileMessage::done), to_bytes(done), memory);
}

CompileDone Zygote::verdict(const Job& job, int status, const rusage& usage) const {
  const double processor =
      static_cast<double>(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
      static_cast<double>(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) * 1e-6;
  CompileDone done{job.id,
                   CompileEnd::finished,
                   {},
                   std::chrono::duration<double>(Clock::now() - job.started).count(),
                   processor};
  if (WIFEXITED(status) && WEXITSTATUS(status) == 0) return done;
  const std::uint64_t peak = static_cast<std::uint64_t>(usage.ru_maxrss) * 1024;
  if (job.stopped) {
    done.end = CompileEnd::stopped;
  } else if (WIFSIGNALED(status) &&
             (WTERMSIG(status) == SIGXCPU || processor >= hello_.limits.processor_seconds)) {
    done.end = CompileEnd::no_time;
  } else if (peak > hello_.limits.memory_bytes / 2 &&
             !(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL)) {
    // NVRTC aborts or follows a null pointer when it is refused memory; which of the two depends on the place.
    done.end = CompileEnd::no_memory;
  } else {
    done.end = CompileEnd::died;
    done.detail = WIFSIGNALED(status) ? fmt::format("signal {}, {}", WTERMSIG(status),
                                                    ::strsignal(WTERMSIG(status)))
                                      : fmt::format("exit code {}", WEXITSTATUS(status));
  }
  return done;
}

}  // namespace

int run_compile_zygote(Channel channel) { return Zygote(std::move(channel)).run(); }

}  // namespace warpbook::device
