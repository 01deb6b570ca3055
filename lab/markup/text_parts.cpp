#include "lab/markup/text_parts.hpp"

#include <algorithm>

#include "lab/text/unicode.hpp"

namespace warpbook::lab {
namespace {

constexpr std::string_view kGap = "  ";

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
      text += kGap;
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

}  // namespace warpbook::lab
