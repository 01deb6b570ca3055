#include "lab/exhibits/algorithms/algorithms_summary.hpp"

#include <algorithm>
#include <cmath>

#include "device/measure.hpp"
#include "lab/markup/phrases.hpp"

namespace warpbook::lab {
namespace {

using Group = AlgorithmsExhibit::Group;
using AlgorithmsRow = AlgorithmsExhibit::Row;

bool estimated(const Group& group) {
  return group.evidence && group.evidence->kind == device::EvidenceKind::estimated;
}

/// Algorithms whose samples differ too much for their median to be trusted.
std::vector<std::string> unsteady_names(const Group& group) {
  std::vector<std::string> names;
  if (estimated(group)) return names;
  for (const AlgorithmsRow& row : group.rows) {
    if (row.time && device::is_unsteady(row.time->low, row.time->high)) names.push_back(row.name);
  }
  return names;
}

}  // namespace

double longest_time(const Group& group) {
  double longest = 0;
  for (const AlgorithmsRow& row : group.rows) {
    if (!row.time) continue;
    for (const double seconds : {row.time->seconds, row.time->high}) {
      if (std::isfinite(seconds)) longest = std::max(longest, seconds);
    }
  }
  return longest;
}

std::uint64_t largest_workspace(const Group& group) {
  std::uint64_t largest = 0;
  for (const AlgorithmsRow& row : group.rows) largest = std::max(largest, row.workspace);
  return largest;
}

bool tells_times(const Group& group) {
  return std::ranges::any_of(group.rows, [](const AlgorithmsRow& row) {
    return row.time.has_value() || row.stopped.has_value();
  });
}

bool tells_errors(const Group& group) {
  return std::ranges::any_of(group.rows,
                             [](const AlgorithmsRow& row) { return row.off.has_value(); });
}

std::string time_text(const AlgorithmsRow& row, const Group& group, const Strings& strings) {
  if (row.time && estimated(group)) {
    return strings("timings.band",
                   {{"low", duration(row.time->low)}, {"high", duration(row.time->high)}});
  }
  if (row.time) return duration(row.time->seconds);
  if (row.stopped) return strings("algorithms.stopped", {{"time", duration(*row.stopped)}});
  return {};
}

std::string spread_text(const AlgorithmsRow& row, const Group& group, const Strings& strings) {
  if (!row.time || estimated(group) || !(row.time->high > row.time->low)) return {};
  return strings("timings.spread",
                 {{"low", duration(row.time->low)}, {"high", duration(row.time->high)}});
}

std::string off_text(const AlgorithmsRow& row, const Strings& strings) {
  return row.off ? strings("algorithms.off", {{"error", number(*row.off, 2)}}) : std::string();
}

std::string words_of(const AlgorithmsRow& row) {
  std::string words = row.origin;
  const auto add = [&](const std::string& text, std::string_view between) {
    if (text.empty()) return;
    if (!words.empty()) words += between;
    words += text;
  };
  for (const std::string& note : row.notes) add(note, "  ");
  add(row.settings, "  ");
  return words;
}

std::vector<std::string> remarks_of(const Group& group, const Strings& strings) {
  std::vector<std::string> remarks;
  const auto add = [&](std::string text) {
    if (!text.empty()) remarks.push_back(std::move(text));
  };
  if (!group.description.empty())
    add(strings("algorithms.described", {{"how", group.description}}));
  if (group.left_out != 0) add(counted(strings, "algorithms.left-out", group.left_out));
  if (group.over_cap != 0) {
    add(strings("algorithms.over-cap",
                {{"count", grouped(group.over_cap)}, {"bytes", byte_count(group.cap)}}));
  }
  if (group.refused != 0) add(counted(strings, "algorithms.refused", group.refused));
  if (tells_times(group) && std::ranges::any_of(group.rows, [](const AlgorithmsRow& row) {
        return !row.time && !row.stopped;
      })) {
    add(strings("algorithms.some-untimed"));
  }
  if (const auto unsteady = unsteady_names(group); !unsteady.empty())
    add(strings("algorithms.unsteady", {{"names", joined(strings, unsteady)}}));
  add(strings(group.untimed));
  if (group.error) add(strings(*group.error));
  return remarks;
}

}  // namespace warpbook::lab
