#include <algorithm>

#include "lab/exhibits/comparison/comparison_summary.hpp"
#include "lab/exhibits/source/line_heat.hpp"
#include "lab/markup/phrases.hpp"
#include "lab/markup/text_parts.hpp"
#include "lab/text/unicode.hpp"

namespace warpbook::lab {
namespace {

using Comparison = ComparisonExhibit;
using LineKind = Comparison::Source::Line::Kind;

constexpr int kNameColumns = 12, kNumber = 4;

void draw(const ComparisonTable& table, const Strings& strings, Page& page) {
  page.line();
  std::string head = page.ink(Ink::strong, table.title);
  if (table.evidence)
    head += "  " + page.ink(Ink::quiet, "[" + evidence_name(strings, *table.evidence) + "]");
  page.line("  " + head);
  if (!table.head.empty() && !table.rows.empty()) {
    std::vector<std::vector<std::string>> rows{table.head};
    for (const ComparisonTable::Row& row : table.rows) {
      rows.push_back(row.cells);
      for (std::string& cell : rows.back()) cell = printable(cell);
    }
    text_rows(rows, page, 0);
  } else {
    for (const ComparisonTable::Row& row : table.rows) {
      const Ink ink = row.tone == ComparisonTable::Tone::bad ? Ink::bad : Ink::plain;
      const std::string name = clipped(printable(row.cells[0]), page.width() / 2);
      std::string text = padded(name, kNameColumns);
      bool first = true;
      const int room = std::max(12, page.width() - 4 - kNameColumns);
      for (const std::string& line : wrapped(printable(row.cells[1]), room)) {
        page.line("  " + page.ink(Ink::quiet, text) + "  " + page.ink(ink, line));
        if (first) text = std::string(std::max<std::size_t>(kNameColumns, 0), ' ');
        first = false;
      }
    }
  }
  if (!table.note.empty()) page.paragraph(table.note, 2, Ink::quiet);
}

std::string text_number_cell(std::uint32_t line) {
  return padded_left(line == 0 ? "" : std::to_string(line), kNumber);
}

void draw(const Comparison::Source& source, const Strings& strings, Page& page) {
  page.line();
  page.line("  " + page.ink(Ink::strong, strings(source.of.title)));
  if (source.removed + source.added != 0)
    page.paragraph(changes_text(source, strings), 2, Ink::quiet);
  const SourceExhibit costs = joint_costs(source);
  const Heat counter = telling_heat(source);
  const LineHeat heat(costs, counter);
  const bool counted_any = heat.most() != 0, one_text = source.removed + source.added == 0;
  if (counted_any)
    page.paragraph(strings("comparison.costs", {{"heat", heat_name(counter, strings)}}), 2,
                   Ink::quiet);
  const auto cost = [&](std::size_t line, bool of_b) {
    const std::uint64_t value = heat.of_line(cost_line(source, line, of_b));
    return padded_left(value == 0 ? "" : grouped(value), 11);
  };
  for (std::size_t i = 0; i < source.lines.size(); ++i) {
    const Comparison::Source::Line& line = source.lines[i];
    if (line.kind == LineKind::gap) {
      page.paragraph(counted(strings, "comparison.gap", line.a), 4, Ink::quiet);
      continue;
    }
    const char* sign = line.kind == LineKind::removed ? "−"
                       : line.kind == LineKind::added ? "+"
                                                      : " ";
    const Ink ink = line.kind == LineKind::removed ? Ink::warn
                    : line.kind == LineKind::added ? Ink::accent
                                                   : Ink::plain;
    const std::string numbers = one_text
                                    ? text_number_cell(line.b)
                                    : text_number_cell(line.a) + " " + text_number_cell(line.b);
    const std::string right = counted_any ? cost(i, false) + cost(i, true) : std::string();
    const int room = std::max(8, page.width() - columns_of(numbers) - 7 - columns_of(right));
    std::string text = printable(line.text);
    std::ranges::replace(text, '\t', ' ');
    page.line("  " + page.ink(Ink::quiet, numbers) + " " +
              page.ink(ink, std::string(sign) + " " + padded(clipped(text, room), room)) +
              page.ink(Ink::quiet, right));
  }
  if (!source.least) page.paragraph(strings("comparison.not-least"), 2, Ink::quiet);
  if (source.cut) page.paragraph(strings("comparison.cut"), 2, Ink::quiet);
}

}  // namespace

void text_body(const Comparison& comparison, const Strings& strings, Page& page) {
  page.line("  " + side_name(comparison.a, "A", strings) + "  " +
            page.ink(Ink::quiet, strings(comparison.a.device)));
  page.line("  " + side_name(comparison.b, "B", strings) + "  " +
            page.ink(Ink::quiet, strings(comparison.b.device)));
  for (const ComparisonTable& table : tables_of(comparison, strings)) draw(table, strings, page);
  for (const Comparison::Words& words : comparison.words) {
    if (words.code) draw(lines_of(words, strings), strings, page);
  }
  for (const Comparison::Source& source : comparison.sources) draw(source, strings, page);
}

}  // namespace warpbook::lab
