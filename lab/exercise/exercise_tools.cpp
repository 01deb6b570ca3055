#include "lab/exercise/exercise_tools.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <optional>
#include <stdexcept>
#include <utility>

#include "lab/exhibits/sectors/sectors_summary.hpp"
#include "lab/exhibits/source/source_marks.hpp"

namespace warpbook::lab {
namespace {

using Item = CheckExhibit::Item;
using State = CheckExhibit::State;

// A submission may be clumsy, and a gate will say so; what needs this many times the reference's instructions does not
// end. The least is what one lane alone spends in about a second.
constexpr std::uint64_t kBudgetOverReference = 200;
constexpr std::uint64_t kLeastBudget = 20'000'000;

const device::WriteMap& writes_of(const TrialResult& result, const std::string& array) {
  for (const device::WriteMap& map : result.record->written) {
    if (map.name == array) return map;
  }
  throw std::logic_error("no writes of " + array + " were kept: it is an input of the trial");
}

// The line that a counter is mostly spent on; 0 where the record has none.
template <class Value>
std::uint32_t heaviest_line(const device::LaunchRecord& record, Value&& value) {
  const auto heaviest = std::max_element(
      record.lines.begin(), record.lines.end(),
      [&](const auto& a, const auto& b) { return value(a.counters) < value(b.counters); });
  return heaviest == record.lines.end() || value(heaviest->counters) == 0 ? 0 : heaviest->line;
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

/// With as many more digits as it takes to read otherwise than the bound that it breaks.
std::string beside_bound(double measured, int digits, const Gate& gate) {
  const std::optional<double> broken = is_above(gate, measured)   ? gate.ceiling
                                       : is_below(gate, measured) ? gate.floor
                                                                  : std::nullopt;
  std::string text = number(measured, digits);
  while (broken && digits < std::numeric_limits<double>::max_digits10 &&
         text == number(*broken, digits))
    text = number(measured, ++digits);
  return text;
}

}  // namespace

const TrialResult& Trials::run(Trial trial) {
  Run run{std::move(trial), {}, {}};
  run.reference = run_trial(checker_, checker_.reference, run.trial);
  if (!run.reference.right() ||
      (run.reference.record && run.reference.record->findings_total != 0)) {
    throw std::logic_error("the solution of " + checker_.text.id + " fails its own check at " +
                           run.trial.name);
  }
  // A kernel that did not end once is not waited for again.
  for (const Run& before : runs_) {
    if (!before.submission.error ||
        before.submission.error->code != device::ErrorCode::budget_instructions)
      continue;
    run.submission.error = before.submission.error;
    runs_.push_back(std::move(run));
    return runs_.back().submission;
  }
  const std::uint64_t needed =
      run.reference.record ? run.reference.record->total.thread_instructions : 0;
  run.submission = run_trial(checker_, checker_.submission, run.trial,
                             std::max(kLeastBudget, needed * kBudgetOverReference));
  runs_.push_back(std::move(run));
  return runs_.back().submission;
}

bool Trials::right() const {
  return std::all_of(runs_.begin(), runs_.end(),
                     [](const Run& run) { return run.submission.right(); });
}

void Trials::add(Item item) { checker_.result.items.push_back(std::move(item)); }

bool Trials::waits(const std::string& id, const Message& sentence) {
  if (right() && !runs_.empty() && runs_.back().submission.record) return false;
  Item item = item_of(id);
  item.sentence = sentence;
  item.state = State::waiting;
  add(std::move(item));
  return true;
}

void Trials::add_right(std::string id) {
  Item item = item_of("right");
  item.id = std::move(id);
  std::size_t right_ones = 0;
  const Run* first_wrong = nullptr;
  for (const Run& run : runs_) {
    const bool right = run.submission.right();
    right_ones += right ? 1 : 0;
    if (!right && !first_wrong) first_wrong = &run;
    item.cases.push_back(
        {run.trial.hidden_as.empty() ? run.trial.name : run.trial.hidden_as, right});
  }
  item.got = said("right", "got",
                  {{"right", std::to_string(right_ones)}, {"total", std::to_string(runs_.size())}});
  if (first_wrong) {
    const TrialResult& wrong = first_wrong->submission;
    const std::string& name = item.cases[static_cast<std::size_t>(first_wrong - runs_.data())].name;
    item.state = State::failed;
    if (wrong.error) {
      item.line = wrong.error->place.line;
      item.advice = message_of(*wrong.error);
    } else if (!first_wrong->trial.hidden_as.empty()) {
      item.advice = said("right", "hidden", {{"trial", name}});
    } else if (!wrong.changed_inputs.empty()) {
      item.advice = said("right", "input-changed",
                         {{"trial", name}, {"array", wrong.changed_inputs.front()}});
    } else {
      item.mismatches = wrong.mismatches;
      const auto& first = wrong.mismatches.front();
      item.advice = said("right", first.written_by.empty() ? "nobody" : "advice",
                         {{"trial", name},
                          {"array", wrong.mismatched_array},
                          {"index", std::to_string(first.index)},
                          {"expected", first.expected},
                          {"got", first.got},
                          {"written_by", first.written_by}});
    }
  }
  add(std::move(item));
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
    const device::LaunchRecord& record = *first->submission.record;
    item.state = State::failed;
    item.advice = said(
        "safe", "advice",
        {{"trial", first->trial.hidden_as.empty() ? first->trial.name : first->trial.hidden_as}});
    if (!record.findings.empty()) {
      const device::Finding& finding = record.findings.front();
      item.line = finding.by.place.line != 0 ? finding.by.place.line : finding.error.place.line;
      item.got = message_of(finding.error);
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
  if (waits(id, said(kind, "sentence"))) return;
  const device::LaunchRecord& record = *runs_.back().submission.record;
  const device::WriteMap& map = writes_of(runs_.back().submission, array);
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
  item.id = id;
  item.got = said(kind, "got", {{"own", grouped(own)}, {"total", grouped(map.writes.size())}});
  if (stranger < map.writes.size()) {
    item.state = State::failed;
    item.line =
        heaviest_line(record, [](const device::Counters& c) { return c.global_store_sectors; });
    item.advice =
        said(kind, "advice",
             {{"array", array},
              {"index", std::to_string(stranger)},
              {"writes", std::to_string(map.writes[stranger])},
              {"written_by", thread_text(map.writer[stranger], record)},
              {"owner", thread_text(static_cast<std::int64_t>(stranger % threads), record)}});
  }
  add(std::move(item));
}

void Trials::add_written_once(const std::string& id, const std::string& array) {
  const Message sentence = said("written-once", "sentence", {{"array", array}});
  if (waits(id, sentence)) return;
  const device::LaunchRecord& record = *runs_.back().submission.record;
  const device::WriteMap& map = writes_of(runs_.back().submission, array);
  const auto other = std::find_if(map.writes.begin(), map.writes.end(),
                                  [](std::uint32_t writes) { return writes != 1; });
  const auto once =
      static_cast<std::uint64_t>(std::count(map.writes.begin(), map.writes.end(), 1u));
  Item item = item_of("written-once");
  item.id = id;
  item.sentence = sentence;
  item.got =
      said("written-once", "got", {{"once", grouped(once)}, {"total", grouped(map.writes.size())}});
  if (other != map.writes.end()) {
    const auto index = static_cast<std::size_t>(other - map.writes.begin());
    item.state = State::failed;
    item.line =
        heaviest_line(record, [](const device::Counters& c) { return c.global_store_sectors; });
    item.advice = said("written-once", "advice",
                       {{"array", array},
                        {"index", std::to_string(index)},
                        {"writes", std::to_string(*other)},
                        {"written_by", thread_text(map.writer[index], record)}});
  }
  add(std::move(item));
}

void Trials::add_measured(const std::string& id, double measured, double reference, Item item) {
  const Gate& gate = gate_of(checker_.text, id);
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
  add(std::move(item));
}

void Trials::add_blocks_writing(const std::string& id) {
  if (waits(id, said("blocks-writing", "sentence"))) return;
  const std::uint64_t writing = runs_.back().submission.record->blocks_writing;
  const std::uint64_t blocks = runs_.back().reference.record->blocks_writing;
  Item item = item_of("blocks-writing");
  item.got =
      said("blocks-writing", "got", {{"writing", grouped(writing)}, {"blocks", grouped(blocks)}});
  add_measured(id, blocks == 0 ? 1 : static_cast<double>(writing) / static_cast<double>(blocks),
               static_cast<double>(blocks), std::move(item));
}

void Trials::add_longest_warp(const std::string& id) {
  if (waits(id, said("longest-warp", "sentence"))) return;
  const device::LaunchRecord& record = *runs_.back().submission.record;
  const std::uint64_t reference = runs_.back().reference.record->longest_warp;
  Item item = item_of("longest-warp");
  item.line = heaviest_line(record, [](const device::Counters& c) { return c.warp_instructions; });
  item.got = said("longest-warp", "got", {{"got", grouped(record.longest_warp)}});
  add_measured(id,
               static_cast<double>(record.longest_warp) /
                   static_cast<double>(std::max<std::uint64_t>(reference, 1)),
               static_cast<double>(reference), std::move(item));
}

void Trials::add_bytes_used(const std::string& id) {
  add_counter(id, {"exercise.used.sentence"}, [](const device::LaunchRecord& record) {
    return static_cast<double>(record.total.global_bytes_asked) /
           static_cast<double>(record.total.global_sectors * device::kSectorBytes);
  });
}

void Trials::add_sectors(const std::string& id) {
  add_ratio(id, {"exercise.sectors.sentence"}, [](const device::LaunchRecord& record) {
    return static_cast<double>(record.total.global_sectors);
  });
}

void Trials::add_loads_a_word(const std::string& id, const std::string& input) {
  if (runs_.empty()) throw std::logic_error("no trial has run");
  const Trial& trial = runs_.back().trial;
  const auto array = std::ranges::find(trial.arrays, input, &TrialArray::name);
  if (array == trial.arrays.end()) throw std::logic_error("the trial has no array " + input);
  const auto words = static_cast<double>(array->count);
  add_counter(id, {"exercise.loads.sentence", {{"array", input}}},
              [&](const device::LaunchRecord& record) {
                std::uint64_t stored = 0;
                for (const device::WriteMap& map : record.written)
                  stored = std::accumulate(map.writes.begin(), map.writes.end(), stored);
                const auto asked = static_cast<double>(record.total.global_bytes_asked);
                return (asked / 4 - static_cast<double>(stored)) / words;
              });
}

void Trials::add_ratio(const std::string& id, const Message& counter,
                       const std::function<double(const device::LaunchRecord&)>& value) {
  if (waits(id, counter)) return;
  const double got = value(*runs_.back().submission.record);
  const double reference = value(*runs_.back().reference.record);
  Item item = item_of(id);
  item.sentence = counter;
  item.got = said("ratio", "got", {{"got", number(got, 6)}});
  // Nothing asked for where the reference asks for nothing is the reference's own share.
  const double ratio = reference == 0 ? (got == 0 ? 1 : HUGE_VAL) : got / reference;
  item.advice = {
      "exercise.ratio.advice", {{"got", number(got, 6)}, {"reference", number(reference, 6)}}, {}};
  add_measured(id, ratio, reference, std::move(item));
}

void Trials::add_counter(const std::string& id, const Message& counter,
                         const std::function<double(const device::LaunchRecord&)>& value) {
  if (waits(id, counter)) return;
  const double got = value(*runs_.back().submission.record);
  Item item = item_of("counter");
  item.sentence = counter;
  item.got = said("counter", "got", {{"got", beside_bound(got, 6, gate_of(checker_.text, id))}});
  add_measured(id, got, value(*runs_.back().reference.record), std::move(item));
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
