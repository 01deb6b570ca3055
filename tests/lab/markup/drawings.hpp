// What is asked of a picture's display list.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string_view>

#include "lab/markup/drawing.hpp"

namespace warpbook::tests {

/// Items of a part.
inline std::int64_t count_of(const lab::Drawing& drawing, std::string_view part) {
  return std::ranges::count_if(
      drawing.items, [&](const lab::DrawnItem& item) { return item.id && item.id->part == part; });
}

/// Texts that are exactly this.
inline std::int64_t count_of_text(const lab::Drawing& drawing, std::string_view words) {
  return std::ranges::count_if(drawing.items, [&](const lab::DrawnItem& item) {
    const auto* text = std::get_if<lab::Text>(&item.shape);
    return text && text->text == words;
  });
}

/// Items that reach beyond the picture's edges by more than a stroke does.
inline std::int64_t count_outside(const lab::Drawing& drawing) {
  constexpr double kStroke = 4;
  const lab::Area all = lab::Area{0, 0, drawing.width, drawing.height}.grown(kStroke);
  return std::ranges::count_if(drawing.items, [&](const lab::DrawnItem& item) {
    const lab::Area at = bounds_of(item);
    return !(at.x >= all.x && at.right() <= all.right() && at.y >= all.y &&
             at.bottom() <= all.bottom());
  });
}

}  // namespace warpbook::tests
