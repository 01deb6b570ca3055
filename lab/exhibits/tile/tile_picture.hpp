// The picture of a tile: its places as cells, one grid of them a step. Pages show the steps beside each other, the window one
// at a time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "lab/exhibits/tile/tile_summary.hpp"
#include "lab/markup/drawing.hpp"

namespace warpbook::lab {

/// Which steps are drawn: `count` from `first` on.
struct TileSteps {
  std::size_t first = 0, count = 1;
};

/// Where the grids of some steps lie.
class TileLayout {
 public:
  TileLayout(const TileExhibit& tile, const TileSteps& steps, double width);

  [[nodiscard]] const TileSteps& steps() const { return steps_; }
  [[nodiscard]] double width() const { return width_; }
  [[nodiscard]] double height() const;
  [[nodiscard]] double cell() const { return cell_; }
  /// Of one of the drawn steps: its heading and its grid.
  [[nodiscard]] Area head(std::size_t step) const;
  [[nodiscard]] Area grid(std::size_t step) const;
  [[nodiscard]] Area at(std::size_t step, std::uint32_t place) const;
  /// The place of a drawn step at a point; none outside.
  [[nodiscard]] std::optional<std::uint32_t> place_at(std::size_t step, const Point& point) const;

 private:
  std::uint32_t rows_, columns_;
  TileSteps steps_;
  double width_;
  std::size_t beside_ = 1;  ///< grids beside each other
  double cell_ = 1;
};

/// What is marked: the places that a thread touched, and one place.
struct TileMarks {
  std::optional<std::uint32_t> thread, place;
};

Drawing drawing_of(const TileExhibit& tile, const TileLayout& layout, const TileMarks& marks,
                   const Canvas& canvas);

}  // namespace warpbook::lab
