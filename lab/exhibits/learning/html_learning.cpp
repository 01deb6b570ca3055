#include <string>

#include "lab/exhibits/learning/learning_picture.hpp"
#include "lab/markup/html_parts.hpp"
#include "lab/markup/svg_pen.hpp"

namespace warpbook::lab {
namespace {

constexpr double kWidth = 768;

std::string launches_table(const LearningExhibit::Point& point, const Strings& strings) {
  std::string rows;
  for (std::size_t i = 0; i < point.launches.size(); ++i) {
    std::string cells;
    for (const std::string& cell : launch_cells(point, i, strings))
      cells += tagged("td", "", escaped(cell));
    rows += tagged("tr", "", cells);
  }
  return tagged("table", "wb-table", table_head(launch_heads(strings)) + tagged("tbody", "", rows));
}

}  // namespace

std::string html_body(const LearningExhibit& learning, const LearningExhibit* beside,
                      const Strings& strings, const std::string& caption) {
  if (!any_point(learning)) return {};
  const Canvas canvas = svg_canvas(kWidth, strings);
  const LearningPlane plane(learning, beside, canvas);
  const auto shown = point_of_step(learning, std::uint64_t{0});
  std::string html = svg_of(drawing_of(learning, plane, shown, std::nullopt, canvas), caption);
  if (shown && !learning.runs.front().points[*shown].launches.empty())
    html += launches_table(learning.runs.front().points[*shown], strings);
  return html;
}

}  // namespace warpbook::lab
