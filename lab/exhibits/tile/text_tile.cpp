#include <algorithm>
#include <array>
#include <string>
#include <string_view>

#include "lab/exhibits/tile/tile_summary.hpp"
#include "lab/markup/phrases.hpp"
#include "lab/markup/terminal.hpp"

namespace warpbook::lab {
namespace {

constexpr std::size_t kMostShownSteps = 3;
constexpr std::uint32_t kMostRows = 48;
constexpr std::array<std::string_view, 8> kBars{"▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};

/// A letter for the warp that wrote the place, or a bar as high as it was read often.
std::string sign_of(const TilePlace& place, std::uint32_t most_reads) {
  if (place.is_undefined()) return "!";
  if (place.is_read())
    return std::string(kBars[(place.touched->reads * kBars.size() - 1) / most_reads]);
  if (place.is_written())
    return std::string(1, static_cast<char>('A' + place.touched->writer / device::kLanes % 26));
  return place.filled ? ":" : "·";
}

void show_step(const TileExhibit& tile, std::size_t step, const Strings& strings, Page& page) {
  page.line();
  page.paragraph(step_name(strings, step), 2, Ink::strong);
  page.paragraph(step_text(tile, step, strings), 2);
  const std::vector<TilePlace> places = places_in(tile, step);
  const std::uint32_t most = figures_of(tile, step).most_reads,
                      room = static_cast<std::uint32_t>(std::max(1, page.width() - 2)),
                      columns = std::min(tile.columns, room);
  for (std::uint32_t row = 0; row < std::min(tile.rows, kMostRows); ++row) {
    std::string line = "  ";
    for (std::uint32_t column = 0; column < columns; ++column)
      line += sign_of(places[std::size_t{row} * tile.columns + column], most);
    page.line(line);
  }
}

}  // namespace

void text_body(const TileExhibit& tile, const Strings& strings, Page& page) {
  if (tile.steps.empty() || tile.rows == 0) return;
  page.paragraph(strings("tile.signs"), 2, Ink::quiet);
  const std::size_t shown = std::min(tile.steps.size(), kMostShownSteps);
  for (std::size_t step = 0; step < shown; ++step) show_step(tile, step, strings, page);
  if (shown < tile.steps.size())
    page.paragraph(counted(strings, "tile.more-steps", tile.steps.size() - shown), 2, Ink::quiet);
}

}  // namespace warpbook::lab
