#include "lab/exhibits/timeline/timeline.hpp"

#include <algorithm>
#include <cmath>
#include <set>

#include "lab/exhibits/timeline/timeline_summary.hpp"
#include "lab/markup/json.hpp"
#include "lab/markup/phrases.hpp"

namespace warpbook::lab {
namespace {

using Activity = TimelineExhibit::Activity;
using Span = TimelineExhibit::Span;

constexpr double kSpokenIdle = 0.05;  ///< of the whole; a device that is idle for less is busy

std::string takes(const TimelineExhibit& timeline, const TimelineShares& shares,
                  const Strings& strings) {
  const std::string from = badge(strings, *timeline.times), time = duration(shares.total);
  if (!(timeline.low < timeline.high))
    return strings("timeline.takes", {{"time", time}, {"from", from}});
  return strings("timeline.takes-about", {{"time", time},
                                          {"low", duration(timeline.low)},
                                          {"high", duration(timeline.high)},
                                          {"from", from}});
}

std::string work(const TimelineShares& shares, const Strings& strings) {
  const MessageArguments arguments{{"copies", share_text(shares.copies, shares.total)},
                                   {"kernels", share_text(shares.kernels, shares.total)}};
  if (shares.copies > 0 && shares.kernels > 0) return strings("timeline.shares", arguments);
  if (shares.copies > 0) return strings("timeline.copies-alone", arguments);
  if (shares.kernels > 0) return strings("timeline.kernels-alone", arguments);
  return strings("timeline.no-work");
}

/// Streams that something of the device is on.
std::size_t busy_streams(const TimelineExhibit& timeline) {
  std::set<std::uint32_t> streams;
  for (const Span& span : timeline.spans) {
    if (is_on_device(span.activity)) streams.insert(span.row);
  }
  return streams.size();
}

std::string overlap(const TimelineExhibit& timeline, const TimelineShares& shares,
                    const Strings& strings) {
  const bool both_kinds = shares.copies > 0 && shares.kernels > 0;
  std::vector<std::string> parts;
  if (const auto pair = longest_overlap(timeline)) {
    parts.push_back(
        strings("timeline.overlap", {{"share", share_text(shares.overlapped, shares.total)},
                                     {"a", span_name(timeline, pair->first, strings)},
                                     {"b", span_name(timeline, pair->second, strings)}}));
    if (both_kinds && shares.both == 0) parts.push_back(strings("timeline.never-both"));
  } else if (const std::size_t streams = busy_streams(timeline); streams > 1) {
    parts.push_back(counted(
        strings, has_streams(timeline) ? "timeline.never" : "timeline.never-parts", streams));
  } else if (both_kinds) {
    parts.push_back(strings("timeline.never-both"));
  }
  return sentences(strings, parts);
}

std::string waits(const TimelineExhibit& timeline, const TimelineShares& shares,
                  const Strings& strings) {
  if (!(shares.waiting > 0)) return {};
  const Span* longest = nullptr;
  for (const Span& span : timeline.spans) {
    if (span.activity == Activity::waiting && (!longest || seconds_of(span) > seconds_of(*longest)))
      longest = &span;
  }
  return strings("timeline.waits",
                 {{"share", share_text(shares.waiting, shares.total)}, {"name", longest->label}});
}

std::string timed_sentence(const TimelineExhibit& timeline, const Strings& strings) {
  const TimelineShares shares = shares_of(timeline);
  std::vector<std::string> parts{takes(timeline, shares, strings)};
  if (shares.total > 0) {
    parts.push_back(work(shares, strings));
    parts.push_back(overlap(timeline, shares, strings));
    const bool works = shares.copies > 0 || shares.kernels > 0;
    if (works && shares.idle >= kSpokenIdle * shares.total)
      parts.push_back(strings("timeline.idle", {{"share", share_text(shares.idle, shares.total)}}));
    parts.push_back(waits(timeline, shares, strings));
  }
  return sentences(strings, parts);
}

std::string ordered_sentence(const TimelineExhibit& timeline, const Strings& strings) {
  std::vector<std::string> parts{strings("timeline.order-only")};
  const auto on_device = std::ranges::count_if(
      timeline.spans, [](const Span& span) { return is_on_device(span.activity); });
  const TimelineFreedom freedom = freedom_of(timeline);
  if (freedom.pair)
    parts.push_back(strings("timeline.may-overlap",
                            {{"a", span_name(timeline, freedom.pair->first, strings)},
                             {"b", span_name(timeline, freedom.pair->second, strings)}}));
  else if (on_device > 1 && freedom.known)
    parts.push_back(strings("timeline.must-follow"));
  return sentences(strings, parts);
}

std::uint64_t count_of(const TimelineExhibit& timeline, bool (*counts)(Activity)) {
  return static_cast<std::uint64_t>(std::ranges::count_if(
      timeline.spans, [&](const Span& span) { return counts(span.activity); }));
}

std::uint64_t copied_bytes(const TimelineExhibit& timeline) {
  std::uint64_t bytes = 0;
  for (const Span& span : timeline.spans) {
    if (is_copy(span.activity)) bytes += span.bytes;
  }
  return bytes;
}

bool is_kernel(Activity activity) { return activity == Activity::kernel; }

/// "0, 4": numbers of spans as a table has them.
std::string numbers_text(const std::vector<std::uint32_t>& numbers) {
  std::string text;
  for (const std::uint32_t number : numbers)
    text += (text.empty() ? "" : ", ") + std::to_string(number);
  return text;
}

}  // namespace

TimelineExhibit::Row host_row() { return {{"timeline.row.host", {}, {}}, true}; }

TimelineExhibit::Row stream_row(std::uint32_t stream) {
  if (stream == 0) return {{"timeline.row.default-stream", {}, {}}, false};
  return {{"timeline.row.stream", {{"stream", stream}}, {}}, false};
}

std::string sentence_of(const TimelineExhibit& timeline, const Strings& strings) {
  if (timeline.spans.empty()) return strings("timeline.nothing");
  return timeline.times ? timed_sentence(timeline, strings) : ordered_sentence(timeline, strings);
}

Table table_of(const TimelineExhibit& timeline, const Strings& strings) {
  Table table;
  for (const char* key :
       {"timeline.head.number", row_head(timeline), "timeline.head.what", "timeline.head.name",
        "timeline.head.begin", "timeline.head.end", "table.bytes", "timeline.head.line",
        "timeline.head.call", "timeline.head.after"})
    table.head.push_back(strings(key));
  for (std::size_t i = 0; i < timeline.spans.size(); ++i) {
    const Span& span = timeline.spans[i];
    const bool timed = timeline.times.has_value();
    table.rows.push_back({std::to_string(i), strings(timeline.rows[span.row].name),
                          activity_name(span.activity, strings), span.label,
                          timed ? exact_text(span.begin) : "–", timed ? exact_text(span.end) : "–",
                          std::to_string(span.bytes),
                          span.line == 0 ? "–" : std::to_string(span.line),
                          span.call ? std::to_string(*span.call) : "–", numbers_text(span.after)});
  }
  return table;
}

void compare(const TimelineExhibit& a, const TimelineExhibit& b, Comparer& comparer) {
  const auto time_of = [](const TimelineExhibit& one) {
    return Comparer::Time{whole_of(one), one.low, one.high, one.times->on};
  };
  if (a.times && b.times && a.times->kind == b.times->kind)
    comparer.time({}, a.times->kind, time_of(a), time_of(b));
  // However the times came about, the calls themselves are counted.
  const auto both = [&](const char* figure, const auto& of) {
    comparer.figure(figure, figure_of(of(a)), figure_of(of(b)), {}, device::EvidenceKind::counted);
  };
  both("kernels", [](const TimelineExhibit& one) { return count_of(one, is_kernel); });
  both("copies", [](const TimelineExhibit& one) { return count_of(one, is_copy); });
  both("copied_bytes", copied_bytes);
}

void extras(JsonExtras& json, const TimelineExhibit& timeline) {
  const TimelineShares shares = shares_of(timeline);
  const auto timed = [&](double seconds) {
    return timeline.times ? std::optional(seconds) : std::nullopt;
  };
  json("copy_seconds", [&] { return timed(shares.copies); });
  json("kernel_seconds", [&] { return timed(shares.kernels); });
  json("copy_and_kernel_seconds", [&] { return timed(shares.both); });
  json("overlapped_seconds", [&] { return timed(shares.overlapped); });
  json("idle_seconds", [&] { return timed(shares.idle); });
  json("waiting_seconds", [&] { return timed(shares.waiting); });
}

bool valid(const TimelineExhibit& v) {
  for (std::size_t i = 0; i < v.spans.size(); ++i) {
    const Span& span = v.spans[i];
    const auto earlier = [&](std::uint32_t other) { return other < i; };
    if (span.row >= v.rows.size() || !(span.begin >= 0) || !(span.begin <= span.end) ||
        !std::isfinite(span.end) || (span.call && !earlier(*span.call)) ||
        !std::ranges::all_of(span.after, earlier))
      return false;
  }
  return true;
}

std::string_view style_of(std::type_identity<TimelineExhibit> /*kind*/) {
  return R"css(.wb-timeline .wb-table td.wb-words { text-align: left; }
)css";
}

}  // namespace warpbook::lab
