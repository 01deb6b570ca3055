#include <algorithm>
#include <cmath>

#include "lab/markup/phrases.hpp"
#include "lab/markup/sentence_parts.hpp"

namespace warpbook::lab {
namespace {

/// "41.2 µs", or the band where that is all that is known.
std::string time_of(const TimingsExhibit::Row& row, const Strings& strings) {
  if (row.evidence.kind != device::EvidenceKind::estimated) return duration(row.seconds);
  return strings("timings.band", {{"low", duration(row.low)}, {"high", duration(row.high)}});
}

std::string sentence_of(const TimingGroup& group, const Strings& strings) {
  const std::string from = badge(strings, group.front()->evidence);
  const auto by_time = [](const auto* a, const auto* b) { return a->seconds < b->seconds; };
  const TimingsExhibit::Row& fastest = **std::min_element(group.begin(), group.end(), by_time);
  const TimingsExhibit::Row& slowest = **std::max_element(group.begin(), group.end(), by_time);
  if (group.size() == 1) {
    const bool estimated = fastest.evidence.kind == device::EvidenceKind::estimated;
    return strings(
        estimated ? "timings.estimated" : "timings.single",
        {{"label", strings(fastest.label)}, {"time", time_of(fastest, strings)}, {"from", from}});
  }
  // Bands that overlap do not tell which is faster, and a ratio of no time says nothing.
  const bool apart =
      slowest.low > fastest.high && fastest.seconds > 0 && std::isfinite(slowest.seconds);
  if (!apart) {
    double low = fastest.seconds, high = slowest.seconds;
    for (const TimingsExhibit::Row* row : group) {
      if (row->evidence.kind != device::EvidenceKind::estimated) continue;
      low = std::min(low, row->low);
      high = std::max(high, row->high);
    }
    return strings("timings.alike", {{"count", grouped(group.size())},
                                     {"time", duration(low)},
                                     {"slowest", duration(high)},
                                     {"from", from}});
  }
  return strings("timings.fastest", {{"count", grouped(group.size())},
                                     {"label", strings(fastest.label)},
                                     {"time", time_of(fastest, strings)},
                                     {"slowest", strings(slowest.label)},
                                     {"ratio", number(slowest.seconds / fastest.seconds, 3)},
                                     {"from", from}});
}

}  // namespace

std::vector<TimingGroup> groups_of(const TimingsExhibit& timings) {
  std::vector<TimingGroup> groups;
  for (const TimingsExhibit::Row& row : timings.rows) {
    const auto same = std::find_if(groups.begin(), groups.end(), [&](const TimingGroup& group) {
      return group.front()->evidence == row.evidence;
    });
    (same == groups.end() ? groups.emplace_back() : *same).push_back(&row);
  }
  return groups;
}

std::string sentence_of(const TimingsExhibit& timings, const Strings& strings) {
  if (timings.rows.empty()) return strings("timings.nothing");
  std::vector<std::string> parts;
  if (!timings.what.empty())
    parts.push_back(strings("timings.what", {{"what", strings(timings.what)}}));
  for (const TimingGroup& group : groups_of(timings)) parts.push_back(sentence_of(group, strings));
  return sentences(strings, parts);
}

}  // namespace warpbook::lab
