// Pixels as a PNG's bytes.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace warpbook::gui {

/// A picture, rows from the top, three bytes a pixel.
struct Pixels {
  int width = 0, height = 0;
  std::vector<std::uint8_t> rgb;
};
std::string png_of(const Pixels& pixels);

}  // namespace warpbook::gui
