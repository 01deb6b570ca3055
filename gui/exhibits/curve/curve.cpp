// Functions of one variable as a kernel computed them: lines, what is no number, and a chosen point with its tangent.
#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <string>
#include <vector>

#include "gui/controls/point.hpp"
#include "gui/controls/widgets.hpp"
#include "gui/draw/strokes.hpp"
#include "gui/exhibits/panels.hpp"
#include "lab/exhibits/curve/curve_summary.hpp"

namespace warpbook::gui {
namespace {
constexpr float kLegend = 26, kCurvePlot = 240, kCurveLabels = 20, kCurveWords = 24,
                kCurveLeft = 64, kCurveRight = 10, kCurveTop = 6, kKnob = 4.5f;
constexpr int kCurveDashes = 10;
constexpr float kCurveHeight = kLegend + kCurvePlot + kCurveLabels + kCurveWords;
constexpr std::uint64_t kCurveMostColumns = 320;  ///< of which a line keeps four points at most
constexpr std::uint64_t kFewPoints = 40;  ///< so many are seen one by one, not as a line alone

using Curve = lab::CurveExhibit;

/// Of both where another one is to have the same axes.
lab::CurveBounds shared_bounds(const Frame& frame, const Curve& curve) {
  const auto* other = beside_as<Curve>(frame);
  const lab::CurveBounds bounds = lab::bounds_of(curve);
  return other ? lab::joined(bounds, lab::bounds_of(*other)) : bounds;
}

class CurvePicture {
 public:
  CurvePicture(const Frame& frame, const Curve& curve)
      : ui_(frame.ui),
        ink_(frame.ui.ink()),
        curve_(curve),
        corner_(frame.corner),
        width_(frame.width),
        bounds_(shared_bounds(frame, curve)),
        min_{frame.corner.x + kCurveLeft, frame.corner.y + kLegend + kCurveTop},
        max_{frame.corner.x + frame.width - kCurveRight, frame.corner.y + kLegend + kCurvePlot},
        columns_(std::clamp<std::uint64_t>(static_cast<std::uint64_t>(max_.x - min_.x) / 2, 1,
                                           kCurveMostColumns)) {}

  void draw() {
    draw_legend();
    point();
    draw_axes();
    for (std::size_t s = 0; s < curve_.series.size(); ++s) draw_limits(s);
    for (std::size_t s = curve_.series.size(); s-- > 0;) draw_series(s);  // the first lies on top
    draw_shown();
    draw_words();
  }

 private:
  // The point that is shown: a choice of the view's own, kept by ImGui.
  static void show(std::uint64_t point) { keep("point", point); }
  [[nodiscard]] std::optional<std::uint64_t> shown() const {
    if (over_) return over_;
    const std::uint64_t point = kept("point", curve_.chosen);
    if (point >= lab::points_of(curve_)) return {};
    return point;
  }

  [[nodiscard]] float across(double x) const {
    return min_.x +
           static_cast<float>(lab::share_of(x, bounds_.left, bounds_.right)) * (max_.x - min_.x);
  }
  [[nodiscard]] float down(double y) const {
    return max_.y -
           static_cast<float>(lab::share_of(y, bounds_.low, bounds_.high)) * (max_.y - min_.y);
  }
  [[nodiscard]] ImVec2 at(std::size_t s, std::uint64_t point) const {
    return {across(lab::x_at(curve_, point)), down(lab::y_at(curve_, s, point))};
  }
  [[nodiscard]] Colour colour_of(std::size_t s) const {
    return ui_.theme.category[s % ui_.theme.category.size()];
  }

  /// The first series is drawn through, the second in dashes, the third in dots, and so on: no colour stands alone.
  void draw_through(std::size_t s, const std::vector<ImVec2>& points, float thickness) const {
    static constexpr std::array kOfSeries{kThrough, kDashes, kDots};
    stroke(*ink_.list(), points, colour_of(s), thickness, kOfSeries[s % kOfSeries.size()]);
  }

  void draw_legend() const {
    float x = corner_.x;
    const float middle = corner_.y + kLegend / 2;
    for (std::size_t s = 0; s < curve_.series.size(); ++s) {
      const Type type{Face::sans, 14, ui_.theme.t1};
      const std::string name = ui_.tr(curve_.series[s].name);
      const float wide = 38 + ink_.width(type, name);
      if (x + wide > corner_.x + width_) break;
      draw_through(s, {{x, middle}, {x + 28, middle}}, 2);
      ink_.text_middle(x + 34, middle, type, name);
      x += wide + 20;
    }
  }

  void draw_axes() const {
    ink_.fill(min_, max_, ui_.theme.s1, measure::kCellRadius);
    const Type type{Face::mono, 12, ui_.theme.t3};
    for (const double y : lab::ticks_of(bounds_.low, bounds_.high)) {
      const float place = down(y);
      ink_.list()->AddLine({min_.x, place}, {max_.x, place}, y == 0 ? ui_.theme.t4 : ui_.theme.s3);
      ink_.text_middle(min_.x - 6, place, type, lab::coordinate_text(y), Align::right);
    }
    for (const double x : lab::ticks_of(bounds_.left, bounds_.right)) {
      const float place = across(x);
      ink_.list()->AddLine({place, min_.y}, {place, max_.y}, x == 0 ? ui_.theme.t4 : ui_.theme.s3);
      ink_.text_middle(place, max_.y + kCurveLabels / 2, type, lab::coordinate_text(x),
                       Align::centre);
    }
  }

  /// The value at an infinite x, at that edge.
  void draw_limits(std::size_t s) const {
    for (const bool right : {false, true}) {
      const auto limit = lab::limit_of(curve_, s, right);
      if (!limit || *limit < bounds_.low || *limit > bounds_.high) continue;
      const float edge = right ? max_.x : min_.x, inward = right ? -1.0f : 1.0f;
      for (int dash = 0; dash < kCurveDashes; ++dash) {
        const float reach = 9.0f * static_cast<float>(dash);
        ink_.list()->AddLine({edge + inward * reach, down(*limit)},
                             {edge + inward * (reach + 2), down(*limit)}, colour_of(s), 2);
      }
    }
  }

  void draw_series(std::size_t s) const {
    for (const auto& run : lab::runs_of(curve_, s, columns_)) {
      std::vector<ImVec2> points;
      points.reserve(run.size());
      for (const std::uint64_t point : run) points.push_back(at(s, point));
      draw_through(s, points, 2);
      if (points.size() > 1 && lab::points_of(curve_) > kFewPoints) continue;
      for (const ImVec2& place : points) ink_.list()->AddCircleFilled(place, 3, colour_of(s));
    }
    float free = min_.x;
    for (const lab::CurveMark& mark : lab::marks_of(curve_, s, columns_)) {
      const float x = across(lab::x_at(curve_, mark.point));
      const bool above = mark.kind == lab::CurveMark::Kind::above;
      const float edge = above ? min_.y : max_.y, inward = above ? 8.0f : -8.0f;
      if (mark.kind == lab::CurveMark::Kind::nan) {
        ink_.list()->AddLine({x - 3, edge - 6}, {x + 3, edge}, ui_.theme.bad, 1.5f);
        ink_.list()->AddLine({x - 3, edge}, {x + 3, edge - 6}, ui_.theme.bad, 1.5f);
      } else {
        ink_.list()->AddTriangleFilled({x, edge}, {x + inward / 2, edge + inward},
                                       {x - inward / 2, edge + inward}, ui_.theme.bad);
      }
      if (x < free) continue;
      const Type type{Face::mono, 12, ui_.theme.bad};
      const std::string sign = lab::coordinate_text(lab::y_at(curve_, s, mark.point));
      ink_.text_middle(x + 8, edge + inward, type, sign);
      free = x + 8 + ink_.width(type, sign) + 6;
    }
  }

  /// Hovering shows the nearest point, a press keeps it; on the picture the arrow keys go from point to point.
  void point() {
    const bool pressed = item("plot", min_, max_);
    if (ImGui::IsItemFocused() && ImGui::GetIO().NavVisible) step_by_keys();
    if (!ImGui::IsItemHovered()) return;
    const double share = static_cast<double>((ImGui::GetMousePos().x - min_.x) / (max_.x - min_.x));
    over_ = lab::nearest_point(curve_, bounds_.left * (1 - share) + bounds_.right * share);
    if (pressed && over_) show(*over_);
  }

  void step_by_keys() const {
    constexpr std::array kKeys{ImGuiKey_LeftArrow, ImGuiKey_RightArrow};
    own_keys(kKeys);
    const std::uint64_t points = lab::points_of(curve_), now = shown().value_or(0);
    if (ImGui::IsKeyPressed(kKeys[0]) && now > 0) show(now - 1);
    if (ImGui::IsKeyPressed(kKeys[1]) && now + 1 < points) show(now + 1);
  }

  void draw_shown() const {
    const auto point = shown();
    if (!point || !std::isfinite(lab::x_at(curve_, *point))) return;
    const float x = across(lab::x_at(curve_, *point));
    ink_.list()->AddLine({x, min_.y}, {x, max_.y}, fade(ui_.theme.accent, 0.4f));
    if (const auto tangent = lab::tangent_at(curve_, *point)) {
      const auto [from, to] = lab::clipped_to(*tangent, bounds_);
      ink_.list()->AddLine({across(from.first), down(from.second)},
                           {across(to.first), down(to.second)}, ui_.theme.accent, 1.5f);
    }
    for (std::size_t s = 0; s < curve_.series.size(); ++s) {
      if (!std::isfinite(lab::y_at(curve_, s, *point))) continue;
      ink_.list()->AddCircleFilled(at(s, *point), kKnob, s == 0 ? ui_.theme.accent : colour_of(s));
    }
  }

  void draw_words() const {
    std::string says = ui_.tr("gui.curve.how");
    if (const auto point = shown()) {
      says = lab::variable_name(curve_, ui_.book.strings()) + " = " +
             lab::coordinate_text(lab::x_at(curve_, *point));
      for (std::size_t s = 0; s < curve_.series.size(); ++s) {
        says += "   " + ui_.tr(curve_.series[s].name) + " = " +
                lab::coordinate_text(lab::y_at(curve_, s, *point));
      }
    }
    ink_.text_middle(corner_.x, corner_.y + kCurveHeight - kCurveWords / 2, ui_.note(),
                     ink_.fitted(ui_.note(), says, width_));
  }

  const Ui& ui_;
  Ink ink_;
  const Curve& curve_;
  ImVec2 corner_;
  float width_;
  lab::CurveBounds bounds_;
  ImVec2 min_, max_;  // of the plane
  std::uint64_t columns_;
  std::optional<std::uint64_t> over_;
};
}  // namespace

float figure_of(const Frame& frame, const lab::CurveExhibit& curve, const std::string& /*id*/) {
  if (lab::points_of(curve) == 0 || curve.series.empty())
    return words(frame, frame.ui.tr("curve.nothing"), frame.ui.caption_style());
  if (frame.draw) CurvePicture(frame, curve).draw();
  return kCurveHeight;
}

}  // namespace warpbook::gui
