#include "lab/exhibits/algorithms/algorithms.hpp"

#include <algorithm>
#include <cmath>

#include "lab/exhibits/algorithms/algorithms_summary.hpp"
#include "lab/markup/phrases.hpp"

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

Table table_of(const AlgorithmsExhibit& algorithms, const Strings& strings) {
  Table table{{strings("table.library"), strings("table.what"), strings("table.settings"),
               strings("table.notes"), strings("table.workspace"), strings("table.seconds"),
               strings("table.low"), strings("table.high"), strings("table.samples"),
               strings("table.off"), strings("table.evidence"), strings("table.on")},
              {}};
  for (const AlgorithmsExhibit::Group& group : algorithms.groups) {
    for (const AlgorithmsExhibit::Row& row : group.rows) {
      std::string notes = row.origin;
      for (const std::string& note : row.notes) notes += (notes.empty() ? "" : " ") + note;
      table.rows.push_back(
          {strings(group.name), row.name, row.settings, std::move(notes),
           std::to_string(row.workspace), row.time ? exact_text(row.time->seconds) : "",
           row.time ? exact_text(row.time->low) : "", row.time ? exact_text(row.time->high) : "",
           row.time ? std::to_string(row.time->samples) : "", row.off ? exact_text(*row.off) : "",
           group.evidence ? std::string(device::name_of(group.evidence->kind)) : "",
           group.evidence ? strings(group.evidence->on) : ""});
    }
  }
  return table;
}

void compare(const AlgorithmsExhibit& a, const AlgorithmsExhibit& b, Comparer& comparer) {
  using Group = AlgorithmsExhibit::Group;
  using Row = AlgorithmsExhibit::Row;
  const auto evidence_of = [](const Group& group) {
    return group.evidence ? std::optional(group.evidence->kind) : std::nullopt;
  };
  const auto time_of_row = [](const Row& row, const Group& group) {
    return Comparer::Time{row.time->seconds, row.time->low, row.time->high, group.evidence->on};
  };
  for (const Group& group : b.groups) {
    const auto others = std::ranges::find(a.groups, group.name, &Group::name);
    if (others == a.groups.end()) continue;
    for (const Row& row : group.rows) {
      const auto other = std::ranges::find_if(others->rows, [&](const Row& one) {
        return one.name == row.name && one.settings == row.settings;
      });
      if (other == others->rows.end()) continue;
      comparer.figure("workspace", figure_of(other->workspace), figure_of(row.workspace),
                      Message::plain(row.name), evidence_of(group));
      if (other->time && row.time && evidence_of(group) &&
          evidence_of(*others) == evidence_of(group))
        comparer.time(Message::plain(row.name), *evidence_of(group), time_of_row(*other, *others),
                      time_of_row(row, group));
    }
  }
}

}  // namespace warpbook::lab
