// The picture of schedules: a cell for each of them, where the shown one's result is wrong, and the two lines that collide. The
// window and SVG draw the same.
#pragma once

#include <cstddef>
#include <optional>

#include "lab/exhibits/schedules/schedules_summary.hpp"
#include "lab/markup/drawing.hpp"

namespace warpbook::lab {

/// Where the parts of the picture lie, from top to bottom. No part moves when another schedule is shown.
class SchedulesPlane {
 public:
  SchedulesPlane(const SchedulesExhibit& schedules, const Canvas& canvas);

  [[nodiscard]] double height() const { return height_; }
  /// All cells.
  [[nodiscard]] const Area& strip() const { return strip_; }
  [[nodiscard]] Area cell(std::size_t run) const;
  [[nodiscard]] std::optional<std::size_t> run_at(const Point& point) const;
  /// Schedules in a row of the strip.
  [[nodiscard]] std::size_t columns() const { return columns_; }
  /// The band of the array's elements; empty where no result is wrong.
  [[nodiscard]] const Area& elements() const { return elements_; }
  /// The line `number` (from 0) of the differences below the band.
  [[nodiscard]] double difference_line(std::size_t number) const;
  /// The lines of code; empty without a collision.
  [[nodiscard]] const Area& code() const { return code_; }
  [[nodiscard]] double code_line(std::size_t number) const;

 private:
  std::size_t runs_ = 0, columns_ = 1;
  Area strip_, elements_, code_;
  double height_ = 0;
};

/// `shown`: the schedule whose cell is outlined and whose result is shown.
Drawing drawing_of(const SchedulesExhibit& schedules, const SchedulesPlane& plane,
                   std::size_t shown, const Canvas& canvas);

}  // namespace warpbook::lab
