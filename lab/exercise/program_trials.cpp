#include "lab/exercise/program_trials.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <sstream>
#include <utility>

#include "device/compiler/diagnostics.hpp"
#include "device/nvcc/build_program.hpp"
#include "device/platform.hpp"
#include "device/runtime/cuda_error.hpp"
#include "device/runtime/host_lines.hpp"
#include "device/worker/channel.hpp"
#include "lab/program/program_report.hpp"
#include "lab/text/strings.hpp"

namespace warpbook::lab {
namespace {

using device::ErrorCode;
using device::runtime::ProgramOutcome;

constexpr double kRunSeconds = 20;  // of one run; a backstop
constexpr std::uint64_t kOutputBytes = 1u << 20;

Message words(const std::string& id, const std::string& what, MessageArguments arguments = {}) {
  return {"exercise.program." + id + "." + what, std::move(arguments), {}};
}

std::vector<std::string> words_of(const std::string& text) {
  std::istringstream stream(text);
  std::vector<std::string> all;
  for (std::string word; stream >> word;) all.push_back(std::move(word));
  return all;
}

/// What a program writes, in memory.
class Written {
 public:
  Written() : memory_(::memfd_create("warpbook-output", MFD_CLOEXEC)) {}
  [[nodiscard]] int fd() const { return memory_.get(); }
  [[nodiscard]] std::string text() const {
    std::string bytes(kOutputBytes, '\0');
    const ssize_t got = ::pread(memory_.get(), bytes.data(), bytes.size(), 0);
    bytes.resize(got > 0 ? static_cast<std::size_t>(got) : 0);
    return bytes;
  }

 private:
  device::UniqueFd memory_;
};

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

}  // namespace

std::filesystem::path built_program(const std::string& file_name, const std::string& source,
                                    const std::string& gpu) {
  const auto library = device::runtime::library_folder();
  if (!library) throw ExperimentFailed{library.error(), {}};
  const std::filesystem::path folder =
      device::cache_folder() / "submissions" / std::to_string(::getpid());
  if (auto written = device::write_file_atomically(folder / file_name, source); !written)
    throw ExperimentFailed{written.error(), {}};
  device::ProgramSources sources;
  sources.files = {folder / file_name};
  sources.folder = folder;
  sources.runtime = *library;
  if (const auto known = device::known_gpu(gpu))
    sources.compute_capability = static_cast<std::uint32_t>((*known)->compute_capability);
  const auto built = device::build_program(sources);
  std::error_code ignored;
  std::filesystem::remove_all(folder, ignored);
  if (built) return built->executable;
  const Message* said = argument_of(built.error().arguments, "words");
  throw ExperimentFailed{built.error(), device::diagnostics_from(said ? said->text : "", file_name,
                                                                 source, {folder.string()})};
}

ProgramResult ProgramTrials::tried(const ProgramTrial& trial, const Failure& failure,
                                   bool without_kernels) {
  Written output, errors;
  device::runtime::HostLines lines(checker_.program, {});
  device::runtime::ProgramRun run;
  run.executable = checker_.program;
  run.arguments = trial.arguments;
  run.seconds = kRunSeconds;
  run.output = output.fd();
  run.errors = errors.fd();
  run.service.gpu = checker_.lab.device().properties();
  run.service.checks = checker_.checks;
  run.service.kernel_seconds = kRunSeconds;
  run.service.failing_allocation = failure.allocation;
  run.service.failing_launch = failure.launch;
  run.service.leave_kernels_out = without_kernels;
  run.service.name_of_memory = [&lines](const auto& call, std::uint64_t base) {
    return name_of_memory(call, base, lines);
  };
  auto outcome = device::runtime::run_program(run);
  if (!outcome) throw ExperimentFailed{outcome.error(), {}};
  ProgramResult result;
  result.output = output.text();
  result.errors = errors.text();
  const ProgramFacts facts{checker_.file_name, run.service.gpu, run.service.checks, 0, {}};
  const Report report = report_of(*outcome, facts, lines);
  if (const auto* found = report.find_as<CheckExhibit>("findings")) result.found = *found;
  result.outcome = std::move(*outcome);
  compare(trial.output, result);
  return result;
}

const ProgramResult& ProgramTrials::run(ProgramTrial trial) {
  results_.push_back(tried(trial));
  trials_.push_back(std::move(trial));
  return results_.back();
}

bool ProgramTrials::right() const { return std::ranges::all_of(results_, &ProgramResult::right); }

ProgramTrials::Item ProgramTrials::judged(const std::string& id) const {
  return {id, right() ? State::passed : State::waiting, words(id, "sentence"), {}, {}, 0, {}, {}};
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
      arguments.emplace_back("code", outcome.code);
      item.advice = words("right", "code", std::move(arguments));
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
  for (const ProgramResult& result : results_) {
    const Item* failed = first_failed(result.found);
    if (!failed) continue;
    item.state = State::failed;
    item.got = failed->sentence;
    item.advice = failed->advice;
    item.line = failed->line;
    break;
  }
  checker_.result.items.push_back(std::move(item));
}

void ProgramTrials::add_freed() {
  Item item = judged("freed");
  for (const ProgramResult& result : results_) {
    const auto kept = std::ranges::find(result.found.items, "freed", &Item::id);
    if (kept == result.found.items.end() || kept->state == State::passed) continue;
    if (item.state == State::passed) item.state = State::failed;
    item.got = kept->got;
    item.advice = kept->advice;
    item.line = kept->line;
    break;
  }
  checker_.result.items.push_back(std::move(item));
}

void ProgramTrials::add_on_gpu() {
  Item item = judged("on-gpu");
  for (std::size_t i = 0; i < trials_.size() && item.state == State::passed; ++i) {
    if (words_of(trials_[i].output).empty()) continue;
    if (!tried(trials_[i], {0, 0}, true).right) continue;
    item.state = State::failed;
    item.advice = words("on-gpu", "advice", {{"trial", name_of(trials_[i])}});
  }
  checker_.result.items.push_back(std::move(item));
}

void ProgramTrials::add_calls(const std::string& id, const Message& sentence, const Message& advice,
                              const std::function<bool(const ProgramResult&)>& holds) {
  Item item = judged(id);
  item.sentence = sentence;
  if (item.state == State::passed && !std::ranges::all_of(results_, holds)) {
    item.state = State::failed;
    item.advice = advice;
  }
  checker_.result.items.push_back(std::move(item));
}

void ProgramTrials::add_errors_told(const std::string& id, const std::vector<Failure>& failures) {
  Item item = judged(id);
  item.sentence = words("errors", "sentence");
  for (const Failure& failure : failures) {
    if (item.state != State::passed) break;
    const ProgramResult result = tried(trials_.front(), failure);
    const std::int32_t error = failure.launch != 0 ? device::runtime::kLaunchOutOfResources
                                                   : device::runtime::kMemoryAllocation;
    const std::string said = result.output + result.errors;
    const bool told = said.find(device::runtime::name_of_cuda_error(error)) != said.npos ||
                      said.find(device::runtime::text_of_cuda_error(error)) != said.npos;
    const bool ended =
        result.outcome.end == ProgramOutcome::End::exited && result.outcome.code != 0;
    if (told && ended) continue;
    item.state = State::failed;
    item.advice = words("errors", !ended ? "goes-on" : "silent",
                        {{"error", device::runtime::name_of_cuda_error(error)},
                         {"text", device::runtime::text_of_cuda_error(error)}});
    if (failure.launch != 0) item.advice.key += "-launch";
  }
  checker_.result.items.push_back(std::move(item));
}

}  // namespace warpbook::lab
