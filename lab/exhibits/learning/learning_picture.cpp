#include "lab/exhibits/learning/learning_picture.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "lab/markup/axis.hpp"
#include "lab/markup/phrases.hpp"

namespace warpbook::lab {
namespace {

using Pass = LearningExhibit::Pass;
using Run = LearningExhibit::Run;

constexpr double kNamesRow = 24, kLeft = 64, kRight = 14, kTop = 8, kLossHigh = 200,
                 kRightHigh = 70, kGap = 14, kLabelsHigh = 22, kSample = 26, kDot = 2.5, kKnob = 5,
                 kBarTitle = 26, kBarHigh = 26, kLegendHigh = 26;
constexpr std::size_t kFewPoints = 40;  ///< so few are seen one by one
constexpr Letters kName{Letters::Face::sans, 13}, kFigures{Letters::Face::mono, 12};
constexpr std::array kPasses{Pass::forward, Pass::backward, Pass::update};

Role colour_of(Pass pass) { return category(static_cast<std::size_t>(pass)); }

/// The first run is drawn through, the second in dashes, and so on: no colour stands alone.
Stroke stroke_of(std::size_t run) {
  static constexpr std::array kOfRun{kThrough, kDashes, kDots};
  return {category(run), 2, kOfRun[run % kOfRun.size()]};
}

bool any_launch(const LearningExhibit& learning) {
  return !learning.runs.empty() &&
         std::ranges::any_of(learning.runs.front().points,
                             [](const auto& point) { return !point.launches.empty(); });
}

/// Calls `place(run, left, top, name)` for the name of each of several runs; gives back the height of their rows.
template <class Place>
double lay_names(const LearningExhibit& learning, const Canvas& canvas, const Place& place) {
  if (learning.runs.size() < 2) return 0;
  double x = 0, y = 0;
  for (std::size_t r = 0; r < learning.runs.size(); ++r) {
    const std::string name = canvas.strings(learning.runs[r].name);
    const double wide = kSample + 8 + canvas.text_width(kName, name);
    if (x > 0 && x + wide > canvas.width) {
      x = 0;
      y += kNamesRow;
    }
    place(r, x, y, name);
    x += wide + 18;
  }
  return y + kNamesRow;
}

/// About six round numbers of steps.
std::vector<double> step_ticks(double last) {
  return multiples_of(round_step(std::max(last / 6, 1.0)), 0, last);
}

class LearningDrawing {
 public:
  LearningDrawing(const LearningExhibit& learning, const LearningPlane& plane,
                  const std::optional<std::size_t>& shown, const std::optional<std::size_t>& launch,
                  const Canvas& canvas)
      : learning_(learning), plane_(plane), shown_(shown), launch_(launch), canvas_(canvas) {
    drawing_.width = canvas.width;
    drawing_.height = plane.height();
    place_names();
    place_axes();
    for (std::size_t r = learning.runs.size(); r-- > 0;) place_run(r);  // the first lies on top
    if (!shown) return;
    place_shown(learning.runs.front().points[*shown]);
    if (plane.bar()) place_launches(learning.runs.front().points[*shown]);
  }
  Drawing take() { return std::move(drawing_); }

 private:
  void place_names() {
    lay_names(learning_, canvas_,
              [&](std::size_t run, double x, double y, const std::string& name) {
                const double middle = y + kNamesRow / 2;
                drawing_.line({x, middle}, {x + kSample, middle}, stroke_of(run));
                drawing_.text({x + kSample + 6, middle},
                              canvas_.fitted(kName, name, canvas_.width - x - kSample - 6), kName,
                              Role::t1);
              });
  }

  void place_row(const Area& area, double y, const std::string& label) {
    drawing_.line({area.x, y}, {area.right(), y}, {Role::s4});
    drawing_.text({area.x - 6, y}, label, kFigures, Role::t3, Anchor::right);
  }

  void place_axes() {
    const Area& loss = plane_.loss();
    drawing_.rectangle(loss, Role::s1, 3);
    for (const double tick : loss_ticks(plane_.bounds()))
      place_row(loss, plane_.down(tick), loss_text(tick));
    // At the right, where a loss that falls leaves room.
    drawing_.text({loss.right() - 6, loss.y + 10}, canvas_.strings("learning.head.loss"), kName,
                  Role::t3, Anchor::right);
    if (const auto& right = plane_.right()) {
      drawing_.rectangle(*right, Role::s1, 3);
      for (const double share : {0.0, 0.5, 1.0})
        place_row(*right, plane_.down_right(share), percent_text(share));
      drawing_.text({right->right() - 6, right->bottom() - 10},
                    canvas_.strings("learning.head.right"), kName, Role::t3, Anchor::right);
    }
    const double below = plane_.plots().bottom();
    for (const double step : step_ticks(plane_.bounds().last)) {
      const double x = plane_.across(step);
      drawing_.line({x, loss.y}, {x, loss.bottom()}, {Role::s4});
      if (plane_.right())
        drawing_.line({x, plane_.right()->y}, {x, plane_.right()->bottom()}, {Role::s4});
      drawing_.text({x, below + kLabelsHigh / 2}, number(step), kFigures, Role::t3, Anchor::middle);
    }
  }

  void place_line(const std::vector<Point>& points, std::size_t run) {
    if (points.size() <= kFewPoints)
      for (const Point& point : points) drawing_.circle(point, kDot, category(run));
    if (points.size() > 1) drawing_.polyline(points, stroke_of(run));
  }

  void place_run(std::size_t r) {
    std::vector<Point> losses, right;
    for (const auto& point : learning_.runs[r].points) {
      const double x = plane_.across(static_cast<double>(point.step));
      losses.push_back({x, plane_.down(point.loss)});
      if (point.accuracy && plane_.right())
        right.push_back({x, plane_.down_right(*point.accuracy)});
    }
    place_line(losses, r);
    place_line(right, r);
  }

  void place_shown(const LearningExhibit::Point& point) {
    const double x = plane_.across(static_cast<double>(point.step));
    const Area plots = plane_.plots();
    drawing_.line({x, plots.y}, {x, plots.bottom()}, {{Role::accent, 0.5}});
    drawing_.circle({x, plane_.down(point.loss)}, kKnob, Role::accent);
    if (point.accuracy && plane_.right())
      drawing_.circle({x, plane_.down_right(*point.accuracy)}, kKnob, Role::accent);
  }

  void place_launches(const LearningExhibit::Point& point) {
    const Area& bar = *plane_.bar();
    drawing_.text({0, bar.y - kBarTitle / 2},
                  canvas_.fitted(kName, point_text(point, canvas_.strings), canvas_.width), kName,
                  Role::t1);
    for (std::size_t i = 0; i < point.launches.size(); ++i) {
      Area at = plane_.launch(point, i);
      if (at.width > 2) at.width -= 1;
      DrawnItem& box = drawing_.rectangle(at, colour_of(point.launches[i].pass), 1);
      box.id = ItemId{"launch", i};
      box.title = launch_text(point, i, canvas_.strings);
      if (launch_ == i) drawing_.outline(at.grown(2), {Role::accent, 2}, 2);
    }
    place_legend(point, bar.bottom() + kLegendHigh / 2);
  }

  /// The colours of the three passes, with how many launches each has.
  void place_legend(const LearningExhibit::Point& point, double middle) {
    double x = 0;
    for (const Pass pass : kPasses) {
      const auto launches =
          std::ranges::count(point.launches, pass, &LearningExhibit::Launch::pass);
      const std::string says = canvas_.strings(
          "learning.of-pass",
          {{"pass", canvas_.strings("learning.pass." + std::string(name_of(pass)))},
           {"launches",
            counted(canvas_.strings, "learning.launches", static_cast<std::uint64_t>(launches))}});
      drawing_.rectangle({x, middle - 5, 10, 10}, colour_of(pass), 2);
      drawing_.text({x + 16, middle}, says, kName, Role::t2);
      x += 16 + canvas_.text_width(kName, says) + 18;
    }
  }

  const LearningExhibit& learning_;
  const LearningPlane& plane_;
  const std::optional<std::size_t>&shown_, &launch_;
  const Canvas& canvas_;
  Drawing drawing_;
};

}  // namespace

LearningPlane::LearningPlane(const LearningExhibit& learning, const LearningExhibit* beside,
                             const Canvas& canvas)
    : bounds_(beside ? bounds_of(learning, *beside) : bounds_of(learning)) {
  const double names =
      lay_names(learning, canvas, [](std::size_t, double, double, const std::string&) {});
  const double wide = std::max(1.0, canvas.width - kLeft - kRight);
  loss_ = {kLeft, names + kTop, wide, kLossHigh};
  double below = loss_.bottom();
  if (any_accuracy(learning)) {
    right_ = Area{kLeft, below + kGap, wide, kRightHigh};
    below = right_->bottom();
  }
  height_ = below + kLabelsHigh;
  if (!any_launch(learning)) return;
  bar_ = Area{0, height_ + kBarTitle, canvas.width, kBarHigh};
  height_ = bar_->bottom() + kLegendHigh;
}

Area LearningPlane::plots() const {
  Area all = loss_;
  if (right_) all.height = right_->bottom() - all.y;
  return all;
}

double LearningPlane::across(double step) const {
  return loss_.x + step / bounds_.last * loss_.width;
}

double LearningPlane::down(double loss) const {
  const double span = bounds_.high - bounds_.low;
  const double share = span > 0 ? (ordinate(bounds_, loss) - bounds_.low) / span : 0.5;
  return loss_.bottom() - share * loss_.height;
}

double LearningPlane::down_right(double accuracy) const {
  return right_->bottom() - accuracy * right_->height;
}

Area LearningPlane::launch(const LearningExhibit::Point& point, std::size_t launch) const {
  const std::vector<double> shares = shares_of(point.launches);
  double before = 0;
  for (std::size_t i = 0; i < launch; ++i) before += shares[i];
  return {bar_->x + before * bar_->width, bar_->y, shares[launch] * bar_->width, bar_->height};
}

std::optional<std::size_t> LearningPlane::point_near(const LearningExhibit& learning,
                                                     const Point& place) const {
  if (learning.runs.empty() || learning.runs.front().points.empty()) return {};
  const auto& points = learning.runs.front().points;
  const auto distance = [&](const LearningExhibit::Point& point) {
    return std::abs(across(static_cast<double>(point.step)) - place.x);
  };
  return static_cast<std::size_t>(std::ranges::min_element(points, {}, distance) - points.begin());
}

std::optional<std::size_t> LearningPlane::launch_at(const LearningExhibit::Point& point,
                                                    const Point& place) const {
  for (std::size_t i = 0; bar_ && i < point.launches.size(); ++i)
    if (launch(point, i).holds(place)) return i;
  return {};
}

Drawing drawing_of(const LearningExhibit& learning, const LearningPlane& plane,
                   const std::optional<std::size_t>& shown,
                   const std::optional<std::size_t>& launch, const Canvas& canvas) {
  return LearningDrawing(learning, plane, shown, launch, canvas).take();
}

}  // namespace warpbook::lab
