#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "lab/exhibits/pipeline/pipeline_summary.hpp"
#include "lab/text/unicode.hpp"

namespace warpbook::lab {
namespace {

constexpr int kLeastColumns = 24, kMostColumns = 96;

/// A row's line: the sign of what it does in each column, with the number of the micro-batch where that has room.
std::string line_of(const PipelineExhibit& pipeline, std::size_t row, int columns) {
  std::vector<std::string> cells(static_cast<std::size_t>(columns), " ");
  const auto place = [&](double seconds) {
    return std::clamp(static_cast<int>(std::lround(seconds / pipeline.total * columns)), 0,
                      columns);
  };
  for (const PipelineExhibit::Span& span : pipeline.spans) {
    if (span.row != row) continue;
    const int first = place(span.begin), behind = place(span.end);
    for (int c = first; c < behind; ++c) cells[static_cast<std::size_t>(c)] = work_sign(span.work);
    const std::string number = number_of(span);
    const int wide = static_cast<int>(number.size());
    if (wide == 0 || behind - first < wide + 1) continue;
    for (int i = 0; i < wide; ++i)
      cells[static_cast<std::size_t>(first + (behind - first - wide) / 2 + i)] =
          number[static_cast<std::size_t>(i)];
  }
  std::string line;
  for (const std::string& cell : cells) line += cell;
  return line;
}

}  // namespace

void text_body(const PipelineExhibit& pipeline, const Strings& strings, Page& page) {
  if (pipeline.spans.empty() || !(pipeline.total > 0)) return;
  int widest = 0;
  for (const auto& row : pipeline.rows) widest = std::max(widest, columns_of(strings(row.name)));
  const int columns = std::clamp(page.width() - widest - 6, kLeastColumns, kMostColumns);
  for (std::size_t row = 0; row < pipeline.rows.size(); ++row) {
    const std::string name = strings(pipeline.rows[row].name);
    page.line("  " + name + std::string(static_cast<std::size_t>(widest - columns_of(name)), ' ') +
              " |" + line_of(pipeline, row, columns) + "|");
  }
  std::string legend;
  for (const PipelineExhibit::Work work : works_of(pipeline)) {
    legend += (legend.empty() ? "" : "   ") + std::string(work_sign(work)) + " " +
              work_name(work, strings);
  }
  page.paragraph(legend, 2, Ink::quiet);
}

}  // namespace warpbook::lab
