#include <algorithm>

#include "lab/exhibits/bars/bars_summary.hpp"
#include "lab/text/unicode.hpp"

namespace warpbook::lab {
namespace {

constexpr int kMostTextBar = 32, kLeastTextBar = 4;
constexpr std::size_t kMostStacked =
    4;  ///< groups with the same labels; of more, a table is shorter

/// A row a group and a column a label. False where the page has no room for it; then nothing is written.
bool text_table(const BarsExhibit& bars, const Strings& strings, Page& page) {
  constexpr int kBetween = 2;
  int meaning = 0, width = 2;
  for (const BarsExhibit::Group& group : bars.groups)
    meaning = std::max(meaning, columns_of(strings(group.meaning)));
  std::vector<int> columns;
  std::string head = "  " + std::string(static_cast<std::size_t>(meaning), ' ');
  for (std::size_t k = 0; k < bars.groups.front().bars.size(); ++k) {
    const std::string label = strings(bars.groups.front().bars[k].label);
    int column = columns_of(label);
    for (const BarsExhibit::Group& group : bars.groups)
      column = std::max(column, columns_of(group.bars[k].text));
    columns.push_back(column + kBetween);
    width += columns.back();
    head += padded_left(label, columns.back());
  }
  if (width + meaning > page.width()) return false;
  page.line(page.ink(Ink::quiet, head));
  for (const BarsExhibit::Group& group : bars.groups) {
    std::string row = "  " + padded(strings(group.meaning), meaning);
    for (std::size_t k = 0; k < columns.size(); ++k)
      row += page.ink(Ink::strong, padded_left(group.bars[k].text, columns[k]));
    page.line(row);
  }
  return true;
}

}  // namespace

void text_body(const BarsExhibit& bars, const Strings& strings, Page& page) {
  if (bars.groups.size() > kMostStacked && have_same_labels(bars) &&
      text_table(bars, strings, page))
    return;
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
