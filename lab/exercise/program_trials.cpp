#include "lab/exercise/program_trials.hpp"

#include <algorithm>
#include <chrono>
#include <csignal>
#include <map>
#include <sstream>
#include <stdexcept>
#include <utility>

#include <fmt/format.h>

#include "device/nvcc/build_program.hpp"
#include "device/nvcc/nvcc.hpp"
#include "device/platform.hpp"
#include "device/runtime/boxed_tool.hpp"
#include "device/runtime/cuda_error.hpp"
#include "device/runtime/host_lines.hpp"
#include "device/worker/channel.hpp"
#include "lab/program/build_words.hpp"
#include "lab/program/program_report.hpp"
#include "lab/program/written_output.hpp"
#include "lab/text/strings.hpp"

namespace warpbook::lab {
namespace {

namespace fs = std::filesystem;
using device::ErrorCode;
using device::runtime::Engine;
using device::runtime::ProgramOutcome;

constexpr double kRunSeconds = 10;         // of one run; a backstop
constexpr std::size_t kToldLetters = 200;  // of what a program says of its own failure
constexpr double kNeeded = 50;  // instructions for one result; most kernels take 10 to 30
constexpr std::uint32_t kTracedAccesses = 1u << 20;  // of one launch
constexpr auto kKept = std::chrono::hours(24);       // a submission's folder

Message words(const std::string& id, const std::string& what, MessageArguments arguments = {}) {
  return {"exercise.program." + id + "." + what, std::move(arguments), {}};
}

std::vector<std::string> words_of(const std::string& text) {
  std::istringstream stream(text);
  std::vector<std::string> all;
  for (std::string word; stream >> word;) all.push_back(std::move(word));
  return all;
}

WrittenOutput output_memory() {
  auto made = WrittenOutput::make();
  if (!made) throw ExperimentFailed{made.error(), {}};
  return std::move(*made);
}

void compare(const std::string& asked, ProgramResult& result) {
  const std::vector<std::string> expected = words_of(asked), got = words_of(result.output);
  const auto [e, g] = std::ranges::mismatch(expected, got);
  if (e != expected.end()) result.expected = *e;
  if (g != got.end()) result.got = *g;
  result.right = e == expected.end() && g == got.end() &&
                 result.outcome.end == ProgramOutcome::End::exited && result.outcome.code == 0;
}

/// Of a hidden run nothing but that it is one.
Message name_of(const ProgramTrial& trial) {
  return trial.hidden ? Message{"exercise.hidden-case", {}, {}} : Message::plain(trial.name);
}

/// What a GPU would not pass over, of a report's items; warnings are about calls that fail, which a program may well handle.
const CheckExhibit::Item* first_failed(const CheckExhibit& check) {
  const auto failed =
      std::ranges::find(check.items, CheckExhibit::State::failed, &CheckExhibit::Item::state);
  return failed == check.items.end() ? nullptr : &*failed;
}

/// What the report says of the first call that failed; null where none did.
const CheckExhibit::Item* first_failed_call(const CheckExhibit& check) {
  const auto failed = std::ranges::find_if(check.items, [](const CheckExhibit::Item& item) {
    return item.id == "calls" && item.state == CheckExhibit::State::warning;
  });
  return failed == check.items.end() ? nullptr : &*failed;
}

/// What went wrong in the program's own words: the first line of its standard error.
std::string told_in(const std::string& errors) {
  return errors.substr(0, std::min(errors.find('\n'), kToldLetters));
}

std::vector<CopiesOfLine> copies_of(const ProgramOutcome& outcome,
                                    device::runtime::HostLines& lines) {
  std::vector<CopiesOfLine> all;
  for (const auto& operation : outcome.record.operations) {
    if (operation.engine != Engine::copy_in && operation.engine != Engine::copy_out) continue;
    const std::uint32_t line =
        operation.call < outcome.calls.size()
            ? lines.place_of(outcome.calls[operation.call].frames, outcome.base).line
            : 0;
    auto found = std::ranges::find_if(all, [&](const CopiesOfLine& copies) {
      return copies.direction == operation.engine && copies.line == line;
    });
    if (found == all.end()) found = all.insert(all.end(), {operation.engine, line});
    found->bytes += operation.bytes;
    ++found->calls;
  }
  return all;
}

/// Where the first call came from that returned an error: its line, and those of the functions around it.
std::vector<std::uint32_t> first_failed_lines(const ProgramOutcome& outcome,
                                              device::runtime::HostLines& lines) {
  const auto failed =
      std::ranges::find_if(outcome.calls, [](const auto& call) { return call.error != 0; });
  std::vector<std::uint32_t> all;
  if (failed == outcome.calls.end()) return all;
  for (auto frames = failed->frames; frames.front() != 0;) {
    all.push_back(lines.place_of(frames, outcome.base).line);
    std::ranges::rotate(frames, frames.begin() + 1);
    frames.back() = 0;
  }
  return all;
}

/// Whether a text names one of the lines, or one a little before or after: a launch is checked on the next line, and a call may take
/// several.
bool names_line(const std::string& text, const std::vector<std::uint32_t>& lines) {
  constexpr std::int64_t kFar = 3;
  const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
  for (auto at = std::ranges::find_if(text, is_digit); at != text.end();
       at = std::find_if(at, text.end(), is_digit)) {
    std::int64_t number = 0;
    for (constexpr std::int64_t kMost = 1'000'000; at != text.end() && is_digit(*at); ++at)
      number = std::min(kMost, number * 10 + (*at - '0'));
    const auto is_near = [&](std::int64_t line) {
      return line > 0 && number >= line - kFar && number <= line + kFar;
    };
    if (std::ranges::any_of(lines, is_near)) return true;
  }
  return false;
}

/// The error that a failure of the check's own gives to the program.
std::int32_t error_of(const ProgramFailure& failure) {
  if (failure.launch != 0) return device::runtime::kLaunchOutOfResources;
  if (failure.copy != 0) return device::runtime::kUnknown;
  return failure.arguments.empty() ? device::runtime::kMemoryAllocation
                                   : device::runtime::kIllegalAddress;
}

/// What ends the key of an advice about it.
const char* kind_of(const ProgramFailure& failure) {
  return failure.launch != 0          ? "-launch"
         : failure.copy != 0          ? "-copy"
         : !failure.arguments.empty() ? "-kernel"
                                      : "";
}

/// By how many threads the kernel that does the most is done, if each of them did as much as the others, or as much as the busiest
/// one: one thread with half of the work among thousands is seen by the latter alone. What `results` do not need is nobody's share:
/// threads that all compute everything are as good as few.
double sharing_threads(const device::runtime::ProgramRecord& record, std::uint64_t results) {
  std::map<std::string, std::uint64_t> instructions;
  double all = 0;
  for (const auto& launch : record.launches) {
    instructions[launch.kernel] += launch.thread_instructions;
    all += static_cast<double>(launch.thread_instructions);
  }
  const auto most =
      std::ranges::max_element(instructions, {}, [](const auto& kernel) { return kernel.second; });
  if (most == instructions.end()) return 0;
  const auto sample = record.samples.find(most->first);
  if (sample == record.samples.end()) return 0;
  const device::LaunchRecord& launch = *sample->second;
  const double even =
      launch.thread_evenness * static_cast<double>(launch.grid.count() * launch.block.count());
  const double as_the_busiest =
      static_cast<double>(launch.total.thread_instructions) /
      static_cast<double>(std::max<std::uint64_t>(launch.longest_lane, 1));
  const double threads = std::min(even, as_the_busiest);
  return threads * std::min(1.0, kNeeded * static_cast<double>(results) / std::max(all, 1.0));
}

/// Ended by itself to say that it failed: with another exit code than 0, or by abort(), as an exception that nobody catches and
/// assert do.
bool is_deliberate_failure(const ProgramOutcome& outcome) {
  if (outcome.end == ProgramOutcome::End::exited) return outcome.code != 0;
  return outcome.end == ProgramOutcome::End::signalled && outcome.code == SIGABRT;
}

/// Where a submission is compiled. The built program is kept by the content of its source, and its lines lead back to this
/// folder; so the same source always lies in the same one.
fs::path folder_of(const std::string& source) {
  return device::cache_folder() / "submissions" /
         fmt::format("{:016x}", std::hash<std::string>()(source));
}

void remove_old_submissions() {
  std::error_code error;
  const auto now = fs::file_time_type::clock::now();
  for (const auto& entry : fs::directory_iterator(device::cache_folder() / "submissions", error)) {
    std::error_code gone;  // another check may remove it at the same time
    if (now - entry.last_write_time(gone) > kKept && !gone) fs::remove_all(entry.path(), gone);
  }
}

}  // namespace

fs::path built_program(const std::string& exercise, const std::string& source,
                       const std::string& gpu) {
  const auto library = device::runtime::library_folder();
  if (!library) throw ExperimentFailed{library.error(), {}};
  remove_old_submissions();
  const fs::path folder = folder_of(source);
  const std::string name = submission_name(exercise, Submission::program);
  if (const auto there = device::read_file(folder / name); !there || *there != source) {
    if (auto written = device::write_file_atomically(folder / name, source); !written)
      throw ExperimentFailed{written.error(), {}};
  }
  device::ProgramSources sources;
  sources.files = {name};  // so that __FILE__ names no folder of this machine
  sources.folder = folder;
  sources.runtime = *library;
  if (const auto known = device::known_gpu(gpu))
    sources.compute_capability = static_cast<std::uint32_t>((*known)->compute_capability);
  const auto box = device::runtime::ToolBox::make();
  if (!box) throw ExperimentFailed{box.error(), {}};
  sources.runner = box->as_runner();
  const auto built = device::build_program(sources);
  if (built) return built->executable;
  const Message* said = argument_of(built.error().arguments, "words");
  if (built.error().code != ErrorCode::build_error || !said)
    throw ExperimentFailed{built.error(), {}};
  auto diagnostics = diagnostics_of_build(said->text, name, source, folder.string());
  const auto is_error = [](const auto& one) { return one.severity == device::Severity::error; };
  const auto first = std::ranges::find_if(diagnostics, is_error);
  if (first == diagnostics.end()) throw ExperimentFailed{built.error(), {}};
  device::Error error{ErrorCode::compile_error,
                      {{"name", name},
                       {"count", std::ranges::count_if(diagnostics, is_error)},
                       {"line", first->place.line},
                       {"text", first->text}},
                      first->place};
  throw ExperimentFailed{std::move(error), std::move(diagnostics)};
}

ProgramResult ProgramTrials::tried(const ProgramTrial& trial, const ProgramFailure& failure,
                                   bool without_kernels) {
  const WrittenOutput output = output_memory(), errors = output_memory();
  std::vector<std::string> headers;
  if (const auto nvcc = device::find_nvcc()) headers.push_back(nvcc->includes.string());
  device::runtime::HostLines lines(checker_.program, std::move(headers));
  device::runtime::ProgramRun run;
  const auto library = device::runtime::library_folder();
  if (!library) throw ExperimentFailed{library.error(), {}};
  run.executable = checker_.program;
  run.library = *library;
  run.arguments = failure.arguments.empty() ? trial.arguments : failure.arguments;
  run.seconds = kRunSeconds;
  run.output = output.fd();
  run.errors = errors.fd();
  run.service.gpu = checker_.lab.device().properties();
  run.service.checks = checker_.checks;
  run.service.kernel_seconds = kRunSeconds;
  run.service.failing_allocation = failure.allocation;
  run.service.failing_launch = failure.launch;
  run.service.failing_copy = failure.copy;
  run.service.leave_kernels_out = without_kernels;
  run.service.name_of_memory = [&lines](const auto& call, std::uint64_t base) {
    return name_of_memory(call, base, lines);
  };
  ProgramResult result;
  if (trial.traced) {
    run.service.traced_accesses = kTracedAccesses;
    run.service.on_launch = [&result](const auto& note, const auto& record, const auto& memory) {
      result.stores.push_back(stores_of(note, record, memory));
    };
  }
  auto outcome = device::runtime::run_program(run);
  if (!outcome) throw ExperimentFailed{outcome.error(), {}};
  result.output = output.text();
  result.errors = errors.text();
  const ProgramFacts facts{checker_.file_name, run.service.gpu, run.service.checks, 0,
                           folder_of(checker_.source).string()};
  const Report report = report_of(*outcome, facts, lines);
  if (const auto* found = report.find_as<CheckExhibit>("findings")) result.found = *found;
  result.copies = copies_of(*outcome, lines);
  result.failed_from = first_failed_lines(*outcome, lines);
  result.outcome = std::move(*outcome);
  compare(trial.output, result);
  return result;
}

const ProgramResult& ProgramTrials::run(ProgramTrial trial) {
  // A program that once did not end in time would not end in the other runs, and those would take all of a check's time.
  const auto late = std::ranges::find(results_, ProgramOutcome::End::out_of_time,
                                      [](const ProgramResult& run) { return run.outcome.end; });
  results_.push_back(late == results_.end() ? tried(trial) : ProgramResult(*late));
  trials_.push_back(std::move(trial));
  return results_.back();
}

bool ProgramTrials::right() const { return std::ranges::all_of(results_, &ProgramResult::right); }

ProgramTrials::Item ProgramTrials::judged(const std::string& id, Message sentence) const {
  return {id, right() ? State::passed : State::waiting, std::move(sentence), {}, {}, 0, {}, {}};
}

ProgramTrials::Item ProgramTrials::judged(const std::string& id) const {
  return judged(id, words(id, "sentence"));
}

const Gate& ProgramTrials::gate_of(const std::string& id) const {
  const auto gate = std::ranges::find(checker_.text.gates, id, &Gate::id);
  if (gate == checker_.text.gates.end()) throw std::logic_error("exercise.toml has no gate " + id);
  return *gate;
}

void ProgramTrials::add_right() {
  Item item{"right", State::passed, words("right", "sentence"), {}, {}, 0, {}, {}};
  std::uint64_t good = 0;
  for (std::size_t i = 0; i < results_.size(); ++i) {
    const ProgramResult& result = results_[i];
    good += result.right ? 1 : 0;
    item.cases.push_back({trials_[i].hidden ? "" : trials_[i].name, result.right});
    if (result.right || item.state == State::failed) continue;
    item.state = State::failed;
    const auto& outcome = result.outcome;
    MessageArguments arguments{{"trial", name_of(trials_[i])}};
    if (trials_[i].hidden) {
      item.advice = Message{"exercise.right.hidden", {}, {}};
    } else if (outcome.end == ProgramOutcome::End::out_of_time) {
      item.advice = words("right", "time", std::move(arguments));
    } else if (outcome.end != ProgramOutcome::End::exited) {
      arguments.emplace_back("signal", outcome.code);
      item.advice = words("right", "signal", std::move(arguments));
    } else if (outcome.code != 0) {
      std::string told = told_in(result.errors);
      const char* what = told.empty() ? "code" : "code-told";
      arguments.emplace_back("code", outcome.code);
      arguments.emplace_back("told", std::move(told));
      item.advice = words("right", what, std::move(arguments));
      // The program knows the error alone, and the report knows the line and often the reason.
      if (const Item* call = first_failed_call(result.found)) {
        item.line = call->line;
        item.advice = Message::list_of("list.lines", {std::move(item.advice), call->advice});
      }
    } else {
      arguments.emplace_back("expected", result.expected);
      arguments.emplace_back("got", result.got);
      item.advice = words("right",
                          result.expected.empty() ? "more"
                          : result.got.empty()    ? "less"
                                                  : "differs",
                          std::move(arguments));
    }
  }
  item.got = Message{"exercise.right.got", {{"right", good}, {"total", results_.size()}}, {}};
  checker_.result.items.push_back(std::move(item));
}

void ProgramTrials::add_safe() {
  Item item{"safe", State::passed, words("safe", "sentence"), {}, {}, 0, {}, {}};
  for (std::size_t i = 0; i < results_.size() && item.state == State::passed; ++i) {
    const Item* failed = first_failed(results_[i].found);
    if (!failed) continue;
    item.state = State::failed;
    item.line = failed->line;
    item.advice =
        trials_[i].hidden ? words("safe", "hidden", {{"what", failed->sentence}}) : failed->advice;
  }
  checker_.result.items.push_back(std::move(item));
}

void ProgramTrials::add_freed() {
  Item item = judged("freed");
  for (std::size_t i = 0; i < results_.size() && item.state != State::failed; ++i) {
    const auto& found = results_[i].found.items;
    const auto kept = std::ranges::find(found, "freed", &Item::id);
    if (kept == found.end() || kept->state == State::passed) continue;
    if (item.state == State::waiting) break;
    item.state = State::failed;
    item.line = kept->line;
    item.advice = kept->advice;
    if (!trials_[i].hidden) {
      item.got = kept->got;
      continue;
    }
    const Message* name = argument_of(kept->advice.arguments, "name");
    item.advice = words("freed", "hidden", {{"name", name ? *name : Message()}});
  }
  checker_.result.items.push_back(std::move(item));
}

void ProgramTrials::add_on_gpu() {
  Item item = judged("on-gpu");
  for (std::size_t i = 0; i < trials_.size() && item.state == State::passed; ++i) {
    if (!trials_[i].gates || !tried(trials_[i], {}, true).right) continue;
    item.state = State::failed;
    item.advice = words("on-gpu", "advice", {{"trial", name_of(trials_[i])}});
  }
  checker_.result.items.push_back(std::move(item));
}

void ProgramTrials::add_parallel(const std::function<std::uint64_t(const ProgramTrial&)>& results) {
  const Gate& gate = gate_of("parallel");
  Item item = judged(gate.id);
  for (std::size_t i = 0; i < trials_.size() && item.state == State::passed; ++i) {
    if (!trials_[i].gates) continue;
    const double threads = sharing_threads(results_[i].outcome.record, results(trials_[i]));
    item.got = words("parallel", "got", {{"measured", number(threads, 4)}});
    if (gate.floor && threads >= *gate.floor) continue;
    item.state = State::failed;
    item.advice = words("parallel", "advice",
                        {{"trial", name_of(trials_[i])},
                         {"measured", number(threads, 4)},
                         {"floor", number(gate.floor.value_or(0), 4)}});
  }
  checker_.result.items.push_back(std::move(item));
}

void ProgramTrials::add_errors_told(const std::vector<ProgramFailure>& failures) {
  Item item = judged("errors");
  const auto trial = std::ranges::find(trials_, true, &ProgramTrial::gates);
  if (trial == trials_.end()) throw std::logic_error("no trial has gates");
  for (const ProgramFailure& failure : failures) {
    if (item.state != State::passed) break;
    ProgramResult result = tried(*trial, failure);
    const std::int32_t error = error_of(failure);
    const bool failed = std::ranges::any_of(result.outcome.calls,
                                            [&](const auto& call) { return call.error == error; });
    if (!failed || (result.right && failure.arguments.empty())) continue;
    const std::string said = result.output + result.errors;
    const bool told = said.find(device::runtime::name_of_cuda_error(error)) != said.npos ||
                      said.find(device::runtime::text_of_cuda_error(error)) != said.npos;
    const bool ended = is_deliberate_failure(result.outcome);
    if (told && ended) {
      failed_.push_back(std::move(result));
      continue;
    }
    item.state = State::failed;
    item.advice = words("errors", !ended ? "goes-on" : "silent",
                        {{"number", failure.launch + failure.copy + failure.allocation},
                         {"error", device::runtime::name_of_cuda_error(error)},
                         {"text", device::runtime::text_of_cuda_error(error)}});
    item.advice.key += kind_of(failure);
  }
  checker_.result.items.push_back(std::move(item));
}

void ProgramTrials::add_places_told() {
  Item item = judged("place");
  // Who tells of no failure does not tell where it is either.
  if (failed_.empty() && item.state == State::passed) item.state = State::waiting;
  const std::string file = submission_name(checker_.text.id, Submission::program);
  for (const ProgramResult& result : failed_) {
    if (item.state != State::passed) break;
    const std::string said = result.output + result.errors;
    const bool names_file = said.find(file) != said.npos;
    if (names_file && names_line(said, result.failed_from)) continue;
    item.state = State::failed;
    item.line = result.failed_from.front();
    item.advice = words("place", names_file ? "line" : "file",
                        {{"line", item.line},
                         {"file", file},
                         {"told", told_in(result.errors.empty() ? result.output : result.errors)}});
  }
  checker_.result.items.push_back(std::move(item));
}

void ProgramTrials::add_copies(const std::string& id, Engine direction,
                               const std::function<std::uint64_t(const ProgramTrial&)>& needed) {
  const Gate& gate = gate_of(id);
  Item item = judged(id, words("copies", direction == Engine::copy_in ? "in" : "out"));
  for (std::size_t i = 0; i < trials_.size() && item.state == State::passed; ++i) {
    if (!trials_[i].gates) continue;
    std::uint64_t bytes = 0;
    CopiesOfLine most;
    for (const CopiesOfLine& copies : results_[i].copies) {
      if (copies.direction != direction) continue;
      bytes += copies.bytes;
      if (copies.bytes > most.bytes) most = copies;
    }
    const std::uint64_t once = needed(trials_[i]);
    const double times = static_cast<double>(bytes) / static_cast<double>(once);
    item.got = words("copies", "got", {{"measured", number(times, 4)}});
    if (!gate.ceiling || times <= *gate.ceiling) continue;
    item.state = State::failed;
    item.line = most.line;
    item.advice = words("copies", trials_[i].hidden ? "hidden" : "advice",
                        {{"trial", name_of(trials_[i])},
                         {"bytes", grouped(bytes)},
                         {"needed", grouped(once)},
                         {"calls", most.calls},
                         {"line", most.line},
                         {"ceiling", number(*gate.ceiling, 4)}});
  }
  checker_.result.items.push_back(std::move(item));
}

}  // namespace warpbook::lab
