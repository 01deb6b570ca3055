#include <algorithm>
#include <cmath>
#include <map>

#include "lab/phrases.hpp"
#include "lab/render/html_parts.hpp"
#include "lab/render/text_parts.hpp"
#include "lab/render/wire_rows.hpp"
#include "lab/tensor_values.hpp"

namespace warpbook::lab {
namespace {

constexpr std::size_t kMostWireRows = 48;
constexpr int kHeatSteps = 10;

std::string table_head(std::initializer_list<std::string> names) {
  std::string row;
  for (const std::string& name : names) row += "<th scope=\"col\">" + escaped(name) + "</th>";
  return tagged("thead", "", tagged("tr", "", row));
}

std::string wire_table(const AccessesExhibit& accesses, const Strings& strings) {
  const WireRows table = rows_of(accesses, kMostWireRows);
  std::string rows;
  for (const WireRow& row : table.rows) {
    const std::string reads =
        row.idle() ? strings("accesses.idle") : runs_text(accesses, row.reads);
    std::string cells = tagged("td", "", escaped(span_text(row.first_block, row.last_block)));
    cells += tagged("td", "", escaped(span_text(row.first_thread, row.last_thread)));
    cells += tagged("td", "", escaped(reads)) +
             tagged("td", "", escaped(runs_text(accesses, row.writes)));
    rows += tagged("tr", row.idle() ? "wb-quiet" : "", cells);
  }
  std::string html = tagged("table", "wb-table",
                            table_head({strings("accesses.block"), strings("accesses.thread"),
                                        strings("accesses.reads"), strings("accesses.writes")}) +
                                tagged("tbody", "", rows));
  if (table.more != 0)
    html += tagged("p", "wb-more", escaped(counted(strings, "accesses.more-rows", table.more)));
  return html;
}

}  // namespace

std::string html_body(const AccessesExhibit& accesses, const Strings& strings,
                      const std::string& caption) {
  if (accesses.wires.empty()) return {};
  const std::string picture = svg_wires(accesses, strings, caption);
  return picture.empty() ? wire_table(accesses, strings) : picture;
}

std::string html_body(const SourceExhibit& source, const Strings& strings, const std::string&) {
  const std::vector<std::string_view> lines = lines_of(source.text);
  std::map<std::uint32_t, const SourceExhibit::Line*> cost;
  std::uint64_t most = 0;
  for (const SourceExhibit::Line& line : source.lines) {
    cost[line.line] = &line;
    most = std::max(most, line.threads);
  }
  const auto draw_mark = [&](const SourceExhibit::Mark& mark, std::string_view key) {
    const std::string text = strings(key, {{"severity", severity_word(strings, mark.severity)},
                                           {"line", std::to_string(mark.line)},
                                           {"text", strings(mark.text)}});
    const bool error = mark.severity == device::Severity::error;
    return tagged("tr", error ? "wb-mark wb-bad" : "wb-mark wb-warn",
                  "<td></td><td colspan=\"2\">" + escaped(text) + "</td>");
  };
  std::string rows;
  for (std::uint32_t number = 1; number <= lines.size(); ++number) {
    const auto line = cost.find(number);
    std::string heat;
    if (line != cost.end() && most != 0) {
      const auto step = static_cast<int>(static_cast<long double>(line->second->threads) *
                                         (kHeatSteps - 1) / most);
      heat = tagged("span", "wb-heat wb-h" + std::to_string(step), "") +
             grouped(line->second->threads);
    }
    rows += tagged("tr", "",
                   "<td class=\"wb-number\">" + std::to_string(number) + "</td>" +
                       tagged("td", "wb-code", escaped(lines[number - 1])) +
                       tagged("td", "wb-threads", heat));
    for (const SourceExhibit::Mark& mark : source.marks) {
      if (mark.line == number) rows += draw_mark(mark, "source.mark");
    }
  }
  for (const SourceExhibit::Mark& mark : source.marks) {
    if (mark.line == 0 || mark.line > lines.size()) rows += draw_mark(mark, "source.mark-at");
  }
  std::string html = tagged(
      "table", "wb-source",
      table_head({strings("source.line"), strings("source.text"), strings("source.threads")}) +
          tagged("tbody", "", rows));
  if (!source.ptx.empty()) {
    html += tagged("details", "",
                   tagged("summary", "", escaped(strings("source.ptx"))) +
                       tagged("pre", "wb-output", escaped(source.ptx)));
  }
  return html;
}

}  // namespace warpbook::lab
