#include "lab/exhibits/accesses/wire_rows.hpp"
#include "lab/markup/html_parts.hpp"
#include "lab/markup/phrases.hpp"
#include "lab/markup/text_parts.hpp"

namespace warpbook::lab {
namespace {

constexpr std::size_t kHtmlMostWireRows = 48;

std::string wire_table(const AccessesExhibit& accesses, const Strings& strings) {
  const WireRows table = rows_of(accesses, kHtmlMostWireRows);
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

}  // namespace warpbook::lab
