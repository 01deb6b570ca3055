#include "lab/exhibits/curve/curve_picture.hpp"

#include <algorithm>
#include <cmath>

namespace warpbook::lab {
namespace {

using Face = Letters::Face;

constexpr double kCurveNamesRow = 26, kCurvePlotTop = 6, kCurvePlotHigh = 234,
                 kCurveLabelsHigh = 20, kCurveLeft = 64, kCurveRight = 10, kCurveSampleWide = 28,
                 kCurveKnob = 4.5, kCurvePointDot = 3, kCurveMarkHigh = 8, kCurveLimitWide = 90;
constexpr std::uint64_t kCurveMostColumns = 320;  ///< of which a line keeps four points at most
constexpr std::uint64_t kCurveFewPoints = 40;  ///< so few are seen one by one, not as a line alone
constexpr Letters kCurveNameLetters{Face::sans, 14}, kCurveFigures{Face::mono, 12};

/// The first series is drawn through, the second in dashes, the third in dots, and so on: no colour stands alone.
Stroke stroke_of(std::size_t series) {
  static constexpr std::array kOfSeries{kThrough, kDashes, kDots};
  return {category(series), 2, kOfSeries[series % kOfSeries.size()]};
}

/// Calls `place(series, left, top, name)` for each name, in as many rows as they take; gives back the height of the rows.
template <class Place>
double lay_series_names(const CurveExhibit& curve, const Canvas& canvas, const Place& place) {
  double x = 0, y = 0;
  for (std::size_t s = 0; s < curve.series.size(); ++s) {
    const std::string name = canvas.strings(curve.series[s].name);
    const double wide = kCurveSampleWide + 10 + canvas.text_width(kCurveNameLetters, name);
    if (x > 0 && x + wide > canvas.width) {
      x = 0;
      y += kCurveNamesRow;
    }
    place(s, x, y, name);
    x += wide + 20;
  }
  return y + kCurveNamesRow;
}

class CurveDrawing {
 public:
  CurveDrawing(const CurveExhibit& curve, const CurvePlane& plane,
               std::optional<std::uint64_t> shown, const Canvas& canvas)
      : curve_(curve),
        plane_(plane),
        area_(plane.area()),
        shown_(shown),
        canvas_(canvas),
        columns_(std::clamp<std::uint64_t>(static_cast<std::uint64_t>(area_.width) / 2, 1,
                                           kCurveMostColumns)) {
    drawing_.width = canvas.width;
    drawing_.height = plane.height();
    place_names();
    place_axes();
    for (std::size_t s = 0; s < curve.series.size(); ++s) place_limits(s);
    for (std::size_t s = curve.series.size(); s-- > 0;) {  // the first lies on top
      place_line(s);
      place_marks(s);
    }
    if (shown && std::isfinite(x_at(curve, *shown))) place_shown(*shown);
  }
  Drawing take() { return std::move(drawing_); }

 private:
  [[nodiscard]] Point at(std::size_t s, std::uint64_t point) const {
    return {plane_.across(x_at(curve_, point)), plane_.down(y_at(curve_, s, point))};
  }

  void place_names() {
    lay_series_names(
        curve_, canvas_, [&](std::size_t s, double x, double y, const std::string& name) {
          const double middle = y + kCurveNamesRow / 2, left = x + kCurveSampleWide + 6;
          drawing_.line({x, middle}, {x + kCurveSampleWide, middle}, stroke_of(s));
          drawing_.text({left, middle},
                        canvas_.fitted(kCurveNameLetters, name, canvas_.width - left),
                        kCurveNameLetters, Role::t1);
        });
  }

  void place_axes() {
    drawing_.rectangle(area_, Role::s1, 3);
    const auto stroke = [](double value) { return Stroke{value == 0 ? Role::t4 : Role::s4}; };
    for (const double y : ticks_of(plane_.bounds().low, plane_.bounds().high)) {
      const double place = plane_.down(y);
      drawing_.line({area_.x, place}, {area_.right(), place}, stroke(y));
      drawing_.text({area_.x - 6, place}, coordinate_text(y), kCurveFigures, Role::t3,
                    Anchor::right);
    }
    for (const double x : ticks_of(plane_.bounds().left, plane_.bounds().right)) {
      const double place = plane_.across(x);
      drawing_.line({place, area_.y}, {place, area_.bottom()}, stroke(x));
      drawing_.text({place, area_.bottom() + kCurveLabelsHigh / 2}, coordinate_text(x),
                    kCurveFigures, Role::t3, Anchor::middle);
    }
  }

  /// The value at an infinite x, at that edge.
  void place_limits(std::size_t s) {
    for (const bool right : {false, true}) {
      const auto limit = limit_of(curve_, s, right);
      if (!limit || *limit < plane_.bounds().low || *limit > plane_.bounds().high) continue;
      const double edge = right ? area_.right() : area_.x, y = plane_.down(*limit),
                   reach = std::min(kCurveLimitWide, area_.width) * (right ? -1 : 1);
      drawing_.line({edge, y}, {edge + reach, y}, {category(s), 2, {2, 7}});
    }
  }

  void place_line(std::size_t s) {
    const bool few = points_of(curve_) <= kCurveFewPoints;
    for (const auto& run : runs_of(curve_, s, columns_)) {
      std::vector<Point> points;
      points.reserve(run.size());
      for (const std::uint64_t point : run) points.push_back(at(s, point));
      if (few || points.size() == 1) {
        for (const Point& point : points) drawing_.circle(point, kCurvePointDot, category(s));
      }
      if (points.size() > 1) drawing_.polyline(std::move(points), stroke_of(s));
    }
  }

  /// A sign at the edge; what it means is written where there is room.
  void place_marks(std::size_t s) {
    double free = area_.x;
    for (const CurveMark& mark : marks_of(curve_, s, columns_)) {
      const bool above = mark.kind == CurveMark::Kind::above;
      const double x = plane_.across(x_at(curve_, mark.point)),
                   edge = above ? area_.y : area_.bottom(),
                   inward = above ? kCurveMarkHigh : -kCurveMarkHigh;
      if (mark.kind == CurveMark::Kind::nan) {
        drawing_.line({x - 3, edge - 6}, {x + 3, edge}, {Role::bad, 1.5});
        drawing_.line({x - 3, edge}, {x + 3, edge - 6}, {Role::bad, 1.5});
      } else {
        drawing_.polygon(
            {{x, edge}, {x + inward / 2, edge + inward}, {x - inward / 2, edge + inward}},
            Role::bad);
      }
      if (x < free) continue;
      const std::string sign = above ? "+∞" : mark.kind == CurveMark::Kind::below ? "−∞" : "NaN";
      drawing_.text({x + 8, edge + inward}, sign, kCurveFigures, Role::bad);
      free = x + 8 + canvas_.text_width(kCurveFigures, sign) + 6;
    }
  }

  void place_shown(std::uint64_t point) {
    const double x = plane_.across(x_at(curve_, point));
    drawing_.line({x, area_.y}, {x, area_.bottom()}, {{Role::accent, 0.4}});
    if (const auto tangent = tangent_at(curve_, point)) {
      const auto [from, to] = clipped_to(*tangent, plane_.bounds());
      drawing_
          .line({plane_.across(from.first), plane_.down(from.second)},
                {plane_.across(to.first), plane_.down(to.second)}, {Role::accent, 1.5})
          .id = ItemId{"tangent"};
    }
    for (std::size_t s = 0; s < curve_.series.size(); ++s) {
      if (std::isfinite(y_at(curve_, s, point)))
        drawing_.circle(at(s, point), kCurveKnob, s == 0 ? Role::accent : category(s));
    }
  }

  const CurveExhibit& curve_;
  const CurvePlane& plane_;
  const Area& area_;
  std::optional<std::uint64_t> shown_;
  const Canvas& canvas_;
  std::uint64_t columns_;
  Drawing drawing_;
};

}  // namespace

CurvePlane::CurvePlane(const CurveExhibit& curve, const CurveExhibit* beside, const Canvas& canvas)
    : bounds_(bounds_of(curve)) {
  if (beside) bounds_ = joined(bounds_, bounds_of(*beside));
  const double names =
      lay_series_names(curve, canvas, [](std::size_t, double, double, const std::string&) {});
  area_ = {kCurveLeft, names + kCurvePlotTop,
           std::max(1.0, canvas.width - kCurveLeft - kCurveRight), kCurvePlotHigh};
}

double CurvePlane::height() const { return area_.bottom() + kCurveLabelsHigh; }

double CurvePlane::across(double x) const {
  return area_.x + share_of(x, bounds_.left, bounds_.right) * area_.width;
}

double CurvePlane::down(double y) const {
  return area_.bottom() - share_of(y, bounds_.low, bounds_.high) * area_.height;
}

std::optional<std::uint64_t> CurvePlane::point_near(const CurveExhibit& curve,
                                                    const Point& place) const {
  const double share = (place.x - area_.x) / area_.width;
  return nearest_point(curve, bounds_.left * (1 - share) + bounds_.right * share);
}

Drawing drawing_of(const CurveExhibit& curve, const CurvePlane& plane,
                   std::optional<std::uint64_t> shown, const Canvas& canvas) {
  return CurveDrawing(curve, plane, shown, canvas).take();
}

}  // namespace warpbook::lab
