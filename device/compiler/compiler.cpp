#include "device/compiler/compiler.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <condition_variable>
#include <cstdlib>
#include <mutex>

#include "device/compiler/absent_headers.hpp"
#include "device/compiler/composition.hpp"
#include "device/compiler/cuda_tokens.hpp"
#include "device/compiler/diagnostics.hpp"
#include "device/compiler/file_broker.hpp"
#include "device/compiler/host_code.hpp"
#include "device/compiler/host_headers.hpp"
#include "device/compiler/kernel_templates.hpp"
#include "device/compiler/messages.hpp"
#include "device/compiler/nvcc_conditions.hpp"
#include "device/compiler/program_cache.hpp"
#include "device/compiler/toolkit.hpp"
#include "device/platform.hpp"
#include "device/worker/worker_process.hpp"

namespace warpbook::device {
namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

constexpr milliseconds kStartTime{60'000};  // of a worker, on a slow disk that has to read 100 MB
constexpr milliseconds kGraceTime{2'000};   // for a worker that was asked to stop a compile
constexpr milliseconds kGlance{50};         // between looks at a stop request

template <class T>
std::uint32_t kind_of(T kind) {
  return static_cast<std::uint32_t>(kind);
}

Clock::duration seconds_of(double seconds) {
  return std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds));
}

tl::unexpected<CompileFailure> failed(Error error, std::vector<Diagnostic> diagnostics = {}) {
  return tl::unexpected(CompileFailure{std::move(error), std::move(diagnostics)});
}

tl::unexpected<CompileFailure> failed(ErrorCode code, MessageArguments arguments) {
  return failed(failure(code, std::move(arguments)).value());
}

std::filesystem::path cache_folder_of(const Compiler::Options& options) {
  if (options.cache_folder == "-") return {};
  return options.cache_folder.empty() ? cache_folder() / "programs"
                                      : std::filesystem::path(options.cache_folder);
}

// The diagnostic of a compile that failed without naming any line.
Diagnostic bare_diagnostic(const CompileRequest& request, const NvrtcResult& result) {
  std::string text = result.error;
  if (!result.log.empty()) text += ": " + result.log;
  return {{request.name, 0, 0}, Severity::error, text};
}

// The key holds everything that a program depends on. The composition of the source is code of ours, so kGeneration grows
// when it changes.
constexpr std::uint32_t kGeneration = 5;

std::string cache_key(const CompileRequest& request, const Toolkit& toolkit) {
  return to_bytes(std::tuple(kGeneration, identity_of(toolkit), request, host_headers()));
}

std::string first_line(std::string_view text) {
  return std::string(text.substr(0, text.find('\n')));
}

/// Whether the source itself is wrong, so that the failure may be cached. It is not where a header could not be opened or
/// the compiler itself failed, because repairing a toolkit does not change its version.
bool is_verdict(const CompileFailure& failure) {
  return failure.error.code == ErrorCode::compile_error &&
         std::ranges::none_of(failure.diagnostics, [](const Diagnostic& d) {
           return d.text.find("cannot open") != std::string::npos ||
                  d.text.starts_with("NVRTC_ERROR");
         });
}

std::ptrdiff_t errors_in(const CompileFailure& failure) {
  return std::ranges::count(failure.diagnostics, Severity::error, &Diagnostic::severity);
}

/// [](auto x) {...}: NVRTC takes the function that such a lambda becomes for host code.
bool has_generic_lambda(std::string_view source) {
  const std::vector<CudaToken> tokens = cuda_tokens(source);
  for (std::size_t i = 0; i + 2 < tokens.size(); ++i) {
    if (tokens[i].text != "]" || tokens[i + 1].text != "(") continue;
    for (std::size_t at = i + 2; at < tokens.size() && tokens[at].text != ")"; ++at) {
      if (tokens[at].text == "auto") return true;
    }
  }
  return false;
}

/// Whether -default-device may help. It may if the first error is in a header of thrust's, where host functions
/// stand beside device functions, and if the cause may be a constexpr function that a kernel uses as a constant, or a
/// lambda with auto parameters.
bool is_of_unmarked_code(const CompileFailure& failure, std::string_view source) {
  const auto first = std::ranges::find(failure.diagnostics, Severity::error, &Diagnostic::severity);
  if (first == failure.diagnostics.end()) return false;
  return first->text.find("(at thrust/") != std::string::npos ||
         (first->text.starts_with("a function that a kernel calls needs __device__") &&
          (source.find("constexpr") != std::string_view::npos || has_generic_lambda(source)));
}

bool is_of_a_name_expression(const CompileFailure& failure) {
  const auto first = std::ranges::find(failure.diagnostics, Severity::error, &Diagnostic::severity);
  return first != failure.diagnostics.end() &&
         first->text.find(kOfNameExpression) != std::string::npos;
}

tl::unexpected<CompileFailure> compile_error(const CompileRequest& request,
                                             std::vector<Diagnostic> diagnostics) {
  const auto is_error = [](const Diagnostic& d) { return d.severity == Severity::error; };
  const auto first = std::find_if(diagnostics.begin(), diagnostics.end(), is_error);
  const auto count = std::count_if(diagnostics.begin(), diagnostics.end(), is_error);
  Error error{ErrorCode::compile_error,
              {{"name", request.name},
               {"count", std::to_string(count)},
               {"line", std::to_string(first->place.line)},
               {"text", with_advice_on_headers(first_line(first->text), diagnostics)}},
              first->place};
  return failed(std::move(error), std::move(diagnostics));
}

/// $WARPBOOK_BOX names the highest level to try, so that one can see how Warpbook behaves on a computer that allows less.
ConfinementLevel level_of_environment() {
  const char* wanted = std::getenv("WARPBOOK_BOX");
  for (const ConfinementLevel level :
       {ConfinementLevel::limits, ConfinementLevel::seccomp, ConfinementLevel::landlock}) {
    if (wanted && name_of(level) == wanted) return level;
  }
  return ConfinementLevel::namespaces;
}

}  // namespace

struct Compiler::State {
  explicit State(Options given)
      : options(std::move(given)), cache(cache_folder_of(options), options.cache_bytes) {}

  /// Waits for the worker to be free. False: the caller gave up first.
  bool take_turn(std::stop_token stop);
  void end_turn();

  Expected<Toolkit> find_toolkit_once();
  Expected<void> ensure_worker();
  /// One compile on a running worker. An error means that the worker failed; a source that does not compile is a result.
  tl::expected<NvrtcResult, CompileFailure> run(const CompileRequest& request, std::stop_token stop,
                                                double& seconds);
  tl::expected<NvrtcResult, CompileFailure> result_of(const CompileRequest& request,
                                                      const CompileDone& done,
                                                      const Packet& message);
  using Compiled = tl::expected<std::shared_ptr<const Program>, CompileFailure>;
  Compiled program_of(const CompileRequest& request, NvrtcResult result,
                      std::vector<Diagnostic> before, double seconds);
  /// Compiles `text` in place of the request's source, whose lines it keeps. `before` are diagnostics that exist already.
  Compiled compile_text(const CompileRequest& request, std::string text,
                        std::vector<Diagnostic> before, const std::stop_token& stop,
                        double& seconds);
  Compiled compile_foreign(const CompileRequest& request, const std::stop_token& stop,
                           double& seconds);
  [[nodiscard]] std::string timeout_text() const {
    return fmt::format("{:g}", options.timeout_seconds);
  }

  const Options options;
  ProgramCache cache;

  std::mutex mutex;  ///< guards the members below; whoever set `busy` uses the worker without it
  std::condition_variable_any turn_ended;
  bool busy = false;
  std::optional<Toolkit> toolkit;

  WorkerProcess worker;
  WorkerReady ready;
  std::uint64_t last_id = 0;
  double compiled_seconds = 0;
};

bool Compiler::State::take_turn(std::stop_token stop) {
  std::unique_lock lock(mutex);
  if (!turn_ended.wait(lock, std::move(stop), [this] { return !busy; })) return false;
  busy = true;
  return true;
}

void Compiler::State::end_turn() {
  {
    const std::lock_guard lock(mutex);
    busy = false;
  }
  turn_ended.notify_one();
}

Expected<Toolkit> Compiler::State::find_toolkit_once() {
  const std::lock_guard lock(mutex);
  if (toolkit) return *toolkit;
  auto found = find_toolkit();
  if (found) toolkit = *found;
  return found;
}

Expected<void> Compiler::State::ensure_worker() {
  if (worker) return {};
  const auto found = find_toolkit_once();
  if (!found) return tl::unexpected(found.error());
  auto started = WorkerProcess::start("compile");
  if (!started) return tl::unexpected(started.error());

  WorkerHello hello;
  hello.toolkit = *found;
  hello.highest_level = std::min(options.highest_level, level_of_environment());
  hello.limits.memory_bytes = options.memory_bytes;
  hello.limits.processor_seconds =
      static_cast<std::uint32_t>(std::ceil(options.timeout_seconds)) + 1;
  Packet message;
  if (!started->channel().send(kind_of(CompileMessage::hello), to_bytes(hello)) ||
      started->channel().receive(message, Clock::now() + kStartTime) != Channel::Outcome::message) {
    return failure(ErrorCode::worker_failed,
                   {{"why", worker_binary() + " worker compile does not answer"}});
  }
  auto answer = from_bytes<WorkerReady>(message.bytes);
  if (message.kind != kind_of(CompileMessage::ready) || !answer) {
    return failure(ErrorCode::worker_protocol,
                   {{"detail", Message{"phrase.protocol.greeting", {}}}});
  }
  if (!answer->missing.empty())
    return failure(ErrorCode::compiler_missing, {{"detail", answer->missing}});
  worker = std::move(*started);
  ready = std::move(*answer);
  return {};
}

tl::expected<NvrtcResult, CompileFailure> Compiler::State::run(const CompileRequest& request,
                                                               std::stop_token stop,
                                                               double& seconds) {
  const std::uint64_t id = ++last_id;
  Channel& channel = worker.channel();
  if (!channel.send(kind_of(CompileMessage::compile), to_bytes(CompileAsked{id, request}))) {
    worker = WorkerProcess();
    return failed(ErrorCode::compiler_died,
                  {{"name", request.name}, {"detail", Message{"phrase.ended.gone", {}}}});
  }

  const auto deadline = Clock::now() + seconds_of(options.timeout_seconds);
  std::optional<Clock::time_point> given_up;  // when the worker was asked to stop
  bool timed_out = false;
  Packet message;
  while (true) {
    const auto now = Clock::now();
    if (!given_up && (now >= deadline || stop.stop_requested())) {
      timed_out = !stop.stop_requested();
      given_up = now;
      channel.send(kind_of(CompileMessage::stop), to_bytes(id));
    }
    if (given_up && now >= *given_up + kGraceTime) break;
    const auto outcome =
        channel.receive(message, std::min(now + kGlance, given_up ? now + kGlance : deadline));
    if (outcome == Channel::Outcome::timeout) continue;
    if (outcome != Channel::Outcome::message) {
      worker = WorkerProcess();
      if (given_up) break;
      return failed(ErrorCode::compiler_died,
                    {{"name", request.name}, {"detail", Message{"phrase.ended.gone", {}}}});
    }
    const auto done = from_bytes<CompileDone>(message.bytes);
    if (message.kind != kind_of(CompileMessage::done) || !done) {
      worker = WorkerProcess();
      return failed(ErrorCode::worker_protocol,
                    {{"detail", Message{"phrase.protocol.unknown", {}}}});
    }
    if (done->id != id) continue;  // of a compile that was given up
    if (done->end == CompileEnd::stopped) {
      given_up = now;
      break;
    }
    seconds = done->seconds;
    return result_of(request, *done, message);
  }
  // A worker that did not say in time that it stopped is stopped itself.
  if (worker && Clock::now() >= *given_up + kGraceTime) worker = WorkerProcess();
  if (timed_out)
    return failed(ErrorCode::compiler_timeout,
                  {{"name", request.name}, {"seconds", timeout_text()}});
  return failed(ErrorCode::cancelled, {});
}

tl::expected<NvrtcResult, CompileFailure> Compiler::State::result_of(const CompileRequest& request,
                                                                     const CompileDone& done,
                                                                     const Packet& message) {
  const auto out_of_memory = [&] {
    return failed(
        ErrorCode::compiler_memory,
        {{"name", request.name}, {"megabytes", std::to_string(options.memory_bytes >> 20)}});
  };
  switch (done.end) {
    case CompileEnd::finished: break;
    case CompileEnd::no_time:
      return failed(ErrorCode::compiler_timeout,
                    {{"name", request.name}, {"seconds", timeout_text()}});
    case CompileEnd::no_memory: return out_of_memory();
    default:
      return failed(ErrorCode::compiler_died, {{"name", request.name}, {"detail", done.detail}});
  }
  const auto bytes = read_memory(message.memory.get());
  auto result = from_bytes<NvrtcResult>(bytes.value_or(""));
  if (!result)
    return failed(ErrorCode::worker_protocol, {{"detail", Message{"phrase.protocol.result", {}}}});
  if (result->code == kNvrtcOutOfMemory ||
      result->log.find("catastrophic error: out of memory") != std::string::npos) {
    return out_of_memory();
  }
  if (result->code < 0)
    return failed(ErrorCode::compiler_died, {{"name", request.name}, {"detail", result->error}});
  return std::move(*result);
}

Compiler::State::Compiled Compiler::State::program_of(const CompileRequest& request,
                                                      NvrtcResult result,
                                                      std::vector<Diagnostic> before,
                                                      double seconds) {
  std::vector<std::string> folders = names_in_box(toolkit->includes.size());
  for (const auto& folder : toolkit->includes) folders.push_back(folder.native());
  std::vector<Diagnostic> diagnostics =
      diagnostics_from(result.log, request.name, request.source, folders);
  if (result.code != kNvrtcSuccess) {
    const bool says_why =
        std::any_of(diagnostics.begin(), diagnostics.end(),
                    [](const Diagnostic& d) { return d.severity == Severity::error; });
    if (!says_why) diagnostics.push_back(bare_diagnostic(request, result));
    diagnostics.insert(diagnostics.begin(), before.begin(), before.end());
    return compile_error(request, std::move(diagnostics));
  }
  diagnostics.insert(diagnostics.begin(), before.begin(), before.end());
  auto program = std::make_shared<Program>();
  program->name = request.name;
  program->source = request.source;
  program->architecture = request.architecture;
  program->ptx = without_folders(std::move(result.ptx), folders);
  program->cubin.assign(result.cubin.begin(), result.cubin.end());
  program->diagnostics = std::move(diagnostics);
  program->lowered = std::move(result.lowered);
  program->nvrtc = ready.release;
  program->seconds = seconds;
  return program;
}

Compiler::State::Compiled Compiler::State::compile_text(const CompileRequest& request,
                                                        std::string text,
                                                        std::vector<Diagnostic> before,
                                                        const std::stop_token& stop,
                                                        double& seconds) {
  CompileRequest asked = request;
  asked.source = std::move(text);
  auto result = run(asked, stop, seconds);
  if (!result) return tl::unexpected(std::move(result.error()));
  return program_of(request, std::move(*result), std::move(before), seconds);
}

Compiler::State::Compiled Compiler::State::compile_foreign(const CompileRequest& request,
                                                           const std::stop_token& stop,
                                                           double& seconds) {
  std::string here = asked_as_of_nvcc(request.source);
  const auto left_out = leave_out_absent_headers(here, request.name, toolkit->includes);
  CompileRequest asked = request;
  for (std::string& instance : launched_instances(here)) {
    const bool wanted = request.kernel.empty() ||
                        ("::" + instance).find("::" + request.kernel + "<") != std::string::npos;
    if (wanted &&
        std::ranges::find(asked.name_expressions, instance) == asked.name_expressions.end())
      asked.name_expressions.push_back(std::move(instance));
  }
  std::string kernel_code = kernel_code_of(here, request.kernel, asked.name_expressions);
  auto program = compile_text(asked, kernel_code, left_out, stop, seconds);
  if (program || program.error().diagnostics.empty()) return program;

  // If several attempts fail, the one with the fewest errors explains the problem best.
  const auto try_again = [&](std::string text) {
    auto again = compile_text(asked, std::move(text), left_out, stop, seconds);
    if (again || errors_in(again.error()) <= errors_in(program.error())) program = std::move(again);
    return program.has_value();
  };
  if (is_of_unmarked_code(program.error(), kernel_code)) {
    asked.default_device = true;
    if (try_again(kernel_code)) return program;
    asked.default_device = false;
  }
  if (asked.name_expressions.size() > request.name_expressions.size() &&
      is_of_a_name_expression(program.error())) {
    asked.name_expressions = request.name_expressions;
    if (try_again(std::move(kernel_code))) return program;
  }
  // A function that a kernel calls and that lacks its __device__ is still there.
  try_again(device_code_of(here, asked.name_expressions));
  return program;
}

Compiler::Compiler() : Compiler(Options{}) {}
Compiler::Compiler(Options options) : state_(std::make_unique<State>(std::move(options))) {}
Compiler::~Compiler() = default;

tl::expected<std::shared_ptr<const Program>, CompileFailure> Compiler::compile(
    const CompileRequest& request, std::stop_token stop) {
  State& state = *state_;
  if (auto defines = check_defines(request); !defines) return failed(defines.error());
  // Editors of Windows write one before UTF-8, and NVRTC takes it for a token.
  constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";
  if (request.source.starts_with(kByteOrderMark)) {
    CompileRequest bare = request;
    bare.source.erase(0, kByteOrderMark.size());
    return compile(bare, std::move(stop));
  }
  if (request.source.find('\0') != std::string::npos)
    return failed(ErrorCode::not_text, {{"file", request.name}});
  const auto toolkit = state.find_toolkit_once();
  if (!toolkit) return failed(toolkit.error());

  const std::string key = cache_key(request, *toolkit);
  if (auto cached = state.cache.find(key)) {
    if (cached->ptx.empty()) return compile_error(request, std::move(cached->diagnostics));
    return std::make_shared<Program>(std::move(*cached));
  }

  if (!state.take_turn(stop)) return failed(ErrorCode::cancelled, {});
  struct Turn {
    State& state;
    ~Turn() { state.end_turn(); }
  } const turn{state};
  if (auto worker = state.ensure_worker(); !worker) return failed(worker.error());
  const auto& known = state.ready.architectures;
  if (std::find(known.begin(), known.end(), request.architecture) == known.end()) {
    return failed(ErrorCode::bad_architecture,
                  {{"name", fmt::format("sm_{}", request.architecture)},
                   {"known", fmt::format("sm_{}", fmt::join(known, ", sm_"))}});
  }
  double seconds = 0;
  const auto begun = Clock::now();
  auto program = request.foreign ? state.compile_foreign(request, stop, seconds)
                                 : state.compile_text(request, request.source, {}, stop, seconds);
  state.compiled_seconds += std::chrono::duration<double>(Clock::now() - begun).count();
  if (program) {
    state.cache.store(key, **program);
  } else if (is_verdict(program.error())) {
    Program refused;  // without PTX: it does not compile, and these are the reasons
    refused.name = request.name;
    refused.source = request.source;
    refused.architecture = request.architecture;
    refused.diagnostics = program.error().diagnostics;
    refused.nvrtc = state.ready.release;
    refused.seconds = seconds;
    state.cache.store(key, refused);
  }
  return program;
}

Compiler::Status Compiler::status() {
  State& state = *state_;
  Status status;
  if (!state.take_turn({})) return status;
  const auto worker = state.ensure_worker();
  status.seconds = state.compiled_seconds;
  if (state.toolkit) {
    status.library = state.toolkit->library.string();
    status.headers = state.toolkit->includes.front().string();
  }
  if (worker) {
    status.available = true;
    status.version = state.ready.version;
    status.level = state.ready.level;
    status.why_not_higher = state.ready.why_not_higher;
    status.worker = state.worker.pid();
  } else {
    status.error = worker.error();
  }
  status.cache_note = state.cache.note();
  state.end_turn();
  return status;
}

}  // namespace warpbook::device
