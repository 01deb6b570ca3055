// The picture of a launch: a bar for each block of a row, a cell for each block of a grid, with what its idle threads leave hatched. The
// window draws rows so, and grids in space; SVG draws both.
#pragma once

#include "lab/exhibits/geometry/geometry.hpp"
#include "lab/markup/drawing.hpp"

namespace warpbook::lab {

/// As wide as the canvas. Of more blocks than can be told apart, one bar stands for all.
Drawing drawing_of(const GeometryExhibit& geometry, const Canvas& canvas);

}  // namespace warpbook::lab
