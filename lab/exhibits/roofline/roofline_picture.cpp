#include "lab/exhibits/roofline/roofline_picture.hpp"

#include <algorithm>
#include <cmath>

#include "lab/markup/axis.hpp"
#include "lab/markup/phrases.hpp"

namespace warpbook::lab {
namespace {

using Run = RooflineExhibit::Point;
using Face = Letters::Face;

constexpr double kRooflineNamesRow = 24, kRooflinePlotHigh = 294, kRooflinePlotTop = 6,
                 kRooflineLabelsHigh = 22, kRooflineAxisHigh = 22, kRooflineLeft = 96,
                 kRooflineRight = 10, kRooflineDot = 5, kRooflineSignWide = 14, kRooflineReach = 48;
constexpr std::size_t kRooflineMostNamed = 24, kRooflineMostDecades = 8;
constexpr Letters kRooflineNameLetters{Face::sans, 14}, kRooflineFigures{Face::mono, 12},
    kRooflineNote{Face::sans, 13}, kRooflineSmall{Face::sans, 12};

std::size_t named_of(const RooflineExhibit& roofline) {
  return std::min(roofline.points.size(), kRooflineMostNamed);
}

/// Calls `place(run, left, top)` for each name, in as many rows as they take; gives back the height of the rows.
template <class Place>
double lay_run_names(const RooflineExhibit& roofline, const Canvas& canvas, const Place& place) {
  double x = 0, y = 0;
  for (std::size_t i = 0; i < named_of(roofline); ++i) {
    const double wide =
        kRooflineSignWide + 8 +
        canvas.text_width(kRooflineNameLetters, canvas.strings(roofline.points[i].name)) + 20;
    if (x > 0 && x + wide > canvas.width) {
      x = 0;
      y += kRooflineNamesRow;
    }
    place(i, x, y);
    x += wide;
  }
  return y + kRooflineNamesRow;
}

class RooflineDrawing {
 public:
  RooflineDrawing(const RooflineExhibit& roofline, const RooflinePlane& plane, std::size_t shown,
                  const Canvas& canvas)
      : roofline_(roofline), plane_(plane), area_(plane.area()), shown_(shown), canvas_(canvas) {
    drawing_.width = canvas.width;
    drawing_.height = plane.height();
    place_names();
    if (!plane.any()) return;
    place_axes();
    place_roofs();
    place_ridges();
    if (shown < roofline.points.size() && is_drawn(roofline, roofline.points[shown])) place_shown();
    for (std::size_t i = 0; i < roofline.points.size(); ++i) place_run(i);
  }
  Drawing take() { return std::move(drawing_); }

 private:
  void place_names() {
    lay_run_names(roofline_, canvas_, [&](std::size_t i, double x, double y) {
      const double middle = y + kRooflineNamesRow / 2, left = x + kRooflineSignWide + 12;
      drawing_.circle({x + kRooflineDot, middle}, kRooflineDot, category(i));
      drawing_.text({x + 2 * kRooflineDot + 4, middle}, point_sign(i), {Face::sans, 13, true},
                    Role::t1);
      const std::string name = canvas_.strings(roofline_.points[i].name);
      drawing_.text({left, middle},
                    canvas_.fitted(kRooflineNameLetters, name, canvas_.width - left),
                    kRooflineNameLetters, i == shown_ ? Role::t1 : Role::t2);
    });
  }

  void place_axes() {
    const Stroke grid{Role::s4};
    const RooflineBounds& bounds = plane_.bounds();
    drawing_.rectangle(area_, Role::s1, 3);
    for (const double rate : decades_of(bounds.low, bounds.high, kRooflineMostDecades)) {
      const double y = plane_.down(rate);
      drawing_.line({area_.x, y}, {area_.right(), y}, grid);
      drawing_.text({area_.x - 6, y}, operation_rate(rate), kRooflineFigures, Role::t3,
                    Anchor::right);
    }
    for (const double intensity : decades_of(bounds.left, bounds.right, kRooflineMostDecades)) {
      const double x = plane_.across(intensity);
      drawing_.line({x, area_.y}, {x, area_.bottom()}, grid);
      drawing_.text({x, area_.bottom() + kRooflineLabelsHigh / 2}, number(intensity, 3),
                    kRooflineFigures, Role::t3, Anchor::middle);
    }
    std::string axis = canvas_.strings(
        "roofline.axis", {{"memory", part_name(axis_memory(roofline_), canvas_.strings)}});
    if (canvas_.text_width(kRooflineNote, axis) > area_.width)
      axis = canvas_.strings("roofline.axis-short");
    drawing_.text(
        {area_.middle().x, area_.bottom() + kRooflineLabelsHigh + kRooflineAxisHigh / 2 - 4},
        canvas_.fitted(kRooflineNote, axis, area_.width), kRooflineNote, Role::t3, Anchor::middle);
  }

  void place_roofs() {
    for (const RoofLine& line : roof_lines(roofline_, plane_.bounds())) {
      const Point from{plane_.across(line.x1), plane_.down(line.y1)},
          to{plane_.across(line.x2), plane_.down(line.y2)};
      drawing_.line(from, to, line.main ? Stroke{Role::t1, 2} : Stroke{Role::t3, 1, kDashes});
      const std::string name = part_name(line.part, canvas_.strings);
      if (line.memory) {
        const Point middle{(from.x + to.x) / 2, (from.y + to.y) / 2};
        if (line.main)
          drawing_.text({middle.x + 10, middle.y + 12}, name, kRooflineNote, Role::t2);
        else
          drawing_.text({middle.x - 10, middle.y - 8}, name, kRooflineNote, Role::t2,
                        Anchor::right);
      } else if (line.x2 >= plane_.bounds().right) {
        drawing_.text({area_.right() - 6, from.y - 10}, name, kRooflineNote, Role::t2,
                      Anchor::right);
      }
    }
  }

  void place_ridges() {
    for (const std::uint32_t c : drawn_ceilings(roofline_)) {
      const double ridge = ridge_of(roofline_, c), x = plane_.across(ridge);
      drawing_.line({x, plane_.down(ceiling_rate(roofline_, c))}, {x, area_.bottom()},
                    {Role::t3, 1, kDots});
      const std::string words = canvas_.strings("roofline.ridge", {{"ridge", number(ridge, 3)}});
      const bool fits = x + 6 + canvas_.text_width(kRooflineNote, words) < area_.right();
      drawing_.text({fits ? x + 6 : x - 6, area_.bottom() - 10}, words, kRooflineNote, Role::t2,
                    fits ? Anchor::left : Anchor::right);
    }
  }

  /// A ring, the way up to the run's roof, and the same run by the bytes that L2 moves, where the axis is about DRAM.
  void place_shown() {
    const Run& run = roofline_.points[shown_];
    const Point place = plane_.at(roofline_, run);
    drawing_.circle(place, kRooflineDot + 4, {}, {Role::accent, 2});
    const double roof = plane_.down(roof_over(roofline_, run));
    if (roof < place.y) drawing_.line(place, {place.x, roof}, {Role::accent, 1, kDots});
    if (axis_memory(roofline_) == "l2" || !std::isfinite(intensity_at_l2(run))) return;
    const Point l2{plane_.across(intensity_at_l2(run)), place.y};
    if (std::abs(l2.x - place.x) < 2 * kRooflineDot) return;
    drawing_.line(l2, place, {Role::accent, 1, kDots});
    drawing_.circle(l2, kRooflineDot, {}, {category(shown_), 1.5}).id = ItemId{"ring", shown_};
    drawing_.text({l2.x, l2.y + 16}, part_name("l2", canvas_.strings), kRooflineSmall, Role::t2,
                  Anchor::middle);
  }

  void place_run(std::size_t i) {
    const Run& run = roofline_.points[i];
    if (!is_drawn(roofline_, run)) return;
    const Point place = plane_.at(roofline_, run);
    if (run.low > 0 && run.high > run.low && std::isfinite(run.high)) {
      drawing_.line({place.x, plane_.down(run.operations / run.high)},
                    {place.x, plane_.down(run.operations / run.low)}, {category(i), 2});
    }
    drawing_.circle(place, kRooflineDot, category(i)).id = ItemId{"run", i};
    if (i >= named_of(roofline_)) return;
    // Signs of runs that lie together stand side by side.
    Point sign{place.x + 8, place.y - 10};
    for (const Point& other : signs_) {
      if (std::abs(other.y - sign.y) < kRooflineSignWide &&
          std::abs(other.x - sign.x) < kRooflineSignWide)
        sign.x = other.x + kRooflineSignWide;
    }
    signs_.push_back(sign);
    drawing_.text(sign, point_sign(i), {Face::sans, 14, true}, Role::t1).id = ItemId{"sign", i};
  }

  const RooflineExhibit& roofline_;
  const RooflinePlane& plane_;
  const Area& area_;
  std::size_t shown_;
  const Canvas& canvas_;
  std::vector<Point> signs_;
  Drawing drawing_;
};

}  // namespace

RooflinePlane::RooflinePlane(const RooflineExhibit& roofline, const RooflineExhibit* beside,
                             const Canvas& canvas)
    : bounds_(bounds_of(roofline)) {
  if (beside) bounds_ = joined(bounds_, bounds_of(*beside));
  const double names = lay_run_names(roofline, canvas, [](std::size_t, double, double) {});
  area_ = {kRooflineLeft, names + kRooflinePlotTop,
           std::max(1.0, canvas.width - kRooflineLeft - kRooflineRight), kRooflinePlotHigh};
}

double RooflinePlane::height() const {
  return bounds_.any ? area_.bottom() + kRooflineLabelsHigh + kRooflineAxisHigh
                     : area_.y - kRooflinePlotTop;
}

double RooflinePlane::across(double intensity) const {
  return area_.x +
         std::clamp(log_share(intensity, bounds_.left, bounds_.right), 0.0, 1.0) * area_.width;
}

double RooflinePlane::down(double rate) const {
  return area_.bottom() -
         std::clamp(log_share(rate, bounds_.low, bounds_.high), 0.0, 1.0) * area_.height;
}

std::optional<std::size_t> RooflinePlane::run_near(const RooflineExhibit& roofline,
                                                   const Point& place) const {
  std::optional<std::size_t> nearest;
  double least = kRooflineReach;
  for (std::size_t i = 0; i < roofline.points.size(); ++i) {
    if (!is_drawn(roofline, roofline.points[i])) continue;
    const Point run = at(roofline, roofline.points[i]);
    const double away = std::hypot(run.x - place.x, run.y - place.y);
    if (away >= least) continue;
    least = away;
    nearest = i;
  }
  return nearest;
}

Drawing drawing_of(const RooflineExhibit& roofline, const RooflinePlane& plane, std::size_t shown,
                   const Canvas& canvas) {
  return RooflineDrawing(roofline, plane, shown, canvas).take();
}

}  // namespace warpbook::lab
