// A heat map or an image of more cells than are drawn one by one: all of them as one texture, in one rectangle a plane.
#pragma once

#include "gui/exhibits/tensor/tensor_views.hpp"
#include "lab/exhibits/tensor/heat_picture.hpp"

namespace warpbook::gui {

/// At the place's corner. A cell that is marked has a colour that no value has. `look`: what tells the cells from those of another
/// look at the tensor.
void draw_heat_texture(const TensorFrame& place, const lab::HeatLayout& layout,
                       const lab::HeatCells& cells, const FigureInputs& look);
/// A line: what those colours mean, of those that occur; gives back the height.
float say_texture_marks(const TensorFrame& place, float top, const lab::TensorMarks& any);

}  // namespace warpbook::gui
