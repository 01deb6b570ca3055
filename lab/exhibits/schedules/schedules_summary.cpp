#include "lab/exhibits/schedules/schedules_summary.hpp"

#include <algorithm>
#include <cstddef>
#include <limits>
#include <string_view>

#include "lab/markup/phrases.hpp"

namespace warpbook::lab {
namespace {

constexpr std::string_view kLetters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";

/// "used[31] = 12 (should be 52)"
std::string difference_text(const SchedulesExhibit& schedules,
                            const SchedulesExhibit::Difference& difference,
                            const Strings& strings) {
  return strings("schedules.difference", {{"array", schedules.array},
                                          {"index", std::to_string(difference.index)},
                                          {"expected", difference.expected},
                                          {"got", difference.got}});
}

}  // namespace

const SchedulesExhibit::Outcome* outcome_of(const SchedulesExhibit& schedules, std::size_t run) {
  if (run >= schedules.runs.size()) return nullptr;
  const std::uint32_t number = schedules.runs[run];
  return number < schedules.outcomes.size() ? &schedules.outcomes[number] : nullptr;
}

bool is_right(const SchedulesExhibit::Outcome& outcome) {
  return outcome.ended && outcome.wrong == 0;
}

std::uint64_t right_runs(const SchedulesExhibit& schedules) {
  return static_cast<std::uint64_t>(std::ranges::count_if(
      schedules.runs, [&](std::uint32_t run) { return is_right(schedules.outcomes[run]); }));
}

std::uint64_t wrong_outcomes(const SchedulesExhibit& schedules) {
  return static_cast<std::uint64_t>(std::ranges::count_if(
      schedules.outcomes, [](const auto& outcome) { return !is_right(outcome); }));
}

std::string outcome_sign(const SchedulesExhibit& schedules, std::uint32_t outcome) {
  if (is_right(schedules.outcomes[outcome])) return "✓";
  const auto before = static_cast<std::size_t>(
      std::count_if(schedules.outcomes.begin(), schedules.outcomes.begin() + outcome,
                    [](const auto& each) { return !is_right(each); }));
  return before < kLetters.size() ? std::string(1, kLetters[before]) : "*";
}

std::string runs_text(const SchedulesExhibit& schedules, std::uint32_t outcome) {
  std::string text;
  for (std::size_t run = 0; run < schedules.runs.size(); ++run) {
    if (schedules.runs[run] == outcome) text += (text.empty() ? "" : ", ") + std::to_string(run);
  }
  return text;
}

std::string kind_text(device::AccessKind kind, const Strings& strings) {
  return strings("schedules.kind." + std::string(device::name_of(kind)));
}

std::string side_text(const SchedulesExhibit::Collision& collision,
                      const SchedulesExhibit::Side& side, const Strings& strings) {
  const bool one_block = collision.first.block == collision.second.block;
  return strings(one_block ? "schedules.side" : "schedules.side-block",
                 {{"kind", kind_text(side.kind, strings)},
                  {"block", std::to_string(side.block)},
                  {"thread", std::to_string(side.thread)}});
}

std::uint32_t line_below_barrier(const SchedulesExhibit::Collision& collision) {
  std::uint32_t below = collision.second.line;
  std::ptrdiff_t depth = 0, least = std::numeric_limits<std::ptrdiff_t>::max();
  const std::uint64_t end = std::min<std::uint64_t>(
      collision.second.line, std::uint64_t{collision.first_line} + collision.code.size());
  for (std::uint32_t line = std::max(collision.first.line, collision.first_line); line < end;
       ++line) {
    const std::string& code = collision.code[line - collision.first_line];
    depth += std::ranges::count(code, '{') - std::ranges::count(code, '}');
    if (depth > least) continue;
    least = depth;
    below = line + 1;
  }
  return below;
}

std::string run_text(const SchedulesExhibit& schedules, std::size_t run, const Strings& strings) {
  const auto* outcome = outcome_of(schedules, run);
  if (!outcome) return {};
  const std::string name = strings(schedules.seeded ? "schedules.schedule" : "schedules.run",
                                   {{"number", std::to_string(run)}});
  if (!outcome->ended) return strings("schedules.stopped", {{"name", name}});
  if (is_right(*outcome)) return strings("schedules.right-run", {{"name", name}});
  const std::string first = difference_text(schedules, outcome->differences.front(), strings);
  if (schedules.elements == 1)
    return strings("schedules.wrong-only", {{"name", name}, {"first", first}});
  return strings("schedules.wrong-run", {{"name", name},
                                         {"count", grouped(outcome->wrong)},
                                         {"elements", grouped(schedules.elements)},
                                         {"first", first}});
}

std::vector<std::string> outcome_head(const Strings& strings) {
  std::vector<std::string> head;
  for (const char* key : {"sign", "count", "runs", "wrong", "first"})
    head.push_back(strings(std::string("schedules.head.") + key));
  return head;
}

std::vector<std::string> outcome_row(const SchedulesExhibit& schedules, std::uint32_t outcome,
                                     const Strings& strings) {
  const auto& one = schedules.outcomes[outcome];
  const auto count = std::ranges::count(schedules.runs, outcome);
  std::vector<std::string> row{outcome_sign(schedules, outcome), std::to_string(count),
                               runs_text(schedules, outcome)};
  row.push_back(one.ended ? grouped(one.wrong) : "–");
  if (!one.ended)
    row.push_back(strings("schedules.no-end"));
  else
    row.push_back(one.differences.empty()
                      ? "–"
                      : difference_text(schedules, one.differences.front(), strings));
  return row;
}

}  // namespace warpbook::lab
