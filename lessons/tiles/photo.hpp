// The chapter's photo, and what its kernels should make of it.
#pragma once

#include <cstdint>
#include <vector>

namespace warpbook::lessons::tiles {

struct Photo {
  std::int64_t rows = 0, columns = 0;
  std::vector<float> pixels;  ///< [rows][columns], whole numbers from 0 to 255

  [[nodiscard]] float at(std::int64_t row, std::int64_t column) const {
    return pixels[static_cast<std::size_t>(row * columns + column)];
  }
};

/// A lamp in the night and its light on a wall, with the noise of a sensor that had too little light.
Photo night_photo(std::int64_t rows, std::int64_t columns);

/// The mean of the window round each pixel; outside the photo, its edge is repeated.
std::vector<float> smoothed(const Photo& photo, std::int64_t radius);
/// After `steps` steps along each row: (left + 2 * own + right) / 4, the ends of a row unchanged.
std::vector<float> softened(const Photo& photo, std::int64_t steps);
/// Rows and columns exchanged.
std::vector<float> transposed(const Photo& photo);
/// For each pixel the first of the greys that are nearest to it.
std::vector<float> nearest(const Photo& photo, const std::vector<float>& palette);

}  // namespace warpbook::lessons::tiles
