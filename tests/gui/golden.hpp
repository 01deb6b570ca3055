// Pictures compared with stored ones, robust against how a machine's FreeType sets a pixel at an edge, but not against a
// wrong number.
#pragma once

#include <string>

#include "gui/draw/png.hpp"

namespace warpbook::gui::golden {

/// How much two pictures differ. Both are first averaged over squares of four pixels.
struct Difference {
  bool same_size = false;
  double share = 0;     ///< of squares that differ by more than 16 of 255 in a channel
  int most_nearby = 0;  ///< of squares that differ by more than 24, the most within 32 pixels
  [[nodiscard]] bool small() const { return same_size && share <= 0.005 && most_nearby <= 2; }
};
Difference compare(const Pixels& picture, const Pixels& stored);

/// The stored picture of that name in tests/gui/golden/; empty where there is none.
Pixels stored(const std::string& name);
/// Compares with the stored one. On failure the picture and the difference are written to golden/ in the current folder.
/// With WARPBOOK_GOLDEN=write in the environment it is stored instead.
Difference check(const Pixels& picture, const std::string& name);

/// A part of a picture; the corner and size in its pixels.
Pixels crop(const Pixels& picture, int x, int y, int width, int height);

}  // namespace warpbook::gui::golden
