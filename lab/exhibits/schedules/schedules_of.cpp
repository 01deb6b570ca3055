#include "lab/exhibits/schedules/schedules_of.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include "lab/exhibits/source/source_marks.hpp"
#include "lab/markup/phrases.hpp"

namespace warpbook::lab {
namespace {

using Outcome = SchedulesExhibit::Outcome;
using Side = SchedulesExhibit::Side;

Outcome outcome_of(const TensorExhibit& truth, const std::optional<TensorExhibit>& output) {
  Outcome made;
  made.ended = output.has_value();
  if (!output) return made;
  for (std::uint64_t i = 0; i < held(truth); ++i) {
    std::string expected = element_figure(truth, i), got = element_figure(*output, i);
    if (expected == got) continue;
    made.places.push_back(i);
    if (made.differences.size() < SchedulesExhibit::kMostDifferences)
      made.differences.push_back({i, std::move(expected), std::move(got)});
  }
  made.wrong = made.places.size();
  return made;
}

/// The same outcome, even where only their later differences are not.
bool alike(const std::optional<TensorExhibit>& a, const std::optional<TensorExhibit>& b) {
  return a.has_value() == b.has_value() && (!a || a->data == b->data);
}

bool is_race(device::ErrorCode code) {
  using enum device::ErrorCode;
  return code == race_in_warp || code == race_in_block || code == race_in_line ||
         code == race_between_blocks || code == race_one_instruction || code == race_with_copy ||
         code == race_in_cluster;
}

Side side_of(const device::Party& party) {
  return {party.place.line, party.kind, party.block, party.thread};
}

/// Both lines with a line before and after, as far as they are in the source.
void take_code(SchedulesExhibit::Collision& collision, std::string_view source) {
  const auto lines = lines_of(source);
  const std::size_t from = std::max<std::uint32_t>(collision.first.line, 2) - 1,
                    to = std::min<std::size_t>(collision.second.line + 1, lines.size());
  collision.first_line = static_cast<std::uint32_t>(from);
  for (std::size_t line = from; line <= to; ++line) collision.code.emplace_back(lines[line - 1]);
}

}  // namespace

SchedulesExhibit schedules_of(const TensorExhibit& truth,
                              const std::vector<std::optional<TensorExhibit>>& outputs) {
  SchedulesExhibit made;
  made.array = truth.name;
  made.elements = held(truth);
  std::vector<std::size_t> first_of;  // of each outcome, the first run that came to it
  for (std::size_t run = 0; run < outputs.size(); ++run) {
    const auto known = std::ranges::find_if(
        first_of, [&](std::size_t first) { return alike(outputs[first], outputs[run]); });
    made.runs.push_back(static_cast<std::uint32_t>(known - first_of.begin()));
    if (known != first_of.end()) continue;
    first_of.push_back(run);
    made.outcomes.push_back(outcome_of(truth, outputs[run]));
  }
  return made;
}

void add_races(SchedulesExhibit& schedules, const device::LaunchRecord& record,
               std::string_view file, std::string_view source) {
  const auto raced = [&](const device::Finding& each) {
    return is_race(each.error.code) && each.other && each.by.place.file == file &&
           each.other->place.file == file;
  };
  const auto found = std::ranges::find_if(record.findings, raced);
  if (found == record.findings.end()) return;
  // Of races the list has one for each pair of instructions, while the total counts the places. Other findings it has one by one.
  schedules.races =
      record.findings_total -
      static_cast<std::uint64_t>(std::ranges::count_if(
          record.findings, [](const auto& each) { return !is_race(each.error.code); }));
  SchedulesExhibit::Collision made;
  made.first = side_of(found->by);
  made.second = side_of(*found->other);
  if (made.second.line < made.first.line) std::swap(made.first, made.second);
  made.finding = message_of(found->error);
  made.barrier =
      made.first.line < made.second.line && (found->error.code == device::ErrorCode::race_in_warp ||
                                             found->error.code == device::ErrorCode::race_in_block);
  take_code(made, source);
  schedules.collision = std::move(made);
}

}  // namespace warpbook::lab
