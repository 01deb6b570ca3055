// The picture of bars: their groups one below another, or where all have the same labels, as many beside each other as the width
// has room for. The window and SVG draw the same.
#pragma once

#include "lab/exhibits/bars/bars_summary.hpp"
#include "lab/markup/drawing.hpp"

namespace warpbook::lab {

/// As wide as the canvas. `beside`: another one, whose bars are to be held against these; may be null.
Drawing drawing_of(const BarsExhibit& bars, const BarsExhibit* beside, const Canvas& canvas);

}  // namespace warpbook::lab
