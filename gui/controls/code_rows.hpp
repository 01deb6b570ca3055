// Code that is shown, not edited: a line that is longer than its room goes on in the next row, since nothing there scrolls sideways.
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

#include "gui/controls/highlight.hpp"
#include "gui/controls/ui.hpp"

namespace warpbook::gui {

/// Bytes [from, to) of a line, behind so many empty columns.
struct CodeRow {
  std::size_t from = 0, to = 0;
  std::size_t indent = 0;
  friend bool operator==(const CodeRow&, const CodeRow&) = default;
};
/// A line in rows of at most `columns`. A row ends behind a space where there is one in its second half; the next ones begin
/// farther right than the line, so that they are not taken for lines. An empty line is one row.
std::vector<CodeRow> code_rows(std::string_view line, std::size_t columns);

/// How many columns of code at `size` have room.
std::size_t code_columns(const Ui& ui, float size, float room);
/// Draws the row's part of the line's tokens from `x`, its capitals around `middle`.
void draw_code_row(const Ui& ui, float x, float middle, float size, std::string_view line,
                   const std::vector<Token>& tokens, const CodeRow& row);

}  // namespace warpbook::gui
