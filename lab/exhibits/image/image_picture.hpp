// The picture of an image by who wrote each pixel. The window and SVG draw the same.
#pragma once

#include <cstdint>
#include <optional>

#include "lab/exhibits/image/image_summary.hpp"
#include "lab/markup/drawing.hpp"

namespace warpbook::lab {

/// Cells of one size, with a point between them; those without a pixel, of threads beyond its edges, are hatched.
struct ImageLayout {
  ImageRaster raster;
  double cell = 1;
  ImageOverhang overhang;  ///< drawn where a cell is a pixel
  /// The letters of blocks, warps or threads are written where they have room.
  [[nodiscard]] bool has_room_for_signs() const { return cell >= 12; }
  [[nodiscard]] Area area() const {
    return {0, 0, static_cast<double>(raster.columns) * cell,
            static_cast<double>(raster.rows) * cell};
  }
  /// With the threads beyond its edges.
  [[nodiscard]] Area whole() const {
    return {0, 0, static_cast<double>(raster.columns + overhang.columns) * cell,
            static_cast<double>(raster.rows + overhang.rows) * cell};
  }
};

/// `linked`: the thread whose pixels are outlined.
Drawing drawing_of(const ImageExhibit& image, const ImageLayout& layout,
                   const std::optional<ImagePixel::Writer>& linked);

}  // namespace warpbook::lab
