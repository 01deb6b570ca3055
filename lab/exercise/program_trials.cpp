#include "lab/exercise/program_trials.hpp"

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cmath>
#include <csignal>
#include <map>
#include <optional>
#include <set>
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
#include "lab/exercise/diagnosis.hpp"
#include "lab/model/race_width.hpp"
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
constexpr std::size_t kShownLetters = 60;  // of a line of the output
// Of global memory, that a result may take: most kernels read 4 to 16 bytes for one and write 4 or 8.
constexpr double kNeededBytes = 64;
constexpr std::uint32_t kTracedAccesses = 1u << 20;  // of one launch
constexpr auto kKept = std::chrono::hours(24);       // a submission's folder

Message words(const std::string& id, const std::string& what, MessageArguments arguments = {}) {
  return {"exercise.program." + id + "." + what, std::move(arguments), {}};
}

/// "./keep-on-device 33"
std::string command_of(const std::string& program, const ProgramTrial& trial) {
  std::string text = "./" + program;
  for (const std::string& argument : trial.arguments) text += " " + argument;
  return text;
}

std::vector<std::string> words_of(const std::string& text) {
  std::istringstream stream(text);
  std::vector<std::string> all;
  for (std::string word; stream >> word;) all.push_back(std::move(word));
  return all;
}

/// The place of the word with that number in a text; its end where there are fewer.
std::size_t place_of_word(const std::string& text, std::size_t number) {
  constexpr const char* kBlanks = " \t\r\n\v\f";
  std::size_t at = text.find_first_not_of(kBlanks);
  for (; number != 0 && at != text.npos; --number)
    at = text.find_first_not_of(kBlanks, text.find_first_of(kBlanks, at));
  return std::min(at, text.size());
}

/// The line that holds the place, without blanks around it, and cut where it is long.
std::string line_at(const std::string& text, std::size_t place) {
  const std::size_t begin = text.find_last_of('\n', place) + 1;
  std::string line = text.substr(begin, text.find('\n', place) - begin);
  line.erase(0, line.find_first_not_of(" \t\r"));
  line.erase(line.find_last_not_of(" \t\r") + 1);
  if (line.size() > kShownLetters) line = line.substr(0, kShownLetters) + "...";
  return line;
}

std::uint64_t line_number_at(const std::string& text, std::size_t place) {
  const auto end = text.begin() + static_cast<std::ptrdiff_t>(place);
  return 1 + static_cast<std::uint64_t>(std::count(text.begin(), end, '\n'));
}

/// The whole number that the word is; nothing where it is something else.
std::optional<std::int64_t> number_of(const std::string& word) {
  std::int64_t number = 0;
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), number);
  return error == std::errc() && end == word.data() + word.size() ? std::optional(number)
                                                                  : std::nullopt;
}

/// The words of a text that are whole numbers.
std::vector<std::int64_t> numbers_in(const std::string& text) {
  std::vector<std::int64_t> numbers;
  for (const std::string& word : words_of(text))
    if (const auto number = number_of(word)) numbers.push_back(*number);
  return numbers;
}

/// Those that are the same word of another text, too.
std::vector<std::int64_t> numbers_in_both(const std::string& text, const std::string& other) {
  const std::vector<std::string> one = words_of(text), two = words_of(other);
  std::vector<std::int64_t> numbers;
  for (std::size_t i = 0; i < std::min(one.size(), two.size()); ++i) {
    const auto number = one[i] == two[i] ? number_of(one[i]) : std::nullopt;
    if (number) numbers.push_back(*number);
  }
  return numbers;
}

/// The first line of a text that holds words and no numbers, and is the same line of another text, too; empty where there is none.
std::string words_in_both(const std::string& text, const std::string& other) {
  std::istringstream one(text), two(other);
  for (std::string line, beside; std::getline(one, line) && std::getline(two, beside);) {
    const std::vector<std::string> words = words_of(line);
    if (!words.empty() && numbers_in(line).empty() && words == words_of(beside)) return line;
  }
  return "";
}

WrittenOutput output_memory() {
  auto made = WrittenOutput::make();
  if (!made) throw ExperimentFailed{made.error(), {}};
  return std::move(*made);
}

void compare(const std::string& asked, ProgramResult& result) {
  const std::vector<std::string> expected = words_of(asked), got = words_of(result.output);
  const auto [e, g] = std::ranges::mismatch(expected, got);
  if (e != expected.end()) {
    const auto number = static_cast<std::size_t>(e - expected.begin());
    const std::size_t place = place_of_word(asked, number);
    result.expected = line_at(asked, place);
    result.line = line_number_at(asked, place);
  }
  if (g != got.end()) {
    const auto number = static_cast<std::size_t>(g - got.begin());
    result.got = line_at(result.output, place_of_word(result.output, number));
  }
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

/// What the report says of the widest race; null where there is none.
const CheckExhibit::Item* failed_races(const CheckExhibit& check) {
  const auto failed = std::ranges::find_if(check.items, [](const CheckExhibit::Item& item) {
    return item.id == "races" && item.state == CheckExhibit::State::failed;
  });
  return failed == check.items.end() ? nullptr : &*failed;
}

/// What the report says of the first call that failed; null where none did.
const CheckExhibit::Item* first_failed_call(const CheckExhibit& check) {
  const auto failed = std::ranges::find_if(check.items, [](const CheckExhibit::Item& item) {
    return item.id == "calls" && item.state == CheckExhibit::State::warning;
  });
  return failed == check.items.end() ? nullptr : &*failed;
}

/// An argument of what the report's item advises, which may be several sentences; empty where none has it.
std::string argument_in(const CheckExhibit::Item& item, std::string_view name) {
  const Message* found = argument_of(item.advice.arguments, name);
  for (const auto& sentence : item.advice.arguments)
    if (!found) found = argument_of(sentence.value.arguments, name);
  return found ? found->text : "";
}

/// What the report says of the first call that was to free memory and could not; null where all could.
const CheckExhibit::Item* first_failed_free(const CheckExhibit& check) {
  const auto failed = std::ranges::find_if(check.items, [](const CheckExhibit::Item& item) {
    return item.id == "calls" && item.state == CheckExhibit::State::warning &&
           argument_in(item, "call").starts_with("cudaFree");
  });
  return failed == check.items.end() ? nullptr : &*failed;
}

/// The race of kernels whose two threads are furthest apart, the first of such; null where there was none.
const device::Finding* widest_race(const ProgramOutcome& outcome) {
  const device::Finding* widest = nullptr;
  for (const auto& launch : outcome.record.launches) {
    for (const device::Finding& finding : launch.findings) {
      if (width_of_race(finding) && (!widest || width_of_race(*widest) < width_of_race(finding)))
        widest = &finding;
    }
  }
  return widest;
}

/// What ends the keys of messages about the signal that stopped a program: of two the cause is known, and lies on the host.
const char* words_of_signal(std::int32_t signal) {
  return signal == SIGSEGV || signal == SIGBUS ? "signal-memory"
         : signal == SIGFPE                    ? "signal-division"
                                               : "signal";
}

/// What went wrong in the program's own words: the first line of its standard error.
std::string told_in(const std::string& errors) {
  return errors.substr(0, std::min(errors.find('\n'), kToldLetters));
}

/// The same, or where that is empty, of its standard output.
std::string told_in(const ProgramResult& result) {
  return told_in(result.errors.empty() ? result.output : result.errors);
}

/// The line of the source that a call came from; 0: unknown.
std::uint32_t line_of(const ProgramOutcome& outcome, std::uint64_t call,
                      device::runtime::HostLines& lines) {
  return call < outcome.calls.size() ? lines.place_of(outcome.calls[call].frames, outcome.base).line
                                     : 0;
}

std::vector<CopiesOfLine> copies_of(const ProgramOutcome& outcome,
                                    device::runtime::HostLines& lines) {
  std::vector<CopiesOfLine> all;
  for (const auto& operation : outcome.record.operations) {
    if (operation.engine != Engine::copy_in && operation.engine != Engine::copy_out) continue;
    const std::uint32_t line = line_of(outcome, operation.call, lines);
    auto found = std::ranges::find_if(all, [&](const CopiesOfLine& copies) {
      return copies.direction == operation.engine && copies.line == line;
    });
    if (found == all.end()) found = all.insert(all.end(), {operation.engine, line});
    found->bytes += operation.bytes;
    ++found->calls;
  }
  return all;
}

/// Lines of the source that a call came from: its own, and those of the functions around it.
std::vector<std::uint32_t> lines_of(const device::runtime::CallRecord& call, std::uint64_t base,
                                    device::runtime::HostLines& lines) {
  std::vector<std::uint32_t> all;
  for (auto frames = call.frames; frames.front() != 0;) {
    all.push_back(lines.place_of(frames, base).line);
    std::ranges::rotate(frames, frames.begin() + 1);
    frames.back() = 0;
  }
  return all;
}

/// Notes what the devices sent each other, and the first launch that did not keep to its own device's memory.
void note_devices(ProgramResult& result, device::runtime::HostLines& lines) {
  result.links = links_of(result.outcome.record);
  for (LinkUse& link : result.links) link.line = line_of(result.outcome, link.call, lines);
  if (const auto call = first_reaching_out(result.outcome.record, result.stores))
    result.reaching_out = line_of(result.outcome, *call, lines);
}

/// The call asks for memory, a copy or a launch.
bool begins_work(const device::runtime::CallRecord& call) {
  constexpr auto kWork = std::to_array<std::string_view>(
      {"cudaMalloc", "cudaHostAlloc", "cudaMemcpy", "cudaMemset", "cudaLaunch", "__cudaLaunch"});
  const std::string_view name = name_of(call.function);
  return std::ranges::any_of(kWork, [&](std::string_view work) { return name.starts_with(work); });
}

/// Notes the first call that returned an error, where it came from, and which work the program began after it.
void note_failure(ProgramResult& result, device::runtime::HostLines& lines) {
  const auto& calls = result.outcome.calls;
  const auto failed = std::ranges::find_if(calls, [](const auto& call) {
    return call.error != 0 && call.error != device::runtime::kNotReady;
  });
  if (failed == calls.end()) return;
  result.failed_function = std::string(name_of(failed->function));
  result.failed_from = lines_of(*failed, result.outcome.base, lines);
  const auto next = std::find_if(failed + 1, calls.end(), begins_work);
  if (next == calls.end()) return;
  result.next_work = lines.place_of(next->frames, result.outcome.base).line;
  // In a loop, it would be the same place of the program, and elsewhere another line.
  result.made_twice = next->function == failed->function && next->frames != failed->frames &&
                      lines_of(*next, result.outcome.base, lines) == result.failed_from;
}

/// Where a statement ends that begins in that line; at most some lines further down.
std::uint32_t end_of_statement(const std::string& source, std::uint32_t line) {
  constexpr std::uint32_t kMostLines = 20;
  std::istringstream stream(source);
  std::string text;
  for (std::uint32_t i = 1; i < line + kMostLines && std::getline(stream, text); ++i)
    if (i >= line && text.find(';') != text.npos) return i;
  return line;
}

/// Lines of a source from one to another.
struct Lines {
  std::uint32_t first = 0, last = 0;
};

/// Those that a message about a call in that line may name: a launch is checked on the next line, and either may take several.
Lines lines_near(const std::string& source, std::uint32_t line) {
  constexpr std::uint32_t kFar = 3;
  return {line - std::min(kFar, line), end_of_statement(source, line) + kFar};
}

/// All numbers in a text that a line may have.
std::vector<std::uint32_t> line_numbers_in(const std::string& text) {
  const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
  std::vector<std::uint32_t> numbers;
  for (auto at = std::ranges::find_if(text, is_digit); at != text.end();
       at = std::find_if(at, text.end(), is_digit)) {
    std::uint32_t number = 0;
    for (constexpr std::uint32_t kMost = 1'000'000; at != text.end() && is_digit(*at); ++at)
      number = std::min(kMost, number * 10 + static_cast<std::uint32_t>(*at - '0'));
    numbers.push_back(number);
  }
  return numbers;
}

bool is_among(std::uint32_t number, const Lines& lines) {
  return number >= lines.first && number <= lines.last;
}

bool names_line(const std::string& text, const Lines& lines) {
  return std::ranges::any_of(line_numbers_in(text),
                             [&](std::uint32_t number) { return is_among(number, lines); });
}

/// Whether the text names each of these places, by more than one number: who prints all lines need not know which call failed.
bool names_all(const std::string& text, const std::vector<Lines>& places) {
  const std::vector<std::uint32_t> numbers = line_numbers_in(text);
  const auto is_near_all = [&](std::uint32_t number) {
    return std::ranges::all_of(places, [&](const Lines& lines) { return is_among(number, lines); });
  };
  return std::ranges::none_of(numbers, is_near_all) &&
         std::ranges::all_of(places, [&](const Lines& lines) { return names_line(text, lines); });
}

/// The error that a failure of the check's own gives to the program.
std::int32_t error_of(const ProgramFailure& failure) {
  if (failure.launch != 0) return device::runtime::kLaunchOutOfResources;
  if (failure.copy != 0) return device::runtime::kUnknown;
  return failure.is_of_kernel() ? device::runtime::kIllegalAddress
                                : device::runtime::kMemoryAllocation;
}

/// Whether the text names one of the other errors that checks give to programs: who prints them all looks at none.
bool names_another_error(const std::string& text, std::int32_t error) {
  constexpr auto kGiven =
      std::to_array({device::runtime::kMemoryAllocation, device::runtime::kLaunchOutOfResources,
                     device::runtime::kUnknown, device::runtime::kIllegalAddress});
  return std::ranges::any_of(kGiven, [&](std::int32_t other) {
    return other != error && (text.find(device::runtime::name_of_cuda_error(other)) != text.npos ||
                              text.find(device::runtime::text_of_cuda_error(other)) != text.npos);
  });
}

/// What ends the keys of messages about it.
const char* kind_of(const ProgramFailure& failure) {
  return failure.launch != 0      ? "launch"
         : failure.copy != 0      ? "copy"
         : failure.is_of_kernel() ? "kernel"
                                  : "allocation";
}

/// The kernel of the launch with that number, as it was in a run in which nothing failed; empty where there was none.
std::string kernel_of_launch(const ProgramOutcome& outcome, std::uint64_t number) {
  std::vector<const device::runtime::LaunchNote*> launches;
  for (const auto& launch : outcome.record.launches) launches.push_back(&launch);
  std::ranges::sort(launches, {}, [](const auto* launch) { return launch->call; });
  return number <= launches.size() ? launches[number - 1]->kernel : "";
}

/// What all launches of a traced run have stored.
std::vector<StoredRun> all_stored(const ProgramResult& result) {
  std::vector<StoredRun> stored;
  for (const KernelStores& launch : result.stores)
    stored.insert(stored.end(), launch.runs.begin(), launch.runs.end());
  return stored;
}

/// Bytes that kernels have allocated, with malloc or new, and never freed in a run whose stores are kept.
std::uint64_t kept_by_kernels(const ProgramResult& result) {
  return result.stores.empty() ? 0 : result.stores.back().kept_bytes;
}

/// By how many threads the kernel that does the most is done, if each of them did as much as the others, or as much as the busiest
/// one: one thread with half of the work among thousands is seen by the latter alone. What `results` do not need is nobody's share:
/// threads that all compute everything are as good as few. That is seen in what they use of memory, and not in their instructions,
/// because dear arithmetic is no fewer threads.
double sharing_threads(const device::runtime::ProgramRecord& record, std::uint64_t results) {
  std::map<std::string, std::uint64_t> instructions;
  for (const auto& launch : record.launches)
    instructions[launch.kernel] += launch.thread_instructions;
  const auto most =
      std::ranges::max_element(instructions, {}, [](const auto& kernel) { return kernel.second; });
  if (most == instructions.end()) return 0;
  const auto sample = record.samples.find(most->first);
  if (sample == record.samples.end()) return 0;
  const device::LaunchRecord& launch = *sample->second;
  const auto done = static_cast<double>(launch.total.thread_instructions);
  const double even =
      launch.thread_evenness * static_cast<double>(launch.grid.count() * launch.block.count());
  const double as_the_busiest =
      done / static_cast<double>(std::max<std::uint64_t>(launch.longest_lane, 1));
  const double results_of_launch = static_cast<double>(results) * done /
                                   static_cast<double>(std::max<std::uint64_t>(most->second, 1));
  const double bytes = static_cast<double>(launch.total.global_bytes_asked);
  return std::min(even, as_the_busiest) *
         std::min(1.0, kNeededBytes * results_of_launch / std::max(bytes, 1.0));
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

device::runtime::CopiesIn ProgramTrials::copies_in(Change change) {
  using device::runtime::CopiesIn;
  return change == Change::copies_spoiled    ? CopiesIn::changed
         : change == Change::copies_shuffled ? CopiesIn::shuffled
         : change == Change::copies_cleared  ? CopiesIn::cleared
                                             : CopiesIn::kept;
}

ProgramResult ProgramTrials::tried(const ProgramTrial& trial, const ProgramFailure& failure,
                                   Change change, const std::string& without_kernel) {
  const WrittenOutput output = output_memory(), errors = output_memory();
  std::vector<std::string> headers;
  if (const auto nvcc = device::find_nvcc()) headers.push_back(nvcc->includes.string());
  device::runtime::HostLines lines(checker_.program, std::move(headers));
  device::runtime::ProgramRun run;
  const auto library = device::runtime::library_folder();
  if (!library) throw ExperimentFailed{library.error(), {}};
  // Not the folder in which the check was started: its box lets a program read and write where it runs, and other students' work, the
  // roster and the solutions may lie there.
  const auto folder = device::runtime::PrivateFolder::make();
  if (!folder) throw ExperimentFailed{folder.error(), {}};
  run.executable = checker_.program;
  run.folder = folder->path();
  run.library = *library;
  run.arguments = failure.arguments.empty() ? trial.arguments : failure.arguments;
  run.seconds = kRunSeconds;
  run.output = output.fd();
  run.errors = errors.fd();
  run.service.gpu = checker_.lab.device().properties();
  run.service.devices = trial.devices;
  run.service.checks = checker_.checks;
  run.service.kernel_seconds = kRunSeconds;
  run.service.failing_allocation = failure.allocation;
  run.service.failing_launch = failure.launch;
  run.service.failing_copy = failure.copy;
  run.service.leave_kernels_out = change == Change::kernels_left_out;
  run.service.kernel_left_out = without_kernel;
  run.service.spoil_stores = change == Change::stores_spoiled;
  run.service.copies_in = copies_in(change);
  run.service.one_by_one = change == Change::one_by_one;
  run.service.late_copies = !run.service.one_by_one;
  run.service.name_of_memory = [&lines](const auto& call, std::uint64_t base) {
    return name_of_memory(call, base, lines);
  };
  ProgramResult result;
  if (trial.traced) {
    run.service.traced_accesses = kTracedAccesses;
    run.service.on_launch = [&result](const auto& note, const auto& record, const auto& memory) {
      result.stores.push_back(stores_of(note, record, memory));
    };
    run.service.on_copy_in = [&result](const auto& rows, const auto& memory) {
      for (const auto& [begin, end] : rows) {
        StoredRun arrived{begin, std::vector<std::byte>(end - begin)};
        if (memory.read(begin, arrived.bytes)) result.arrived.push_back(std::move(arrived));
      }
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
  result.outcome = std::move(*outcome);
  note_devices(result, lines);
  note_failure(result, lines);
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

Message ProgramTrials::differing(std::size_t run) {
  const ProgramResult& result = results_[run];
  const char* what = result.expected.empty() ? "more" : result.got.empty() ? "less" : "differs";
  Message how = words("right", what,
                      {{"trial", name_of(trials_[run])},
                       {"line", result.line},
                       {"expected", result.expected},
                       {"got", result.got}});
  if (!tried(trials_[run], {}, Change::one_by_one).right) return how;
  return words("right", "early", {{"what", std::move(how)}});
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
    if (!trials_[i].hidden)
      item.inputs = {trials_[i].name, {command_of(checker_.text.id, trials_[i])}, {}};
    const auto& outcome = result.outcome;
    MessageArguments arguments{{"trial", name_of(trials_[i])}};
    if (trials_[i].hidden) {
      item.advice = Message{"exercise.right.hidden", {}, {}};
    } else if (outcome.end == ProgramOutcome::End::out_of_time) {
      item.advice = words("right", "time", std::move(arguments));
    } else if (outcome.end != ProgramOutcome::End::exited) {
      arguments.emplace_back("signal", outcome.code);
      item.advice = words("right", words_of_signal(outcome.code), std::move(arguments));
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
      item.advice = differing(i);
    }
  }
  item.got = Message{"exercise.right.got", {{"right", good}, {"total", results_.size()}}, {}};
  checker_.result.items.push_back(std::move(item));
}

std::size_t ProgramTrials::telling(std::size_t run) const {
  std::size_t told = run;
  const device::Finding* race = widest_race(results_[run].outcome);
  for (std::size_t i = run + 1; race && i < results_.size(); ++i) {
    const device::Finding* other = trials_[i].hidden ? nullptr : widest_race(results_[i].outcome);
    if (!other || !failed_races(results_[i].found) || !says_more(*other, *race)) continue;
    race = other;
    told = i;
  }
  return told;
}

void ProgramTrials::add_safe() {
  Item item{"safe", State::passed, words("safe", "sentence"), {}, {}, 0, {}, {}};
  for (std::size_t i = 0; i < results_.size() && item.state == State::passed; ++i) {
    const Item* failed = first_failed(results_[i].found);
    if (!failed) continue;
    std::size_t told = i;
    if (failed->id == "races") {
      told = telling(i);
      failed = failed_races(results_[told].found);
    }
    item.state = State::failed;
    item.line = failed->line;
    item.advice = trials_[told].hidden
                      ? words("safe", "hidden", {{"what", failed->sentence}})
                      : words("safe", "in-run",
                              {{"trial", name_of(trials_[told])}, {"what", failed->advice}});
  }
  checker_.result.items.push_back(std::move(item));
}

void ProgramTrials::add_freed() {
  Item item = judged("freed");
  for (std::size_t i = 0; i < results_.size() && item.state == State::passed; ++i) {
    const auto& found = results_[i].found;
    const auto kept = std::ranges::find(found.items, "freed", &Item::id);
    const bool is_kept = kept != found.items.end() && kept->state != State::passed;
    const Item* failed = is_kept ? &*kept : first_failed_free(found);
    if (const std::uint64_t bytes = kept_by_kernels(results_[i]); !failed && bytes != 0) {
      item.state = State::failed;
      item.advice = words("freed", trials_[i].hidden ? "hidden-kernels" : "kernels",
                          {{"trial", name_of(trials_[i])}, {"bytes", grouped(bytes)}});
    }
    if (!failed) continue;
    item.state = State::failed;
    item.line = failed->line;
    item.advice = words("freed", trials_[i].hidden && is_kept ? "hidden" : "in-run",
                        {{"trial", name_of(trials_[i])},
                         {"what", failed->advice},
                         {"name", argument_in(*failed, "name")},
                         {"line", failed->line}});
    if (!trials_[i].hidden) item.got = failed->got;
  }
  checker_.result.items.push_back(std::move(item));
}

void ProgramTrials::add_on_gpu(std::size_t kernels) {
  Item item = judged("on-gpu");
  for (std::size_t i = 0; i < trials_.size() && item.state == State::passed; ++i) {
    if (!trials_[i].gates) continue;
    std::set<std::string> launched;
    for (const auto& launch : results_[i].outcome.record.launches) launched.insert(launch.kernel);
    const bool by_host = tried(trials_[i], {}, Change::kernels_left_out).right;
    const auto idle = std::ranges::find_if(launched, [&](const std::string& kernel) {
      return kernels > 1 && tried(trials_[i], {}, Change::none, kernel).right;
    });
    if (!by_host && launched.size() >= kernels && idle == launched.end()) continue;
    item.state = State::failed;
    item.advice = words("on-gpu",
                        by_host                     ? "advice"
                        : launched.size() < kernels ? "kernels"
                                                    : "idle",
                        {{"trial", name_of(trials_[i])},
                         {"launched", launched.size()},
                         {"kernels", kernels},
                         {"kernel", idle == launched.end() ? std::string() : *idle}});
  }
  checker_.result.items.push_back(std::move(item));
}

std::optional<std::int64_t> ProgramTrials::repeated_by_host(const ProgramTrial& trial) {
  const ProgramResult shuffled = tried(trial, {}, Change::copies_shuffled);
  if (shuffled.outcome.end != ProgramOutcome::End::exited || shuffled.outcome.code != 0) return {};
  const std::vector<std::int64_t> numbers = numbers_in(shuffled.output);
  const std::size_t missing = first_not_held(numbers, all_stored(shuffled));
  return missing < numbers.size() ? std::optional(numbers[missing]) : std::nullopt;
}

Message ProgramTrials::computed_by_host(std::size_t run, const Results& results) {
  const ProgramTrial& trial = trials_[run];
  const auto told = [&](const char* what, std::int64_t number) {
    return words("on-gpu", trial.hidden ? "hidden" : what,
                 {{"trial", name_of(trial)}, {"number", std::to_string(number)}});
  };
  const std::vector<std::int64_t> numbers = numbers_in(trial.output);
  const std::size_t missing = first_not_held(numbers, all_stored(results_[run]));
  if (missing < numbers.size()) return told("not-stored", numbers[missing]);
  const std::vector<StoredRun>& arrived = results_[run].arrived;
  if (!results.like_inputs && hold_most(arrived, numbers)) return told("arrived", numbers.front());
  const std::size_t changed = first_not_held(trial.inputs, arrived);
  if (!arrived.empty() && changed < trial.inputs.size())
    return told("changed", trial.inputs[changed]);
  const std::string spoiled = tried(trial, {}, Change::stores_spoiled).output;
  const std::vector<std::int64_t> same = numbers_in_both(trial.output, spoiled);
  if (!same.empty()) return told("not-from-gpu", same.front());
  if (arrived.empty()) return {};
  const ProgramResult of_other_input = tried(trial, {}, Change::copies_spoiled);
  if (of_other_input.right) return told("no-input", numbers.front());
  const std::string line = words_in_both(trial.output, of_other_input.output);
  if (!line.empty())
    return words("on-gpu", trial.hidden ? "hidden-line" : "line-without-input",
                 {{"trial", name_of(trial)}, {"line", line}});
  if (results.sums) {
    const std::string nothing = tried(trial, {}, Change::copies_cleared).output;
    const std::vector<std::int64_t> kept = numbers_in_both(trial.output, nothing);
    return kept.empty() ? Message{} : told("of-zeros", kept.front());
  }
  const auto repeated = trial.hidden ? std::nullopt : repeated_by_host(trial);
  return repeated ? told("repeated", *repeated) : Message{};
}

void ProgramTrials::add_printed_by_gpu(const Results& results) {
  Item item = judged("on-gpu");
  for (std::size_t i = 0; i < trials_.size() && item.state == State::passed; ++i) {
    if (!trials_[i].gates) continue;
    item.advice = computed_by_host(i, results);
    if (!item.advice.empty()) item.state = State::failed;
  }
  checker_.result.items.push_back(std::move(item));
}

void ProgramTrials::add_home() {
  Item item = judged("home");
  for (std::size_t i = 0; i < trials_.size() && item.state == State::passed; ++i) {
    const auto& reaching_out = results_[i].reaching_out;
    if (!trials_[i].gates || !reaching_out) continue;
    item.state = State::failed;
    item.line = *reaching_out;
    item.advice = words("home", "advice", {{"trial", name_of(trials_[i])}, {"line", item.line}});
  }
  checker_.result.items.push_back(std::move(item));
}

void ProgramTrials::add_parallel(const std::function<std::uint64_t(const ProgramTrial&)>& results) {
  const Gate& gate = gate_of("parallel");
  Item item = judged(gate.id);
  for (std::size_t i = 0; i < trials_.size() && item.state == State::passed; ++i) {
    if (!trials_[i].gates) continue;
    // Whole ones: a last round of a loop that is not full takes no thread away.
    const double threads =
        std::round(sharing_threads(results_[i].outcome.record, results(trials_[i])));
    item.got = words("parallel", "got", {{"measured", number(threads, 4)}});
    if (gate.floor && threads >= *gate.floor) continue;
    item.state = State::failed;
    item.advice = words("parallel", threads == 0 ? "none" : "advice",
                        {{"trial", name_of(trials_[i])},
                         {"measured", number(threads, 4)},
                         {"floor", number(gate.floor.value_or(0), 4)}});
  }
  checker_.result.items.push_back(std::move(item));
}

Message ProgramTrials::name_of_failure(const ProgramFailure& failure,
                                       const ProgramResult& result) const {
  const auto trial = std::ranges::find(trials_, true, &ProgramTrial::gates);
  const auto& right = results_[static_cast<std::size_t>(trial - trials_.begin())].outcome;
  return words("errors", std::string("name-") + kind_of(failure),
               {{"number", failure.allocation + failure.launch + failure.copy},
                {"call", failure.launch != 0 ? kernel_of_launch(right, failure.launch)
                                             : result.failed_function},
                {"line", result.failed_from.empty() ? 0 : result.failed_from.front()}});
}

Message ProgramTrials::complaint(const ProgramFailure& failure, const ProgramResult& result,
                                 const TellingRules& rules) const {
  const auto& outcome = result.outcome;
  const std::int32_t error = error_of(failure);
  const std::string said = result.output + result.errors;
  const bool told = said.find(device::runtime::name_of_cuda_error(error)) != said.npos ||
                    said.find(device::runtime::text_of_cuda_error(error)) != said.npos;
  const bool ended = is_deliberate_failure(outcome);
  const bool went_on = result.next_work && (rules.at_once || !ended);
  const std::size_t count = words_of(said).size();
  const char* what = went_on && result.made_twice                                  ? "twice"
                     : went_on                                                     ? "goes-on"
                     : !ended && outcome.end != ProgramOutcome::End::exited        ? "stopped"
                     : !ended && !told                                             ? "overlooked"
                     : !ended                                                      ? "exit-code"
                     : !told && count == 0                                         ? "mute"
                     : !told                                                       ? "silent"
                     : rules.most_words != 0 && count > rules.most_words           ? "much"
                     : names_another_error(said, error)                            ? "several"
                     : rules.no_results && !result_in(said, error, result).empty() ? "results"
                                                                                   : "";
  if (*what == '\0') return {};
  return words("errors", what,
               {{"what", name_of_failure(failure, result)},
                {"error", device::runtime::name_of_cuda_error(error)},
                {"text", device::runtime::text_of_cuda_error(error)},
                {"remedy", words("errors", std::string("remedy-") + kind_of(failure))},
                {"next_line", result.next_work.value_or(0)},
                {"told", told_in(result)},
                {"count", count},
                {"most", rules.most_words},
                {"result", result_in(said, error, result)}});
}

std::string ProgramTrials::result_in(const std::string& said, std::int32_t error,
                                     const ProgramResult& result) const {
  std::istringstream stream(said);
  for (std::string line; std::getline(stream, line);) {
    const std::vector<std::string> all = words_of(line);
    const auto number = all.size() == 1 ? number_of(all.front()) : std::nullopt;
    const bool is_of_call =
        number == error || std::ranges::any_of(result.failed_from, [&](std::uint32_t call) {
          return call != 0 && names_line(line, lines_near(checker_.source, call));
        });
    if (number && !is_of_call) return all.front();
  }
  return "";
}

void ProgramTrials::add_errors_told(const std::vector<ProgramFailure>& failures,
                                    const TellingRules& rules) {
  Item item = judged("errors");
  const auto trial = std::ranges::find(trials_, true, &ProgramTrial::gates);
  if (trial == trials_.end()) throw std::logic_error("no trial has gates");
  for (const ProgramFailure& failure : failures) {
    if (item.state != State::passed) break;
    ProgramResult result = tried(*trial, failure);
    const bool failed = std::ranges::any_of(
        result.outcome.calls, [&](const auto& call) { return call.error == error_of(failure); });
    if (!failure.is_of_kernel() && (!failed || result.right)) continue;
    item.advice = failed
                      ? complaint(failure, result, rules)
                      : words("errors", "kernel-spared",
                              {{"error", device::runtime::name_of_cuda_error(error_of(failure))},
                               {"text", device::runtime::text_of_cuda_error(error_of(failure))}});
    if (item.advice.empty()) {
      failed_.push_back(std::move(result));
      continue;
    }
    item.state = State::failed;
    if (!result.failed_from.empty()) item.line = result.failed_from.front();
  }
  checker_.result.items.push_back(std::move(item));
}

void ProgramTrials::add_places_told() {
  Item item = judged("place");
  // Who tells of no failure does not tell where it is either.
  if (failed_.empty() && item.state == State::passed) item.state = State::waiting;
  const std::string file = submission_name(checker_.text.id, Submission::program);
  std::vector<Lines> places;
  for (const ProgramResult& result : failed_)
    if (!result.failed_from.empty() && result.failed_from.front() != 0)
      places.push_back(lines_near(checker_.source, result.failed_from.front()));
  for (const ProgramResult& result : failed_) {
    if (item.state != State::passed) break;
    const std::string said = result.output + result.errors;
    const bool names_file = said.find(file) != said.npos;
    const bool is_near = std::ranges::any_of(result.failed_from, [&](std::uint32_t line) {
      return line != 0 && names_line(said, lines_near(checker_.source, line));
    });
    const bool names_too_many = names_all(said, places);
    if (names_file && is_near && !names_too_many) continue;
    item.state = State::failed;
    item.line = result.failed_from.front();
    const Lines near = lines_near(checker_.source, item.line);
    item.advice = words("place",
                        !names_file      ? "file"
                        : names_too_many ? "all-lines"
                                         : "line",
                        {{"line", item.line},
                         {"first", near.first},
                         {"last", near.last},
                         {"file", file},
                         {"told", told_in(result)}});
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
    std::vector<Message> lines;
    for (const CopiesOfLine& copies : results_[i].copies) {
      if (copies.direction != direction) continue;
      bytes += copies.bytes;
      if (copies.bytes > most.bytes) most = copies;
      lines.push_back(words("copies", "on-line", {{"line", copies.line}, {"count", copies.calls}}));
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
                         {"lines", Message::list_of("list.separator", std::move(lines))},
                         {"line", most.line},
                         {"ceiling", number(*gate.ceiling, 4)}});
  }
  checker_.result.items.push_back(std::move(item));
}

}  // namespace warpbook::lab
