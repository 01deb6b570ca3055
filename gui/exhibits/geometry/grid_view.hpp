// A launch's grid as boxes that turn, and beside it the threads of one of its blocks.
#pragma once

#include "gui/exhibits/exhibit.hpp"

namespace warpbook::gui {

/// The grid has more than a row of blocks, so that a picture in space says more than a bar.
inline bool has_grid_view(const lab::GeometryExhibit& geometry) {
  return geometry.grid.count() != 0 && (geometry.grid.y > 1 || geometry.grid.z > 1);
}
/// Gives back the height that it takes.
float grid_view(const FigureArea& area, const lab::GeometryExhibit& geometry);

}  // namespace warpbook::gui
