// The picture of a Pareto chart: kernels as dots with their bands, the frontier as a staircase, and what it dominates shaded.
// The window and SVG draw the same.
#pragma once

#include <optional>

#include "lab/exhibits/pareto/pareto_summary.hpp"
#include "lab/markup/drawing.hpp"

namespace warpbook::lab {

/// Where the axes lie, below the rows of names: the measure from left to right, the time upwards.
class ParetoPlane {
 public:
  /// With another chart beside it, both have the same axes.
  ParetoPlane(const ParetoExhibit& pareto, const ParetoExhibit* beside, const Canvas& canvas);

  /// Nothing is drawn but names where no point has a place.
  [[nodiscard]] bool any() const { return bounds_.any; }
  [[nodiscard]] const ParetoBounds& bounds() const { return bounds_; }
  [[nodiscard]] const Area& area() const { return area_; }
  [[nodiscard]] double height() const;  ///< of the whole picture
  [[nodiscard]] double across(double amount) const;
  [[nodiscard]] double down(double seconds) const;
  [[nodiscard]] Point at(const ParetoExhibit& pareto, const ParetoExhibit::Point& point) const {
    return {across(amount_of(pareto, point)), down(point.seconds)};
  }
  /// The drawn point nearest to a place, at most 48 points of the picture away.
  [[nodiscard]] std::optional<std::size_t> point_near(const ParetoExhibit& pareto,
                                                      const Point& place) const;

 private:
  ParetoBounds bounds_;
  Area area_;
};

/// `shown`: the point that has a ring.
Drawing drawing_of(const ParetoExhibit& pareto, const ParetoPlane& plane, std::size_t shown,
                   const Canvas& canvas);

}  // namespace warpbook::lab
