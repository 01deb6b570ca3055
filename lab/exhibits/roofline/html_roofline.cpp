#include <algorithm>
#include <string>
#include <vector>

#include "lab/exhibits/roofline/roofline_picture.hpp"
#include "lab/markup/html_parts.hpp"
#include "lab/markup/phrases.hpp"
#include "lab/markup/svg_pen.hpp"

namespace warpbook::lab {
namespace {

constexpr double kWidth = 768;
constexpr std::size_t kTableRows = 24;

std::string table(const RooflineExhibit& roofline, const Strings& strings) {
  std::string rows;
  const std::size_t shown = std::min(roofline.points.size(), kTableRows);
  for (std::size_t i = 0; i < shown; ++i) {
    std::string cells;
    for (const std::string& cell : row_of(roofline, i, strings))
      cells += tagged("td", "", escaped(cell));
    rows += tagged("tr", i == roofline.chosen ? "wb-chosen-row" : "", cells);
  }
  std::string html =
      tagged("table", "wb-table", table_head(row_head(strings)) + tagged("tbody", "", rows));
  if (shown < roofline.points.size())
    html += tagged("p", "wb-more",
                   escaped(counted(strings, "roofline.more", roofline.points.size() - shown)));
  if (!drawn_ceilings(roofline).empty())
    html += tagged("p", "wb-more", escaped(roofs_text(roofline, strings)));
  return html;
}

}  // namespace

std::string html_body(const RooflineExhibit& roofline, const RooflineExhibit* beside,
                      const Strings& strings, const std::string& caption) {
  if (roofline.points.empty()) return {};
  const Canvas canvas = svg_canvas(kWidth, strings);
  const RooflinePlane plane(roofline, beside, canvas);
  if (!plane.any()) return table(roofline, strings);
  return svg_of(drawing_of(roofline, plane, roofline.chosen, canvas), caption) +
         table(roofline, strings);
}

}  // namespace warpbook::lab
