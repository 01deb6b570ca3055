#include <cmath>
#include <optional>

#include "lab/exhibits/curve/curve_picture.hpp"
#include "lab/markup/html_parts.hpp"
#include "lab/markup/phrases.hpp"
#include "lab/markup/svg_pen.hpp"

namespace warpbook::lab {
namespace {

constexpr double kHtmlCurveWidth = 768;
constexpr std::size_t kHtmlCurveTableRows = 16;

std::string table(const CurveExhibit& curve, const Strings& strings) {
  std::vector<std::string> head{variable_name(curve, strings)};
  for (const CurveExhibit::Series& series : curve.series) head.push_back(strings(series.name));
  std::string rows;
  const std::vector<std::uint64_t> points = rows_of(curve, kHtmlCurveTableRows);
  for (const std::uint64_t point : points) {
    std::string cells = tagged("td", "", escaped(coordinate_text(x_at(curve, point))));
    for (std::size_t s = 0; s < curve.series.size(); ++s) {
      const double y = y_at(curve, s, point);
      const bool gap = !std::isfinite(y) && std::isfinite(x_at(curve, point));
      cells += tagged("td", gap ? "wb-wrong" : "", escaped(coordinate_text(y)));
    }
    rows += tagged("tr", point == curve.chosen ? "wb-chosen-row" : "", cells);
  }
  std::string html = tagged("table", "wb-table", table_head(head) + tagged("tbody", "", rows));
  if (points.size() < points_of(curve))
    html += tagged("p", "wb-more",
                   escaped(counted(strings, "curve.more", points_of(curve) - points.size())));
  return html;
}

}  // namespace

std::string html_body(const CurveExhibit& curve, const CurveExhibit* beside, const Strings& strings,
                      const std::string& caption) {
  if (points_of(curve) == 0 || curve.series.empty()) return {};
  const Canvas canvas = svg_canvas(kHtmlCurveWidth, strings);
  const CurvePlane plane(curve, beside, canvas);
  const auto chosen = curve.chosen < points_of(curve) ? std::optional(curve.chosen) : std::nullopt;
  std::string html;
  if (plane.bounds().any) html = svg_of(drawing_of(curve, plane, chosen, canvas), caption);
  return html + table(curve, strings);
}

}  // namespace warpbook::lab
