// Where the cells of a heat map or an image of a tensor stand: plain arithmetic.
#pragma once

#include <cstdint>
#include <optional>

#include "lab/exhibits/tensor/tensor_picture.hpp"
#include "lab/markup/drawing.hpp"

namespace warpbook::lab {

/// Planes beside and below each other, in points from the picture's corner.
struct HeatLayout {
  TensorLayout cells;
  /// Elements have no cells of their own that could be drawn one by one: all are the pixels of one texture.
  bool texture = false;
  std::uint64_t across = 1, down = 0;  ///< planes
  Point cell;                          ///< its size
  double gap = 0;                      ///< between planes
  double title = 0;                    ///< above each plane, for its name; 0 where there is none

  [[nodiscard]] double plane_width() const {
    return static_cast<double>(cells.plane_columns) * cell.x;
  }
  [[nodiscard]] double plane_height() const {  ///< with its title
    return title + static_cast<double>(cells.plane_rows) * cell.y;
  }
  [[nodiscard]] double height() const {
    return static_cast<double>(down) * (plane_height() + gap) - gap;
  }
  /// The corner of a plane's first cell.
  [[nodiscard]] Point corner_of(std::uint64_t plane) const;
  /// The corner of a cell, by its number in a raster.
  [[nodiscard]] Point corner_of_cell(std::size_t index) const;
  /// The number of the cell at a place.
  [[nodiscard]] std::optional<std::size_t> cell_at(Point place) const;
  /// The number of the cell that stands for an element; none where its plane has no room.
  [[nodiscard]] std::optional<std::size_t> cell_of(const TensorPlanes& shape,
                                                   std::uint64_t element) const;
};

/// A cell an element where all of them have room as cells; else a texture, as fine as points go. `width` in points.
HeatLayout heat_layout(const TensorExhibit& tensor, TensorExhibit::View view, double width);
/// Rows and columns that were cut out of a tensor, in the place that all of them take in its layout.
HeatLayout closer_layout(const TensorExhibit& part, const HeatLayout& whole);
/// Cells in any case: of a tensor that has more elements, each stands for several.
HeatLayout cell_layout(const TensorExhibit& tensor, TensorExhibit::View view, double width);

}  // namespace warpbook::lab
