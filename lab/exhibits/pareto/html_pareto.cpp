#include "lab/exhibits/pareto/pareto_picture.hpp"
#include "lab/markup/html_parts.hpp"
#include "lab/markup/svg_pen.hpp"

namespace warpbook::lab {
namespace {

constexpr double kParetoPageWidth = 768;

std::string table(const ParetoExhibit& pareto, const Strings& strings) {
  std::string rows;
  for (std::size_t i = 0; i < pareto.points.size(); ++i) {
    std::string cells;
    for (const std::string& cell : row_of(pareto, i, strings))
      cells += tagged("td", "", escaped(cell));
    rows += tagged("tr", i == yours_of(pareto) ? "wb-chosen-row" : "", cells);
  }
  return tagged("table", "wb-table", table_head(kernel_head(strings)) + tagged("tbody", "", rows));
}

}  // namespace

std::string html_body(const ParetoExhibit& pareto, const ParetoExhibit* beside,
                      const Strings& strings, const std::string& caption) {
  if (pareto.points.empty()) return {};
  const Canvas canvas = svg_canvas(kParetoPageWidth, strings);
  const ParetoPlane plane(pareto, beside, canvas);
  if (!plane.any()) return table(pareto, strings);
  return svg_of(drawing_of(pareto, plane, first_shown(pareto), canvas), caption) +
         table(pareto, strings);
}

}  // namespace warpbook::lab
