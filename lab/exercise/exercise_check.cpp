// A submission held to its exercise, on the calling thread.
#include <algorithm>
#include <iterator>
#include <set>
#include <stdexcept>

#include "lab/exercise/exercise.hpp"
#include "lab/exercise/program_trials.hpp"
#include "lab/exercise/sealed_solution.hpp"
#include "lab/exhibits/source/compile_advice.hpp"
#include "lab/text/host.hpp"
#include "lab/text/source_text.hpp"

namespace warpbook::lab {
namespace {

using device::Error;
using device::ErrorCode;
using Item = CheckExhibit::Item;
using State = CheckExhibit::State;

constexpr double kReferenceSeconds = 60;  // of one launch; instructions decide, this is a backstop
constexpr std::uint64_t kReferenceInstructions = 2'000'000'000;  // of the reference's launches
constexpr std::uint64_t kCheckOutput = 1u << 16;                 // bytes of printf
constexpr std::uint64_t kCheckMemory = 1ull << 30;               // bytes

Item compiles_item(State state) {
  return {"compiles", state, {"exercise.compiles", {}, {}}, {}, {}, 0, {}, {}};
}

Item failed_compile(const ExperimentFailed& failed, const std::string& source) {
  Item item = compiles_item(State::failed);
  const auto first = std::find_if(
      failed.diagnostics.begin(), failed.diagnostics.end(),
      [](const auto& diagnostic) { return diagnostic.severity == device::Severity::error; });
  if (first == failed.diagnostics.end()) {
    Error bare = failed.error;
    bare.place = {};
    item.got = Message::plain(bare.english());
    item.line = failed.error.place.line;
  } else {
    item.got = Message::plain(first->text);
    item.line = first->place.line;
  }
  item.advice = compile_advice(failed.diagnostics, source);
  return item;
}

// The machine's failures: nothing that the submission did.
bool is_of_machine(ErrorCode code) {
  switch (code) {
    case ErrorCode::cancelled:
    case ErrorCode::compiler_missing:
    case ErrorCode::compiler_died:
    case ErrorCode::worker_failed:
    case ErrorCode::worker_protocol:
    case ErrorCode::out_of_memory:
    case ErrorCode::no_device:
    case ErrorCode::library_missing:
    case ErrorCode::library_version:
    case ErrorCode::file_unreadable: return true;
    default: return false;
  }
}

// The same finding at the same line in every trial is said once.
void say_once(std::vector<Error>& errors) {
  std::set<std::pair<ErrorCode, std::uint32_t>> seen;
  std::erase_if(errors, [&](const Error& error) {
    return !seen.insert({error.code, error.place.line}).second;
  });
}

/// The error that the items tell of leads the list. Where it is a race between warps, one of the same line within a warp is left out,
/// because the barrier of a warp that it recommends is not enough.
void lead_with(const Error& told, std::vector<Error>& errors) {
  std::erase_if(errors, [&](const Error& error) {
    const bool less =
        told.code == ErrorCode::race_in_block && error.code == ErrorCode::race_in_warp;
    return error.place.line == told.place.line && (less || error.code == told.code);
  });
  errors.insert(errors.begin(), told);
}

/// What gates compare with: the solution; or, in a students' copy, which has no solutions, the PTX that `warpbook course export` made
/// of it.
std::shared_ptr<const device::Module> load_reference(Lab& lab, const std::string& root,
                                                     const ExerciseText& text) {
  const auto solution = load_solution(root, text);
  if (solution) return lab.compile_source("solution.cu", *solution);
  const auto sealed = read_source_file(root, sealed_solution(text.id));
  if (!sealed) throw ExperimentFailed{solution.error(), {}};
  auto program = std::make_shared<device::Program>();
  program->name = "solution.cu";
  program->architecture = lab.device().properties().compute_capability;
  program->ptx = *sealed;
  return require(lab.device().load(std::move(program)));
}

/// The compiler may have died of something else once. Twice in a row it died of this file: it has just compiled the
/// solution.
std::shared_ptr<const device::Module> compiled_submission(Lab& lab) {
  try {
    return lab.compile("submission");
  } catch (const ExperimentFailed& failed) {
    if (failed.error.code != ErrorCode::compiler_died) throw;
    return lab.compile("submission");
  }
}

/// A kernel that prints is as right as one that does not, but who wrote it wants to know, and so does whoever reads on with the grade.
Item prints_item(std::uint32_t line) {
  return {kPrintsItem,
          State::warning,
          {"exercise.prints.sentence", {}, {}},
          {"exercise.prints.got", {{"line", line}}, {}},
          {"exercise.prints.advice", {}, {}},
          line,
          {},
          {},
          {}};
}

// Every gate has an item, in the order of the gates, however far the check came.
void complete_items(CheckExhibit& exhibit, const ExerciseText& text) {
  for (const Gate& gate : text.gates) {
    const bool there = std::any_of(exhibit.items.begin(), exhibit.items.end(),
                                   [&](const Item& item) { return item.id == gate.id; });
    if (!there)
      exhibit.items.push_back(
          {gate.id, State::waiting, {"exercise.waiting", {}, {}}, {}, {}, 0, {}, {}});
  }
}

/// Of a wrong result the compiler may have warned. It says more than any element that is wrong.
void tell_warning(CheckExhibit& exhibit, const Report& report) {
  const auto* source = report.find_as<SourceExhibit>("submission");
  const auto wrong = std::ranges::find(exhibit.items, State::failed, &Item::state);
  if (!source || wrong == exhibit.items.end() || !wrong->advice.key.starts_with("exercise.right."))
    return;
  for (const auto& mark : source->marks) {
    Message advice = warning_advice(mark.text.text, mark.line);
    if (advice.empty()) continue;
    // Hints speak of the case and of the element still.
    std::ranges::copy(wrong->advice.arguments, std::back_inserter(advice.arguments));
    wrong->advice = std::move(advice);
    wrong->line = mark.line;
    return;
  }
}

/// The submission with a mark at each line that an item speaks of. A kernel's source is shown by the lab that compiled it.
Exhibit shown_source(const std::string& file_name, const std::string& source,
                     const CheckExhibit& exhibit) {
  SourceExhibit shown{file_name, "submission", source, {}, {}, {}};
  for (const Item& item : exhibit.items) {
    if (item.state != State::failed || item.line == 0) continue;
    // The compiler's or a reader's own words are plain text; a figure says less than the advice.
    const bool quoted = !item.got.text.empty();
    shown.marks.push_back({item.line, 0, device::Severity::error, quoted ? item.got : item.advice});
  }
  return {"submission", Message::plain(file_name), std::nullopt, std::move(shown)};
}

void count_points(const CheckExhibit& exhibit, const ExerciseText& text, CheckReport& report) {
  for (const Gate& gate : text.gates) {
    report.points_possible += gate.points;
    report.points += points_for(gate, text, exhibit);
  }
}

}  // namespace

int points_for(const Gate& gate, const ExerciseText& text, const CheckExhibit& check) {
  const auto passed = [&](const Gate& each) {
    const auto item = std::ranges::find(check.items, each.id, &Item::id);
    return item != check.items.end() && item->state == State::passed;
  };
  const auto gained = [&](const Gate& each) { return !each.given && passed(each); };
  const bool counts = passed(text.gates.front()) && std::ranges::any_of(text.gates, gained);
  return counts && passed(gate) ? gate.points : 0;
}

std::uint64_t seed_of_this_check() {
  std::random_device entropy;
  return std::uint64_t{entropy()} << 32 | entropy();
}

std::uint64_t seed_of_student(std::uint64_t key, std::string_view student,
                              std::string_view exercise) {
  // Each byte goes through the finaliser of SplitMix64 (Steele, Lea and Flood, 2014), which starts from the key.
  const auto mixed = [](std::uint64_t z) {
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
  };
  std::uint64_t state = mixed(key + 0x9e3779b97f4a7c15u);
  for (const std::string_view text : {exercise, std::string_view("\0", 1), student}) {
    for (const char byte : text)
      state = mixed(state + 0x9e3779b97f4a7c15u + static_cast<unsigned char>(byte));
  }
  return state;
}

CheckReport check(const Exercise& exercise, const ExerciseText& text, const std::string& file_name,
                  const std::string& source, const std::string& root,
                  std::shared_ptr<device::Compiler> compiler, std::stop_token stop,
                  std::function<void(double, const Message&)> progress,
                  const CheckSetting& setting) {
  CheckReport outcome;
  Inputs inputs;
  inputs.gpu = setting.gpu;
  inputs.sources["submission"] = source;
  outcome.report.subject = text.id;
  outcome.report.inputs = inputs;
  outcome.report.inputs_hash = hash_of(inputs);
  outcome.report.when = now_iso();
  const auto give_up = [&](Error error) {
    outcome.graded = false;
    outcome.report.errors.push_back(std::move(error));
    return outcome;
  };

  const bool compiled = text.submission == Submission::kernel;
  auto device = device::open_device(inputs.device, inputs.gpu);
  if (!device) return give_up(device.error());
  const std::vector<SourceSlot> slots = {{"submission", "", file_name}};
  Lab::Context context;
  context.device = std::move(*device);
  context.compiler = std::move(compiler);
  context.inputs = &inputs;
  context.slots = slots;
  context.root = root;
  context.stop = std::move(stop);
  context.progress = std::move(progress);
  context.budget.thread_instructions = kReferenceInstructions;
  context.budget.seconds = kReferenceSeconds;
  context.budget.output_bytes = kCheckOutput;
  context.budget.drop_output = true;  // a message left in while testing makes no result wrong
  context.budget.memory_bytes = kCheckMemory;
  context.checks = setting.checks;
  context.perturb_approximations = true;
  context.sass = setting.sass;
  Lab lab(std::move(context));

  CheckExhibit exhibit;
  std::optional<Error> ended, told;
  std::uint32_t printing_line = 0;
  std::shared_ptr<const device::Module> submission, reference;
  if (compiled) {
    try {
      lab.progress(0, {"exercise.compiling", {}, {}});
      reference = load_reference(lab, root, text);
    } catch (const ExperimentFailed& failed) {
      return give_up(failed.error);
    }
    try {
      submission = compiled_submission(lab);
      exhibit.items.push_back(compiles_item(State::passed));
    } catch (const ExperimentFailed& failed) {
      const bool kills_compiler = failed.error.code == ErrorCode::compiler_died;
      if (is_of_machine(failed.error.code) && !kills_compiler) return give_up(failed.error);
      ended = failed.error;
      exhibit.items.push_back(failed_compile(failed, source));
      if (kills_compiler) exhibit.items.back().advice = {"exercise.kills-compiler", {}, {}};
    }
  }
  std::filesystem::path program;
  if (text.submission == Submission::program) {
    try {
      lab.progress(0, {"exercise.compiling", {}, {}});
      program = built_program(text.id, source, setting.gpu);
      exhibit.items.push_back(compiles_item(State::passed));
    } catch (const ExperimentFailed& failed) {
      if (is_of_machine(failed.error.code)) return give_up(failed.error);
      ended = failed.error;
      exhibit.items.push_back(failed_compile(failed, source));
    }
  }
  if (!ended) {
    Checker checker{lab,
                    submission,
                    reference,
                    text,
                    file_name,
                    source,
                    program,
                    setting.checks,
                    std::mt19937_64(setting.seed),
                    {},
                    {},
                    0};
    try {
      exercise.check(checker);
    } catch (const ExperimentFailed& failed) {
      if (is_of_machine(failed.error.code)) return give_up(failed.error);
      ended = failed.error;
    }
    for (Item& item : checker.result.items) exhibit.items.push_back(std::move(item));
    told = std::move(checker.told);
    printing_line = checker.printing_line;
  }
  complete_items(exhibit, text);
  if (printing_line != 0) exhibit.items.push_back(prints_item(printing_line));

  Report made = lab.take_report();
  tell_warning(exhibit, made);
  say_once(made.errors);
  if (told) lead_with(*told, made.errors);
  if (ended) made.errors.push_back(std::move(*ended));
  made.subject = outcome.report.subject;
  made.inputs = outcome.report.inputs;
  made.inputs_hash = outcome.report.inputs_hash;
  made.when = outcome.report.when;
  // The clock judges nobody: a launch that met it says that this machine is slow today. Whoever has spent another launch's
  // instructions, or has come to a standstill in one, has failed on any machine.
  const auto ended_by = [&](ErrorCode code) {
    return std::ranges::find(made.errors, code, &Error::code) != made.errors.end();
  };
  outcome.graded = !ended_by(ErrorCode::budget_time) || ended_by(ErrorCode::budget_instructions) ||
                   ended_by(ErrorCode::deadlock);
  outcome.passed = outcome.graded && exhibit.passed() && made.errors.empty();
  count_points(exhibit, text, outcome);
  const device::Evidence counted{device::EvidenceKind::counted, lab.device_name(), {}},
      reported{device::EvidenceKind::reported, Message::plain(lab.device().properties().name), {}};
  if (!compiled) {
    made.exhibits.push_back(shown_source(file_name, source, exhibit));
    std::get<SourceExhibit>(made.exhibits.back().value).settings =
        text.submission == Submission::settings || !program.empty();
  }
  made.exhibits.insert(made.exhibits.begin(),
                       Exhibit{"check",
                               {"exercise.check", {}, {}},
                               text.submission == Submission::settings ? reported : counted,
                               std::move(exhibit)});
  outcome.report = std::move(made);
  return outcome;
}

}  // namespace warpbook::lab
