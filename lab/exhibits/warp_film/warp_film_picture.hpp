// The picture of a warp's film. Its rows are lines of code. At the left is one frame: where each of the 32 lanes is at the shown
// step. At the right is the whole film: which row the warp issued, from left to right. The window and SVG draw the same.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "lab/exhibits/warp_film/warp_film_summary.hpp"
#include "lab/markup/drawing.hpp"

namespace warpbook::lab {

/// Where the parts of the picture lie.
class WarpFilmPlane {
 public:
  /// With another film beside it, both have the same axis of issued instructions.
  WarpFilmPlane(const WarpFilmExhibit& film, const WarpFilmExhibit* beside, const Canvas& canvas);

  [[nodiscard]] std::size_t rows() const { return rows_; }  ///< that are drawn
  [[nodiscard]] std::size_t rows_left_out() const { return left_out_; }
  [[nodiscard]] double height() const { return height_; }
  [[nodiscard]] std::uint64_t axis_end() const { return end_; }
  [[nodiscard]] const Area& code() const { return code_; }
  [[nodiscard]] const Area& frame() const { return frame_; }  ///< the lanes
  [[nodiscard]] const Area& strip() const { return strip_; }  ///< the whole film
  [[nodiscard]] double row_high() const { return row_high_; }
  /// The top of a row; of the number rows(), that of the lanes that have ended.
  [[nodiscard]] double top_of(std::size_t row) const;
  [[nodiscard]] double across(std::uint64_t issue) const;
  [[nodiscard]] Area lane_at(std::size_t row, unsigned lane) const;
  /// The step at a place of the strip.
  [[nodiscard]] std::size_t step_near(const WarpFilmExhibit& film, double x) const;

 private:
  Area code_, frame_, strip_;
  double row_high_ = 0, height_ = 0;
  std::size_t rows_ = 0, left_out_ = 0;
  std::uint64_t end_ = 0;
};

/// `shown`: the step whose frame is drawn.
Drawing drawing_of(const WarpFilmExhibit& film, const WarpFilmPlane& plane, std::size_t shown,
                   const Canvas& canvas);

}  // namespace warpbook::lab
