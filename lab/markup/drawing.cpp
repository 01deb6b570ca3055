#include "lab/markup/drawing.hpp"

#include <algorithm>
#include <cmath>
#include <span>

#include "lab/text/text_layout.hpp"
#include "lab/text/unicode.hpp"

namespace warpbook::lab {
namespace {

Area around(std::span<const Point> points) {
  if (points.empty()) return {};
  Point low = points.front(), high = low;
  for (const Point& point : points) {
    low = {std::min(low.x, point.x), std::min(low.y, point.y)};
    high = {std::max(high.x, point.x), std::max(high.y, point.y)};
  }
  return {low.x, low.y, high.x - low.x, high.y - low.y};
}

struct Bounds {
  Area operator()(const Rectangle& shape) const { return shape.at; }
  Area operator()(const Polyline& shape) const { return around(shape.points); }
  Area operator()(const Curve& shape) const { return around(shape.points); }
  Area operator()(const Circle& shape) const {
    return Area{shape.middle.x, shape.middle.y, 0, 0}.grown(shape.radius);
  }
  Area operator()(const Text& shape) const { return {shape.at.x, shape.at.y, 0, 0}; }
};

}  // namespace

Paint Paint::of_value(Rgb colour, double opacity) {
  Paint paint;
  paint.kind_ = Kind::value;
  paint.colour_ = colour;
  paint.opacity_ = static_cast<float>(opacity);
  return paint;
}

DrawnItem& Drawing::rectangle(const Area& at, const Paint& fill, double radius) {
  return items.emplace_back(DrawnItem{Rectangle{at, radius}, fill, {}, {}, {}});
}

DrawnItem& Drawing::outline(const Area& at, const Stroke& stroke, double radius) {
  return items.emplace_back(
      DrawnItem{Rectangle{at.grown(-stroke.width / 2), radius}, {}, stroke, {}, {}});
}

DrawnItem& Drawing::line(const Point& from, const Point& to, const Stroke& stroke) {
  return polyline({from, to}, stroke);
}

DrawnItem& Drawing::polyline(std::vector<Point> points, const Stroke& stroke) {
  return items.emplace_back(DrawnItem{Polyline{std::move(points), false}, {}, stroke, {}, {}});
}

DrawnItem& Drawing::polygon(std::vector<Point> points, const Paint& fill) {
  return items.emplace_back(DrawnItem{Polyline{std::move(points), true}, fill, {}, {}, {}});
}

DrawnItem& Drawing::curve(const std::array<Point, 4>& points, const Stroke& stroke) {
  return items.emplace_back(DrawnItem{Curve{points}, {}, stroke, {}, {}});
}

DrawnItem& Drawing::circle(const Point& middle, double radius, const Paint& fill,
                           const Stroke& stroke) {
  return items.emplace_back(DrawnItem{Circle{middle, radius}, fill, stroke, {}, {}});
}

DrawnItem& Drawing::text(const Point& at, std::string text, const Letters& letters,
                         const Paint& colour, Anchor anchor) {
  return items.emplace_back(
      DrawnItem{Text{at, std::move(text), letters, anchor}, colour, {}, {}, {}});
}

DrawnItem& Drawing::place(const Area& at, std::string_view part, std::uint64_t number) {
  DrawnItem& made = rectangle(at, {});
  made.id = ItemId{part, number};
  return made;
}

void Drawing::hatch(const Area& at, const Stroke& stroke, double step) {
  // Each line rises by one for each step to the right. It is cut where it leaves the area at the left or at the right.
  const auto lines = static_cast<int>(std::ceil((at.height + at.width) / step));
  for (int i = 0; i < lines; ++i) {
    const double foot = at.x - at.height + i * step;
    const double from = std::max(foot, at.x), to = std::min(foot + at.height, at.right());
    if (from < to)
      line({from, at.bottom() - (from - foot)}, {to, at.bottom() - (to - foot)}, stroke);
  }
}

Area bounds_of(const DrawnItem& item) { return std::visit(Bounds{}, item.shape); }

const DrawnItem* item_of(const Drawing& drawing, const ItemId& id) {
  const auto found =
      std::ranges::find_if(drawing.items, [&](const DrawnItem& item) { return item.id == id; });
  return found == drawing.items.end() ? nullptr : &*found;
}

std::optional<ItemId> item_at(const Drawing& drawing, std::string_view part, const Point& point) {
  for (auto item = drawing.items.rbegin(); item != drawing.items.rend(); ++item) {
    if (item->id && item->id->part == part && bounds_of(*item).holds(point)) return item->id;
  }
  return {};
}

std::string fitted(std::string_view text, double room,
                   const std::function<double(std::string_view)>& width) {
  if (width(text) <= room) return std::string(text);
  const double dots = width("…");
  std::string_view kept;
  for (std::string_view rest = text; !rest.empty();) {
    take_code_point(rest);
    const std::string_view longer = text.substr(0, text.size() - rest.size());
    if (width(longer) + dots > room) break;
    kept = longer;
  }
  return std::string(kept) + "…";
}

std::string Canvas::fitted(const Letters& letters, std::string_view text, double room) const {
  return lab::fitted(text, room, [&](std::string_view part) { return text_width(letters, part); });
}

Letters Canvas::sized(Letters letters, std::string_view text, double room, double least) const {
  while (letters.size > least && text_width(letters, text) > room) letters.size -= 0.5;
  return letters;
}

std::vector<std::string> Canvas::lines(const Letters& letters, std::string_view text,
                                       double room) const {
  return lines_within(room, text, [&](std::string_view part) { return text_width(letters, part); });
}

}  // namespace warpbook::lab
