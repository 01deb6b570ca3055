// Races: a result that is right by luck, and what makes it right for certain.
#include <algorithm>
#include <array>
#include <cstdint>
#include <iterator>
#include <memory>
#include <numeric>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "lab/exhibits/exhibit.hpp"
#include "lab/experiment/lesson.hpp"
#include "lab/text/source_text.hpp"
#include "lessons/calls.hpp"
#include "lessons/common.hpp"
#include "lessons/replay.hpp"

namespace warpbook::lessons {
namespace {

/// Watt-hours of a household in quarter hour i: what is always on, and more in the morning and in the evening.
int used_in(std::int64_t i) {
  const std::int64_t quarter = i % 96;
  const bool morning = quarter >= 28 && quarter < 36, evening = quarter >= 70 && quarter < 84;
  return static_cast<int>(40 + (7 + i * 16) % 23 + (morning ? 120 : 0) + (evening ? 200 : 0));
}

std::vector<int> uses(std::int64_t n) {
  std::vector<int> made;
  for (std::int64_t i = 0; i < n; ++i) made.push_back(used_in(i));
  return made;
}

/// What the meter showed before, between and after: n + 1 readings.
std::vector<int> readings(const std::vector<int>& used) {
  std::vector<int> made{1000};
  std::partial_sum(used.begin(), used.end(), std::back_inserter(made));
  for (std::size_t i = 1; i < made.size(); ++i) made[i] += made[0];
  return made;
}

/// A day that is smoothed `rounds` times: (left + 2 own + right) / 4, and at its ends the own value for the one that is missing.
std::vector<float> smoothed(std::vector<float> day, std::int64_t rounds) {
  for (std::int64_t r = 0; r < rounds; ++r) {
    const std::vector<float> before = day;
    const std::size_t last = day.size() - 1;
    for (std::size_t t = 0; t <= last; ++t)
      day[t] = (before[t == 0 ? 0 : t - 1] + 2 * before[t] + before[std::min(t + 1, last)]) / 4;
  }
  return day;
}

lab::TensorExhibit whole_numbers(const std::string& name, const std::vector<int>& values) {
  return {name, device::ElementType::i32, {values.size()}, bytes_of(values), {}};
}

/// A kernel, and where its text is.
struct Kernel {
  std::shared_ptr<const device::Module> module;
  std::string file, source;  ///< as findings call it, and its text
  bool of_reader = false;    ///< the one in the slot
};

/// The chapter's four kernels. The reader has one of them in the slot, which its name says; the others are the book's.
class Kernels {
 public:
  /// Compiles the reader's, and begins to compile the others.
  explicit Kernels(lab::Lab& lab) {
    const auto module = lab.compile(kSlot, defines(lab));
    name_ = lab::require(module->kernel(""))->name;
    // A kernel of another name would never run.
    if (std::ranges::find(kAll, name_, &Own::name) == kAll.end())
      lab::require(module->kernel(kAll.front().name));
    for (const Own& own : kAll) {
      if (own.name != name_)
        lab.compile_soon(lab.request_of(file_of(own), source_of(lab, own), defines(lab)));
    }
  }
  /// For a run of `lab`.
  [[nodiscard]] Kernel of(lab::Lab& lab, std::string_view name) const {
    if (name_ == name) {
      auto module = lab.compile(kSlot, defines(lab));
      return {std::move(module), std::string(kSlot) + ".cu", lab.source(kSlot), true};
    }
    const Own& own = *std::ranges::find(kAll, name, &Own::name);
    std::string source = source_of(lab, own);
    auto module = lab.compile_source(file_of(own), source, defines(lab));
    return {std::move(module), file_of(own), std::move(source), false};
  }

 private:
  /// A kernel and the book's file of it.
  struct Own {
    std::string_view name, file;
  };
  static constexpr std::string_view kSlot = "kernel";
  static constexpr std::array<Own, 4> kAll{{{"used", "used_early.cu"},
                                            {"smooth", "smooth.cu"},
                                            {"find_peak", "peak_exchange.cu"},
                                            {"in_place", "in_place.cu"}}};

  static std::vector<std::pair<std::string, std::string>> defines(lab::Lab& lab) {
    return {{"BLOCK", std::to_string(lab.integer("day"))}};
  }
  static std::string file_of(const Own& own) { return std::string(own.file); }
  static std::string source_of(lab::Lab& lab, const Own& own) {
    return lab::require(
        lab::read_source_file(lab.context().root, "lessons/races/variants/" + file_of(own)));
  }

  std::string name_;  ///< of the reader's kernel
};

/// The schedule that the reader chose.
std::uint32_t schedule_of(lab::Lab& lab) {
  return static_cast<std::uint32_t>(lab.integer("schedule"));
}

/// A thread for each of `threads` quarter hours; a block has a day.
Replayed replayed_of(lab::Lab& lab, const Kernel& kernel, std::int64_t threads,
                     std::vector<device::Argument> arguments) {
  Replayed made;
  made.file = kernel.file;
  made.source = kernel.source;
  made.launch = launch_of(kernel.module, "", threads, lab.integer("day"), std::move(arguments));
  return made;
}

/// The run under the schedule that is shown. Of the reader's own kernel, the report has the errors, and its source the marks.
std::shared_ptr<const device::LaunchRecord> run_once(lab::Lab& lab, const Kernel& kernel,
                                                     const Replayed& replayed) {
  if (!kernel.of_reader) return run_beside(lab, replayed, schedule_of(lab));
  replayed.prepare();
  device::Launch launch = replayed.launch;
  launch.seed = schedule_of(lab);
  return lab.launch(std::move(launch));
}

void show_schedules(lab::Lab& lab, const std::string& id, const Replayed& replayed,
                    const device::LaunchRecord& record, const device::Evidence& counted) {
  lab::SchedulesExhibit ways = replay(lab, replayed, record, schedule_of(lab));
  lab.show({id, {"races." + id}, counted, std::move(ways)});
}

/// How much was used between two readings: each reading goes through shared memory. Gives back what the host asked for until then.
lab::Message differences(lab::Lab& lab, const Kernels& kernels, const device::Evidence& counted) {
  const std::int64_t n = lab.integer("n");
  const std::vector<int> used = uses(n);
  const Kernel kernel = kernels.of(lab, "used");
  const device::Buffer d_reading = lab.upload<int>("reading", readings(used));
  const device::Buffer d_used = lab.allocate("used", device::ElementType::i32, used.size());
  Replayed replayed = replayed_of(
      lab, kernel, n, {pointer_argument(d_reading), pointer_argument(d_used), number_argument(n)});
  replayed.array = &d_used;
  replayed.truth = whole_numbers("used", used);
  replayed.prepare = [&] { lab.fill(d_used, std::byte{0}); };
  const auto record = run_once(lab, kernel, replayed);
  const std::vector<int> out = lab.download<int>(d_used);
  lab::Message calls = host_calls(lab.device());
  lab::TensorExhibit shown = whole_numbers("used", out);
  shown.view = lab::TensorExhibit::View::plot;
  for (std::size_t i = 0; i < out.size(); ++i) {
    if (out[i] != used[i]) shown.wrong.push_back(i);
  }
  lab.show({"uses", {"races.uses"}, counted, std::move(shown)});
  lab.show({"check", {"races.check.title"}, counted, check_of("races.check.", *record, out, used)});
  show_schedules(lab, "ways", replayed, *record, counted);
  return calls;
}

/// Days that are smoothed again and again. Each is as long as a block, the last one filled up.
void smooth(lab::Lab& lab, const Kernels& kernels, const device::Evidence& counted) {
  const std::int64_t day = lab.integer("day"), rounds = lab.integer("rounds");
  std::vector<float> x, truth;
  for (std::int64_t d = 0; d < blocks_for(lab.integer("n"), day); ++d) {
    std::vector<float> one;
    for (std::int64_t t = 0; t < day; ++t) one.push_back(static_cast<float>(used_in(d * day + t)));
    std::ranges::copy(one, std::back_inserter(x));
    std::ranges::copy(smoothed(std::move(one), rounds), std::back_inserter(truth));
  }
  const Kernel kernel = kernels.of(lab, "smooth");
  const device::Buffer d_x = lab.upload<float>("x", x);
  const device::Buffer d_out = lab.allocate("out", device::ElementType::f32, x.size());
  Replayed replayed =
      replayed_of(lab, kernel, lab.integer("n"),
                  {pointer_argument(d_x), pointer_argument(d_out), number_argument(rounds)});
  replayed.array = &d_out;
  replayed.truth = tensor_of("out", truth);
  replayed.prepare = [&] { lab.fill(d_out, std::byte{0}); };
  const auto record = run_once(lab, kernel, replayed);
  show_schedules(lab, "smooth-ways", replayed, *record, counted);
  lab.show(
      {"barriers",
       {"races.barriers.title"},
       counted,
       lab::TextExhibit{{"races.barriers.sentence",
                         {{"barriers", lab::grouped(record->total.barriers / warps_of(*record))},
                          {"rounds", lab::grouped(static_cast<std::uint64_t>(rounds))}}}}});
}

/// The largest use of all.
void find_peak(lab::Lab& lab, const Kernels& kernels, const device::Evidence& counted) {
  const std::int64_t n = lab.integer("n");
  const std::vector<int> used = uses(n), zero{0};
  const Kernel kernel = kernels.of(lab, "find_peak");
  const device::Buffer d_used = lab.upload<int>("used", used);
  const device::Buffer d_peak = lab.upload<int>("peak", zero);
  Replayed replayed = replayed_of(
      lab, kernel, n, {pointer_argument(d_used), pointer_argument(d_peak), number_argument(n)});
  replayed.array = &d_peak;
  replayed.truth = whole_numbers("peak", {*std::ranges::max_element(used)});
  replayed.prepare = [&] { lab.copy_in(d_peak, std::as_bytes(std::span(zero))); };
  show_schedules(lab, "peak-ways", replayed, *run_once(lab, kernel, replayed), counted);
}

/// The differences of whole days without a second array, across blocks.
void in_place(lab::Lab& lab, const Kernels& kernels, const device::Evidence& counted) {
  const std::int64_t n = lab.integer("days") * lab.integer("day");
  const std::vector<int> used = uses(n), before = readings(used);
  std::vector<int> after = used;
  after.push_back(before.back());  // the last reading stays
  const Kernel kernel = kernels.of(lab, "in_place");
  const device::Buffer d_reading = lab.upload<int>("reading", before);
  Replayed replayed =
      replayed_of(lab, kernel, n, {pointer_argument(d_reading), number_argument(n)});
  replayed.array = &d_reading;
  replayed.truth = whole_numbers("reading", after);
  replayed.prepare = [&] { lab.copy_in(d_reading, std::as_bytes(std::span(before))); };
  show_schedules(lab, "in-place-ways", replayed, *run_once(lab, kernel, replayed), counted);
}

/// The chapter's runs. They read like the host side of a CUDA program.
void races_experiment(lab::Lab& lab) {
  const device::Evidence counted{device::EvidenceKind::counted, lab.device_name(), {}};
  const Kernels kernels(lab);
  lab::Message calls;
  lab.side_by_side({[&](lab::Lab& part) { calls = differences(part, kernels, counted); },
                    [&](lab::Lab& part) { smooth(part, kernels, counted); },
                    [&](lab::Lab& part) { find_peak(part, kernels, counted); },
                    [&](lab::Lab& part) { in_place(part, kernels, counted); }});
  show_calls(lab, std::move(calls), counted);
}

// Figures and answers are read off the report, never computed from the parameters.

const lab::SchedulesExhibit* schedules(const lab::Report& report, std::string_view id) {
  return report.find_as<lab::SchedulesExhibit>(id);
}

std::string right_of(const lab::Report& report, std::string_view id) {
  const auto* found = schedules(report, id);
  return found ? lab::grouped(lab::right_runs(*found)) : "";
}
std::string wrong_results_of(const lab::Report& report, std::string_view id) {
  const auto* found = schedules(report, id);
  return found ? lab::grouped(lab::wrong_outcomes(*found)) : "";
}
std::string races_of(const lab::Report& report, std::string_view id) {
  const auto* found = schedules(report, id);
  return found ? lab::grouped(found->races) : "";
}

/// Under which of the schedules the result is right: "all", "some" or "none".
std::string verdict_of(const lab::Report& report, std::string_view id) {
  const auto* found = schedules(report, id);
  if (!found) return {};
  const std::uint64_t right = lab::right_runs(*found);
  return right == found->runs.size() ? "all" : right == 0 ? "none" : "some";
}

/// The same, and whether the checker finds a race: "all; race".
std::string verdict_and_race(const lab::Report& report, std::string_view id) {
  const auto* found = schedules(report, id);
  if (!found) return {};
  return verdict_of(report, id) + (found->races > 0 ? "; race" : "; no race");
}

/// How many elements are wrong under one schedule or another.
std::string at_risk(const lab::Report& report, std::string_view id) {
  const auto* found = schedules(report, id);
  if (!found) return {};
  std::set<std::uint64_t> places;
  for (const auto& outcome : found->outcomes)
    places.insert(outcome.places.begin(), outcome.places.end());
  return lab::grouped(places.size());
}

/// The peaks that the schedules gave, the lowest first: "40; 47".
std::string peaks(const lab::Report& report) {
  const auto* found = schedules(report, "peak-ways");
  if (!found) return {};
  std::set<std::uint64_t> values;
  for (const auto& outcome : found->outcomes) {
    for (const auto& difference : outcome.differences) {
      values.insert(std::stoull(difference.got));
      values.insert(std::stoull(difference.expected));
    }
  }
  std::string text;
  for (const std::uint64_t value : values)
    text += (text.empty() ? "" : "; ") + std::to_string(value);
  return text;
}

/// Barriers that a warp of `smooth` passes, where the result is right for certain.
std::string enough_barriers(const lab::Report& report) {
  if (verdict_and_race(report, "smooth-ways") != "all; no race") return {};
  return text_argument(report, "barriers", "barriers");
}

}  // namespace

lab::Lesson races() {
  lab::Lesson lesson;
  lesson.slug = "races";
  const std::string words = "races.parameter.", presets = "races.preset.";
  lesson.parameters = {whole_number(words, "n", "races.unit.quarters", 96, 1, 768),
                       whole_number(words, "day", "races.unit.threads", 96, 2, 288),
                       whole_number(words, "rounds", "", 4, 0, 8),
                       whole_number(words, "days", "", 2, 1, 8),
                       whole_number(words, "schedule", "", 0, 0, kReplays - 1)};
  using Int = std::int64_t;
  lesson.presets = {preset(presets, "day", {}),
                    preset(presets, "one-warp", {{"n", Int{24}}, {"day", Int{24}}}),
                    preset(presets, "four-days", {{"days", Int{4}}}),
                    preset(presets, "unlucky", {{"schedule", Int{1}}})};
  lesson.slots = {{"kernel", "lessons/races/variants/used_early.cu", {}}};
  lesson.experiment = races_experiment;
  lesson.figures = {{"schedules", [](const lab::Report& r) {
                       const auto* found = schedules(r, "ways");
                       return found ? std::to_string(found->runs.size()) : "";
                     }}};
  for (const std::string id : {"ways", "smooth-ways", "peak-ways", "in-place-ways"}) {
    lesson.figures.push_back(
        {id + "-right", [id](const lab::Report& r) { return right_of(r, id); }});
    lesson.figures.push_back(
        {id + "-results", [id](const lab::Report& r) { return wrong_results_of(r, id); }});
    lesson.figures.push_back(
        {id + "-races", [id](const lab::Report& r) { return races_of(r, id); }});
  }
  lesson.figures.push_back(
      {"barriers", [](const lab::Report& r) { return text_argument(r, "barriers", "barriers"); }});
  std::ranges::move(call_figures(), std::back_inserter(lesson.figures));
  lesson.answers = {
      {"verdict", [](const lab::Report& r) { return verdict_of(r, "ways"); }},
      {"racing-places", [](const lab::Report& r) { return races_of(r, "ways"); }},
      {"barriers", enough_barriers},
      {"peaks", peaks},
      {"peak-verdict", [](const lab::Report& r) { return verdict_and_race(r, "peak-ways"); }},
      {"at-risk", [](const lab::Report& r) { return at_risk(r, "in-place-ways"); }}};
  lesson.exercises = {"find-the-race", "double-buffer", "histogram-counts"};
  return lesson;
}

}  // namespace warpbook::lessons
