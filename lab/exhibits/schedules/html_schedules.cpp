#include <algorithm>
#include <string>

#include "lab/exhibits/schedules/schedules_picture.hpp"
#include "lab/markup/html_parts.hpp"
#include "lab/markup/phrases.hpp"
#include "lab/markup/svg_pen.hpp"

namespace warpbook::lab {
namespace {

constexpr double kWidth = 768;
constexpr std::uint32_t kTableRows = 16;

std::string table(const SchedulesExhibit& schedules, const Strings& strings) {
  const auto outcomes = static_cast<std::uint32_t>(schedules.outcomes.size());
  const std::uint32_t shown = std::min(outcomes, kTableRows);
  std::string rows;
  for (std::uint32_t outcome = 0; outcome < shown; ++outcome) {
    std::string cells;
    for (const std::string& cell : outcome_row(schedules, outcome, strings))
      cells += tagged("td", "", escaped(cell));
    rows += tagged("tr", "", cells);
  }
  std::string html =
      tagged("table", "wb-table", table_head(outcome_head(strings)) + tagged("tbody", "", rows));
  if (shown < outcomes)
    html += tagged("p", "wb-more", escaped(counted(strings, "schedules.more", outcomes - shown)));
  return html;
}

}  // namespace

std::string html_body(const SchedulesExhibit& schedules, const Strings& strings,
                      const std::string& caption) {
  if (schedules.runs.empty()) return {};
  const Canvas canvas = svg_canvas(kWidth, strings);
  const SchedulesPlane plane(schedules, canvas);
  std::string html = svg_of(drawing_of(schedules, plane, schedules.chosen, canvas), caption);
  if (wrong_outcomes(schedules) > 0) html += table(schedules, strings);
  if (schedules.collision)
    html += tagged("p", "wb-quiet", escaped(strings(schedules.collision->finding)));
  return html;
}

}  // namespace warpbook::lab
