// The picture of a tensor as a heat map or a grey image: its planes beside each other, what is marked on their cells, and the
// scale below. The window and SVG draw the same; but of more cells than are drawn one by one the window paints a texture below.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "lab/exhibits/tensor/heat_layout.hpp"
#include "lab/markup/drawing.hpp"

namespace warpbook::lab {

/// Of the scale below the cells.
inline constexpr double kHeatScaleHigh = 24;
/// So many marked cells have a shape of their own that is seen from afar.
inline constexpr std::size_t kMostHeatOutlines = 64;

/// The cells of a tensor, and what of them is marked.
struct HeatCells {
  TensorRaster raster;
  TensorMarks any;
  std::size_t wrong = 0, marked = 0;
  std::vector<std::size_t> first_marked;  ///< numbers of cells, kMostHeatOutlines at most
};
HeatCells heat_cells(const TensorExhibit& tensor, TensorExhibit::View view,
                     const TensorLayout& layout);

/// The colour of `share` (0 to 1) of the scale: Viridis, or a grey of an image.
Rgb heat_colour(TensorExhibit::View view, double share);

struct HeatPicture {
  const TensorExhibit& tensor;
  TensorExhibit::View view;
  const HeatLayout& layout;
  const HeatCells& cells;
  const TensorScale& scale;
  std::optional<std::uint64_t> outlined;  ///< an element
};
/// Of a texture the planes' names, the signs of a few marked cells and the scale.
Drawing drawing_of(const HeatPicture& picture, const Canvas& canvas);

}  // namespace warpbook::lab
