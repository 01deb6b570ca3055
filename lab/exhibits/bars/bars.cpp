#include "lab/exhibits/bars/bars.hpp"

#include <algorithm>
#include <cmath>

#include "lab/exhibits/bars/bars_summary.hpp"

namespace warpbook::lab {
namespace {

using Bar = BarsExhibit::Bar;
using BarGroup = BarsExhibit::Group;

double longest_of(const BarGroup& group) {
  double longest = 0;
  for (const Bar& bar : group.bars) longest = std::max(longest, bar.value);
  return longest;
}

}  // namespace

double end_of_scale(const BarsExhibit& bars, std::size_t group, const BarsExhibit* beside) {
  const double own = longest_of(bars.groups[group]);
  return beside && beside->groups.size() == bars.groups.size()
             ? std::max(own, longest_of(beside->groups[group]))
             : own;
}

bool have_same_labels(const BarsExhibit& bars) {
  if (bars.groups.size() < 2) return false;
  const auto& first = bars.groups.front().bars;
  return first.size() > 1 && std::ranges::all_of(bars.groups, [&](const BarGroup& group) {
           return std::ranges::equal(group.bars, first, {}, &Bar::label, &Bar::label);
         });
}

std::string sentence_of(const BarsExhibit& bars, const Strings& strings) {
  return bars.groups.empty() && bars.says.empty() ? strings("bars.nothing") : strings(bars.says);
}

Table table_of(const BarsExhibit& bars, const Strings& strings) {
  Table table{{strings("table.quantity"), strings("table.what"), strings("table.value")}, {}};
  for (const BarGroup& group : bars.groups) {
    for (const Bar& bar : group.bars)
      table.rows.push_back({strings(group.meaning), strings(bar.label), exact_text(bar.value)});
  }
  return table;
}

void compare(const BarsExhibit& a, const BarsExhibit& b, Comparer& comparer) {
  compare_texts(a.says, b.says, false, comparer);
}

bool valid(const BarsExhibit& v) {
  return std::ranges::all_of(v.groups, [](const BarGroup& group) {
    return std::ranges::all_of(
        group.bars, [](const Bar& bar) { return std::isfinite(bar.value) && bar.value >= 0; });
  });
}

}  // namespace warpbook::lab
