// The picture of a GPU: the chip with all its multiprocessors, on which as much area holds as many bytes everywhere; one
// multiprocessor larger; and the memory below. The window and SVG draw the same.
#pragma once

#include "lab/exhibits/gpu/gpu_summary.hpp"
#include "lab/markup/drawing.hpp"

namespace warpbook::lab {

/// As wide as the canvas.
Drawing drawing_of(const GpuExhibit& gpu, const Canvas& canvas);

}  // namespace warpbook::lab
