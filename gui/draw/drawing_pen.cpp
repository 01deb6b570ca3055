#include "gui/draw/drawing_pen.hpp"

#include <cmath>
#include <vector>

namespace warpbook::gui {
namespace {
Type type_of(const lab::Letters& letters, Colour colour) {
  const bool mono = letters.face == lab::Letters::Face::mono;
  const Face face =
      mono ? letters.bold ? Face::mono_bold : Face::mono : (letters.bold ? Face::bold : Face::sans);
  return {face, static_cast<float>(letters.size), colour};
}

Align align_of(lab::Anchor anchor) {
  switch (anchor) {
    case lab::Anchor::left: return Align::left;
    case lab::Anchor::middle: return Align::centre;
    case lab::Anchor::right: return Align::right;
  }
  __builtin_unreachable();
}

void join(ImDrawList& list, std::span<const ImVec2> points, Colour colour, float thickness) {
  if (points.size() > 1)
    list.AddPolyline(points.data(), static_cast<int>(points.size()), colour, thickness);
}

class Pen {
 public:
  Pen(const Ink& ink, const Theme& theme, ImVec2 corner)
      : ink_(ink), list_(*ink.list()), theme_(theme), corner_(corner) {
    const ImVec2 min = list_.GetClipRectMin(), max = list_.GetClipRectMax();
    // A stroke and a text reach beyond the points that say where they are.
    constexpr double kReach = 8;
    seen_ = lab::Area{static_cast<double>(min.x - corner.x), static_cast<double>(min.y - corner.y),
                      static_cast<double>(max.x - min.x), static_cast<double>(max.y - min.y)}
                .grown(kReach);
  }

  void draw(const lab::DrawnItem& item) {
    if (!item.fill.visible() && !item.stroke.paint.visible()) return;
    const lab::Area at = lab::bounds_of(item);
    const bool across = at.right() >= seen_.x && at.x <= seen_.right(),
               down = at.bottom() >= seen_.y && at.y <= seen_.bottom();
    if (!down || (!across && !std::holds_alternative<lab::Text>(item.shape))) return;
    fill_ = item.fill.visible() ? theme_.of(item.fill) : 0;
    line_ = item.stroke.paint.visible() ? theme_.of(item.stroke.paint) : 0;
    stroke_ = &item.stroke;
    std::visit([this](const auto& shape) { draw(shape); }, item.shape);
  }

 private:
  [[nodiscard]] ImVec2 at(const lab::Point& point) const {
    return {corner_.x + static_cast<float>(point.x), corner_.y + static_cast<float>(point.y)};
  }
  [[nodiscard]] float thickness() const { return static_cast<float>(stroke_->width); }
  void place(std::span<const lab::Point> points) {
    points_.clear();
    for (const lab::Point& point : points) points_.push_back(at(point));
  }
  void outline_points() {
    points_.push_back(points_.front());
    stroke(list_, points_, line_, thickness(), stroke_->dash);
  }

  void draw(const lab::Rectangle& shape) {
    const ImVec2 min = at({shape.at.x, shape.at.y}),
                 max = at({shape.at.right(), shape.at.bottom()});
    const auto radius = static_cast<float>(shape.radius);
    if (fill_) list_.AddRectFilled(min, max, fill_, radius);
    if (!line_) return;
    if (stroke_->dash == lab::kThrough) {
      list_.AddRect(min, max, line_, radius, thickness());
      return;
    }
    list_.PathRect(min, max, radius);
    points_.assign(list_._Path.begin(), list_._Path.end());
    list_.PathClear();
    outline_points();
  }
  void draw(const lab::Polyline& shape) {
    if (shape.points.empty()) return;
    place(shape.points);
    if (fill_) list_.AddConvexPolyFilled(points_.data(), static_cast<int>(points_.size()), fill_);
    if (!line_) return;
    if (points_.size() == 2 && stroke_->dash == lab::kThrough)
      list_.AddLine(points_[0], points_[1], line_, thickness());  // through the middles of pixels
    else if (shape.closed)
      outline_points();
    else
      stroke(list_, points_, line_, thickness(), stroke_->dash);
  }
  void draw(const lab::Curve& shape) {
    constexpr int kPieces = 20;
    place(shape.points);
    if (stroke_->dash == lab::kThrough) {
      list_.AddBezierCubic(points_[0], points_[1], points_[2], points_[3], line_, thickness(),
                           kPieces);
      return;
    }
    list_.PathLineTo(points_[0]);
    list_.PathBezierCubicCurveTo(points_[1], points_[2], points_[3], kPieces);
    points_.assign(list_._Path.begin(), list_._Path.end());
    list_.PathClear();
    stroke(list_, points_, line_, thickness(), stroke_->dash);
  }
  void draw(const lab::Circle& shape) const {
    const auto radius = static_cast<float>(shape.radius);
    if (fill_) list_.AddCircleFilled(at(shape.middle), radius, fill_);
    if (line_) list_.AddCircle(at(shape.middle), radius, line_, 0, thickness());
  }
  void draw(const lab::Text& shape) const {
    const ImVec2 place = at(shape.at);
    ink_.text_middle(place.x, place.y, type_of(shape.letters, fill_), shape.text,
                     align_of(shape.anchor));
  }

  const Ink& ink_;
  ImDrawList& list_;
  const Theme& theme_;
  ImVec2 corner_;
  lab::Area seen_;  // what the clip rectangle leaves, from the drawing's corner
  // Of the item that is being drawn; a colour is 0 where there is none.
  Colour fill_ = 0, line_ = 0;
  const lab::Stroke* stroke_ = nullptr;
  std::vector<ImVec2> points_;
};
}  // namespace

void draw(const Ink& ink, const Theme& theme, const lab::Drawing& drawing, ImVec2 corner) {
  Pen pen(ink, theme, corner);
  for (const lab::DrawnItem& item : drawing.items) pen.draw(item);
}

lab::Canvas canvas_for(const Ink& ink, const lab::Strings& strings, float width) {
  return {static_cast<double>(width), strings,
          [ink](const lab::Letters& letters, std::string_view text) {
            return static_cast<double>(ink.width(type_of(letters, 0), text));
          }};
}

void stroke(ImDrawList& list, std::span<const ImVec2> points, Colour colour, float thickness,
            const lab::Dash& dash) {
  if (points.size() < 2) return;
  const auto on = static_cast<float>(dash.on), off = static_cast<float>(dash.off);
  if (on <= 0) {
    join(list, points, colour, thickness);
    return;
  }
  float left = on;  // of the dash or gap that is being drawn
  bool inked = true;
  std::vector<ImVec2> piece{points.front()};
  for (std::size_t i = 1; i < points.size(); ++i) {
    ImVec2 from = points[i - 1];
    const ImVec2 to = points[i];
    float length = std::hypot(to.x - from.x, to.y - from.y);
    while (length > left) {
      const float share = left / length;
      from = {from.x + (to.x - from.x) * share, from.y + (to.y - from.y) * share};
      length -= left;
      if (inked) {
        piece.push_back(from);
        join(list, piece, colour, thickness);
      }
      piece = {from};
      inked = !inked;
      left = inked ? on : off;
    }
    left -= length;
    piece.push_back(to);
  }
  if (inked) join(list, piece, colour, thickness);
}

}  // namespace warpbook::gui
