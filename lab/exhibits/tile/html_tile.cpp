#include <algorithm>
#include <string>

#include "lab/exhibits/tile/tile_picture.hpp"
#include "lab/markup/html_parts.hpp"
#include "lab/markup/phrases.hpp"
#include "lab/markup/svg_pen.hpp"

namespace warpbook::lab {
namespace {

constexpr double kWidth = 768;
constexpr std::size_t kMostShownSteps = 16;

std::string note(const std::string& text) { return tagged("p", "wb-more", escaped(text)); }

}  // namespace

std::string html_body(const TileExhibit& tile, const Strings& strings, const std::string& caption) {
  if (tile.steps.empty() || tile.rows == 0) return {};
  const TileSteps shown{0, std::min(tile.steps.size(), kMostShownSteps)};
  const TileLayout layout(tile, shown, kWidth);
  std::string html =
      svg_of(drawing_of(tile, layout, {tile.followed, {}}, svg_canvas(kWidth, strings)), caption) +
      note(strings("tile.legend", {{"thread", std::to_string(tile.followed)}}));
  std::string list;
  for (std::size_t step = 0; step < shown.count; ++step) {
    list += tagged(
        "li", "",
        escaped(step_name(strings, step) + strings("tile.colon") + step_text(tile, step, strings)));
  }
  html += tagged("ul", "", list);
  if (shown.count < tile.steps.size())
    html += note(counted(strings, "tile.more-steps", tile.steps.size() - shown.count));
  return html;
}

}  // namespace warpbook::lab
