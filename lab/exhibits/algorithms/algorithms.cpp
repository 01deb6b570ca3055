#include <algorithm>
#include <cmath>

#include "lab/exhibits/algorithms/algorithms_summary.hpp"
#include "lab/markup/phrases.hpp"
#include "lab/markup/sentence_parts.hpp"

namespace warpbook::lab {
namespace {

using Group = AlgorithmsExhibit::Group;
using AlgorithmsRow = AlgorithmsExhibit::Row;

std::vector<const AlgorithmsRow*> timed_rows(const Group& group) {
  std::vector<const AlgorithmsRow*> timed;
  for (const AlgorithmsRow& row : group.rows) {
    if (row.time && std::isfinite(row.time->seconds)) timed.push_back(&row);
  }
  std::ranges::stable_sort(timed, {}, [](const AlgorithmsRow* row) { return row->time->seconds; });
  return timed;
}

/// The fastest, unless its spread reaches into another's: then nothing tells which it is.
std::string times_of(const Group& group, const std::vector<const AlgorithmsRow*>& timed,
                     const Strings& strings, const std::string& from) {
  const AlgorithmsRow& fastest = *timed.front();
  const bool apart = std::ranges::all_of(
      timed.begin() + 1, timed.end(),
      [&](const AlgorithmsRow* other) { return other->time->low > fastest.time->high; });
  return strings(timed.size() == 1 ? "algorithms.only"
                 : apart           ? "algorithms.fastest"
                                   : "algorithms.alike",
                 {{"name", strings(group.name)},
                  {"count", grouped(timed.size())},
                  {"fastest", fastest.name},
                  {"time", time_text(fastest, group, strings)},
                  {"from", from}});
}

std::string list_of(const Group& group, const Strings& strings, const std::string& from) {
  const auto workspace = [&](std::uint64_t bytes) {
    return bytes == 0 ? strings("algorithms.no-workspace") : byte_count(bytes);
  };
  const auto [least, most] = std::ranges::minmax(group.rows, {}, &AlgorithmsRow::workspace);
  return strings(
      least.workspace == most.workspace ? "algorithms.listed-alike" : "algorithms.listed",
      {{"name", strings(group.name)},
       {"count", grouped(group.rows.size())},
       {"first", group.rows.front().name},
       {"least", workspace(least.workspace)},
       {"most", workspace(most.workspace)},
       {"from", from}});
}

std::string sentence_of(const Group& group, const Strings& strings) {
  if (group.rows.empty()) {
    return group.error ? strings("algorithms.absent", {{"name", strings(group.name)}})
                       : strings("algorithms.none", {{"name", strings(group.name)}});
  }
  const std::string from =
      group.evidence ? strings("algorithms.from", {{"badge", badge(strings, *group.evidence)}})
                     : std::string();
  const std::vector<const AlgorithmsRow*> timed = timed_rows(group);
  return timed.empty() ? list_of(group, strings, from) : times_of(group, timed, strings, from);
}

}  // namespace

std::string sentence_of(const AlgorithmsExhibit& algorithms, const Strings& strings) {
  if (algorithms.groups.empty()) return strings("algorithms.nothing");
  std::vector<std::string> parts;
  for (const Group& group : algorithms.groups) parts.push_back(sentence_of(group, strings));
  return sentences(strings, parts);
}

}  // namespace warpbook::lab
