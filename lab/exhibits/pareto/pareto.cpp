#include "lab/exhibits/pareto/pareto.hpp"

#include <algorithm>

#include "lab/exhibits/pareto/pareto_summary.hpp"
#include "lab/markup/phrases.hpp"

namespace warpbook::lab {

std::string sentence_of(const ParetoExhibit& pareto, const Strings& strings) {
  const auto frontier = frontier_of(pareto);
  if (frontier.empty()) return strings("pareto.nothing");
  std::vector<std::string> names;
  for (const std::size_t i : frontier) {
    const ParetoExhibit::Point& point = pareto.points[i];
    names.push_back(
        strings("pareto.point", {{"name", point_name(pareto, i, strings)},
                                 {"time", duration(point.seconds)},
                                 {"amount", amount_text(pareto, amount_of(pareto, point))}}));
  }
  std::vector<std::string> parts{
      strings("pareto.frontier",
              {{"points", joined(strings, names)}, {"measure", measure_name(pareto, strings)}})};
  if (const auto yours = yours_of(pareto)) parts.push_back(point_text(pareto, *yours, strings));
  return sentences(strings, parts);
}

Table table_of(const ParetoExhibit& pareto, const Strings& strings) {
  Table table{kernel_head(strings), {}};
  for (std::size_t i = 0; i < pareto.points.size(); ++i)
    table.rows.push_back(row_of(pareto, i, strings));
  return table;
}

void compare(const ParetoExhibit& a, const ParetoExhibit& b, Comparer& comparer) {
  using Time = Comparer::Time;
  const auto time_of = [](const ParetoExhibit::Point& point) {
    return Time{point.seconds, point.low, point.high, {}};
  };
  for (const ParetoExhibit::Point& point : b.points) {
    const auto other = std::ranges::find_if(a.points, [&](const ParetoExhibit::Point& one) {
      return one.origin == point.origin && one.name == point.name;
    });
    const bool both = other != a.points.end();
    comparer.time(point.name, device::EvidenceKind::estimated,
                  both ? std::optional(time_of(*other)) : std::nullopt, time_of(point));
    comparer.figure("sectors", both ? std::optional(other->sectors) : std::nullopt, point.sectors,
                    point.name, device::EvidenceKind::counted);
  }
}

std::string_view style_of(std::type_identity<ParetoExhibit> /*kind*/) {
  return R"css(.wb-pareto .wb-table td:nth-child(2) { text-align: left; }
)css";
}

}  // namespace warpbook::lab
