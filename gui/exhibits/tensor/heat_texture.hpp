// A heat map or an image of more cells than are drawn one by one: all of them as one texture, in one rectangle a plane.
#pragma once

#include <cstddef>
#include <vector>

#include "gui/exhibits/tensor/heat_layout.hpp"
#include "gui/exhibits/tensor/tensor_views.hpp"

namespace warpbook::gui {

/// So many marked cells have a shape of their own that is seen from afar.
inline constexpr std::size_t kMostOutlines = 64;

/// The cells of a tensor, and what of them is marked.
struct HeatCells {
  lab::TensorRaster raster;
  lab::TensorMarks any;
  std::size_t wrong = 0, marked = 0;
  std::vector<std::size_t> first_marked;  ///< numbers of cells, kMostOutlines at most
};

/// What stands for `share` (0 to 1) of the scale: Viridis, or a grey of an image.
Colour heat_colour(lab::TensorExhibit::View view, float share);

/// At the place's corner. A cell that is marked has a colour that no value has; few marked cells also a sign about them.
void draw_heat_texture(const TensorFrame& place, const HeatLayout& layout, const HeatCells& cells);
/// A line: what those colours mean, of those that occur; gives back the height.
float say_texture_marks(const TensorFrame& place, float top, const lab::TensorMarks& any);

}  // namespace warpbook::gui
