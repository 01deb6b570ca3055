#include "gui/controls/code_rows.hpp"

#include <algorithm>

#include "lab/text/unicode.hpp"

namespace warpbook::gui {
namespace {

constexpr std::size_t kFarther = 4;  // columns that a row which goes on begins right of its line
constexpr float kLeastColumns = 8;

/// Where a row from `from` on ends that has `columns`: at least one character on.
std::size_t row_end(std::string_view line, std::size_t from, std::size_t columns) {
  std::size_t column = 0, space = from, space_column = 0;
  for (std::string_view rest = line.substr(from); !rest.empty();) {
    const std::size_t at = line.size() - rest.size();
    column += static_cast<std::size_t>(lab::columns_of(lab::take_code_point(rest)));
    if (column > columns && at > from) return space_column * 2 >= columns ? space : at;
    if (line[at] != ' ') continue;
    space = at + 1;
    space_column = column;
  }
  return line.size();
}

}  // namespace

std::vector<CodeRow> code_rows(std::string_view line, std::size_t columns) {
  columns = std::max<std::size_t>(columns, 1);
  const std::size_t blank = std::min(line.find_first_not_of(' '), line.size());
  const std::size_t indent = std::min(blank + kFarther, columns / 2);
  std::vector<CodeRow> rows{{0, row_end(line, 0, columns), 0}};
  while (rows.back().to < line.size()) {
    const std::size_t from = rows.back().to;
    rows.push_back({from, row_end(line, from, columns - indent), indent});
  }
  return rows;
}

std::size_t code_columns(const Ui& ui, float size, float room) {
  return static_cast<std::size_t>(
      std::max(kLeastColumns, room / ui.ink().width({Face::mono, size, 0}, "0")));
}

void draw_code_row(const Ui& ui, float x, float middle, float size, std::string_view line,
                   const std::vector<Token>& tokens, const CodeRow& row) {
  const Ink ink = ui.ink();
  x += static_cast<float>(row.indent) * ink.width({Face::mono, size, 0}, "0");
  for (const Token& token : tokens) {
    const std::size_t from = std::max<std::size_t>(token.from, row.from),
                      to = std::min<std::size_t>(token.to, row.to);
    if (from >= to) continue;
    const Type type{Face::mono, size, colour_of(token.kind, ui.theme)};
    const std::string_view piece = line.substr(from, to - from);
    ink.text_middle(x, middle, type, piece);
    x += ink.width(type, piece);
  }
}

}  // namespace warpbook::gui
