// Runs below the roofs of a GPU, on logarithmic axes: each a dot with its letter, its band, and what its roof allows.
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "gui/controls/point.hpp"
#include "gui/controls/widgets.hpp"
#include "gui/draw/strokes.hpp"
#include "gui/exhibits/panels.hpp"
#include "lab/exhibits/roofline/roofline_summary.hpp"
#include "lab/markup/phrases.hpp"

namespace warpbook::gui {
namespace {
constexpr float kLegendRow = 24, kRooflinePlot = 300, kRooflineLabels = 22, kAxis = 22,
                kRooflineWords = 44, kRooflineLeft = 96, kRooflineRight = 10, kRooflineTop = 6,
                kRooflineDot = 5, kRooflineReach = 48, kRooflineSign = 14;
constexpr std::size_t kMostNamed = 24, kDecades = 8;

using Roofline = lab::RooflineExhibit;
using Point = lab::RooflineExhibit::Point;

/// Of both where another one is to have the same axes.
lab::RooflineBounds shared_bounds(const Frame& frame, const Roofline& roofline) {
  const auto* other = beside_as<Roofline>(frame);
  const lab::RooflineBounds bounds = lab::bounds_of(roofline);
  return other ? lab::joined(bounds, lab::bounds_of(*other)) : bounds;
}

class RooflinePicture {
 public:
  RooflinePicture(const Frame& frame, const Roofline& roofline)
      : ui_(frame.ui),
        ink_(frame.ui.ink()),
        roofline_(roofline),
        corner_(frame.corner),
        width_(frame.width),
        bounds_(shared_bounds(frame, roofline)) {
    legend_ = legend_height();
    min_ = {corner_.x + kRooflineLeft, corner_.y + legend_ + kRooflineTop};
    max_ = {corner_.x + width_ - kRooflineRight, corner_.y + legend_ + kRooflinePlot};
  }

  [[nodiscard]] float height() const {
    return legend_ + (bounds_.any ? kRooflinePlot + kRooflineLabels + kAxis : 0) + kRooflineWords;
  }

  void draw() {
    if (bounds_.any) {
      point_at();
    } else {
      max_.y = min_.y;
    }
    draw_legend();
    if (bounds_.any) {
      draw_axes();
      draw_roofs();
      draw_points();
    }
    draw_words();
  }

 private:
  // The run that is shown: a choice of the view's own, kept by ImGui.
  [[nodiscard]] std::size_t kept_run() const {
    return std::min<std::size_t>(kept("run", roofline_.chosen), roofline_.points.size() - 1);
  }
  [[nodiscard]] std::size_t shown() const { return over_.value_or(kept_run()); }

  [[nodiscard]] float across(double intensity) const {
    return min_.x + static_cast<float>(std::clamp(
                        lab::log_share(intensity, bounds_.left, bounds_.right), 0.0, 1.0)) *
                        (max_.x - min_.x);
  }
  [[nodiscard]] float down(double rate) const {
    return max_.y - static_cast<float>(
                        std::clamp(lab::log_share(rate, bounds_.low, bounds_.high), 0.0, 1.0)) *
                        (max_.y - min_.y);
  }
  [[nodiscard]] ImVec2 at(const Point& point) const {
    return {across(lab::intensity_of(point)), down(lab::rate_of(point))};
  }
  [[nodiscard]] Colour colour_of(std::size_t point) const {
    return ui_.theme.category[point % ui_.theme.category.size()];
  }
  [[nodiscard]] std::size_t named() const { return std::min(roofline_.points.size(), kMostNamed); }
  [[nodiscard]] std::string name_of(std::size_t point) const {
    return ui_.tr(roofline_.points[point].name);
  }

  /// Calls `place(point, x, y)` for each name, in as many rows as they take; gives back the height of the rows.
  template <class Place>
  float lay_names(const Place& place) const {
    float x = 0, y = 0;
    for (std::size_t i = 0; i < named(); ++i) {
      const float wide = kRooflineSign + 8 + ink_.width(ui_.label(), name_of(i)) + 20;
      if (x > 0 && x + wide > width_) {
        x = 0;
        y += kLegendRow;
      }
      place(i, x, y);
      x += wide;
    }
    return y + kLegendRow;
  }
  [[nodiscard]] float legend_height() const {
    return lay_names([](std::size_t, float, float) {});
  }

  void draw_legend() const {
    lay_names([&](std::size_t i, float x, float y) {
      const float left = corner_.x + x, middle = corner_.y + y + kLegendRow / 2;
      draw_dot({left + kRooflineDot, middle}, i);
      ink_.text_middle(left + 2 * kRooflineDot + 4, middle, {Face::bold, 13, ui_.theme.t1},
                       lab::point_sign(i));
      Type type{Face::sans, 14, i == shown() ? ui_.theme.t1 : ui_.theme.t2};
      ink_.text_middle(
          left + kRooflineSign + 12, middle, type,
          ink_.fitted(type, name_of(i), corner_.x + width_ - left - kRooflineSign - 12));
    });
  }

  void draw_axes() const {
    ink_.fill(min_, max_, ui_.theme.s1, measure::kCellRadius);
    const Type type{Face::mono, 12, ui_.theme.t3};
    for (const double rate : lab::decades_of(bounds_.low, bounds_.high, kDecades)) {
      ink_.list()->AddLine({min_.x, down(rate)}, {max_.x, down(rate)}, ui_.theme.s3);
      ink_.text_middle(min_.x - 6, down(rate), type, lab::operation_rate(rate), Align::right);
    }
    for (const double intensity : lab::decades_of(bounds_.left, bounds_.right, kDecades)) {
      const float x = across(intensity);
      ink_.list()->AddLine({x, min_.y}, {x, max_.y}, ui_.theme.s3);
      ink_.text_middle(x, max_.y + kRooflineLabels / 2, type, lab::number(intensity, 3),
                       Align::centre);
    }
    std::string axis = ui_.tr("roofline.axis");
    if (ink_.width(ui_.note(), axis) > max_.x - min_.x) axis = ui_.tr("roofline.axis-short");
    axis = ink_.fitted(ui_.note(), axis, max_.x - min_.x);
    ink_.text_middle((min_.x + max_.x) / 2, max_.y + kRooflineLabels + kAxis / 2 - 4, ui_.note(),
                     axis, Align::centre);
  }

  void draw_roofs() const {
    const Type name{Face::sans, 13, ui_.theme.t2};
    for (const lab::RoofLine& line : lab::roof_lines(roofline_, bounds_)) {
      const ImVec2 from{across(line.x1), down(line.y1)}, to{across(line.x2), down(line.y2)};
      stroke(*ink_.list(), {from, to}, line.main ? ui_.theme.t1 : ui_.theme.t3,
             line.main ? 2.0f : 1.0f, line.main ? kThrough : kDashes);
      const std::string words = lab::part_name(line.part, ui_.book.strings());
      if (line.memory) {  // DRAM's name below its slope, other memories' above theirs
        const ImVec2 middle{(from.x + to.x) / 2, (from.y + to.y) / 2};
        ink_.text_middle(line.main ? middle.x + 10 : middle.x - 10,
                         line.main ? middle.y + 12 : middle.y - 8, name, words,
                         line.main ? Align::left : Align::right);
      } else if (line.x2 >= bounds_.right) {
        ink_.text_middle(max_.x - 6, from.y - 10, name, words, Align::right);
      }
    }
    for (const std::uint32_t c : lab::drawn_ceilings(roofline_)) {
      const double ridge = lab::ridge_of(roofline_, c);
      const ImVec2 top{across(ridge), down(lab::ceiling_rate(roofline_, c))};
      stroke(*ink_.list(), {top, {top.x, max_.y}}, ui_.theme.t3, 1, kDots);
      const std::string words = ui_.tr("roofline.ridge", {{"ridge", lab::number(ridge, 3)}});
      const bool fits = top.x + 6 + ink_.width(name, words) < max_.x;
      ink_.text_middle(fits ? top.x + 6 : top.x - 6, max_.y - 10, name, words,
                       fits ? Align::left : Align::right);
    }
  }

  void draw_dot(ImVec2 place, std::size_t point) const {
    ink_.list()->AddCircleFilled(place, kRooflineDot, colour_of(point));
  }

  void draw_points() const {
    draw_shown();
    std::vector<ImVec2> signs;
    for (std::size_t i = 0; i < roofline_.points.size(); ++i) {
      const Point& point = roofline_.points[i];
      if (!lab::is_drawn(point)) continue;
      const ImVec2 place = at(point);
      if (point.low > 0 && point.high > point.low && std::isfinite(point.high)) {
        ink_.list()->AddLine({place.x, down(point.operations / point.high)},
                             {place.x, down(point.operations / point.low)}, colour_of(i), 2);
      }
      draw_dot(place, i);
      if (i >= named()) continue;
      // Signs of runs that lie together stand side by side.
      ImVec2 sign{place.x + 8, place.y - 10};
      for (const ImVec2& other : signs) {
        if (std::abs(other.y - sign.y) < kRooflineSign &&
            std::abs(other.x - sign.x) < kRooflineSign)
          sign.x = other.x + kRooflineSign;
      }
      signs.push_back(sign);
      ink_.text_middle(sign.x, sign.y, {Face::bold, 14, ui_.theme.t1}, lab::point_sign(i));
    }
  }

  /// The shown run: a ring, the way up to its roof, and the same run by the bytes that L2 moves.
  void draw_shown() const {
    const Point& point = roofline_.points[shown()];
    if (!lab::is_drawn(point)) return;
    const ImVec2 place = at(point);
    ink_.list()->AddCircle(place, kRooflineDot + 4, ui_.theme.accent, 0, 2);
    const float roof = down(lab::roof_over(roofline_, point));
    if (roof < place.y)
      stroke(*ink_.list(), {{place.x, place.y}, {place.x, roof}}, ui_.theme.accent, 1, kDots);
    if (!std::isfinite(lab::intensity_at_l2(point))) return;
    const ImVec2 l2{across(lab::intensity_at_l2(point)), place.y};
    if (std::abs(l2.x - place.x) < 2 * kRooflineDot) return;
    stroke(*ink_.list(), {l2, place}, ui_.theme.accent, 1, kDots);
    ink_.list()->AddCircle(l2, kRooflineDot, colour_of(shown()), 0, 1.5f);
    ink_.text_middle(l2.x, l2.y + 16, {Face::sans, 12, ui_.theme.t2},
                     lab::part_name("l2", ui_.book.strings()), Align::centre);
  }

  /// Hovering shows the nearest run, a press keeps it; on the picture the arrow keys go from run to run.
  void point_at() {
    const bool pressed = item("plot", min_, max_);
    if (ImGui::IsItemFocused() && ImGui::GetIO().NavVisible) step_by_keys();
    if (!ImGui::IsItemHovered()) return;
    float nearest = kRooflineReach;
    for (std::size_t i = 0; i < roofline_.points.size(); ++i) {
      if (!lab::is_drawn(roofline_.points[i])) continue;
      const ImVec2 place = at(roofline_.points[i]), mouse = ImGui::GetMousePos();
      const float away = std::hypot(place.x - mouse.x, place.y - mouse.y);
      if (away >= nearest) continue;
      nearest = away;
      over_ = i;
    }
    if (pressed && over_) keep("run", *over_);
  }

  void step_by_keys() const {
    constexpr std::array kKeys{ImGuiKey_LeftArrow, ImGuiKey_RightArrow};
    own_keys(kKeys);
    const std::size_t now = kept_run();
    if (ImGui::IsKeyPressed(kKeys[0]) && now > 0) keep("run", now - 1);
    if (ImGui::IsKeyPressed(kKeys[1]) && now + 1 < roofline_.points.size()) keep("run", now + 1);
  }

  void draw_words() const {
    const Frame frame{ui_, {corner_.x, corner_.y + height() - kRooflineWords + 4}, width_, true};
    const ParagraphStyle style{13, 20, Face::sans, Face::bold, ui_.theme.t2, 0};
    // What is chosen at first, the sentence below says.
    words(frame,
          shown() == roofline_.chosen ? ui_.tr("gui.roofline.how")
                                      : lab::point_text(roofline_, shown(), ui_.book.strings()),
          style);
  }

  const Ui& ui_;
  Ink ink_;
  const Roofline& roofline_;
  ImVec2 corner_;
  float width_, legend_ = 0;
  lab::RooflineBounds bounds_;
  ImVec2 min_, max_;  // of the plane
  std::optional<std::size_t> over_;
};
}  // namespace

float figure_of(const Frame& frame, const lab::RooflineExhibit& roofline,
                const std::string& /*id*/) {
  if (roofline.points.empty())
    return words(frame, frame.ui.tr("roofline.nothing"), frame.ui.caption_style());
  RooflinePicture picture(frame, roofline);
  if (frame.draw) picture.draw();
  return picture.height();
}

}  // namespace warpbook::gui
