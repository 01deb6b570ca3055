// The picture of an error's way: a line for each step of the host, a bar for each kernel beside the lines during which it runs, and an
// arrow from where the error was caused to the call that told. The window and SVG draw the same.
#pragma once

#include <cstddef>
#include <optional>

#include "lab/exhibits/trail/trail.hpp"
#include "lab/markup/drawing.hpp"

namespace warpbook::lab {

class TrailPlane {
 public:
  TrailPlane(const TrailExhibit& trail, double width);

  [[nodiscard]] double height() const { return height_; }
  [[nodiscard]] Area row(std::size_t step) const;
  [[nodiscard]] std::optional<std::size_t> step_at(const Point& point) const;
  /// Where the code of the host ends, and what the calls returned.
  [[nodiscard]] double host_right() const { return host_right_; }
  /// The column between host and kernels in which the arrow runs.
  [[nodiscard]] double track() const { return track_; }
  [[nodiscard]] Area kernel(const TrailExhibit& trail, std::size_t number) const;

 private:
  std::size_t steps_ = 0;
  double width_ = 0, height_ = 0, host_right_ = 0, track_ = 0;
};

/// `shown`: the step that is pointed at.
Drawing drawing_of(const TrailExhibit& trail, const TrailPlane& plane,
                   std::optional<std::size_t> shown, const Canvas& canvas);

}  // namespace warpbook::lab
