#include "device/compiler/compiler.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <condition_variable>
#include <cstdlib>
#include <mutex>

#include "device/compiler/absent_headers.hpp"
#include "device/compiler/at_once.hpp"
#include "device/compiler/compile_worker.hpp"
#include "device/compiler/composition.hpp"
#include "device/compiler/cuda_tokens.hpp"
#include "device/compiler/diagnostics.hpp"
#include "device/compiler/file_broker.hpp"
#include "device/compiler/host_code.hpp"
#include "device/compiler/host_headers.hpp"
#include "device/compiler/kernel_templates.hpp"
#include "device/compiler/nvcc_conditions.hpp"
#include "device/compiler/program_cache.hpp"
#include "device/compiler/toolkit.hpp"
#include "device/platform.hpp"

namespace warpbook::device {
namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

constexpr milliseconds kGraceTime{2'000};  // for a worker that was asked to stop a compile
constexpr milliseconds kGlance{50};        // between looks at a stop request

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

  /// Waits until a further program may compile. False: the caller gave up first.
  bool take_turn(std::stop_token stop);
  void end_turn();

  Expected<Toolkit> find_toolkit_once();
  /// The one that runs, else a new one.
  Expected<std::shared_ptr<CompileWorker>> current_worker();
  /// One compile. An error means that the worker failed; a source that does not compile is a result.
  tl::expected<NvrtcResult, CompileFailure> run(CompileWorker& by, const CompileRequest& request,
                                                const std::stop_token& stop, double& seconds);
  tl::expected<NvrtcResult, CompileFailure> result_of(const CompileRequest& request,
                                                      const CompileWorker::Answer& answer);
  using Compiled = tl::expected<std::shared_ptr<const Program>, CompileFailure>;
  Compiled program_of(const CompileWorker& by, const CompileRequest& request, NvrtcResult result,
                      std::vector<Diagnostic> before, double seconds);
  /// Compiles `text` in place of the request's source, whose lines it keeps. `before` are diagnostics that exist already.
  Compiled compile_text(CompileWorker& by, const CompileRequest& request, std::string text,
                        std::vector<Diagnostic> before, const std::stop_token& stop,
                        double& seconds);
  Compiled compile_foreign(CompileWorker& by, const CompileRequest& request,
                           const std::stop_token& stop, double& seconds);
  [[nodiscard]] std::string timeout_text() const {
    return fmt::format("{:g}", options.timeout_seconds);
  }

  const Options options;
  ProgramCache cache;

  std::mutex mutex;  ///< guards the members below
  std::condition_variable_any turn_ended;
  std::size_t compiling = 0;
  std::optional<Toolkit> toolkit;
  double compiled_seconds = 0;  ///< of processors

  std::mutex starting;  ///< guards `worker`; who starts one holds it
  std::shared_ptr<CompileWorker> worker;
};

bool Compiler::State::take_turn(std::stop_token stop) {
  std::unique_lock lock(mutex);
  const auto free = [this] { return compiling < compiles_at_once(); };
  if (!turn_ended.wait(lock, std::move(stop), free)) return false;
  ++compiling;
  return true;
}

void Compiler::State::end_turn() {
  {
    const std::lock_guard lock(mutex);
    --compiling;
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

Expected<std::shared_ptr<CompileWorker>> Compiler::State::current_worker() {
  const auto found = find_toolkit_once();
  if (!found) return tl::unexpected(found.error());
  const std::lock_guard lock(starting);
  if (worker && !worker->given_up()) return worker;

  WorkerHello hello;
  hello.toolkit = *found;
  hello.highest_level = std::min(options.highest_level, level_of_environment());
  hello.limits.memory_bytes = options.memory_bytes;
  hello.limits.processor_seconds =
      static_cast<std::uint32_t>(std::ceil(options.timeout_seconds)) + 1;
  worker.reset();
  auto started = CompileWorker::start(hello);
  if (started) worker = *started;
  return started;
}

tl::expected<NvrtcResult, CompileFailure> Compiler::State::run(CompileWorker& by,
                                                               const CompileRequest& request,
                                                               const std::stop_token& stop,
                                                               double& seconds) {
  const auto gone = [&] {
    return failed(ErrorCode::compiler_died,
                  {{"name", request.name}, {"detail", Message{"phrase.ended.gone", {}}}});
  };
  const auto id = by.ask(request);
  if (!id) return gone();

  using Outcome = CompileWorker::Outcome;
  const auto deadline = Clock::now() + seconds_of(options.timeout_seconds);
  std::optional<Clock::time_point> given_up;  // when the worker was asked to stop
  bool timed_out = false;
  CompileWorker::Answer answer;
  auto outcome = Outcome::timeout;
  while (outcome == Outcome::timeout) {
    const auto now = Clock::now();
    if (!given_up && (now >= deadline || stop.stop_requested())) {
      timed_out = !stop.stop_requested();
      given_up = now;
      by.stop(*id);
    }
    if (given_up && now >= *given_up + kGraceTime) break;
    const auto glance = now + kGlance;
    outcome = by.wait_for(*id, given_up ? glance : std::min(glance, deadline), answer);
  }
  by.forget(*id);
  if (outcome == Outcome::answer) {
    const std::lock_guard lock(mutex);
    compiled_seconds += answer.done.processor_seconds;
  }
  if (outcome == Outcome::answer && answer.done.end != CompileEnd::stopped) {
    seconds = answer.done.seconds;
    return result_of(request, answer);
  }
  // A worker that did not say in time that it stopped is given up itself.
  if (outcome != Outcome::answer) by.give_up();
  if (outcome == Outcome::malformed)
    return failed(ErrorCode::worker_protocol, {{"detail", Message{"phrase.protocol.unknown", {}}}});
  if (outcome == Outcome::gone && !given_up) return gone();
  if (timed_out)
    return failed(ErrorCode::compiler_timeout,
                  {{"name", request.name}, {"seconds", timeout_text()}});
  return failed(ErrorCode::cancelled, {});
}

tl::expected<NvrtcResult, CompileFailure> Compiler::State::result_of(
    const CompileRequest& request, const CompileWorker::Answer& answer) {
  const CompileDone& done = answer.done;
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
  const auto bytes = read_memory(answer.memory.get());
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

Compiler::State::Compiled Compiler::State::program_of(const CompileWorker& by,
                                                      const CompileRequest& request,
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
  program->nvrtc = by.ready().release;
  program->seconds = seconds;
  return program;
}

Compiler::State::Compiled Compiler::State::compile_text(
    CompileWorker& by, const CompileRequest& request, std::string text,
    std::vector<Diagnostic> before, const std::stop_token& stop, double& seconds) {
  CompileRequest asked = request;
  asked.source = std::move(text);
  auto result = run(by, asked, stop, seconds);
  if (!result) return tl::unexpected(std::move(result.error()));
  return program_of(by, request, std::move(*result), std::move(before), seconds);
}

Compiler::State::Compiled Compiler::State::compile_foreign(CompileWorker& by,
                                                           const CompileRequest& request,
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
  auto program = compile_text(by, asked, kernel_code, left_out, stop, seconds);
  if (program || program.error().diagnostics.empty()) return program;

  // If several attempts fail, the one with the fewest errors explains the problem best.
  const auto try_again = [&](std::string text) {
    auto again = compile_text(by, asked, std::move(text), left_out, stop, seconds);
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
  const auto worker = state.current_worker();
  if (!worker) return failed(worker.error());
  CompileWorker& by = **worker;
  const auto& known = by.ready().architectures;
  if (std::find(known.begin(), known.end(), request.architecture) == known.end()) {
    return failed(ErrorCode::bad_architecture,
                  {{"name", fmt::format("sm_{}", request.architecture)},
                   {"known", fmt::format("sm_{}", fmt::join(known, ", sm_"))}});
  }
  double seconds = 0;
  auto program = request.foreign
                     ? state.compile_foreign(by, request, stop, seconds)
                     : state.compile_text(by, request, request.source, {}, stop, seconds);
  // Whoever waits for the program gets it before its file is written.
  if (program) {
    state.cache.store_soon(key, *program);
  } else if (is_verdict(program.error())) {
    // Without PTX: it does not compile, and these are the reasons.
    auto refused = std::make_shared<Program>();
    refused->name = request.name;
    refused->source = request.source;
    refused->architecture = request.architecture;
    refused->diagnostics = program.error().diagnostics;
    refused->nvrtc = by.ready().release;
    refused->seconds = seconds;
    state.cache.store_soon(key, std::move(refused));
  }
  return program;
}

Compiler::Status Compiler::status() {
  State& state = *state_;
  Status status;
  const auto worker = state.current_worker();
  {
    const std::lock_guard lock(state.mutex);
    status.seconds = state.compiled_seconds;
    if (state.toolkit) {
      status.library = state.toolkit->library.string();
      status.headers = state.toolkit->includes.front().string();
    }
  }
  if (worker) {
    const WorkerReady& ready = (*worker)->ready();
    status.available = true;
    status.version = ready.version;
    status.level = ready.level;
    status.why_not_higher = ready.why_not_higher;
    status.worker = (*worker)->pid();
  } else {
    status.error = worker.error();
  }
  status.cache_note = state.cache.note();
  return status;
}

}  // namespace warpbook::device
