// The picture of a boundary at one step: each cell in the colour of its answer, the samples in that of their label, and those that the
// network gets wrong in a box. The window and SVG draw the same.
#pragma once

#include <cstddef>

#include "lab/exhibits/boundary/boundary_summary.hpp"
#include "lab/markup/drawing.hpp"

namespace warpbook::lab {

/// A square of that width.
Drawing drawing_of(const BoundaryExhibit& boundary, std::size_t frame, double width);

}  // namespace warpbook::lab
