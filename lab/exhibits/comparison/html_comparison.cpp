#include "lab/exhibits/comparison/comparison_summary.hpp"
#include "lab/exhibits/source/line_heat.hpp"
#include "lab/markup/html_parts.hpp"
#include "lab/markup/phrases.hpp"

namespace warpbook::lab {
namespace {

using Comparison = ComparisonExhibit;
using LineKind = Comparison::Source::Line::Kind;

std::string html(const ComparisonTable& table, const Strings& strings) {
  std::string head = escaped(table.title);
  if (table.evidence)
    head += " " + tagged("span", "wb-badge wb-" + std::string(name_of(*table.evidence)),
                         escaped(evidence_name(strings, *table.evidence)));
  std::string rows;
  for (const ComparisonTable::Row& row : table.rows) {
    std::string cells = "<th scope=\"row\">" + escaped(row.cells[0]) + "</th>";
    for (std::size_t c = 1; c < row.cells.size(); ++c)
      cells += tagged("td", row.cells.size() == 2 ? "wb-says" : "", escaped(row.cells[c]));
    rows += tagged("tr", row.tone == ComparisonTable::Tone::bad ? "wb-bad" : "", cells);
  }
  std::string html = tagged("h4", "", head);
  if (!rows.empty()) {
    html += tagged("table", "wb-table",
                   (table.head.empty() ? "" : table_head(table.head)) + tagged("tbody", "", rows));
  }
  if (!table.note.empty()) html += tagged("p", "wb-more", escaped(table.note));
  return html;
}

std::string html_number_cell(std::uint32_t line) {
  return tagged("td", "wb-number", line == 0 ? "" : std::to_string(line));
}

std::string cost_cell(const LineHeat& heat, std::uint32_t line) {
  constexpr int kSteps = 10;
  const std::uint64_t value = heat.of_line(line);
  if (line == 0 || value == 0) return tagged("td", "wb-threads", "");
  const auto step = static_cast<int>(heat.share(value) * (kSteps - 1));
  return tagged("td", "wb-threads",
                tagged("span", "wb-heat wb-h" + std::to_string(step), "") + grouped(value));
}

std::string html(const Comparison::Source& source, const Strings& strings) {
  const SourceExhibit costs = joint_costs(source);
  const Heat counter = telling_heat(source);
  const LineHeat heat(costs, counter);
  const bool counted_any = heat.most() != 0, one_text = source.removed + source.added == 0;
  std::string rows;
  for (std::size_t i = 0; i < source.lines.size(); ++i) {
    const Comparison::Source::Line& line = source.lines[i];
    if (line.kind == LineKind::gap) {
      rows += tagged("tr", "wb-quiet",
                     "<td colspan=\"" + std::to_string((one_text ? 2 : 4) + (counted_any ? 2 : 0)) +
                         "\">" + escaped(counted(strings, "comparison.gap", line.a)) + "</td>");
      continue;
    }
    const char* sign = line.kind == LineKind::removed ? "−"
                       : line.kind == LineKind::added ? "+"
                                                      : "";
    std::string cells = html_number_cell(line.b);
    if (!one_text) cells = html_number_cell(line.a) + cells + tagged("td", "", sign);
    cells += tagged("td", "wb-code", escaped(line.text));
    if (counted_any)
      cells += cost_cell(heat, cost_line(source, i, false)) +
               cost_cell(heat, cost_line(source, i, true));
    rows += tagged("tr",
                   line.kind == LineKind::removed ? "wb-removed"
                   : line.kind == LineKind::added ? "wb-added"
                                                  : "",
                   cells);
  }
  std::vector<std::string> head{"A", "B", ""};
  if (one_text) head = {strings("source.line")};
  head.push_back(strings("source.text"));
  if (counted_any) {
    const std::string name = heat_name(counter, strings);
    for (const char* side : {"A", "B"})
      head.push_back(strings("comparison.side", {{"letter", side}, {"name", name}}));
  }
  std::string html = tagged("h4", "", escaped(strings(source.of.title)));
  if (source.removed + source.added != 0)
    html += tagged("p", "wb-more", escaped(changes_text(source, strings)));
  html += tagged("table", "wb-source", table_head(head) + tagged("tbody", "", rows));
  if (!source.least) html += tagged("p", "wb-more", escaped(strings("comparison.not-least")));
  if (source.cut) html += tagged("p", "wb-more", escaped(strings("comparison.cut")));
  return html;
}

}  // namespace

std::string html_body(const Comparison& comparison, const Strings& strings, const std::string&) {
  std::string sides;
  const auto add = [&](const Comparison::Side& side, const char* letter) {
    sides += tagged("li", "",
                    escaped(side_name(side, letter, strings)) + " " +
                        tagged("span", "wb-quiet", escaped(strings(side.device))));
  };
  add(comparison.a, "A");
  add(comparison.b, "B");
  std::string text = tagged("ul", "wb-legend", sides);
  for (const ComparisonTable& table : tables_of(comparison, strings)) text += html(table, strings);
  for (const Comparison::Words& words : comparison.words) {
    if (words.code) text += html(lines_of(words, strings), strings);
  }
  for (const Comparison::Source& source : comparison.sources) text += html(source, strings);
  return text;
}

}  // namespace warpbook::lab
