// The picture of a convolution's sliding window: a channel of the input and of the filter beside the outputs, the window that
// one output's thread read, and below them the same window as a column of the im2col matrix. The window and SVG draw the same.
#pragma once

#include <optional>

#include "lab/exhibits/sliding_window/sliding_window_summary.hpp"
#include "lab/markup/drawing.hpp"

namespace warpbook::lab {

/// Cells of one size in rows and columns.
struct CellGrid {
  Point corner;
  double cell = 1;  ///< its side
  std::int64_t rows = 0, columns = 0;

  [[nodiscard]] Area area() const {
    return {corner.x, corner.y, static_cast<double>(columns) * cell,
            static_cast<double>(rows) * cell};
  }
  /// A cell, with a point of room to the next.
  [[nodiscard]] Area at(std::int64_t row, std::int64_t column) const {
    return {corner.x + static_cast<double>(column) * cell,
            corner.y + static_cast<double>(row) * cell, cell - 1, cell - 1};
  }
  struct Place {
    std::int64_t row = 0, column = 0;
  };
  /// The cell at a point; none outside.
  [[nodiscard]] std::optional<Place> place_at(const Point& point) const;
};

/// What the picture shows of its exhibit.
struct SlidingWindowChoice {
  const SlidingWindowExhibit::Output* kept = nullptr;   ///< the planes are cropped round its window
  const SlidingWindowExhibit::Output* shown = nullptr;  ///< whose window is marked
  std::int64_t channel = 0;                             ///< of input and filter
  std::int64_t pointed = SlidingWindowTap::kPadding;    ///< an input that is marked wherever it is
};

/// Where the planes and the matrix lie.
struct SlidingWindowLayout {
  SlidingWindowLayout(const SlidingWindowExhibit& window, const SlidingWindowSizes& sizes,
                      const SlidingWindowExhibit::Output& kept, double width);

  SlidingWindowSizes sizes;
  SlidingWindowView view;
  CellGrid inputs, filter, outputs, matrix;
  double width = 0, height = 0;
};

/// The item {"channels"} is the place beside the input's name where a control for the channel has room.
Drawing drawing_of(const SlidingWindowExhibit& window, const SlidingWindowLayout& layout,
                   const SlidingWindowChoice& choice, const Canvas& canvas);

}  // namespace warpbook::lab
