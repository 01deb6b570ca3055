#include <algorithm>

#include "lab/exhibits/learning/learning_summary.hpp"
#include "lab/markup/phrases.hpp"
#include "lab/markup/text_parts.hpp"

namespace warpbook::lab {
namespace {

constexpr std::size_t kTableRows = 11, kMostLaunches = 12;

/// A row for each step at which the first run has a point, and a column for each run.
void losses(const LearningExhibit& learning, const Strings& strings, Page& page) {
  const bool several = learning.runs.size() > 1, right = !several && any_accuracy(learning);
  std::vector<std::vector<std::string>> rows{{strings("learning.head.step")}};
  for (const auto& run : learning.runs)
    rows.front().push_back(several ? strings(run.name) : strings("learning.head.loss"));
  if (right) rows.front().push_back(strings("learning.head.right"));
  for (const std::size_t chosen : points_for_table(learning.runs.front(), kTableRows)) {
    const auto& first = learning.runs.front().points[chosen];
    rows.push_back({grouped(first.step)});
    for (const auto& run : learning.runs) {
      const auto same = std::ranges::find(run.points, first.step, &LearningExhibit::Point::step);
      rows.back().push_back(same == run.points.end() ? "" : loss_text(same->loss));
    }
    if (right) rows.back().push_back(first.accuracy ? percent_text(*first.accuracy) : "");
  }
  text_rows(rows, page);
}

/// The launches of the first step, the longest if there are many.
void launches(const LearningExhibit::Point& point, const Strings& strings, Page& page) {
  std::vector<std::size_t> shown(point.launches.size());
  for (std::size_t i = 0; i < shown.size(); ++i) shown[i] = i;
  if (shown.size() > kMostLaunches) {
    std::ranges::stable_sort(shown, std::greater(),
                             [&](std::size_t i) { return point.launches[i].seconds; });
    shown.resize(kMostLaunches);
    std::ranges::sort(shown);
  }
  std::vector<std::vector<std::string>> rows{launch_heads(strings)};
  for (const std::size_t i : shown) rows.push_back(launch_cells(point, i, strings));
  page.line();
  text_rows(rows, page, 3);
  if (shown.size() < point.launches.size())
    page.paragraph(counted(strings, "learning.shorter", point.launches.size() - shown.size()), 2,
                   Ink::quiet);
}

}  // namespace

void text_body(const LearningExhibit& learning, const Strings& strings, Page& page) {
  if (learning.runs.empty() || learning.runs.front().points.empty()) return;
  losses(learning, strings, page);
  const auto& first = learning.runs.front().points.front();
  if (!first.launches.empty()) launches(first, strings, page);
}

}  // namespace warpbook::lab
