#include "lab/exhibits/timeline/timeline_summary.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <span>
#include <string_view>
#include <tuple>

#include "lab/markup/axis.hpp"
#include "lab/markup/phrases.hpp"

namespace warpbook::lab {
namespace {

using Activity = TimelineExhibit::Activity;
using Span = TimelineExhibit::Span;

constexpr std::size_t kMostOrderWork = 1 << 22;  ///< rows times spans that are looked through
constexpr std::size_t kMostNamed = 3;            ///< spans that a sentence names
constexpr std::uint32_t kNoRun = std::numeric_limits<std::uint32_t>::max();

/// A moment at which something begins or ends.
struct Moment {
  double at = 0;
  bool begins = false;
  Activity activity = Activity::kernel;
};

/// In the order of time; where one thing ends and another begins at the same moment, they do not overlap.
std::vector<Moment> moments_of(const TimelineExhibit& timeline) {
  std::vector<Moment> moments;
  for (const Span& span : timeline.spans) {
    if (!(seconds_of(span) > 0)) continue;
    moments.push_back({span.begin, true, span.activity});
    moments.push_back({span.end, false, span.activity});
  }
  std::ranges::sort(moments, [](const Moment& a, const Moment& b) {
    return a.at < b.at || (a.at == b.at && !a.begins && b.begins);
  });
  return moments;
}

/// How many things of each sort are under way.
struct UnderWay {
  std::int64_t copies = 0, kernels = 0, others = 0, waiting = 0;
  void count(const Moment& moment) {
    const int by = moment.begins ? 1 : -1;
    if (is_copy(moment.activity))
      copies += by;
    else if (moment.activity == Activity::kernel)
      kernels += by;
    else if (is_on_device(moment.activity))
      others += by;
    else if (moment.activity == Activity::waiting)
      waiting += by;
  }
};

/// What has to come before a span: the one before it on its row, the call that asked for it, and what it waits for.
template <class Visit>
void each_before(const Span& span, std::optional<std::uint32_t> before_on_row, const Visit& visit) {
  if (before_on_row) visit(*before_on_row);
  if (span.call) visit(*span.call);
  for (const std::uint32_t one : span.after) visit(one);
}

TimelineRun run_of(const Span& span, std::uint32_t number) {
  const double begin = begin_of(span), seconds = seconds_of(span);
  return {span.row, number, 1, begin, begin + seconds, seconds, span.bytes};
}

/// Puts spans into runs, in the order of the spans.
class Folding {
 public:
  explicit Folding(const TimelineExhibit& timeline)
      : timeline_(timeline),
        awaited_(timeline.spans.size(), false),
        last_on_row_(timeline.rows.size()) {
    for (const Span& span : timeline.spans) {
      for (const std::uint32_t one : span.after) awaited_[one] = true;
    }
    made_.of_span.reserve(timeline.spans.size());
  }

  TimelineRuns take() {
    for (std::uint32_t i = 0; i < timeline_.spans.size(); ++i) put(i);
    return std::move(made_);
  }

 private:
  void put(std::uint32_t i) {
    const Span& span = timeline_.spans[i];
    std::optional<std::uint32_t>& last = last_on_row_[span.row];
    if (last && continues(i, *last)) {
      const std::uint32_t run = made_.of_span[*last];
      made_.of_span.push_back(run);
      TimelineRun& made = made_.runs[run];
      ++made.count;
      made.end = std::max(made.end, begin_of(span) + seconds_of(span));
      made.seconds += seconds_of(span);
      made.bytes += span.bytes;
    } else {
      made_.of_span.push_back(static_cast<std::uint32_t>(made_.runs.size()));
      made_.runs.push_back(run_of(span, i));
    }
    last = i;
  }

  [[nodiscard]] std::uint32_t run_of_call(const Span& span) const {
    return span.call ? made_.of_span[*span.call] : kNoRun;
  }
  [[nodiscard]] bool continues(std::uint32_t i, std::uint32_t last) const {
    const Span &span = timeline_.spans[i], &before = timeline_.spans[last];
    return span.activity == before.activity && span.label == before.label &&
           span.bytes == before.bytes && span.line == before.line && span.after.empty() &&
           !awaited_[last] && run_of_call(span) == run_of_call(before);
  }

  const TimelineExhibit& timeline_;
  std::vector<bool> awaited_;
  std::vector<std::optional<std::uint32_t>> last_on_row_;
  TimelineRuns made_;
};

/// A run waits for runs before it alone, so one pass finds the step of each.
void place_by_steps(const TimelineExhibit& timeline, TimelineRuns& made) {
  std::vector<std::optional<std::uint32_t>> last_on_row(timeline.rows.size());
  for (TimelineRun& run : made.runs) {
    double step = 0;
    each_before(timeline.spans[run.first], last_on_row[run.row], [&](std::uint32_t span) {
      step = std::max(step, made.runs[made.of_span[span]].end);
    });
    run.begin = step;
    run.end = step + 1;
    last_on_row[run.row] = run.first;
  }
}

/// How many spans of each row have ended before each span begins, by CUDA's order alone.
class OrderClocks {
 public:
  explicit OrderClocks(const TimelineExhibit& timeline)
      : rows_(timeline.rows.size()),
        clocks_(timeline.spans.size() * rows_, 0),
        position_(timeline.spans.size()) {
    std::vector<std::optional<std::uint32_t>> last_on_row(rows_);
    for (std::uint32_t i = 0; i < timeline.spans.size(); ++i) {
      const Span& span = timeline.spans[i];
      auto& last = last_on_row[span.row];
      position_[i] = last ? position_[*last] + 1 : 0;
      each_before(span, last, [&](std::uint32_t before) {
        const auto own = clock_of(i), its = clock_of(before);
        for (std::size_t row = 0; row < rows_; ++row) own[row] = std::max(own[row], its[row]);
        std::uint32_t& ended = own[timeline.spans[before].row];
        ended = std::max(ended, position_[before] + 1);
      });
      last = i;
    }
  }
  [[nodiscard]] bool is_before(std::uint32_t a, std::uint32_t row_of_a, std::uint32_t b) {
    return clock_of(b)[row_of_a] > position_[a];
  }

 private:
  std::span<std::uint32_t> clock_of(std::uint32_t span) {
    return std::span(clocks_).subspan(span * rows_, rows_);
  }

  std::size_t rows_;
  std::vector<std::uint32_t> clocks_, position_;
};

/// "cudaMemcpyAsync, saxpy and 4 more".
std::string names_of(const TimelineExhibit& timeline, const std::vector<std::uint32_t>& spans,
                     const Strings& strings) {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < std::min(spans.size(), kMostNamed); ++i)
    names.push_back(span_name(timeline, spans[i], strings));
  if (spans.size() > kMostNamed)
    names.push_back(counted(strings, "timeline.others", spans.size() - kMostNamed));
  return joined(strings, names);
}

std::string bytes_text(const TimelineRun& run, bool timed, const Strings& strings) {
  if (run.bytes == 0) return {};
  if (!timed || !(run.seconds > 0))
    return strings("timeline.bytes", {{"bytes", byte_count(run.bytes)}});
  return strings("timeline.bytes-rate",
                 {{"bytes", byte_count(run.bytes)},
                  {"rate", amount(static_cast<double>(run.bytes) / run.seconds) + "B/s"}});
}

/// Runs of a row that are alike, as one each.
std::vector<TimelineRun> joined_alike(const TimelineExhibit& timeline,
                                      const std::vector<TimelineRun>& runs) {
  using Key = std::tuple<std::uint32_t, Activity, std::string_view, std::uint32_t>;
  std::map<Key, std::size_t> placed;
  std::vector<TimelineRun> made;
  for (const TimelineRun& run : runs) {
    const Span& span = timeline.spans[run.first];
    const Key key{run.row, span.activity, span.label, span.line};
    const auto [place, is_new] = placed.emplace(key, made.size());
    if (is_new) {
      made.push_back(run);
      continue;
    }
    TimelineRun& joint = made[place->second];
    joint.count += run.count;
    joint.end = std::max(joint.end, run.end);
    joint.seconds += run.seconds;
    joint.bytes += run.bytes;
  }
  return made;
}

}  // namespace

bool is_copy(Activity activity) {
  return activity == Activity::copy_in || activity == Activity::copy_out ||
         activity == Activity::copy;
}

bool has_streams(const TimelineExhibit& timeline) {
  return std::ranges::any_of(timeline.rows, &TimelineExhibit::Row::host);
}

const char* row_head(const TimelineExhibit& timeline) {
  return has_streams(timeline) ? "timeline.head.row" : "timeline.head.part";
}

bool is_on_device(Activity activity) {
  return is_copy(activity) || activity == Activity::fill || activity == Activity::kernel;
}

double begin_of(const Span& span) { return std::isfinite(span.begin) ? span.begin : 0; }

double seconds_of(const Span& span) {
  const double seconds = span.end - span.begin;
  return std::isfinite(seconds) ? std::max(0.0, seconds) : 0;
}

double whole_of(const TimelineExhibit& timeline) {
  if (!timeline.times) return 0;
  double end = std::isfinite(timeline.total) ? std::max(0.0, timeline.total) : 0;
  for (const Span& span : timeline.spans) {
    if (std::isfinite(span.end)) end = std::max(end, span.end);
  }
  return end;
}

TimelineShares shares_of(const TimelineExhibit& timeline) {
  TimelineShares shares;
  if (!timeline.times) return shares;
  UnderWay under_way;
  double before = 0;
  for (const Moment& moment : moments_of(timeline)) {
    const double passed = moment.at - before;
    const std::int64_t on_device = under_way.copies + under_way.kernels + under_way.others;
    if (under_way.copies > 0) shares.copies += passed;
    if (under_way.kernels > 0) shares.kernels += passed;
    if (under_way.copies > 0 && under_way.kernels > 0) shares.both += passed;
    if (on_device > 1) shares.overlapped += passed;
    if (on_device == 0) shares.idle += passed;
    if (under_way.waiting > 0) shares.waiting += passed;
    under_way.count(moment);
    before = moment.at;
  }
  shares.total = whole_of(timeline);
  shares.idle += shares.total - before;
  return shares;
}

std::optional<TimelinePair> longest_overlap(const TimelineExhibit& timeline) {
  std::vector<std::size_t> order;
  for (std::size_t i = 0; i < timeline.spans.size(); ++i) {
    const Span& span = timeline.spans[i];
    if (is_on_device(span.activity) && seconds_of(span) > 0) order.push_back(i);
  }
  std::ranges::stable_sort(order, {}, [&](std::size_t i) { return timeline.spans[i].begin; });
  // The last of each row is all that can still be under way, because a row does one thing after the other.
  std::vector<std::optional<std::size_t>> last(timeline.rows.size());
  std::optional<TimelinePair> longest;
  double most = 0;
  constexpr double kLonger =
      1 + 1e-9;  // of equally long ones the first is named, however sums round
  for (const std::size_t i : order) {
    const Span& span = timeline.spans[i];
    for (const auto& other : last) {
      if (!other || timeline.spans[*other].row == span.row) continue;
      const double common = std::min(span.end, timeline.spans[*other].end) - span.begin;
      if (common <= most * kLonger) continue;
      most = common;
      longest = TimelinePair{std::min(*other, i), std::max(*other, i)};
    }
    auto& own = last[span.row];
    if (!own || timeline.spans[*own].end < span.end) own = i;
  }
  return longest;
}

TimelineFreedom freedom_of(const TimelineExhibit& timeline) {
  if (timeline.spans.size() * timeline.rows.size() > kMostOrderWork) return {false, {}};
  OrderClocks clocks(timeline);
  std::vector<std::optional<std::uint32_t>> last(timeline.rows.size());
  for (std::uint32_t i = 0; i < timeline.spans.size(); ++i) {
    const Span& span = timeline.spans[i];
    if (!is_on_device(span.activity)) continue;
    // Where the last one of a row has ended, those before it have, too.
    for (std::uint32_t row = 0; row < last.size(); ++row) {
      if (row != span.row && last[row] && !clocks.is_before(*last[row], row, i))
        return {true, TimelinePair{*last[row], i}};
    }
    last[span.row] = i;
  }
  return {};
}

TimelineRuns runs_of(const TimelineExhibit& timeline) {
  TimelineRuns made = Folding(timeline).take();
  if (!timeline.times) place_by_steps(timeline, made);
  return made;
}

TimelineRuns items_of(const TimelineExhibit& timeline) {
  if (!timeline.times) return runs_of(timeline);
  TimelineRuns made;
  made.of_span.resize(timeline.spans.size());
  for (std::uint32_t i = 0; i < timeline.spans.size(); ++i) {
    const Span& span = timeline.spans[i];
    made.runs.push_back(run_of(span, i));
  }
  std::ranges::stable_sort(made.runs, {}, [](const TimelineRun& run) { return run.begin; });
  for (std::uint32_t k = 0; k < made.runs.size(); ++k) made.of_span[made.runs[k].first] = k;
  return made;
}

double axis_end(const TimelineExhibit& timeline, const TimelineRuns& items) {
  if (timeline.times) return whole_of(timeline);
  double steps = 0;
  for (const TimelineRun& item : items.runs) steps = std::max(steps, item.end);
  return steps;
}

double axis_share(double at, double end) { return end > 0 ? std::clamp(at / end, 0.0, 1.0) : 0; }

Activity ActivityMixture::shown(const ActivityParts& place) {
  const auto takes_part = [](double part) { return part > 0; };
  // A place of one activity alone leaves no debts to the next.
  if (std::ranges::count_if(place, takes_part) == 1) owed_ = {};
  double whole = 0;
  std::size_t most = place.size();
  for (std::size_t a = 0; a < place.size(); ++a) {
    if (!takes_part(place[a])) continue;
    owed_[a] += place[a];
    whole += place[a];
    if (most == place.size() || owed_[a] > owed_[most]) most = a;
  }
  owed_[most] -= whole;
  return static_cast<Activity>(most);
}

TimelineStretch zoomed(const TimelineStretch& stretch, double factor, double at, double end) {
  const double length = std::clamp(stretch.length() * factor, end / kClosest, end);
  const double share = stretch.length() > 0 ? (at - stretch.begin) / stretch.length() : 0;
  const double begin = std::clamp(at - share * length, 0.0, end - length);
  return {begin, begin + length};
}

TimelineStretch moved(const TimelineStretch& stretch, double by, double end) {
  const double begin = std::clamp(stretch.begin + by, 0.0, std::max(0.0, end - stretch.length()));
  return {begin, begin + stretch.length()};
}

std::vector<double> axis_marks(const TimelineStretch& stretch, std::size_t most) {
  if (!(stretch.length() > 0) || !std::isfinite(stretch.end) || most < 2) return {stretch.begin};
  const double step = round_step(stretch.length() / static_cast<double>(most - 1));
  return multiples_of(step, stretch.begin, stretch.end);
}

std::string mark_text(double mark, double step) {
  constexpr double kShortNumbers = 500;  // steps up to which three digits tell neighbours apart
  if (mark <= 0) return "0";
  if (!(step > 0) || mark <= kShortNumbers * step) return duration(mark);
  struct Unit {
    double seconds;
    const char* name;
  };
  constexpr std::array kUnits{Unit{1, "s"}, Unit{1e-3, "ms"}, Unit{1e-6, "µs"}, Unit{1e-9, "ns"}};
  const auto unit = std::ranges::find_if(
      kUnits, [&](const Unit& one) { return step >= 0.01 * one.seconds * (1 - 1e-9); });
  const Unit& shown = unit == kUnits.end() ? kUnits.back() : *unit;
  const auto digits = static_cast<int>(std::floor(std::log10(mark / step) + 1e-9)) + 2;
  return number(mark / shown.seconds, digits) + " " + shown.name;
}

std::string share_text(double part, double whole) {
  return number(whole > 0 ? 100 * part / whole : 0, 2);
}

std::string activity_name(Activity activity, const Strings& strings) {
  return strings("timeline.activity." + std::string(device::name_of(activity)));
}

std::string_view activity_sign(Activity activity) {
  switch (activity) {
    case Activity::host_call: return "=";
    case Activity::waiting: return "·";
    case Activity::callback: return "o";
    case Activity::copy_in: return "▼";
    case Activity::copy_out: return "▲";
    case Activity::copy: return "◆";
    case Activity::fill: return "▒";
    case Activity::kernel: return "█";
  }
  __builtin_unreachable();
}

std::vector<Activity> activities_of(const TimelineExhibit& timeline) {
  std::vector<Activity> there;
  for (std::size_t a = 0; a < device::kEnumNames<Activity>.size(); ++a) {
    const auto activity = static_cast<Activity>(a);
    if (std::ranges::find(timeline.spans, activity, &Span::activity) != timeline.spans.end())
      there.push_back(activity);
  }
  return there;
}

std::string run_name(const TimelineExhibit& timeline, const TimelineRun& run) {
  const std::string& label = timeline.spans[run.first].label;
  return run.count == 1 ? label : grouped(run.count) + " × " + label;
}

std::string span_name(const TimelineExhibit& timeline, std::size_t span, const Strings& strings) {
  const Span& one = timeline.spans[span];
  return strings("timeline.named." + std::string(device::name_of(one.activity)),
                 {{"name", one.label}, {"row", timeline.rows[one.row].name}});
}

std::string run_text(const TimelineExhibit& timeline, const TimelineRun& run, double whole,
                     const Strings& strings) {
  const Span& span = timeline.spans[run.first];
  const bool timed = timeline.times.has_value();
  MessageArguments arguments{{"what", activity_name(span.activity, strings)},
                             {"name", run_name(timeline, run)},
                             {"row", timeline.rows[run.row].name}};
  if (timed) {
    arguments.emplace_back("begin", duration(run.begin));
    arguments.emplace_back("end", duration(run.end));
    arguments.emplace_back("time", duration(run.seconds));
    arguments.emplace_back("share", share_text(run.seconds, whole));
  } else {
    arguments.emplace_back("step", grouped(static_cast<std::uint64_t>(run.begin) + 1));
  }
  std::vector<std::string> parts{strings(!timed          ? "timeline.facts-order"
                                         : run.count > 1 ? "timeline.facts-many"
                                                         : "timeline.facts",
                                         arguments)};
  parts.push_back(bytes_text(run, timed, strings));
  if (span.line > 0) parts.push_back(strings("timeline.line", {{"line", grouped(span.line)}}));
  if (span.call && timeline.spans[*span.call].label != span.label)
    parts.push_back(
        strings("timeline.asked", {{"name", span_name(timeline, *span.call, strings)}}));
  if (!span.after.empty())
    parts.push_back(
        strings("timeline.waited", {{"names", names_of(timeline, span.after, strings)}}));
  return sentences(strings, parts);
}

std::vector<TimelineRun> longest_runs(const TimelineExhibit& timeline, std::size_t most,
                                      std::uint64_t& left_out) {
  std::vector<TimelineRun> runs = runs_of(timeline).runs;
  if (timeline.times) {
    runs = joined_alike(timeline, runs);
    // As floats, so that sums which differ by their rounding alone keep their order.
    std::ranges::stable_sort(runs, std::ranges::greater{}, [](const TimelineRun& run) {
      return static_cast<float>(run.seconds);
    });
  }
  left_out = 0;
  for (std::size_t i = most; i < runs.size(); ++i) left_out += runs[i].count;
  if (runs.size() > most) runs.resize(most);
  return runs;
}

std::vector<std::string> run_head(const TimelineExhibit& timeline, const Strings& strings) {
  std::vector<std::string> head{strings(row_head(timeline)), strings("timeline.head.what"),
                                strings("timeline.head.name")};
  if (timeline.times) {
    for (const char* key : {"timeline.head.begin", "timeline.head.time", "timeline.head.share"})
      head.push_back(strings(key));
  } else {
    head.insert(head.begin(), strings("timeline.head.step"));
  }
  head.push_back(strings("timeline.head.size"));
  head.push_back(strings("timeline.head.line"));
  return head;
}

std::vector<std::string> table_row_of(const TimelineExhibit& timeline, const TimelineRun& run,
                                      double whole, const Strings& strings) {
  const Span& span = timeline.spans[run.first];
  std::vector<std::string> row{strings(timeline.rows[run.row].name),
                               activity_name(span.activity, strings), run_name(timeline, run)};
  if (timeline.times) {
    row.push_back(duration(run.begin));
    row.push_back(duration(run.seconds));
    row.push_back(share_text(run.seconds, whole) + " %");
  } else {
    row.insert(row.begin(), grouped(static_cast<std::uint64_t>(run.begin) + 1));
  }
  row.push_back(run.bytes == 0 ? "–" : byte_count(run.bytes));
  row.push_back(span.line == 0 ? "–" : std::to_string(span.line));
  return row;
}

}  // namespace warpbook::lab
