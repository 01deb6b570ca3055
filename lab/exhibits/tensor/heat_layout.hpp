// Where the cells of a heat map or an image of a tensor stand: plain arithmetic.
#pragma once

#include <cstdint>
#include <optional>

#include <imgui.h>

#include "lab/exhibits/tensor/tensor_picture.hpp"

namespace warpbook::gui {

/// Planes beside and below each other, in points from the picture's corner.
struct HeatLayout {
  lab::TensorLayout cells;
  /// Elements have no cells of their own that could be drawn one by one: all are the pixels of one texture.
  bool texture = false;
  std::uint64_t across = 1, down = 0;  ///< planes
  ImVec2 cell;                         ///< its size
  float gap = 0;                       ///< between planes
  float title = 0;                     ///< above each plane, for its name; 0 where there is none

  [[nodiscard]] float plane_width() const {
    return static_cast<float>(cells.plane_columns) * cell.x;
  }
  [[nodiscard]] float plane_height() const {  ///< with its title
    return title + static_cast<float>(cells.plane_rows) * cell.y;
  }
  [[nodiscard]] float height() const {
    return static_cast<float>(down) * (plane_height() + gap) - gap;
  }
  /// The corner of a plane's first cell.
  [[nodiscard]] ImVec2 corner_of(std::uint64_t plane) const;
  /// The corner of a cell, by its number in a raster.
  [[nodiscard]] ImVec2 corner_of_cell(std::size_t index) const;
  /// The number of the cell at a place.
  [[nodiscard]] std::optional<std::size_t> cell_at(ImVec2 place) const;
  /// The number of the cell that stands for an element; none where its plane has no room.
  [[nodiscard]] std::optional<std::size_t> cell_of(const lab::TensorPlanes& shape,
                                                   std::uint64_t element) const;
};

/// A cell an element where all of them have room as cells; else a texture, as fine as points go. `width` in points.
HeatLayout heat_layout(const lab::TensorExhibit& tensor, lab::TensorExhibit::View view,
                       float width);

}  // namespace warpbook::gui
