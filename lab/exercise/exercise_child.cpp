// Checks in a child process: what a submission does to memory or time ends there.
#include <fcntl.h>
#include <spawn.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <mutex>
#include <optional>
#include <system_error>
#include <utility>
#include <vector>

#include "device/sanitized.hpp"
#include "device/wire/bytes.hpp"
#include "device/worker/channel.hpp"
#include "device/worker/worker_process.hpp"
#include "lab/exercise/check_binary.hpp"
#include "lab/exercise/check_once.hpp"
#include "lab/text/host.hpp"
#include "lab/text/toml_value.hpp"

extern char** environ;

namespace warpbook::lab {
namespace {

using device::Channel;
using device::Error;
using device::ErrorCode;
using Clock = std::chrono::steady_clock;

enum : std::uint32_t { kRequest = 1, kProgress, kReport };

constexpr auto kGlance = std::chrono::milliseconds(
    50);  // how often the child's memory and the stop request are looked at
constexpr rlim_t kCpuSeconds = 600;
constexpr rlim_t kFileBytes = 1u << 30;
constexpr rlim_t kOpenFiles = 256;

/// A check-worker at the other end of a channel. Destroyed, it is killed and waited for.
class Child {
 public:
  static device::Expected<Child> start(const std::string& root) {
    auto ends = Channel::pair();
    if (!ends) return tl::unexpected(ends.error());
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, ends->second.fd(), STDIN_FILENO);
    posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
    posix_spawn_file_actions_addclosefrom_np(&actions, STDERR_FILENO + 1);

    const std::string root_variable = "WARPBOOK_ROOT=" + root;
    std::vector<char*> environment;
    for (char** variable = environ; *variable != nullptr; ++variable) {
      if (std::strncmp(*variable, "WARPBOOK_ROOT=", 14) != 0) environment.push_back(*variable);
    }
    environment.push_back(const_cast<char*>(root_variable.c_str()));
    environment.push_back(nullptr);
    char name[] = "warpbook", verb[] = "check-worker";
    char* arguments[] = {name, verb, nullptr};
    const std::string binary = device::worker_binary();
    Child child;
    const int failed = ::posix_spawn(&child.pid_, binary.c_str(), &actions, nullptr, arguments,
                                     environment.data());
    posix_spawn_file_actions_destroy(&actions);
    if (failed != 0) {
      child.pid_ = -1;
      return device::failure(ErrorCode::worker_failed,
                             {{"why", binary + ": " + std::generic_category().message(failed)}});
    }
    child.channel_ = std::move(ends->first);
    return child;
  }
  Child() = default;
  Child(Child&& other) noexcept
      : pid_(std::exchange(other.pid_, -1)), channel_(std::move(other.channel_)) {}
  Child& operator=(Child&&) = delete;
  ~Child() {
    if (pid_ <= 0) return;
    ::kill(pid_, SIGKILL);
    while (::waitpid(pid_, nullptr, 0) < 0 && errno == EINTR) {
    }
  }
  Channel& channel() { return channel_; }

  /// Bytes resident; 0 where the system does not say.
  [[nodiscard]] std::uint64_t resident() const {
    std::ifstream statm("/proc/" + std::to_string(pid_) + "/statm");
    std::uint64_t total = 0, pages = 0;
    statm >> total >> pages;
    return pages * static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE));
  }

 private:
  pid_t pid_ = -1;
  Channel channel_;
};

struct Outcome {
  CheckReport report;
  Message why;  ///< not empty: the machine failed, and this is what befell the child
  bool cancelled = false;
};

Outcome befell(Message why) { return {{}, std::move(why), false}; }

/// What the child is asked to do.
struct Request {
  std::string id, file_name, source;
  CheckSetting setting;
};

template <class V>
void fields(V&& visit, device::Is<Request> auto& v) {
  visit("id", v.id);
  visit("file_name", v.file_name);
  visit("source", v.source);
  visit("checks", v.setting.checks);
  visit("gpu", v.setting.gpu);
  visit("sass", v.setting.sass);
  visit("seed", v.setting.seed);
}

/// How far the child is: a fraction, and the key of the sentence that says it.
using Progress = std::pair<double, std::string>;

Outcome run_child(const std::string& request, const std::string& root, const std::stop_token& stop,
                  const std::function<void(double, const Message&)>& progress,
                  const CheckLimits& limits) {
  auto child = Child::start(root);
  if (!child) return befell(child.error().message());
  if (!child->channel().send(kRequest, request))
    return befell(Message{"phrase.befell.unasked", {}, {}});
  const auto deadline =
      Clock::now() + std::chrono::duration_cast<Clock::duration>(
                         std::chrono::duration<double>(limits.seconds * device::kSlowdown));
  while (true) {
    device::Packet message;
    switch (child->channel().receive(message, Clock::now() + kGlance)) {
      case Channel::Outcome::closed: return befell(Message{"phrase.befell.crashed", {}, {}});
      case Channel::Outcome::malformed: return befell(Message{"phrase.befell.answer", {}, {}});
      case Channel::Outcome::timeout:
        if (stop.stop_requested()) return {{}, {}, true};
        if (Clock::now() > deadline)
          return befell({"phrase.befell.late", {{"seconds", number(limits.seconds, 3)}}, {}});
        if (child->resident() > limits.resident_bytes) {
          return befell(
              {"phrase.befell.large", {{"bytes", byte_count(limits.resident_bytes)}}, {}});
        }
        break;
      case Channel::Outcome::message:
        if (message.kind == kProgress) {
          const auto far = device::from_bytes<Progress>(message.bytes);
          if (far && progress) progress(far->first, {far->second, {}, {}});
        } else {
          Outcome outcome;
          auto report = message.kind == kReport ? check_report_from_binary(message.bytes)
                                                : std::optional<CheckReport>();
          if (!report) return befell(Message{"phrase.befell.answer", {}, {}});
          outcome.report = std::move(*report);
          if (!outcome.report.graded && !outcome.report.report.errors.empty()) {
            const std::vector<Error>& errors = outcome.report.report.errors;
            // Where the clock stopped a launch, that is why, whatever else was found.
            const auto late = std::ranges::find(errors, ErrorCode::budget_time, &Error::code);
            const Error& error = late == errors.end() ? errors.back() : *late;
            // What is not installed is not there at a second try either, and the error says how to install it.
            if (error.code != ErrorCode::library_missing) outcome.why = error.message();
          }
          return outcome;
        }
    }
  }
}

void set_limit(int resource, rlim_t value) {
  rlimit limit{};
  if (::getrlimit(static_cast<__rlimit_resource>(resource), &limit) != 0) return;
  limit.rlim_cur = limit.rlim_max == RLIM_INFINITY ? value : std::min(value, limit.rlim_max);
  limit.rlim_max = limit.rlim_cur;
  ::setrlimit(static_cast<__rlimit_resource>(resource), &limit);
}

// Address space is not limited: the simulator reserves as much as the GPU has. Its memory is bounded by the launch's
// budget, and the parent looks at what is resident.
void limit_this_process() {
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  set_limit(RLIMIT_CORE, 0);
  set_limit(RLIMIT_CPU, kCpuSeconds);
  set_limit(RLIMIT_NOFILE, kOpenFiles);
  // Where memory runs out all the same, this process goes first.
  std::ofstream("/proc/self/oom_score_adj") << "1000";
}

/// What is handed on of a child's outcome. Where the machine failed, it is "not graded", with the reason as its last error.
CheckReport told(Outcome outcome, const std::string& exercise_id) {
  if (outcome.why.empty() && !outcome.cancelled) return std::move(outcome.report);
  CheckReport report = std::move(outcome.report);
  report.graded = report.passed = false;
  report.points = 0;
  report.report.subject = exercise_id;
  if (report.report.when.empty()) report.report.when = now_iso();
  report.report.errors.push_back(outcome.cancelled
                                     ? Error{ErrorCode::cancelled, {}, {}}
                                     : Error{ErrorCode::not_graded, {{"why", outcome.why}}, {}});
  return report;
}

}  // namespace

CheckReport check_once_in_child(const std::string& exercise_id, const std::string& file_name,
                                const std::string& source, const std::string& root,
                                const std::stop_token& stop, const CheckLimits& limits,
                                const CheckSetting& setting) {
  const std::string request = device::to_bytes(Request{exercise_id, file_name, source, setting});
  return told(run_child(request, root, stop, {}, limits), exercise_id);
}

CheckReport check_in_child(const std::string& exercise_id, const std::string& file_name,
                           const std::string& source, const std::string& root, std::stop_token stop,
                           std::function<void(double, const Message&)> progress,
                           const CheckLimits& limits, const CheckSetting& setting) {
  const std::string request = device::to_bytes(Request{exercise_id, file_name, source, setting});
  Outcome outcome = run_child(request, root, stop, progress, limits);
  if (!outcome.why.empty()) {
    // Once more, and alone: a machine that is busy with other checks is no reason to judge anyone.
    static std::mutex alone;
    const std::lock_guard guard(alone);
    outcome = run_child(request, root, stop, progress, limits);
  }
  return told(std::move(outcome), exercise_id);
}

int check_worker_main(std::span<const Exercise> exercises, const std::string& root) {
  limit_this_process();
  Channel channel(device::UniqueFd(::fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 3)));
  // A submitted program inherits standard input, which must not be the channel on which its verdict goes.
  const device::UniqueFd nothing(::open("/dev/null", O_RDONLY | O_CLOEXEC));
  if (::dup2(nothing.get(), STDIN_FILENO) < 0) return 2;
  device::Packet message;
  if (channel.receive(message) != Channel::Outcome::message || message.kind != kRequest) return 2;
  const auto asked = device::from_bytes<Request>(message.bytes);
  if (!asked) return 2;
  const auto& [id, file_name, source, setting] = *asked;

  CheckReport checked;
  checked.report.subject = id;
  checked.report.when = now_iso();
  const auto exercise = std::ranges::find(exercises, id, &Exercise::id);
  const auto text = load_exercise(root, id, kEnglish);
  if (exercise == exercises.end()) {
    std::vector<std::string> known;
    for (const Exercise& each : exercises) known.push_back(each.id);
    checked.graded = false;
    checked.report.errors.push_back({ErrorCode::unknown_name,
                                     {{"kind", device::Message{"phrase.kind.exercise", {}, {}}},
                                      {"name", id},
                                      {"known", listed(known)}},
                                     {}});
  } else if (!text) {
    checked.graded = false;
    checked.report.errors.push_back(text.error());
  } else {
    // A program's devices have a sparse file for their memory, hundreds of gigabytes long; its box bounds what it writes.
    if (text->submission != Submission::program) set_limit(RLIMIT_FSIZE, kFileBytes);
    checked = check(
        *exercise, *text, file_name, source, root, std::make_shared<device::Compiler>(), {},
        [&](double fraction, const Message& what) {
          channel.send(kProgress, device::to_bytes(Progress(fraction, what.key)));
        },
        setting);
  }
  return channel.send(kReport, to_binary(checked)) ? 0 : 1;
}

}  // namespace warpbook::lab
