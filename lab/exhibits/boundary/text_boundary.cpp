#include <algorithm>
#include <string_view>

#include "lab/exhibits/boundary/boundary_summary.hpp"
#include "lab/markup/terminal.hpp"

namespace warpbook::lab {
namespace {

constexpr std::uint32_t kMostRows = 20;
constexpr std::string_view kSigns = ".o#+x*";

}  // namespace

/// The regions at the last step, a sign for each class; a character is about twice as high as it is wide.
void text_body(const BoundaryExhibit& boundary, const Strings& strings, Page& page) {
  if (boundary.frames.empty() || boundary.side == 0) return;
  const auto& cells = boundary.frames.back().cells;
  const std::uint32_t rows = std::min(kMostRows, boundary.side), columns = 2 * rows;
  for (std::uint32_t row = 0; row < rows; ++row) {
    std::string line = "  ";
    for (std::uint32_t column = 0; column < columns; ++column) {
      const std::uint32_t across = column * boundary.side / columns,
                          down = row * boundary.side / rows;
      line += kSigns[cells[std::size_t{down} * boundary.side + across] % kSigns.size()];
    }
    page.line(line);
  }
  page.paragraph(strings("boundary.signs"), 2, Ink::quiet);
}

}  // namespace warpbook::lab
