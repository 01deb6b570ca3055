// How large the book is drawn for a class.
#pragma once

#include <algorithm>

namespace warpbook::gui {

/// Pixels per unit of the book, for a screen of so many pixels: the page is always 720 units high, so that a line of text takes
/// one 42nd of the screen's height on any projector. A screen that is narrower than it is usual takes a little less, because text
/// and pictures need 900 units side by side.
inline float presentation_scale(int pixels_x, int pixels_y) {
  constexpr float kHigh = 720, kWide = 900;
  return std::max(
      0.5f, std::min(static_cast<float>(pixels_y) / kHigh, static_cast<float>(pixels_x) / kWide));
}

}  // namespace warpbook::gui
