#include <algorithm>

#include "lab/exhibits/bars/bars_summary.hpp"
#include "lab/text/unicode.hpp"

namespace warpbook::lab {
namespace {

constexpr int kMostTextBar = 32, kLeastTextBar = 4;

}  // namespace

void text_body(const BarsExhibit& bars, const Strings& strings, Page& page) {
  int label = 0, value = 0;
  for (const BarsExhibit::Group& group : bars.groups) {
    for (const BarsExhibit::Bar& bar : group.bars) {
      label = std::max(label, columns_of(strings(bar.label)));
      value = std::max(value, columns_of(bar.text));
    }
  }
  label = std::min(label, page.width() / 3);
  const int room = std::clamp(page.width() - label - value - 6, kLeastTextBar, kMostTextBar);
  for (std::size_t i = 0; i < bars.groups.size(); ++i) {
    const BarsExhibit::Group& group = bars.groups[i];
    const double end = end_of_scale(bars, i, nullptr);
    page.paragraph(strings(group.meaning), 2, Ink::quiet);
    for (const BarsExhibit::Bar& bar : group.bars) {
      page.line("  " + padded(clipped(strings(bar.label), label), label) + "  " +
                page.ink(Ink::accent, padded(lab::bar(end > 0 ? bar.value / end : 0, room), room)) +
                "  " + page.ink(Ink::strong, padded_left(bar.text, value)));
    }
  }
}

}  // namespace warpbook::lab
