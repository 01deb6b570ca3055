// Encodes pixels as a PNG.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace warpbook::gui {

/// A picture, row by row from the top, with three bytes per pixel.
struct Pixels {
  int width = 0, height = 0;
  std::vector<std::uint8_t> rgb;
};
std::string png_of(const Pixels& pixels);

}  // namespace warpbook::gui
