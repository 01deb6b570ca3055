#include <algorithm>

#include "lab/exhibits/accesses/wire_rows.hpp"
#include "lab/markup/phrases.hpp"
#include "lab/markup/text_parts.hpp"
#include "lab/text/unicode.hpp"

namespace warpbook::lab {
namespace {

constexpr std::size_t kTextMostWireRows = 24;
constexpr std::string_view kTextTablesGap = "  ";

/// Rows of cells, each column as wide as its widest cell; the last column takes what the line has left.
class Columns {
 public:
  void row(std::vector<std::string> cells, Ink ink = Ink::plain) {
    for (std::string& cell : cells) cell = printable(cell);
    rows_.push_back({std::move(cells), ink});
  }

  void draw(Page& page, int most_of_column) const {
    std::vector<int> widths;
    for (const Row& row : rows_) {
      widths.resize(std::max(widths.size(), row.cells.size()), 0);
      for (std::size_t c = 0; c < row.cells.size(); ++c) {
        widths[c] = std::max(widths[c], std::min(most_of_column, columns_of(row.cells[c])));
      }
    }
    for (const Row& row : rows_) {
      std::string text;
      for (std::size_t c = 0; c < row.cells.size(); ++c) {
        text += kTextTablesGap;
        text += padded(clipped(row.cells[c], widths[c]), widths[c]);
      }
      page.line(page.ink(row.ink, clipped(text, page.width())));
    }
  }

 private:
  struct Row {
    std::vector<std::string> cells;
    Ink ink;
  };
  std::vector<Row> rows_;
};

bool any_stray(const std::vector<ElementRun>& runs) {
  return std::ranges::any_of(runs, [](const ElementRun& run) { return run.stray; });
}

}  // namespace

void text_body(const AccessesExhibit& accesses, const Strings& strings, Page& page) {
  if (accesses.wires.empty()) return;
  const WireRows table = rows_of(accesses, kTextMostWireRows);
  Columns columns;
  columns.row({strings("accesses.block"), strings("accesses.thread"), strings("accesses.reads"),
               strings("accesses.writes")},
              Ink::quiet);
  bool strays = false;
  for (const WireRow& row : table.rows) {
    const bool stray = any_stray(row.reads) || any_stray(row.writes);
    strays = strays || stray;
    const std::string reads =
        row.idle() ? strings("accesses.idle") : runs_text(accesses, row.reads);
    columns.row(
        {span_text(row.first_block, row.last_block), span_text(row.first_thread, row.last_thread),
         reads, runs_text(accesses, row.writes)},
        stray        ? Ink::bad
        : row.idle() ? Ink::quiet
                     : Ink::plain);
  }
  columns.draw(page, std::max(20, (page.width() - 24) / 2));
  if (table.more != 0)
    page.paragraph(counted(strings, "accesses.more-rows", table.more), 2, Ink::quiet);
  if (strays) page.paragraph(strings("accesses.legend-stray"), 2, Ink::bad);
}

}  // namespace warpbook::lab
