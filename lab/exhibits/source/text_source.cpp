#include <algorithm>
#include <map>

#include "lab/exhibits/accesses/wire_rows.hpp"
#include "lab/exhibits/source/line_heat.hpp"
#include "lab/markup/phrases.hpp"
#include "lab/markup/text_parts.hpp"
#include "lab/text/unicode.hpp"

namespace warpbook::lab {
namespace {

constexpr std::size_t kTextMostWireRows = 24;
constexpr std::size_t kMostSourceLines = 400;
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

std::string without_tabs(std::string_view line) {
  std::string text;
  for (const char c : line) {
    if (c == '\t')
      text.append(4 - text.size() % 4, ' ');
    else if (c != '\r')
      text += c;
  }
  return text;
}

Ink ink_of(device::Severity severity) {
  switch (severity) {
    case device::Severity::error: return Ink::bad;
    case device::Severity::warning: return Ink::warn;
    case device::Severity::remark:
    case device::Severity::note: return Ink::quiet;
  }
  __builtin_unreachable();
}

}  // namespace

void text_rows(const std::vector<std::vector<std::string>>& rows, Page& page,
               std::optional<std::size_t> left,
               const std::function<std::string(std::size_t row)>& behind) {
  std::vector<int> widths(rows.front().size(), 0);
  for (const auto& row : rows) {
    for (std::size_t c = 0; c < row.size(); ++c)
      widths[c] = std::max(widths[c], columns_of(row[c]));
  }
  for (std::size_t r = 0; r < rows.size(); ++r) {
    std::string text;
    for (std::size_t c = 0; c < rows[r].size(); ++c) {
      text += kTextTablesGap;
      text += c == left ? padded(rows[r][c], widths[c]) : padded_left(rows[r][c], widths[c]);
    }
    if (behind) text += behind(r);
    page.line(page.ink(r == 0 ? Ink::quiet : Ink::plain, clipped(text, page.width())));
  }
}

std::string span_text(std::uint64_t first, std::uint64_t last) {
  return first == last ? std::to_string(first)
                       : std::to_string(first) + " – " + std::to_string(last);
}

void body(const AccessesExhibit& accesses, const Strings& strings, Page& page) {
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

void body(const SourceExhibit& source, const Strings& strings, Page& page) {
  const std::vector<std::string_view> lines = lines_of(source.text);
  std::map<std::uint32_t, const SourceExhibit::Line*> cost;
  for (const SourceExhibit::Line& line : source.lines) cost[line.line] = &line;
  std::multimap<std::uint32_t, const SourceExhibit::Mark*> marks;
  for (const SourceExhibit::Mark& mark : source.marks) marks.emplace(mark.line, &mark);

  int number_columns = columns_of(strings("source.line")), threads_columns = 0;
  number_columns = std::max(number_columns, static_cast<int>(std::to_string(lines.size()).size()));
  if (!cost.empty()) threads_columns = columns_of(heat_name(Heat::threads, strings));
  for (const auto& [number, line] : cost) {
    threads_columns = std::max(threads_columns, static_cast<int>(grouped(line->threads).size()));
  }
  const auto margin = [&](const std::string& number, const std::string& threads) {
    std::string text(kTextTablesGap);
    text += padded_left(number, number_columns);
    if (threads_columns != 0)
      text += std::string(kTextTablesGap) + padded_left(threads, threads_columns);
    return text + std::string(kTextTablesGap);
  };
  const int margin_columns = columns_of(margin("", ""));
  const auto draw_mark = [&](const SourceExhibit::Mark& mark) {
    const int column =
        std::min(mark.column == 0 ? 0 : static_cast<int>(mark.column) - 1, page.width() / 2);
    page.line(page.ink(ink_of(mark.severity),
                       std::string(static_cast<std::size_t>(margin_columns + column), ' ') + "^"));
    const std::string text = strings(
        "source.mark",
        {{"severity", severity_word(strings, mark.severity)}, {"text", strings(mark.text)}});
    page.paragraph(text, margin_columns, ink_of(mark.severity));
  };

  if (threads_columns != 0)
    page.line(
        page.ink(Ink::quiet, margin(strings("source.line"), heat_name(Heat::threads, strings))));
  const std::size_t shown = std::min(lines.size(), kMostSourceLines);
  for (std::uint32_t number = 1; number <= shown; ++number) {
    const auto line = cost.find(number);
    const std::string head =
        margin(std::to_string(number), line == cost.end() ? "" : grouped(line->second->threads));
    const std::string text =
        clipped(printable(without_tabs(lines[number - 1])), page.width() - margin_columns);
    page.line(page.ink(Ink::quiet, head) + page.ink(Ink::plain, text));
    for (auto [mark, end] = marks.equal_range(number); mark != end; ++mark)
      draw_mark(*mark->second);
  }
  if (shown < lines.size())
    page.paragraph(counted(strings, "text.more-lines", lines.size() - shown), 2, Ink::quiet);
  for (const auto& [number, mark] : marks) {
    if (number != 0 && number <= shown) continue;
    page.paragraph(strings("source.mark-at",
                           {{"line", std::to_string(number)}, {"text", strings(mark->text)}}),
                   2, ink_of(mark->severity));
  }
  if (source.sass) sass_body(*source.sass, strings, page);
}

}  // namespace warpbook::lab
