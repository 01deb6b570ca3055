#include "lab/exhibits/schedules/schedules.hpp"

#include <algorithm>

#include "lab/exhibits/schedules/schedules_summary.hpp"
#include "lab/markup/phrases.hpp"
#include "lab/model/choice.hpp"

namespace warpbook::lab {
namespace {

/// How many of the runs were right, and how many wrong results there were.
std::string counts_of(const SchedulesExhibit& schedules, const Strings& strings) {
  const std::string of = schedules.seeded ? "schedules." : "schedules.unseeded.";
  const std::uint64_t right = right_runs(schedules), all = schedules.runs.size(),
                      wrong = wrong_outcomes(schedules);
  if (right == all) return strings(of + "all-right", {{"runs", grouped(all)}});
  return sentences(
      strings,
      std::vector{strings(of + "some-right", {{"right", grouped(right)}, {"runs", grouped(all)}}),
                  counted(strings, "schedules.results", wrong)});
}

std::string collision_of(const SchedulesExhibit& schedules, const Strings& strings) {
  // Where the hardware had its own schedules, no checker looked.
  if (!schedules.collision) return schedules.seeded ? strings("schedules.no-race") : "";
  const auto& first = schedules.collision->first;
  const auto& second = schedules.collision->second;
  return strings("schedules.race", {{"first", std::to_string(first.line)},
                                    {"first_kind", kind_text(first.kind, strings)},
                                    {"second", std::to_string(second.line)},
                                    {"second_kind", kind_text(second.kind, strings)}});
}

}  // namespace

std::string sentence_of(const SchedulesExhibit& schedules, const Strings& strings) {
  if (schedules.runs.empty()) return strings("schedules.nothing");
  std::vector<std::string> parts{counts_of(schedules, strings)};
  if (right_runs(schedules) != schedules.runs.size())
    parts.push_back(run_text(schedules, schedules.chosen, strings));
  parts.push_back(collision_of(schedules, strings));
  return sentences(strings, parts);
}

Table table_of(const SchedulesExhibit& schedules, const Strings& strings) {
  Table table{outcome_head(strings), {}};
  for (std::uint32_t outcome = 0; outcome < schedules.outcomes.size(); ++outcome)
    table.rows.push_back(outcome_row(schedules, outcome, strings));
  return table;
}

void compare(const SchedulesExhibit& a, const SchedulesExhibit& b, Comparer& comparer) {
  comparer.figure("right_schedules", figure_of(right_runs(a)), figure_of(right_runs(b)));
  comparer.figure("wrong_results", figure_of(wrong_outcomes(a)), figure_of(wrong_outcomes(b)));
  comparer.figure("racing_places", figure_of(a.races), figure_of(b.races));
}

bool valid(const SchedulesExhibit& v) {
  const auto known = [&](std::uint32_t run) { return run < v.outcomes.size(); };
  return is_choice(v.chosen, v.runs.size()) && std::ranges::all_of(v.runs, known) &&
         std::ranges::all_of(v.outcomes, [&](const SchedulesExhibit::Outcome& outcome) {
           return outcome.wrong == outcome.places.size() &&
                  (outcome.wrong == 0) == outcome.differences.empty() &&
                  std::ranges::all_of(outcome.places,
                                      [&](std::uint64_t place) { return place < v.elements; });
         });
}

std::string_view style_of(std::type_identity<SchedulesExhibit> /*kind*/) {
  return R"css(.wb-schedules .wb-table td:nth-child(3), .wb-schedules .wb-table td:nth-child(5) { text-align: left; }
)css";
}

}  // namespace warpbook::lab
