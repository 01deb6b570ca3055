#include "lab/exhibits/pareto/pareto_summary.hpp"
#include "lab/markup/text_parts.hpp"

namespace warpbook::lab {

/// A row for each kernel. A terminal's grid would put most of the points on top of each other.
void text_body(const ParetoExhibit& pareto, const Strings& strings, Page& page) {
  if (pareto.points.empty()) return;
  constexpr std::size_t kNameColumn = 1;
  std::vector<std::vector<std::string>> rows{kernel_head(strings)};
  for (std::size_t i = 0; i < pareto.points.size(); ++i) rows.push_back(row_of(pareto, i, strings));
  text_rows(rows, page, kNameColumn);
}

}  // namespace warpbook::lab
