#include <algorithm>
#include <string>
#include <vector>

#include "lab/exhibits/schedules/schedules_summary.hpp"
#include "lab/markup/phrases.hpp"
#include "lab/markup/text_parts.hpp"

namespace warpbook::lab {
namespace {

constexpr std::size_t kSignsInLine = 32, kTableRows = 12;

/// A sign for each schedule, with the number of the first one in front of each line.
void print_strip(const SchedulesExhibit& schedules, Page& page) {
  for (std::size_t first = 0; first < schedules.runs.size(); first += kSignsInLine) {
    std::string line = padded_left(std::to_string(first), 4) + "  ";
    const std::size_t end = std::min(schedules.runs.size(), first + kSignsInLine);
    for (std::size_t run = first; run < end; ++run) {
      const std::uint32_t outcome = schedules.runs[run];
      const bool right = is_right(schedules.outcomes[outcome]);
      line += page.ink(right ? Ink::good : Ink::bad, outcome_sign(schedules, outcome));
    }
    page.line(line);
  }
}

void print_outcomes(const SchedulesExhibit& schedules, const Strings& strings, Page& page) {
  const std::size_t shown = std::min(schedules.outcomes.size(), kTableRows);
  std::vector<std::vector<std::string>> rows{outcome_head(strings)};
  for (std::uint32_t outcome = 0; outcome < shown; ++outcome)
    rows.push_back(outcome_row(schedules, outcome, strings));
  // Which schedules they were, the strip says.
  constexpr std::ptrdiff_t kRuns = 2;
  for (auto& row : rows) row.erase(row.begin() + kRuns);
  text_rows(rows, page, rows.front().size() - 1);
  if (shown < schedules.outcomes.size())
    page.paragraph(counted(strings, "schedules.more", schedules.outcomes.size() - shown), 2,
                   Ink::quiet);
}

void print_collision(const SchedulesExhibit::Collision& collision, const Strings& strings,
                     Page& page) {
  for (std::size_t i = 0; i < collision.code.size(); ++i) {
    const auto line = static_cast<std::uint32_t>(collision.first_line + i);
    std::string marks;
    for (const auto* side : {&collision.first, &collision.second}) {
      if (side->line != line) continue;
      marks += (marks.empty() ? "  <- " : ", ") + side_text(collision, *side, strings);
    }
    const Ink ink = marks.empty() ? Ink::plain : Ink::bad;
    page.line(page.ink(Ink::quiet, padded_left(std::to_string(line), 4) + "  ") +
              page.ink(ink, collision.code[i]) + page.ink(Ink::bad, marks));
  }
  page.paragraph(strings(collision.finding), 2, Ink::bad);
}

}  // namespace

void text_body(const SchedulesExhibit& schedules, const Strings& strings, Page& page) {
  if (schedules.runs.empty()) return;
  print_strip(schedules, page);
  if (wrong_outcomes(schedules) > 0) print_outcomes(schedules, strings, page);
  if (schedules.collision) print_collision(*schedules.collision, strings, page);
}

}  // namespace warpbook::lab
