// The picture of functions of one variable: their lines, what is no number, and the shown point with its tangent. The window
// and SVG draw the same.
#pragma once

#include <optional>

#include "lab/exhibits/curve/curve_summary.hpp"
#include "lab/markup/drawing.hpp"

namespace warpbook::lab {

/// Where the axes of a curve lie, below the rows of names.
class CurvePlane {
 public:
  /// With another curve beside it, both have the same axes.
  CurvePlane(const CurveExhibit& curve, const CurveExhibit* beside, const Canvas& canvas);

  [[nodiscard]] const CurveBounds& bounds() const { return bounds_; }
  [[nodiscard]] const Area& area() const { return area_; }
  [[nodiscard]] double height() const;  ///< of the whole picture
  [[nodiscard]] double across(double x) const;
  [[nodiscard]] double down(double y) const;
  /// The point nearest to a place; none where no x is finite.
  [[nodiscard]] std::optional<std::uint64_t> point_near(const CurveExhibit& curve,
                                                        const Point& place) const;

 private:
  CurveBounds bounds_;
  Area area_;
};

/// `shown`: the point that is marked on every line.
Drawing drawing_of(const CurveExhibit& curve, const CurvePlane& plane,
                   std::optional<std::uint64_t> shown, const Canvas& canvas);

}  // namespace warpbook::lab
