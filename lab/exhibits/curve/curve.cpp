#include "lab/exhibits/curve/curve.hpp"

#include <algorithm>

#include "lab/exhibits/curve/curve_summary.hpp"
#include "lab/markup/json.hpp"
#include "lab/markup/phrases.hpp"

namespace warpbook::lab {
namespace {

constexpr std::size_t kMostSpokenSeries = 4;  ///< series

std::string range_of(const CurveExhibit& curve, std::size_t s, const Strings& strings) {
  const std::string name = strings(curve.series[s].name);
  const auto extremes = extremes_of(curve, s);
  if (!extremes) return strings("curve.nothing-finite", {{"name", name}});
  const auto [least, greatest] = *extremes;
  const std::string low = coordinate_text(y_at(curve, s, least)),
                    high = coordinate_text(y_at(curve, s, greatest));
  if (low == high) return strings("curve.same", {{"name", name}, {"value", low}});
  return strings("curve.range", {{"name", name},
                                 {"low", low},
                                 {"high", high},
                                 {"variable", variable_name(curve, strings)},
                                 {"least", coordinate_text(x_at(curve, least))},
                                 {"greatest", coordinate_text(x_at(curve, greatest))}});
}

/// What is no finite number although x is one.
std::string gaps_of(const CurveExhibit& curve, std::size_t s, const Strings& strings) {
  const CurveExhibit::Series& series = curve.series[s];
  const auto marks = marks_of(curve, s, 1);
  if (series.nans + series.infinities == 0 || marks.empty()) return {};
  return strings("curve.not-finite",
                 {{"name", strings(series.name)},
                  {"nans", grouped(series.nans)},
                  {"infinities", grouped(series.infinities)},
                  {"variable", variable_name(curve, strings)},
                  {"first", coordinate_text(x_at(curve, marks.front().point))},
                  {"value", coordinate_text(y_at(curve, s, marks.front().point))}});
}

std::string chosen_of(const CurveExhibit& curve, const Strings& strings) {
  if (curve.series.empty() || curve.chosen >= points_of(curve)) return {};
  const CurveExhibit::Series& first = curve.series.front();
  MessageArguments arguments{{"variable", variable_name(curve, strings)},
                             {"x", coordinate_text(x_at(curve, curve.chosen))},
                             {"name", strings(first.name)},
                             {"value", coordinate_text(y_at(curve, 0, curve.chosen))}};
  if (!first.slope) return strings("curve.chosen", arguments);
  arguments.emplace_back("slope", coordinate_text(y_at(curve, *first.slope, curve.chosen)));
  return strings("curve.chosen-slope", arguments);
}

}  // namespace

std::string sentence_of(const CurveExhibit& curve, const Strings& strings) {
  if (points_of(curve) == 0 || curve.series.empty()) return strings("curve.nothing");
  std::vector<std::string> parts{
      strings("curve.values",
              {{"count", grouped(curve.elements)}, {"variable", variable_name(curve, strings)}})};
  const std::size_t spoken = std::min(curve.series.size(), kMostSpokenSeries);
  for (std::size_t s = 0; s < spoken; ++s) parts.push_back(range_of(curve, s, strings));
  for (std::size_t s = 0; s < spoken; ++s) parts.push_back(gaps_of(curve, s, strings));
  parts.push_back(chosen_of(curve, strings));
  if (points_of(curve) < curve.elements)
    parts.push_back(strings("curve.thinned", {{"shown", grouped(points_of(curve))},
                                              {"elements", grouped(curve.elements)}}));
  return sentences(strings, parts);
}

Table table_of(const CurveExhibit& curve, const Strings& strings) {
  Table table{{"i", variable_name(curve, strings)}, {}};
  for (const CurveExhibit::Series& series : curve.series)
    table.head.push_back(strings(series.name));
  for (std::uint64_t p = 0; p < points_of(curve); ++p) {
    table.rows.push_back({std::to_string(curve.element[p]), element_text(curve.x, p)});
    for (const CurveExhibit::Series& series : curve.series)
      table.rows.back().push_back(element_text(series.values, p));
  }
  return table;
}

/// Point by point where both have the same x; else x alone is compared.
void compare(const CurveExhibit& a, const CurveExhibit& b, Comparer& comparer) {
  if (a.x.data != b.x.data) {
    comparer.output(a.x, b.x);
    return;
  }
  for (const CurveExhibit::Series& series : b.series) {
    const auto other = std::ranges::find(a.series, series.name, &CurveExhibit::Series::name);
    if (other != a.series.end()) comparer.output(other->values, series.values);
  }
}

void extras(JsonExtras& json, const CurveExhibit& curve) {
  json("variable", [&](const Strings& english) { return variable_name(curve, english); });
}

bool valid(const CurveExhibit& v) {
  const std::uint64_t points = count(v.x);
  return points <= kMostCurvePoints && v.element.size() == points && v.chosen <= points &&
         std::ranges::all_of(v.series, [&](const CurveExhibit::Series& series) {
           return count(series.values) == points && series.slope.value_or(0) < v.series.size();
         });
}

}  // namespace warpbook::lab
