// The picture of a tensor as a plot: a line through its elements in their order, or a column from the least to the greatest of
// several. The window and SVG draw the same.
#pragma once

#include <optional>
#include <vector>

#include "lab/exhibits/tensor/tensor_picture.hpp"
#include "lab/markup/drawing.hpp"

namespace warpbook::lab {

/// Columns of a plot in so many points, at most.
std::uint64_t plot_columns(double width);

struct PlotLayout {
  PlotLayout(const std::vector<TensorColumn>& columns, const TensorScale& scale,
             const Canvas& canvas);
  Area area;
  double step = 1;  ///< from a column to the next
  /// The column at a point; none where there is none.
  [[nodiscard]] std::optional<std::size_t> column_at(const Point& point) const;
  std::size_t columns = 0;
};

/// `marked`: an element whose column is drawn in the accent's colour.
Drawing drawing_of(const std::vector<TensorColumn>& columns, const TensorScale& scale,
                   const PlotLayout& layout, std::optional<std::uint64_t> marked,
                   const Canvas& canvas);

}  // namespace warpbook::lab
