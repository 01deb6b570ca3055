#include "lab/exhibits/pareto/pareto_picture.hpp"

#include <algorithm>
#include <cmath>

#include "lab/markup/axis.hpp"

namespace warpbook::lab {
namespace {

using Kernel = ParetoExhibit::Point;
using Origin = ParetoExhibit::Origin;
using Face = Letters::Face;

constexpr double kParetoNamesRow = 24, kParetoPlotTop = 6, kParetoPlotHigh = 294,
                 kParetoLabelsHigh = 22, kParetoAxisHigh = 22, kParetoLeft = 84, kParetoRight = 10,
                 kParetoDot = 5, kParetoYours = 7, kParetoSignWide = 14, kParetoReach = 48;
constexpr double kParetoRoom = 1.3;  ///< factor by which the axes reach beyond the outermost points
constexpr std::size_t kParetoMostNamed = 16;
constexpr double kParetoShade = 0.5;
constexpr Letters kParetoNameLetters{Face::sans, 14}, kParetoFigures{Face::mono, 12},
    kParetoNote{Face::sans, 13}, kParetoSign{Face::sans, 13, true};

/// Ours are filled, the reader's is larger, earlier ones are rings: no colour stands alone.
void place_dot(Drawing& drawing, const Point& place, Origin origin, std::size_t number) {
  const ItemId id{"kernel", number};
  switch (origin) {
    case Origin::ours: drawing.circle(place, kParetoDot, Role::category_0).id = id; break;
    case Origin::yours: drawing.circle(place, kParetoYours, Role::category_1).id = id; break;
    case Origin::earlier:
      drawing.circle(place, kParetoDot, Role::s1, {Role::category_1, 1.5}).id = id;
      break;
  }
}

/// Calls `place(point, left, top)` for each name, in as many rows as they take; gives back the height of the rows.
template <class Place>
double lay_kernel_names(const ParetoExhibit& pareto, const Canvas& canvas, const Place& place) {
  double x = 0, y = 0;
  for (std::size_t i = 0; i < std::min(pareto.points.size(), kParetoMostNamed); ++i) {
    const double wide =
        2 * kParetoYours + kParetoSignWide + 8 +
        canvas.text_width(kParetoNameLetters, canvas.strings(pareto.points[i].name)) + 20;
    if (x > 0 && x + wide > canvas.width) {
      x = 0;
      y += kParetoNamesRow;
    }
    place(i, x, y);
    x += wide;
  }
  return y + kParetoNamesRow;
}

class ParetoDrawing {
 public:
  ParetoDrawing(const ParetoExhibit& pareto, const ParetoPlane& plane, std::size_t shown,
                const Canvas& canvas)
      : pareto_(pareto), plane_(plane), area_(plane.area()), shown_(shown), canvas_(canvas) {
    drawing_.width = canvas.width;
    drawing_.height = plane.height();
    place_names();
    if (!plane.any()) return;
    drawing_.rectangle(area_, Role::s1, 3);
    place_dominated();
    place_axes();
    place_frontier();
    for (std::size_t i = 0; i < pareto.points.size(); ++i) place_kernel(i);
  }
  Drawing take() { return std::move(drawing_); }

 private:
  void place_names() {
    lay_kernel_names(pareto_, canvas_, [&](std::size_t i, double x, double y) {
      const double middle = y + kParetoNamesRow / 2, sign = x + 2 * kParetoYours + 4,
                   left = sign + kParetoSignWide + 2;
      place_dot(drawing_, {x + kParetoYours, middle}, pareto_.points[i].origin, i);
      drawing_.items.back().id.reset();  // it is in the legend, not in the plane
      drawing_.text({sign, middle}, point_sign(i), kParetoSign, Role::t1);
      drawing_.text({left, middle},
                    canvas_.fitted(kParetoNameLetters, canvas_.strings(pareto_.points[i].name),
                                   canvas_.width - left),
                    kParetoNameLetters, i == shown_ ? Role::t1 : Role::t2);
    });
  }

  void place_axes() {
    const Stroke grid{Role::s4};
    const ParetoBounds& bounds = plane_.bounds();
    for (const double seconds : log_ticks(bounds.low, bounds.high)) {
      const double y = plane_.down(seconds);
      drawing_.line({area_.x, y}, {area_.right(), y}, grid);
      drawing_.text({area_.x - 6, y}, duration(seconds), kParetoFigures, Role::t3, Anchor::right);
    }
    for (const double amount : log_ticks(bounds.left, bounds.right)) {
      const double x = plane_.across(amount);
      drawing_.line({x, area_.y}, {x, area_.bottom()}, grid);
      drawing_.text({x, area_.bottom() + kParetoLabelsHigh / 2}, amount_text(pareto_, amount),
                    kParetoFigures, Role::t3, Anchor::middle);
    }
    const std::string axis =
        canvas_.strings("pareto.axis", {{"measure", measure_name(pareto_, canvas_.strings)}});
    drawing_.text({area_.middle().x, area_.bottom() + kParetoLabelsHigh + kParetoAxisHigh / 2 - 4},
                  canvas_.fitted(kParetoNote, axis, area_.width), kParetoNote, Role::t3,
                  Anchor::middle);
  }

  /// The frontier from left to right: the slowest first, which costs least of the measure.
  [[nodiscard]] std::vector<Point> steps() const {
    std::vector<Point> places;
    for (const std::size_t i : frontier_of(pareto_))
      places.insert(places.begin(), plane_.at(pareto_, pareto_.points[i]));
    return places;
  }

  /// All that is above and right of a point of the frontier.
  void place_dominated() {
    const std::vector<Point> places = steps();
    for (std::size_t i = 0; i < places.size(); ++i) {
      const double right = i + 1 < places.size() ? places[i + 1].x : area_.right();
      drawing_.rectangle({places[i].x, area_.y, right - places[i].x, places[i].y - area_.y},
                         Paint(Role::s3, kParetoShade));
    }
  }

  /// A staircase, from the plane's upper edge to its right one.
  void place_frontier() {
    std::vector<Point> corners;
    double top = area_.y;
    for (const Point& place : steps()) {
      corners.push_back({place.x, top});
      corners.push_back(place);
      top = place.y;
    }
    corners.push_back({area_.right(), top});
    drawing_.polyline(std::move(corners), {Role::accent, 2});
  }

  void place_kernel(std::size_t i) {
    const Kernel& kernel = pareto_.points[i];
    if (!is_drawn(pareto_, kernel)) return;
    const Point place = plane_.at(pareto_, kernel);
    if (kernel.low > 0 && kernel.high > kernel.low && std::isfinite(kernel.high)) {
      drawing_.line({place.x, plane_.down(kernel.high)}, {place.x, plane_.down(kernel.low)},
                    {Paint(Role::t3, kParetoShade), 2});
    }
    if (i == shown_) drawing_.circle(place, kParetoYours + 4, {}, {Role::accent, 2});
    place_dot(drawing_, place, kernel.origin, i);
    if (i >= kParetoMostNamed) return;
    // Signs of kernels that lie together stand side by side.
    Point sign{place.x + 10, place.y - 10};
    for (const Point& other : signs_) {
      if (std::abs(other.y - sign.y) < kParetoSignWide &&
          std::abs(other.x - sign.x) < kParetoSignWide)
        sign.x = other.x + kParetoSignWide;
    }
    signs_.push_back(sign);
    drawing_.text(sign, point_sign(i), kParetoSign, Role::t1).id = ItemId{"sign", i};
  }

  const ParetoExhibit& pareto_;
  const ParetoPlane& plane_;
  const Area& area_;
  std::size_t shown_;
  const Canvas& canvas_;
  std::vector<Point> signs_;
  Drawing drawing_;
};

}  // namespace

ParetoPlane::ParetoPlane(const ParetoExhibit& pareto, const ParetoExhibit* beside,
                         const Canvas& canvas)
    : bounds_(bounds_of(pareto)) {
  if (beside) bounds_ = joined(bounds_, bounds_of(*beside));
  bounds_.left /= kParetoRoom;
  bounds_.right *= kParetoRoom;
  bounds_.low /= kParetoRoom;
  bounds_.high *= kParetoRoom;
  const double names = lay_kernel_names(pareto, canvas, [](std::size_t, double, double) {});
  area_ = {kParetoLeft, names + kParetoPlotTop,
           std::max(1.0, canvas.width - kParetoLeft - kParetoRight), kParetoPlotHigh};
}

double ParetoPlane::height() const {
  return bounds_.any ? area_.bottom() + kParetoLabelsHigh + kParetoAxisHigh
                     : area_.y - kParetoPlotTop;
}

double ParetoPlane::across(double amount) const {
  return area_.x +
         std::clamp(log_share(amount, bounds_.left, bounds_.right), 0.0, 1.0) * area_.width;
}

double ParetoPlane::down(double seconds) const {
  return area_.bottom() -
         std::clamp(log_share(seconds, bounds_.low, bounds_.high), 0.0, 1.0) * area_.height;
}

std::optional<std::size_t> ParetoPlane::point_near(const ParetoExhibit& pareto,
                                                   const Point& place) const {
  std::optional<std::size_t> nearest;
  double least = kParetoReach;
  for (std::size_t i = 0; i < pareto.points.size(); ++i) {
    if (!is_drawn(pareto, pareto.points[i])) continue;
    const Point kernel = at(pareto, pareto.points[i]);
    const double away = std::hypot(kernel.x - place.x, kernel.y - place.y);
    if (away >= least) continue;
    least = away;
    nearest = i;
  }
  return nearest;
}

Drawing drawing_of(const ParetoExhibit& pareto, const ParetoPlane& plane, std::size_t shown,
                   const Canvas& canvas) {
  return ParetoDrawing(pareto, plane, shown, canvas).take();
}

}  // namespace warpbook::lab
