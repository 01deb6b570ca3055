#include "lab/exercise/exercise_tools.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <set>
#include <stdexcept>
#include <utility>

#include "lab/exercise/case_inputs.hpp"
#include "lab/exercise/diagnosis.hpp"
#include "lab/exercise/sharing.hpp"
#include "lab/exercise/without_shuffles.hpp"
#include "lab/exhibits/sectors/sectors_summary.hpp"
#include "lab/exhibits/source/source_marks.hpp"
#include "lab/model/ptx_words.hpp"

namespace warpbook::lab {
namespace {

using Item = CheckExhibit::Item;
using State = CheckExhibit::State;

// A submission may be clumsy, and a gate will say so; what needs this many times the reference's instructions does not
// end. The least is what one lane alone spends in about a second.
constexpr std::uint64_t kBudgetOverReference = 200;
constexpr std::uint64_t kLeastBudget = 20'000'000;
// Times the reference's: more than the gates on instructions allow of exercises that have large cases.
constexpr std::uint64_t kDecidedWork = 5;
// Threads that wait for each other by atomic operations are simulated lane by lane, and each operation is checked for races, so that a
// second holds a few hundred thousand instructions. They have to be stopped by their instructions in every case, before the clock
// stops the check: as soon as they have run more than the gate "work" allows, or so many times the reference's where there is none.
constexpr double kWaitingBudgetOverReference = 25;
// The same holds where nobody uses what such operations give back, but then the kernel may well come to an end, and a gate says more.
constexpr double kAtomicBudgetOverReference = 25;
constexpr std::uint64_t kLeastWaitingBudget = 2'000'000;
// A loop that waits for another thread takes a handful of instructions a turn, one of which is atomic.
constexpr std::uint64_t kMostInstructionsATurn = 16;
constexpr std::uint64_t kMostRescheduled = 8192;  // threads of a case that is run in a second order
// Cases without gates are too small for their bounds, since edges weigh more there. This many times as far off still fails,
// where there are threads enough to tell.
constexpr double kSmallCaseSlack = 4;
constexpr std::uint64_t kLeastThreadsJudged = 32;
// Of the solution: in a small case where fewer than half of the threads have work, or an element to store, its sharing is not judged.
constexpr double kLeastEvennessJudged = 0.5;
// The busiest warp beside the average one, and in a small case, which has few, the busiest thread, as a multiple of the solution's.
// Right solutions in which a warp works for several others stay below 5.
constexpr double kMostOverMean = 8;
constexpr std::uint64_t kLeastSpread =
    8;  // elements, fewer of which need no picture of where they lie

const device::WriteMap& writes_of(const Trial& trial, const TrialResult& result,
                                  const std::string& array) {
  for (const device::WriteMap& map : result.record->written) {
    if (map.name == array) return map;
  }
  static const device::WriteMap none;
  const auto known = std::ranges::find(trial.arrays, array, &TrialArray::name);
  if (known != trial.arrays.end() && known->count == 0) return none;
  throw std::logic_error("no writes of " + array + " were kept: it is an input of the trial");
}

Message thread_text(std::int64_t linear, const device::LaunchRecord& record) {
  if (linear < 0) return Message::plain("-");
  const auto a_block = static_cast<std::int64_t>(std::max<std::uint64_t>(record.block.count(), 1));
  return {"phrase.who.thread", {{"block", linear / a_block}, {"thread", linear % a_block}}, {}};
}

Item item_of(const std::string& id) {
  return {id, State::passed, {"exercise." + id + ".sentence", {}, {}}, {}, {}, 0, {}, {}};
}

Message said(const std::string& id, const std::string& what, MessageArguments arguments = {}) {
  return {"exercise." + id + "." + what, std::move(arguments), {}};
}

const Gate& gate_of(const ExerciseText& text, const std::string& id) {
  const auto gate = std::ranges::find(text.gates, id, &Gate::id);
  if (gate == text.gates.end()) throw std::logic_error("exercise.toml has no gate " + id);
  return *gate;
}

// Written so that NaN holds no bound.
bool is_above(const Gate& gate, double measured) {
  return gate.ceiling && !(measured <= *gate.ceiling);
}
bool is_below(const Gate& gate, double measured) {
  return gate.floor && !(measured >= *gate.floor);
}

/// How many digits a figure takes to read otherwise than a bound that it does not equal, and not fewer than `digits`.
int digits_beside(double bound, double value, int digits) {
  while (value != bound && digits < std::numeric_limits<double>::max_digits10 &&
         number(value, digits) == number(bound, digits))
    ++digits;
  return digits;
}

/// A figure of a gate. Where it breaks a bound, it reads otherwise than that.
std::string beside_bound(double measured, int digits, const Gate& gate) {
  const std::optional<double> broken = is_above(gate, measured)   ? gate.ceiling
                                       : is_below(gate, measured) ? gate.floor
                                                                  : std::nullopt;
  return number(measured, broken ? digits_beside(*broken, measured, digits) : digits);
}

/// A share and its floor, in percent.
struct Shares {
  std::string share, needed;
};
Shares shares_in_percent(double share, double floor) {
  const int digits = share < floor ? digits_beside(100 * floor, 100 * share, 3) : 3;
  return {number(100 * share, digits), number(100 * floor, digits)};
}

/// "96", "16 x 16".
std::string text_of(const device::Dim3& block) {
  std::string text = std::to_string(block.x);
  if (block.y > 1 || block.z > 1) text += " x " + std::to_string(block.y);
  if (block.z > 1) text += " x " + std::to_string(block.z);
  return text;
}

/// Of a hidden case no more than how large its blocks are, which many a kernel takes for granted.
Message name_of(const Trial& trial) {
  return trial.hidden ? Message{"exercise.hidden-blocks", {{"block", text_of(trial.block)}}, {}}
                      : Message::plain(trial.name);
}

/// The advice of a gate that a hidden case breaks. Hints take its arguments, too.
Message of_hidden(const Message& advice, const Trial& trial) {
  Message whole{"exercise.hidden-advice", advice.arguments, {}};
  whole.arguments.emplace_back("advice", advice);
  whole.arguments.emplace_back("hidden", name_of(trial));
  return whole;
}

/// The kernel's parameters are not those that the check passes.
bool is_of_signature(device::ErrorCode code) {
  return code == device::ErrorCode::argument_count || code == device::ErrorCode::argument_type;
}

/// Of a hidden case only whether it is right.
CheckExhibit::Case shown_case(const Trial& trial, bool right) {
  return {trial.hidden ? std::string() : trial.name, right};
}

/// Fewer threads, or fewer with work, say nothing about how the work is shared; nor does a launch that has nothing to do. Where
/// threads change common elements by atomic operations, those who did one have work.
bool has_work_for_many(const Trial& trial, const device::LaunchRecord& solution) {
  if (trial.workers != 0) return trial.workers >= kLeastThreadsJudged;
  const auto stores = [](const device::WriteMap& map) {
    return std::ranges::any_of(map.writer, [](std::int64_t writer) { return writer >= 0; });
  };
  const std::uint64_t threads = trial.grid.count() * trial.block.count();
  const double with_atomics =
      solution.total.atomics == 0
          ? 1
          : static_cast<double>(solution.total.atomics) / static_cast<double>(threads);
  return threads >= kLeastThreadsJudged &&
         std::min(solution.thread_evenness, with_atomics) >= kLeastEvennessJudged &&
         std::ranges::any_of(solution.written, stores);
}

/// The kinds of work by which sharing is judged besides instructions. In a small case a request more or less decides how even the loads
/// are; and so it is with the stores, where few threads have an element to store. Of elements that the solution changes by atomic
/// operations, or does not store at all, the last writer did no more than others.
SharedKinds judged_kinds(const Trial& trial, const device::LaunchRecord& solution) {
  const bool own_elements = solution.total.atomics == 0 && solution.total.global_store_sectors != 0;
  const bool many_store = trial.gates || storing_evenness(trial, solution) >= kLeastEvennessJudged;
  return {trial.gates, own_elements && many_store};
}

/// By atomic operations that give something back (atom, not red) a thread can wait for another, if it uses that.
enum class AtomicUse : std::uint8_t { none, results_unused, results_used };

AtomicUse use_of_atomics(const device::LaunchRecord& record) {
  std::set<std::string, std::less<>> results;
  std::vector<PtxWords> others;
  for (const device::InstructionCounters& each : record.instructions) {
    PtxWords words = ptx_words(each.text);
    const bool gives_back = words.opcode.starts_with("atom.") && !words.operands.empty();
    if (gives_back) {
      results.insert(words.operands.front().begin(), words.operands.front().end());
      words.operands.front().clear();
    }
    others.push_back(std::move(words));
  }
  if (results.empty()) return AtomicUse::none;
  const auto is_result = [&](const std::string& name) { return results.contains(name); };
  const bool used = std::ranges::any_of(others, [&](const PtxWords& words) {
    return std::ranges::any_of(words.operands, [&](const std::vector<std::string>& operand) {
      return std::ranges::any_of(operand, is_result);
    });
  });
  return used ? AtomicUse::results_used : AtomicUse::results_unused;
}

/// How many times the reference's instructions a kernel whose threads may wait for each other has at the trial.
double waiting_budget_over_reference(const ExerciseText& text, const Trial& trial) {
  const auto work = std::ranges::find(text.gates, "work", &Gate::id);
  if (work == text.gates.end() || !work->ceiling) return kWaitingBudgetOverReference;
  return *work->ceiling * (trial.gates ? 1 : kSmallCaseSlack);
}

/// As many instructions of threads as the reference's warps would run with all lanes active: as the gate "work" counts, for which a warp's
/// instruction is one however many lanes take part.
double in_full_warps(const device::LaunchRecord& reference) {
  return static_cast<double>(reference.total.warp_instructions * device::kLanes);
}

/// The kernel ran out of a budget, or its threads waited for ever.
bool did_not_end(const std::optional<device::Error>& error) {
  return error && (error->code == device::ErrorCode::budget_instructions ||
                   error->code == device::ErrorCode::budget_time ||
                   error->code == device::ErrorCode::deadlock);
}

/// Within a report of a standstill, what it says of lanes that go round until a place of memory changes; null where none do.
const Message* spinning_in(const Message& report) {
  if (report.key == "phrase.who.reading") return &report;
  for (const device::MessageArgument& argument : report.arguments) {
    if (const Message* found = spinning_in(argument.value)) return found;
  }
  return nullptr;
}

/// What to do where no thread can go on; the report's own words where nobody waits in a loop.
Message standstill_advice(const device::Error& error, const Message& name) {
  const Message* who = device::argument_of(error.arguments, "who");
  const Message* waits = who ? spinning_in(*who) : nullptr;
  const Message* spins = waits ? device::argument_of(waits->arguments, "who") : nullptr;
  const Message* line = spins ? device::argument_of(spins->arguments, "line") : nullptr;
  if (!line) return message_of(error);
  return {"exercise.right.standstill",
          {{"trial", name},
           {"line", *line},
           {"place", *device::argument_of(waits->arguments, "place")}},
          {}};
}

/// A variable that the submission declares outside of its kernels; empty where there is none. The solution's variables are on the
/// device, too.
std::string variable_of(const Trial& trial, const device::LaunchRecord& record,
                        const std::string& source) {
  const auto is_of_check = [&](const device::AllocationInfo& each) {
    return std::ranges::find(trial.arrays, each.name, &TrialArray::name) != trial.arrays.end() ||
           std::ranges::find(trial.symbols, each.name, &TrialArray::name) != trial.symbols.end() ||
           source.find(each.name) == std::string::npos;
  };
  const auto found = std::ranges::find_if_not(record.allocations, is_of_check);
  return found == record.allocations.end() ? std::string() : found->name;
}

/// The first element of a workspace that no launch has written, with the name of the workspace before it.
std::optional<std::pair<std::string, std::size_t>> unwritten_in_workspace(
    const Trial& trial, const device::LaunchRecord& record) {
  for (const TrialArray& array : trial.arrays) {
    if (array.output || !array.initial.empty()) continue;
    const auto map = std::ranges::find(record.written, array.name, &device::WriteMap::name);
    if (map == record.written.end()) continue;
    const auto unwritten = std::ranges::find(map->writes, 0u);
    if (unwritten != map->writes.end())
      return std::pair(array.name, static_cast<std::size_t>(unwritten - map->writes.begin()));
  }
  return std::nullopt;
}

/// What is said of the first wrong element of a case that is shown, and of its cause where that is known.
Message wrong_element_advice(const Trial& trial, const TrialResult& wrong,
                             const std::string& source) {
  const CheckExhibit::Mismatch& first = wrong.mismatches.front();
  MessageArguments arguments{{"trial", trial.name},
                             {"array", wrong.mismatched_array},
                             {"index", std::to_string(first.index)},
                             {"expected", first.expected},
                             {"got", first.got},
                             {"written_by", first.written_by}};
  if (first.written_by.empty()) return said("right", "nobody", std::move(arguments));
  const bool kernels_come_anew = std::ranges::any_of(trial.next, &NextLaunch::fresh);
  const std::string variable =
      kernels_come_anew ? variable_of(trial, *wrong.record, source) : std::string();
  if (!variable.empty()) {
    arguments.emplace_back("variable", variable);
    return said("right", "variables", std::move(arguments));
  }
  if (const auto missing = unwritten_in_workspace(trial, *wrong.record)) {
    arguments.emplace_back("missing", missing->first);
    arguments.emplace_back("missing_index", std::to_string(missing->second));
    return said("right", "unwritten-before", std::move(arguments));
  }
  const auto array = std::ranges::find(trial.arrays, wrong.mismatched_array, &TrialArray::name);
  const bool nan_before = array->initial.empty() && array->type == device::ElementType::f32;
  const char* kind = wrong.nearly_right                                            ? "nearly"
                     : nan_before && first.got == "nan" && first.expected != "nan" ? "nan"
                                                                                   : "advice";
  return said("right", kind, std::move(arguments));
}

std::string sole_kernel(const device::Module& module) {
  if (module.kernels().size() != 1)
    throw std::logic_error("the solution has several kernels: the trial names one");
  return module.kernels().front().name;
}

}  // namespace

const TrialResult& Trials::run(Trial trial) {
  runs_.push_back(tried(std::move(trial)));
  return runs_.back().submission;
}

void Trials::run_unless_decided(Trial trial) {
  const bool decided = std::ranges::any_of(runs_, [](const Run& run) {
    const device::LaunchRecord *got = run.submission.record.get(),
                               *reference = run.reference.record.get();
    if (!run.submission.right() || (got && got->findings_total != 0)) return true;
    return got && reference && run.trial.gates &&
           got->total.warp_instructions > kDecidedWork * reference->total.warp_instructions;
  });
  if (!decided) run(std::move(trial));
}

Trials::Run Trials::tried(Trial trial) {
  Run run{std::move(trial), {}, {}};
  const bool of_any_name = run.trial.kernel.empty();
  if (of_any_name) run.trial.kernel = sole_kernel(*checker_.reference);
  run.reference = run_trial(checker_, checker_.reference, run.trial);
  if (!run.reference.right() ||
      (run.reference.record && run.reference.record->findings_total != 0)) {
    throw std::logic_error("the solution of " + checker_.text.id + " fails its own check at " +
                           run.trial.name);
  }
  // A kernel that did not end once is not waited for again.
  for (const Run& before : runs_) {
    if (!did_not_end(before.submission.error)) continue;
    run.submission.error = before.submission.error;
    run.submission.skipped = true;
    return run;
  }
  const std::uint64_t needed =
      run.reference.record ? run.reference.record->total.thread_instructions : 0;
  Trial of_submission = run.trial;
  if (of_any_name && checker_.submission->kernels().size() == 1)
    of_submission.kernel = checker_.submission->kernels().front().name;
  AtomicUse atomics = AtomicUse::none;
  for (const Run& before : runs_)
    if (before.submission.record)
      atomics = std::max(atomics, use_of_atomics(*before.submission.record));
  const double full = run.reference.record ? in_full_warps(*run.reference.record) : 0;
  const double over_reference = atomics == AtomicUse::results_used
                                    ? waiting_budget_over_reference(checker_.text, run.trial)
                                    : kAtomicBudgetOverReference;
  const std::uint64_t budget =
      atomics == AtomicUse::none
          ? std::max(kLeastBudget, needed * kBudgetOverReference)
          : std::max(kLeastWaitingBudget, static_cast<std::uint64_t>(over_reference * full));
  run.submission = run_trial(checker_, checker_.submission, of_submission, budget);
  if (run.submission.record && checker_.printing_line == 0) {
    const std::vector<std::uint32_t> lines = lines_that_print(*run.submission.record);
    if (!lines.empty()) checker_.printing_line = lines.front();
  }
  // What is right in one order only is not right. The order of the threads is CUDA's to choose.
  const bool clean = run.submission.record && run.submission.record->findings_total == 0;
  if (clean && run.submission.right() &&
      run.trial.grid.count() * run.trial.block.count() <= kMostRescheduled) {
    of_submission.schedule = runs_.size() + 1;
    TrialResult again = run_trial(checker_, checker_.submission, of_submission, budget);
    // Where blocks wait for a flag, what they find there, and so what is a race, may depend on the order.
    const bool found = again.record && again.record->findings_total != 0;
    if (!again.right() || found) {
      // An error says itself what is wrong, and may be the machine's: its time ran out.
      again.rescheduled = !again.right() && !again.error;
      run.submission = std::move(again);
    }
  }
  return run;
}

bool Trials::right() const {
  return std::all_of(runs_.begin(), runs_.end(),
                     [](const Run& run) { return run.submission.right(); });
}

void Trials::add(Item item) { checker_.result.items.push_back(std::move(item)); }

std::uint32_t Trials::heaviest_line(
    const device::LaunchRecord& record,
    const std::function<std::uint64_t(const device::Counters&)>& value) const {
  std::uint32_t heaviest = 0;
  std::uint64_t most = 0;
  for (const device::LineCounters& line : record.lines) {
    if (line.file != checker_.file_name || value(line.counters) <= most) continue;
    heaviest = line.line;
    most = value(line.counters);
  }
  return heaviest;
}

std::uint32_t Trials::heaviest_line(const device::LaunchRecord& record,
                                    const Spending& spending) const {
  return spending.heaviest_line ? spending.heaviest_line(record)
                                : heaviest_line(record, spending.on_line);
}

bool Trials::holds_everywhere(const std::string& id) const {
  const Gate& gate = gate_of(checker_.text, id);
  return gate.ceiling && (*gate.ceiling == 0 || gate.floor == gate.ceiling);
}

void Trials::judge(const std::string& id, const Message& sentence, Judged judged,
                   const std::function<Judgement(const Run&, double slack)>& judge_run) {
  if (holds_everywhere(id)) judged = Judged::every_trial;
  std::vector<const Run*> runs;
  for (const Run& run : runs_) runs.push_back(&run);
  // A case that breaks the gate's own bounds says more than a small one that breaks the wider ones.
  if (judged == Judged::by_slack)
    std::ranges::stable_partition(runs, [](const Run* run) { return run->trial.gates; });
  std::optional<Judgement> closest;
  const bool all_right = right();
  for (const Run* each : runs) {
    const Run& run = *each;
    const bool small = !run.trial.gates;
    if (!all_right || !run.submission.record || (small && judged == Judged::with_gates)) continue;
    if (std::ranges::find(run.trial.spared, id) != run.trial.spared.end()) continue;
    const bool by_slack = small && judged == Judged::by_slack;
    if (by_slack && !has_work_for_many(run.trial, *run.reference.record)) continue;
    Judgement judgement = judge_run(run, by_slack ? kSmallCaseSlack : 1);
    const bool failed = judgement.item.state == State::failed;
    // A small case is shown where it fails, or where there is nothing else to show.
    if (by_slack && !failed) judgement.spent = -1;
    // Of equals the last that is shown: the cases grow, and "1 of 1 elements" says little.
    const bool later = closest && judgement.spent == closest->spent && !run.trial.hidden;
    if (failed) judgement.item.cases = {shown_case(run.trial, false)};
    if (failed && run.trial.hidden && !judgement.item.advice.empty())
      judgement.item.advice = of_hidden(judgement.item.advice, run.trial);
    if (!closest || failed || judgement.spent > closest->spent || later)
      closest = std::move(judgement);
    if (failed) break;
  }
  if (!closest) return add_waiting(id, sentence);
  Item item = std::move(closest->item);
  item.id = id;
  item.sentence = sentence;
  add(std::move(item));
}

void Trials::advise_above(Message advice) { advise(std::move(advice), ".above"); }

void Trials::advise_below(Message advice) { advise(std::move(advice), ".below"); }

void Trials::advise(Message advice, std::string_view side) {
  Item& item = checker_.result.items.back();
  Message* general = &item.advice;
  if (general->key == "exercise.hidden-advice") {
    const auto inner =
        std::ranges::find(general->arguments, "advice", &device::MessageArgument::name);
    general = &inner->value;
  }
  const bool of_bound =
      general->key.starts_with("exercise.counter.") || general->key.starts_with("exercise.ratio.");
  if (!of_bound || !general->key.ends_with(side)) return;
  advice.arguments = item.got.arguments;
  advice.arguments.emplace_back("line", std::to_string(item.line));
  *general = std::move(advice);
}

Trials::Told Trials::telling(const Run& first) const {
  Told told{&first, &telling_finding(*first.submission.record)};
  for (const Run& run : runs_) {
    if (run.trial.hidden || !run.submission.record) continue;
    for (const device::Finding& finding : run.submission.record->findings) {
      if (says_more(finding, *told.finding)) told = {&run, &finding};
    }
  }
  return told;
}

void Trials::add_right(std::string id) {
  Item item = item_of("right");
  item.id = std::move(id);
  std::size_t right_ones = 0;
  const Run* first_wrong = nullptr;
  for (const Run& run : runs_) {
    if (run.submission.skipped) continue;
    const bool right = run.submission.right();
    right_ones += right ? 1 : 0;
    if (!right && !first_wrong) first_wrong = &run;
    const CheckExhibit::Spread& spread = run.submission.spread;
    if (!run.trial.hidden && spread.count >= std::max(kLeastSpread, item.spread.count)) {
      item.spread = spread;
      item.spread.name = run.trial.name;
    }
    item.cases.push_back(shown_case(run.trial, right));
  }
  item.got = said("right", "got", {{"right", right_ones}, {"total", item.cases.size()}});
  if (first_wrong) {
    const TrialResult& wrong = first_wrong->submission;
    const Message name = name_of(first_wrong->trial);
    item.state = State::failed;
    const auto show_elements = [&] {
      item.mismatches = wrong.mismatches;
      item.inputs = inputs_of(first_wrong->trial, *checker_.submission, wrong);
    };
    if (wrong.rescheduled) {
      const bool by_active_mask = checker_.source.find("__activemask") != std::string::npos;
      item.advice = said("right", by_active_mask ? "schedule-mask" : "schedule", {{"trial", name}});
      if (!first_wrong->trial.hidden) show_elements();
    } else if (wrong.error) {
      item.line = wrong.error->place.line;
      item.advice = message_of(*wrong.error);
      if (is_of_signature(wrong.error->code))
        item.advice = said("right", "signature", {{"why", item.advice}});
      if (wrong.error->code == device::ErrorCode::budget_instructions)
        item.advice = stopped_advice(*first_wrong, name);
      if (wrong.error->code == device::ErrorCode::deadlock)
        item.advice = standstill_advice(*wrong.error, name);
    } else if (wrong.record && !wrong.record->findings.empty()) {
      // A stray access or a race may well be why: it comes first.
      const Run& told = *telling(*first_wrong).run;
      const Message cause = cause_of(told.trial, told.submission, told.reference);
      item.advice = cause.empty() ? said("right", "finding") : cause;
      if (!first_wrong->trial.hidden) show_elements();
    } else if (first_wrong->trial.hidden) {
      item.advice = said("right", wrong.nearly_right ? "hidden-nearly" : "hidden-blocks",
                         {{"block", text_of(first_wrong->trial.block)}});
    } else if (!wrong.changed_inputs.empty()) {
      item.advice = said("right", "input-changed",
                         {{"trial", name}, {"array", wrong.changed_inputs.front()}});
    } else {
      show_elements();
      item.advice = wrong_element_advice(first_wrong->trial, wrong, checker_.source);
    }
  }
  add(std::move(item));
}

void Trials::add_right_at_any_size(std::string id) {
  add_right(std::move(id));
  Item& item = checker_.result.items.back();
  const auto in_float = std::ranges::find_if(
      runs_, [](const Run& run) { return run.submission.line_of_index_in_float != 0; });
  if (item.state == State::failed || in_float == runs_.end()) return;
  item.state = State::failed;
  item.line = in_float->submission.line_of_index_in_float;
  item.sentence = said("right", "sentence-any-size");
  item.got = said("right", "got-in-float", item.got.arguments);
  item.advice = said("right", "in-float", {{"line", std::to_string(item.line)}});
}

Message Trials::stopped_advice(const Run& run, const Message& name) const {
  const device::LaunchRecord& record = *run.submission.record;
  const auto of_warps = [](const device::LaunchRecord& launch) {
    return static_cast<double>(launch.total.warp_instructions);
  };
  MessageArguments arguments{
      {"trial", name}, {"times", number(of_warps(record) / of_warps(*run.reference.record), 3)}};
  const auto atomics = [](const device::Counters& c) { return c.atomics; };
  const std::uint32_t line = heaviest_line(record, atomics);
  const auto waits = std::ranges::find(record.lines, line, &device::LineCounters::line);
  if (line == 0 ||
      waits->counters.atomics * kMostInstructionsATurn < record.total.thread_instructions)
    return said("right", "budget", std::move(arguments));
  arguments.emplace_back("line", std::to_string(line));
  arguments.emplace_back("count", grouped(waits->counters.atomics));
  arguments.emplace_back("threads", grouped(record.grid.count() * record.block.count()));
  return said("right", "spins", std::move(arguments));
}

void Trials::add_safe(std::string id) {
  Item item = item_of("safe");
  item.id = std::move(id);
  std::uint64_t findings = 0;
  const Run* first = nullptr;
  for (const Run& run : runs_) {
    if (!run.submission.record || run.submission.record->findings_total == 0) continue;
    findings += run.submission.record->findings_total;
    if (!first) first = &run;
  }
  item.got = said("safe", "got", {{"count", grouped(findings)}});
  if (first) {
    Told told{first, nullptr};
    if (!first->submission.record->findings.empty()) told = telling(*first);
    const Run& run = *told.run;
    item.state = State::failed;
    const Message cause = cause_of(run.trial, run.submission, run.reference);
    item.advice = cause.empty() ? said("safe", "advice", {{"trial", name_of(run.trial)}}) : cause;
    if (const device::Finding* finding = told.finding) {
      item.line = finding->by.place.line != 0 ? finding->by.place.line : finding->error.place.line;
      item.got = summary_of(*finding, cause, run.reference);
      checker_.told = finding->error;
    }
  } else if (std::any_of(runs_.begin(), runs_.end(),
                         [](const Run& run) { return run.submission.error.has_value(); })) {
    item.state =
        State::waiting;  // a kernel that did not end says nothing about the rest of its accesses
  }
  add(std::move(item));
}

void Trials::add_own_element(const std::string& id, const std::string& array) {
  add_owned("own-element", id, array);
}

void Trials::add_own_stride(const std::string& id, const std::string& array) {
  add_owned("own-stride", id, array);
}

void Trials::add_owned(const std::string& kind, const std::string& id, const std::string& array) {
  judge(id, said(kind, "sentence"), Judged::every_trial, [&](const Run& run, double) {
    const device::LaunchRecord& record = *run.submission.record;
    const device::WriteMap& map = writes_of(run.trial, run.submission, array);
    const auto threads = static_cast<std::size_t>(record.grid.count() * record.block.count());
    std::uint64_t own = 0;
    std::size_t stranger = map.writes.size();  // the first; the size: nobody
    for (std::size_t i = 0; i < map.writes.size(); ++i) {
      const bool right =
          map.writes[i] == 1 && map.writer[i] == static_cast<std::int64_t>(i % threads);
      own += right ? 1 : 0;
      if (!right) stranger = std::min(stranger, i);
    }
    Item item = item_of(kind);
    item.got = said(kind, "got", {{"own", grouped(own)}, {"total", grouped(map.writes.size())}});
    if (stranger == map.writes.size()) return Judgement{std::move(item), 0};
    item.state = State::failed;
    item.line =
        heaviest_line(record, [](const device::Counters& c) { return c.global_store_sectors; });
    const bool unwritten = map.writes[stranger] == 0;
    item.advice =
        said(kind, unwritten ? "unwritten" : "advice",
             {{"array", array},
              {"index", std::to_string(stranger)},
              {"count", std::to_string(map.writes[stranger])},
              {"writes", std::to_string(map.writes[stranger])},
              {"written_by", thread_text(map.writer[stranger], record)},
              {"owner", thread_text(static_cast<std::int64_t>(stranger % threads), record)}});
    return Judgement{std::move(item), 0};
  });
}

void Trials::add_written_once(const std::string& id, const std::vector<std::string>& arrays) {
  std::vector<Message> names;
  for (const std::string& array : arrays) names.push_back(Message::plain(array));
  const Message sentence = said("written-once", "sentence",
                                {{"array", Message::list_of("list.separator", std::move(names))}});
  judge(id, sentence, Judged::every_trial, [&](const Run& run, double) {
    const device::LaunchRecord& record = *run.submission.record;
    Item item = item_of("written-once");
    std::uint64_t once = 0, total = 0;
    for (const std::string& array : arrays) {
      const device::WriteMap& map = writes_of(run.trial, run.submission, array);
      once += static_cast<std::uint64_t>(std::ranges::count(map.writes, 1u));
      total += map.writes.size();
      const auto other = std::ranges::find_if(map.writes, [](auto writes) { return writes != 1; });
      if (other == map.writes.end() || item.state == State::failed) continue;
      const auto index = static_cast<std::size_t>(other - map.writes.begin());
      item.state = State::failed;
      item.line =
          heaviest_line(record, [](const device::Counters& c) { return c.global_store_sectors; });
      item.advice = said("written-once", *other == 0 ? "unwritten" : "advice",
                         {{"array", array},
                          {"index", std::to_string(index)},
                          {"writes", std::to_string(*other)},
                          {"written_by", thread_text(map.writer[index], record)}});
    }
    item.got = said("written-once", "got", {{"once", grouped(once)}, {"total", grouped(total)}});
    return Judgement{std::move(item), 0};
  });
}

Trials::Judgement Trials::measured_item(const std::string& id, double measured, double reference,
                                        Item item, double slack) const {
  Gate gate = gate_of(checker_.text, id);
  if (gate.floor) *gate.floor /= slack;
  if (gate.ceiling) *gate.ceiling *= slack;
  const std::string kind = std::exchange(item.id, id);
  auto& arguments = item.got.arguments;
  arguments.emplace_back("measured", beside_bound(measured, 4, gate));
  arguments.emplace_back("reference", number(reference, 6));
  if (gate.ceiling) arguments.emplace_back("ceiling", number(*gate.ceiling, 4));
  if (gate.floor) arguments.emplace_back("floor", number(*gate.floor, 4));
  const bool above = is_above(gate, measured);
  if (above || is_below(gate, measured)) {
    item.state = State::failed;
    if (item.advice.empty()) item.advice = said(kind, above ? "above" : "below", arguments);
  } else {
    item.advice = {};
    item.line = 0;
  }
  double spent = gate.ceiling && *gate.ceiling > 0 ? measured / *gate.ceiling : 0;
  if (gate.floor && measured > 0) spent = std::max(spent, *gate.floor / measured);
  return {std::move(item), spent};
}

void Trials::add_right_also(const std::string& id, const Message& sentence, const Message& advice,
                            const std::vector<Trial>& trials) {
  Item item = item_of(id);
  item.sentence = sentence;
  item.state = State::waiting;
  if (right()) {
    const auto wrong = std::ranges::find_if(
        trials, [&](const Trial& trial) { return !tried(trial).submission.right(); });
    const bool all = wrong == trials.end();
    item.state = all ? State::passed : State::failed;
    if (!all) item.cases = {shown_case(*wrong, false)};
    item.got = {all ? "exercise.also.right" : "exercise.also.wrong", {}, {}};
    // Where an access is not allowed, that is the reason.
    const bool clean = std::ranges::all_of(runs_, [](const Run& run) {
      return !run.submission.record || run.submission.record->findings_total == 0;
    });
    if (!all) item.advice = clean ? advice : said("also", "finding");
    if (!all && wrong->hidden) item.advice = of_hidden(item.advice, *wrong);
  }
  add(std::move(item));
}

void Trials::add_shared_out(const std::string& id) {
  judge(id, said("shared-out", "sentence"), Judged::by_slack, [&](const Run& run, double slack) {
    const device::LaunchRecord &got = *run.submission.record, &solution = *run.reference.record;
    const auto percent = [](double share) { return number(100 * share, 3); };
    Item item = item_of("shared-out");
    // Jain's index hardly sees one thread among thousands that does the part of a hundred.
    const bool of_warps = run.trial.gates;
    const double longest = longest_over_mean(got, of_warps);
    if (longest > kMostOverMean * longest_over_mean(solution, of_warps)) {
      item.state = State::failed;
      item.line = heaviest_line(got, [](const device::Counters& c) { return c.branches; });
      item.got = said("shared-out", of_warps ? "longest" : "longest-thread",
                      {{"share", percent(got.thread_evenness)},
                       {"solution", percent(solution.thread_evenness)},
                       {"got", grouped(of_warps ? got.longest_warp : got.longest_lane)},
                       {"times", number(longest, 3)}});
      item.advice = said("shared-out", "longest-advice", item.got.arguments);
      return Judgement{std::move(item), 2};
    }
    SharedKinds kinds = judged_kinds(run.trial, solution);
    // Who stored an element last says nothing where stores race for it, or stray.
    kinds.stores = kinds.stores && got.findings_total == 0;
    const Evenness least = least_even(run.trial, got, solution, kinds);
    const double floor = gate_of(checker_.text, id).floor.value_or(0) / slack;
    item.line = heaviest_line(got, [](const device::Counters& c) { return c.thread_instructions; });
    auto [share, needed] = shares_in_percent(least.got, floor * least.solution);
    item.got = said("shared-out", least.side,
                    {{"share", std::move(share)},
                     {"solution", percent(least.solution)},
                     {"needed", std::move(needed)}});
    item.advice = said("shared-out", std::string(least.side) + "-advice", item.got.arguments);
    return measured_item(id, least.ratio(), least.solution, std::move(item), slack);
  });
}

void Trials::add_work(const std::string& id) {
  judge(id, said("work", "sentence"), Judged::by_slack, [&](const Run& run, double slack) {
    const device::LaunchRecord& record = *run.submission.record;
    const auto reference = static_cast<double>(
        std::max<std::uint64_t>(run.reference.record->total.warp_instructions, 1));
    Item item = item_of("work");
    item.line =
        heaviest_line(record, [](const device::Counters& c) { return c.warp_instructions; });
    item.got = said("work", "got",
                    {{"got", grouped(record.total.warp_instructions)}, {"line", item.line}});
    return measured_item(id, static_cast<double>(record.total.warp_instructions) / reference,
                         reference, std::move(item), slack);
  });
}

void Trials::add_bytes_used(const std::string& id) {
  judge(id, {"exercise.used.sentence"}, Judged::by_slack, [&](const Run& run, double slack) {
    const auto used = [](const device::LaunchRecord& record) {
      return static_cast<double>(record.total.global_bytes_asked) /
             static_cast<double>(record.total.global_sectors * device::kSectorBytes);
    };
    const auto wasted = [](const device::Counters& c) {
      const std::uint64_t moved = c.global_sectors * device::kSectorBytes;
      return moved - std::min(moved, c.global_bytes_asked);  // lanes may ask for the same bytes
    };
    const double solution = used(*run.reference.record);
    // A small case may allow no better than the solution does there.
    const double best = std::min(1.0, solution / gate_of(checker_.text, id).floor.value_or(0));
    return counter_item(id, used(*run.submission.record), solution,
                        heaviest_line(*run.submission.record, wasted),
                        run.trial.gates ? 1 : slack / best);
  });
  advise_below({"exercise.used.below"});
}

void Trials::add_sectors(const std::string& id) {
  add_ratio(id, {"exercise.sectors.sentence"},
            sum_of([](const device::Counters& c) { return c.global_sectors; }));
  advise_above({"exercise.sectors.above"});
}

void Trials::add_loads_a_word(const std::string& id, const std::string& input) {
  const Message sentence{"exercise.loads.sentence", {{"array", input}}};
  const bool one_value = holds_everywhere(id);
  judge(id, sentence, Judged::every_trial, [&](const Run& run, double) {
    const auto array = std::ranges::find(run.trial.arrays, input, &TrialArray::name);
    if (array == run.trial.arrays.end()) throw std::logic_error("the trial has no array " + input);
    const auto loads = [&](const device::LaunchRecord& record) {
      return static_cast<double>(global_bytes_loaded(record)) / 4 /
             static_cast<double>(array->count);
    };
    const double got = loads(*run.submission.record);
    const std::uint32_t line = heaviest_line(
        *run.submission.record, [](const device::Counters& c) { return c.global_load_sectors; });
    Judgement judged = counter_item(id, got, loads(*run.reference.record), line);
    if (run.trial.gates || one_value) return judged;
    // In a small case all of it may be kept in registers, which loads less; loading more is never needed.
    const auto most = gate_of(checker_.text, id).ceiling;
    if (most && got <= *most) judged.item.state = State::passed;
    if (judged.item.state == State::passed) judged.spent = -1;
    return judged;
  });
  checker_.result.items.back().got.arguments.emplace_back("array", input);
  advise_above({"exercise.loads.above"});
}

void Trials::add_own_reads(const std::string& id, const std::string& input) {
  const Message sentence{"exercise.own-reads.sentence", {{"array", input}}};
  judge(id, sentence, Judged::every_trial, [&](const Run& run, double) {
    const device::LaunchRecord& record = *run.submission.record;
    const double solution = readers_of(*run.reference.record, input);
    Item item = item_of("own-reads");
    // Without elements nobody reads, and of a part of the accesses nothing follows.
    if (solution == 0 || record.trace_cut) return Judgement{std::move(item), -1};
    const double share = readers_of(record, input) / solution;
    item.line =
        heaviest_line(record, [](const device::Counters& c) { return c.global_load_sectors; });
    const double floor = gate_of(checker_.text, id).floor.value_or(0);
    auto [got, needed] = shares_in_percent(share, floor);
    item.got = said("own-reads", "got", {{"share", std::move(got)}, {"needed", std::move(needed)}});
    item.advice = said("own-reads", "advice", item.got.arguments);
    return measured_item(id, share, solution, std::move(item));
  });
}

bool Trials::has_barriers_of_some() const {
  return std::ranges::any_of(
      runs_, [](const Run& run) { return has_barrier_of_some(run.submission.record.get()); });
}

void Trials::add_waiting(const std::string& id, const Message& sentence) {
  Item item;
  item.id = id;
  item.state = State::waiting;
  item.sentence = sentence;
  add(std::move(item));
}

void Trials::add_barriers(const std::string& id, const Message& counter) {
  if (has_barriers_of_some()) return add_waiting(id, counter);
  judge(id, counter, Judged::every_trial, [&](const Run& run, double) {
    const auto held = [&](const device::LaunchRecord& record) {
      const device::Extremes& barriers = record.warp_barriers;
      const auto least = static_cast<double>(barriers.least);
      return is_below(gate_of(checker_.text, id), least) ? least
                                                         : static_cast<double>(barriers.most);
    };
    const double got = held(*run.submission.record);
    Item item = item_of("barriers");
    item.line =
        heaviest_line(*run.submission.record, [](const device::Counters& c) { return c.barriers; });
    item.got = said("counter", "got", {{"got", number(got, 6)}});
    return measured_item(id, got, held(*run.reference.record), std::move(item));
  });
}

void Trials::add_barriers_as_needed(const std::string& id, const Message& sentence) {
  if (has_barriers_of_some()) return add_waiting(id, sentence);
  judge(id, sentence, Judged::every_trial, [&](const Run& run, double) {
    const device::LaunchRecord& record = *run.submission.record;
    const std::uint64_t most = record.warp_barriers.most,
                        needed = run.reference.record->warp_barriers.most;
    Item item = item_of("barriers-needed");
    item.line = heaviest_line(record, [](const device::Counters& c) { return c.barriers; });
    item.got = said("barriers-needed", "got", {{"got", most}, {"needed", needed}});
    item.advice = said("barriers-needed", "advice", item.got.arguments);
    const double times =
        static_cast<double>(most) / static_cast<double>(std::max<std::uint64_t>(needed, 1));
    return measured_item(id, times, static_cast<double>(needed), std::move(item));
  });
}

Spending sum_of(std::function<std::uint64_t(const device::Counters&)> on_line) {
  return {[on_line](const device::LaunchRecord& record) {
            return static_cast<double>(on_line(record.total));
          },
          on_line};
}

Spending shared_bytes_without_shuffles() {
  return {[](const device::LaunchRecord& record) {
            const device::Counters& total = record.total;
            return total.shuffles != 0 ? 0 : static_cast<double>(total.shared_bytes);
          },
          [](const device::Counters& c) { return c.shared_bytes; }};
}

void Trials::add_ratio(const std::string& id, const Message& counter, const Spending& spending,
                       Judged judged) {
  judge(id, counter, judged, [&](const Run& run, double) {
    const double got = spending.in_launch(*run.submission.record);
    const double reference = spending.in_launch(*run.reference.record);
    // Nothing asked for where the reference asks for nothing is the reference's own share.
    const double ratio = reference == 0 ? (got == 0 ? 1 : HUGE_VAL) : got / reference;
    Item item = item_of("ratio");
    item.got = said("ratio", "got", {{"got", number(got, 6)}});
    if (is_above(gate_of(checker_.text, id), ratio))
      item.line = heaviest_line(*run.submission.record, spending);
    return measured_item(id, ratio, reference, std::move(item));
  });
}

Trials::Judgement Trials::counter_item(const std::string& id, double got, double reference,
                                       std::uint32_t line, double slack) const {
  Item item = item_of("counter");
  item.line = line;
  item.got = said("counter", "got", {{"got", beside_bound(got, 6, gate_of(checker_.text, id))}});
  return measured_item(id, got, reference, std::move(item), slack);
}

void Trials::add_counter(const std::string& id, const Message& counter, const Spending& spending,
                         Judged judged) {
  judge(id, counter, judged, [&](const Run& run, double) {
    const double got = spending.in_launch(*run.submission.record);
    const Gate& gate = gate_of(checker_.text, id);
    const bool has_line =
        spending.lines == Spending::Lines::that_lack ? is_below(gate, got) : is_above(gate, got);
    const std::uint32_t line = has_line ? heaviest_line(*run.submission.record, spending) : 0;
    return counter_item(id, got, spending.in_launch(*run.reference.record), line);
  });
}

void Trials::add_shuffles(const std::string& id, const Message& counter) {
  add_ratio(id, counter, sum_of([](const device::Counters& c) { return c.shuffles; }));
  Item& item = checker_.result.items.back();
  if (item.state != State::passed) return;
  const auto largest = std::ranges::find_if(runs_.rbegin(), runs_.rend(), [](const Run& run) {
    return run.trial.gates && !run.trial.hidden;
  });
  if (largest == runs_.rend() || !is_right_without_shuffles(checker_, largest->trial, kLeastBudget))
    return;
  item.state = State::failed;
  item.cases = {shown_case(largest->trial, false)};
  item.line = heaviest_line(*largest->submission.record,
                            [](const device::Counters& c) { return c.shuffles; });
  item.advice = {"exercise.shuffles.unused", {{"line", std::to_string(item.line)}}, {}};
}

double shared_bytes_loaded(const device::LaunchRecord& record) {
  std::uint64_t bytes = 0;
  for (const device::InstructionCounters& instruction : record.instructions) {
    if (instruction.text.find("ld.") != std::string::npos)
      bytes += instruction.counters.shared_bytes;
  }
  return static_cast<double>(bytes);
}

double shared_share_of_accesses(const device::LaunchRecord& record) {
  double shared = 0, global = 0;
  for (const device::InstructionCounters& each : record.instructions) {
    const device::Counters& c = each.counters;
    const auto lanes = static_cast<double>(c.thread_instructions);
    if (c.shared_requests != 0) shared += lanes;
    if (c.global_requests != 0) global += lanes;
  }
  return shared / std::max(shared + global, 1.0);
}

std::uint64_t global_bytes_loaded(const device::LaunchRecord& record) {
  std::uint64_t loaded = 0;
  for (const device::InstructionCounters& each : record.instructions)
    loaded += each.counters.global_load_sectors != 0 ? each.counters.global_bytes_asked : 0;
  return loaded;
}

std::vector<std::uint32_t> lines_that_print(const device::LaunchRecord& record) {
  std::vector<std::uint32_t> lines;
  for (const device::InstructionCounters& each : record.instructions) {
    const bool prints = each.text.find("vprintf") != std::string::npos;
    if (prints && each.counters.thread_instructions != 0) lines.push_back(each.place.line);
  }
  return lines;
}

device::Counters counters_without_prints(const device::LaunchRecord& record) {
  const std::vector<std::uint32_t> lines = lines_that_print(record);
  device::Counters counters = record.total;
  for (const device::InstructionCounters& each : record.instructions) {
    if (!each.text.starts_with("st.local") ||
        std::ranges::find(lines, each.place.line) == lines.end())
      continue;
    counters.local_requests -= each.counters.local_requests;
    counters.local_bytes -= each.counters.local_bytes;
  }
  return counters;
}

const CheckExhibit::Item* hinted_item(const ExerciseText& text, const Report& report) {
  const auto* check = report.find_as<CheckExhibit>("check");
  if (!check) return nullptr;
  const auto found = std::ranges::find_if(check->items, [&](const CheckExhibit::Item& item) {
    return item.state == CheckExhibit::State::failed &&
           std::ranges::find(text.hints, item.id, &Hint::gate) != text.hints.end();
  });
  return found == check->items.end() ? nullptr : &*found;
}

const Hint& hint_for(const ExerciseText& text, const CheckExhibit::Item& item) {
  return *std::ranges::find(text.hints, item.id, &Hint::gate);
}

std::string fill_hint(const std::string& tier, const CheckExhibit::Item& item, const Report& report,
                      const Strings& strings) {
  MessageArguments arguments;
  if (!item.mismatches.empty()) {
    const auto& first = item.mismatches.front();
    arguments = {{"index", std::to_string(first.index)},
                 {"expected", first.expected},
                 {"got", first.got},
                 {"written_by",
                  first.written_by.empty() ? Message{"check.nobody", {}, {}} : first.written_by}};
  }
  for (const Message* message : {&item.advice, &item.got, &item.sentence}) {
    arguments.insert(arguments.end(), message->arguments.begin(), message->arguments.end());
  }
  if (item.line != 0) arguments.emplace_back("line", std::to_string(item.line));
  if (tier.find("{finding}") != tier.npos && !report.errors.empty()) {
    device::Error bare = report.errors.front();
    bare.place = {};
    arguments.emplace_back("finding", strings(bare));
  }
  for (auto& [name, value] : arguments) value = Message::plain(strings(value));
  return device::fill(tier, arguments);
}

}  // namespace warpbook::lab
