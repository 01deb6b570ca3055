// Streams: copies and kernels of different chunks run at the same time, if memory is pinned and nothing makes them wait.
#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <memory>
#include <ranges>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "lab/exhibits/exhibit.hpp"
#include "lab/exhibits/timeline/timeline_summary.hpp"
#include "lab/experiment/lesson.hpp"
#include "lab/experiment/remembered_part.hpp"
#include "lab/text/strings.hpp"
#include "lessons/common.hpp"
#include "lessons/streams/film.hpp"
#include "lessons/streams/pipeline.hpp"

namespace warpbook::lessons {
namespace {

using namespace streams;
using lab::Message;
using Activity = lab::TimelineExhibit::Activity;

/// What a table tries out beside the reader's setting.
constexpr std::array<std::int64_t, 6> kTriedStreams{1, 2, 3, 4, 6, 8};
constexpr std::array<std::int64_t, 7> kTriedChunks{1, 2, 4, 8, 16, 32, 64};
constexpr std::int64_t kTextChunks = 8, kTextStreams = 3;
/// Of more chunks, a draft shows the timelines alone: it takes too long to see whether each comes out right.
constexpr std::int64_t kDraftChunks = 8;

constexpr std::int64_t kRadius = 64, kFrame = 1'000'000;  ///< unless the reader chooses others

/// Every panel says of which program it is: how many chunks and streams, and what differs from the first one.
Message setting_of(const Setting& setting) {
  std::vector<Message> parts{
      {"streams.setting.numbers", {{"chunks", setting.chunks}, {"streams", setting.streams}}}};
  const auto add = [&](bool differs, const char* what) {
    if (differs) parts.push_back({std::string("streams.setting.") + what});
  };
  add(!setting.pinned, "pageable");
  add(setting.breadth_first, "breadth-first");
  add(setting.launches == kDefaultStream, "default-stream");
  add(setting.launches == kKernelStream, setting.arrival ? "events" : "no-arrival");
  add(setting.non_blocking, "non-blocking");
  add(setting.graph, "graph");
  if (setting.frame != kFrame)
    parts.push_back({"streams.setting.frame",
                     {{"pixels", lab::grouped(static_cast<std::uint64_t>(setting.frame))}}});
  if (setting.radius != kRadius)
    parts.push_back({"streams.setting.radius", {{"radius", setting.radius}}});
  return Message::list_of("list.separator", std::move(parts));
}

/// "the kernel of chunk 3"
Message name_of(const Operation& operation) {
  constexpr std::array kNames{"streams.operation.in", "streams.operation.kernel",
                              "streams.operation.out"};
  return {kNames[static_cast<std::size_t>(operation.stage)], {{"chunk", operation.chunk}}};
}

lab::CheckExhibit checked(const std::vector<bool>& right, const Planned& planned) {
  using Item = lab::CheckExhibit::Item;
  using State = lab::CheckExhibit::State;
  const auto good = std::ranges::count(right, true);
  Item results{"right", State::passed, {"streams.check.right"}, {}, {}, 0, {}, {}};
  results.got = {"streams.check.agree", {{"right", good}, {"chunks", right.size()}}};
  if (static_cast<std::size_t>(good) != right.size()) {
    results.state = State::failed;
    results.advice = {"streams.check.right-advice"};
  }
  Item order{"ordered", State::passed, {"streams.check.ordered"}, {}, {}, 0, {}, {}};
  if (!planned.races.empty()) {
    const auto& race = planned.races.front();
    order.state = State::failed;
    order.got = {"streams.check.races", {{"count", planned.races.size()}}};
    order.advice = {"streams.check.ordered-advice",
                    {{"first", name_of(planned.operations[race.first])},
                     {"second", name_of(planned.operations[race.second])}}};
  }
  return {{std::move(results), std::move(order)}};
}

/// Everything one after the other, without the host's calls.
double speedup(const lab::TimelineExhibit& timeline) {
  const double whole = lab::whole_of(timeline);
  return whole > 0 ? stage_times(timeline).sum() / whole : 0;
}

/// How a run compares with its own operations one after the other.
Message pace_of(double speedup) {
  const std::string times = lab::number(speedup, 2);
  if (times == "1") return {"streams.estimate.alike", {}};
  return {"streams.estimate.faster", {{"speedup", times}}};
}

/// Who works longest, so that the others wait: "host", "kernels" or "copies".
std::string busiest_of(const StageTimes& times, double host) {
  const double copies = std::max(times.in, times.out);
  if (host > std::max(times.kernels, copies)) return "host";
  return times.kernels > copies ? "kernels" : "copies";
}

/// Seconds that the host needs for its calls.
double calls_of_host(const lab::TimelineExhibit& timeline) {
  double seconds = 0;
  for (const auto& span : timeline.spans)
    if (span.activity == Activity::host_call) seconds += lab::seconds_of(span);
  return seconds;
}

void show_timelines(lab::Lab& lab, const Setting& setting, const Planned& planned) {
  const lab::TimelineExhibit& timeline = planned.timeline;
  lab.show({"stages",
            {"streams.stages", {{"setting", setting_of(setting)}}},
            timeline.times,
            by_stage(timeline)});
  lab.show({"timeline",
            {"streams.timeline", {{"setting", setting_of(setting)}}},
            timeline.times,
            timeline});
}

void show_estimate(lab::Lab& lab, const Planned& planned, const std::vector<bool>& right) {
  const lab::TimelineExhibit& timeline = planned.timeline;
  const StageTimes times = stage_times(timeline);
  const double whole = lab::whole_of(timeline), host = calls_of_host(timeline);
  const bool all_right = std::ranges::all_of(right, [](bool one) { return one; });
  const bool together = lab::shares_of(timeline).both > 0;
  const auto calls = std::ranges::count(timeline.spans, Activity::host_call,
                                        &lab::TimelineExhibit::Span::activity);
  lab.show({"estimate",
            {"streams.estimate.title"},
            timeline.times,
            lab::TextExhibit{{"streams.estimate.sentence",
                              {{"in", lab::duration(times.in)},
                               {"kernels", lab::duration(times.kernels)},
                               {"out", lab::duration(times.out)},
                               {"sum", lab::duration(times.sum())},
                               {"total", lab::duration(whole)},
                               {"pace", pace_of(speedup(timeline))},
                               {"host", lab::duration(host)},
                               {"calls", calls},
                               {"speedup", lab::number(speedup(timeline), 2)},
                               {"times", std::to_string(std::lround(speedup(timeline)))},
                               {"overlap", together ? "yes" : "no"},
                               {"outcome", std::string(all_right ? "right" : "wrong") +
                                               (together ? "-together" : "-apart")},
                               {"busiest", busiest_of(times, host)},
                               {"luck", !all_right              ? "wrong"
                                        : planned.races.empty() ? "right"
                                                                : "luck"}}}}});
}

/// The whole time for each of some values of a number in the setting; each bar is called by its value.
template <std::size_t n, class Total>
std::vector<lab::BarsExhibit::Bar> bars_of(const std::array<std::int64_t, n>& values,
                                           std::int64_t Setting::*number, Setting setting,
                                           const Total& total) {
  std::vector<lab::BarsExhibit::Bar> bars;
  for (const std::int64_t value : values) {
    setting.*number = value;
    const double seconds = total(setting);
    bars.push_back({Message::plain(std::to_string(value)), seconds, lab::duration(seconds)});
  }
  return bars;
}

/// The fewest streams with which the time comes close to that of the most.
template <class Total>
std::int64_t enough_streams(Setting setting, double close, const Total& total) {
  setting.streams = kTriedStreams.back();
  const double best = total(setting);
  for (setting.streams = 1; setting.streams < kTriedStreams.back(); ++setting.streams)
    if (total(setting) < (1 + close) * best) break;
  return setting.streams;
}

/// What else the reader chose, with the numbers of chunks and streams that the text speaks of and others, in both orders.
void show_sweep(lab::Lab& lab, Setting setting, SharedLaunches& launches) {
  const auto with_chunks = [&](std::int64_t chunks) {
    Setting tried = setting;
    tried.chunks = chunks;
    return tried;
  };
  // The part that shows the reader's setting has time for some of the launches.
  constexpr std::size_t kLeft = 3;
  std::vector<std::int64_t> left;
  for (const std::int64_t chunks : kTriedChunks | std::views::take(kLeft))
    left.push_back(with_chunks(chunks).pixels(0));
  launches.leave(std::move(left));
  KernelTimes times(lab, setting, lab.compile_source("mend.cu", lab.source("mend")), launches);
  const device::runtime::CopyModel copies(lab.device().properties());
  const Message gpu = Message::plain(lab.device().properties().name);
  const auto timeline_of = [&](const Setting& tried) {
    const auto kernel = [&](std::int64_t pixels) { return times.of(pixels); };
    return plan(tried, copies, kernel, gpu).timeline;
  };
  std::map<std::tuple<std::int64_t, std::int64_t, bool>, double> totals;
  const auto total = [&](const Setting& tried) {
    const auto [at, is_new] =
        totals.try_emplace({tried.chunks, tried.streams, tried.breadth_first});
    if (is_new) at->second = lab::whole_of(timeline_of(tried));
    return at->second;
  };
  setting.chunks = kTextChunks;
  setting.streams = kTextStreams;
  if (!timeline_of(setting).times) return;
  // While the device launches, what is known already is planned; those of many chunks first, since they take longest.
  for (const std::int64_t chunks : kTriedChunks | std::views::drop(kLeft) | std::views::reverse)
    times.ask(with_chunks(chunks).pixels(0));
  auto by_streams = bars_of(kTriedStreams, &Setting::streams, setting, total);
  for (const std::int64_t chunks : kTriedChunks | std::views::reverse)
    (void)total(with_chunks(chunks));
  auto by_chunks = bars_of(kTriedChunks, &Setting::chunks, setting, total);
  constexpr double kClose = 0.05;
  Setting depth = setting, breadth = setting;
  depth.breadth_first = false;
  breadth.breadth_first = true;
  const double d = total(depth), b = total(breadth);
  const char* const faster = std::abs(d - b) < kClose * d ? "same" : d < b ? "depth" : "breadth";
  lab.show({"sweep",
            {"streams.sweep.title"},
            device::Evidence{device::EvidenceKind::estimated, gpu, {}},
            lab::BarsExhibit{{"streams.sweep.says",
                              {{"depth", lab::duration(d)},
                               {"breadth", lab::duration(b)},
                               {"faster", faster},
                               {"enough", enough_streams(depth, kClose, total)}}},
                             {{{"streams.sweep.streams"}, std::move(by_streams)},
                              {{"streams.sweep.chunks"}, std::move(by_chunks)}}}});
}

/// The whole film's memory is given back at once: what a launch remembers is compared with all memory there is.
Planned planned_film(lab::Lab& lab, const Setting& setting,
                     const std::shared_ptr<const device::Module>& mend, SharedLaunches& launches) {
  KernelTimes times(lab, setting, mend, launches);
  for (std::int64_t k = 0; k < setting.chunks; ++k) times.ask(setting.pixels(k));
  for (const std::int64_t pixels : launches.left()) times.ask(pixels);
  return plan(
      setting, device::runtime::CopyModel(lab.device().properties()),
      [&](std::int64_t pixels) { return times.of(pixels); },
      Message::plain(lab.device().properties().name));
}

/// What the reader chose.
void show_chosen(lab::Lab& lab, const Setting& setting, SharedLaunches& launches) {
  const auto mend = lab.compile("mend");
  const Planned planned = planned_film(lab, setting, mend, launches);
  show_timelines(lab, setting, planned);
  if (setting.chunks > kDraftChunks && lab.leaves_out()) return;
  const std::vector<bool> right = right_chunks(lab, setting, mend, planned.operations);
  lab.show({"check",
            {"streams.check.title", {{"setting", setting_of(setting)}}},
            device::Evidence{device::EvidenceKind::counted, lab.device_name(), {}},
            checked(right, planned)});
  show_estimate(lab, planned, right);
}

void streams_experiment(lab::Lab& lab) {
  lab.compile_soon(lab.request_of_slot("mend"));
  const Setting setting(lab);
  SharedLaunches launches;
  const auto chosen = [&](lab::Lab& part) { show_chosen(part, setting, launches); };
  lab.side_by_side(
      {lab::remembered({.name = "streams/chosen", .run = chosen, .draft = chosen}),
       lab::remembered({.name = "streams/sweep",
                        .unread = {"chunks", "streams"},
                        .run = [&](lab::Lab& part) { show_sweep(part, setting, launches); }})});
}

// Figures and answers are read off the report.

auto of(const char* exhibit, const char* name) {
  return [=](const lab::Report& report) { return text_argument(report, exhibit, name); };
}
auto estimate(const char* name) { return of("estimate", name); }

/// In tenths of a millisecond, as one estimates by hand.
std::string total_by_hand(const lab::Report& report) {
  const auto* timeline = report.find_as<lab::TimelineExhibit>("timeline");
  return timeline && timeline->times
             ? lab::number(std::round(lab::whole_of(*timeline) * 1e4) / 10, 2)
             : "";
}

}  // namespace

lab::Lesson streams_chapter() {
  lab::Lesson lesson;
  lesson.slug = "streams";
  const std::string words = "streams.parameter.", presets = "streams.preset.";
  const auto toggle = [&](const std::string& name, bool on) {
    lab::Parameter made{name, {words + name}, {}};
    made.type = lab::Parameter::Type::toggle;
    made.initial = on;
    return made;
  };
  using Names = std::vector<std::string>;
  const auto choices = [&](const std::string& name, std::initializer_list<std::string_view> all) {
    return choice(words, name, Names(all.begin(), all.end()));
  };
  lesson.parameters = {whole_number(words, "chunks", "", 1, 1, 64),
                       whole_number(words, "streams", "", 1, 1, kMostStreams),
                       choices("memory", {kPinned, kPageable}),
                       choices("order", {kDepthFirst, kBreadthFirst}),
                       choices("launches", {kOwnStream, kDefaultStream, kKernelStream}),
                       choices("flags", {kBlocking, kNonBlocking}),
                       toggle("arrival", true),
                       toggle("graph", false),
                       whole_number(words, "radius", "", kRadius, 0, 200),
                       whole_number(words, "frame", "streams.unit.pixels", kFrame, 1'000, kFrame)};
  using Int = std::int64_t;
  lesson.presets = {preset(presets, "serial", {}),
                    preset(presets, "overlapped", {{"chunks", Int{8}}, {"streams", Int{3}}}),
                    preset(presets, "one-too-few", {{"chunks", Int{8}}, {"streams", Int{2}}})};
  lesson.slots = {{"mend", "lessons/streams/variants/mend.cu", {}}};
  lesson.experiment = streams_experiment;
  lesson.figures = {{"in", estimate("in")},          {"kernels", estimate("kernels")},
                    {"out", estimate("out")},        {"sum", estimate("sum")},
                    {"total", estimate("total")},    {"host", estimate("host")},
                    {"calls", estimate("calls")},    {"speedup", estimate("speedup")},
                    {"depth", of("sweep", "depth")}, {"breadth", of("sweep", "breadth")}};
  lesson.answers = {{"total", total_by_hand},          {"overlap", estimate("overlap")},
                    {"outcome", estimate("outcome")},  {"busiest", estimate("busiest")},
                    {"luck", estimate("luck")},        {"times", estimate("times")},
                    {"enough", of("sweep", "enough")}, {"faster", of("sweep", "faster")}};
  lesson.exercises = {"pipeline", "missing-event"};
  return lesson;
}

}  // namespace warpbook::lessons
