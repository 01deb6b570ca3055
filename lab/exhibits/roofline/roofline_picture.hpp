// The picture of a roofline: the roofs, each run as a dot with its letter and its band, and what the roof allows to the shown
// run. The window and SVG draw the same.
#pragma once

#include <optional>

#include "lab/exhibits/roofline/roofline_summary.hpp"
#include "lab/markup/drawing.hpp"

namespace warpbook::lab {

/// Where the axes of a roofline lie, below the rows of names. Both are logarithmic.
class RooflinePlane {
 public:
  /// With another roofline beside it, both have the same axes.
  RooflinePlane(const RooflineExhibit& roofline, const RooflineExhibit* beside,
                const Canvas& canvas);

  /// Nothing is drawn where there is no roof, or no run to draw; then only the names are there.
  [[nodiscard]] bool any() const { return bounds_.any; }
  [[nodiscard]] const RooflineBounds& bounds() const { return bounds_; }
  [[nodiscard]] const Area& area() const { return area_; }
  [[nodiscard]] double height() const;  ///< of the whole picture
  [[nodiscard]] double across(double intensity) const;
  [[nodiscard]] double down(double rate) const;
  [[nodiscard]] Point at(const RooflineExhibit& roofline, const RooflineExhibit::Point& run) const {
    return {across(intensity_of(roofline, run)), down(rate_of(run))};
  }
  /// The drawn run nearest to a place, at most 48 points away.
  [[nodiscard]] std::optional<std::size_t> run_near(const RooflineExhibit& roofline,
                                                    const Point& place) const;

 private:
  RooflineBounds bounds_;
  Area area_;
};

/// `shown`: the run that is ringed and whose distance to its roof is drawn.
Drawing drawing_of(const RooflineExhibit& roofline, const RooflinePlane& plane, std::size_t shown,
                   const Canvas& canvas);

}  // namespace warpbook::lab
