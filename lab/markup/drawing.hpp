// A picture as a display list: shapes in points, in the order in which they are drawn. An exhibit is laid out once, here, and
// two pens draw the list: markup/svg_pen.hpp for pages and gui/draw/drawing_pen.hpp for the window.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "lab/markup/palette.hpp"
#include "lab/text/strings.hpp"

namespace warpbook::lab {

struct Point {
  double x = 0, y = 0;
  friend bool operator==(const Point&, const Point&) = default;
};

struct Area {
  double x = 0, y = 0, width = 0, height = 0;
  [[nodiscard]] double right() const { return x + width; }
  [[nodiscard]] double bottom() const { return y + height; }
  [[nodiscard]] Point middle() const { return {x + width / 2, y + height / 2}; }
  [[nodiscard]] bool holds(const Point& point) const {
    return point.x >= x && point.x < right() && point.y >= y && point.y < bottom();
  }
  [[nodiscard]] Area grown(double by) const {
    return {x - by, y - by, width + 2 * by, height + 2 * by};
  }
};

/// A role, whose colour the theme decides; or the colour of a value, which is the same in every theme; or nothing.
class Paint {
 public:
  Paint() = default;
  Paint(Role role, double opacity = 1)  // NOLINT: a role is a paint
      : kind_(Kind::role), role_(role), opacity_(static_cast<float>(opacity)) {}
  static Paint of_value(Rgb colour, double opacity = 1);

  [[nodiscard]] bool visible() const { return kind_ != Kind::none && opacity_ > 0; }
  [[nodiscard]] std::optional<Role> role() const {
    return kind_ == Kind::role ? std::optional(role_) : std::nullopt;
  }
  /// Where it is no role.
  [[nodiscard]] Rgb colour() const { return colour_; }
  [[nodiscard]] float opacity() const { return opacity_; }
  friend bool operator==(const Paint&, const Paint&) = default;

 private:
  enum class Kind : std::uint8_t { none, role, value };
  Kind kind_ = Kind::none;
  Role role_ = Role::s0;
  float opacity_ = 1;
  Rgb colour_ = 0;
};

/// Lengths of a dash and of the gap behind it; no dash: drawn through.
struct Dash {
  double on = 0, off = 0;
  friend bool operator==(const Dash&, const Dash&) = default;
};
inline constexpr Dash kThrough{}, kDashes{9, 5}, kDots{2, 5}, kFineDashes{3, 3};

struct Stroke {
  Paint paint;
  double width = 1;
  Dash dash;
};

/// A text's face and size.
struct Letters {
  enum class Face : std::uint8_t { sans, mono };
  Face face = Face::sans;
  double size = 13;
  bool bold = false;
};
enum class Anchor : std::uint8_t { left, middle, right };

// The shapes. Strokes lie centred on their lines.
struct Rectangle {
  Area at;
  double radius = 0;
};
struct Polyline {
  std::vector<Point> points;
  bool closed = false;
};
/// Cubic: where it begins, two points that pull it, where it ends.
struct Curve {
  std::array<Point, 4> points;
};
struct Circle {
  Point middle;
  double radius = 0;
};
/// The middle of its capitals' height is at `at.y`; `at.x` is its left end, middle or right end.
struct Text {
  Point at;
  std::string text;
  Letters letters;
  Anchor anchor = Anchor::left;
};
using ItemShape = std::variant<Rectangle, Polyline, Curve, Circle, Text>;

/// What an item shows: "thread" 5. The window finds by it what the mouse is over and what the keyboard goes to.
struct ItemId {
  std::string_view part;  ///< lives as long as the program
  std::uint64_t number = 0;
  friend bool operator==(const ItemId&, const ItemId&) = default;
};

struct DrawnItem {
  ItemShape shape;
  Paint fill;  ///< of a text, its colour
  Stroke stroke;
  std::optional<ItemId> id;
  std::string title;  ///< what it shows, in words for those who point at it
};

struct Drawing {
  double width = 0, height = 0;
  std::vector<DrawnItem> items;

  // Each gives back the item that it has added.
  DrawnItem& rectangle(const Area& at, const Paint& fill, double radius = 0);
  /// The stroke lies within the area.
  DrawnItem& outline(const Area& at, const Stroke& stroke, double radius = 0);
  DrawnItem& line(const Point& from, const Point& to, const Stroke& stroke);
  DrawnItem& polyline(std::vector<Point> points, const Stroke& stroke);
  DrawnItem& polygon(std::vector<Point> points, const Paint& fill);
  DrawnItem& curve(const std::array<Point, 4>& points, const Stroke& stroke);
  DrawnItem& circle(const Point& middle, double radius, const Paint& fill,
                    const Stroke& stroke = {});
  DrawnItem& text(const Point& at, std::string text, const Letters& letters, const Paint& colour,
                  Anchor anchor = Anchor::left);
  /// Nothing that is seen, but a place that can be pointed at.
  DrawnItem& place(const Area& at, std::string_view part, std::uint64_t number = 0);
  /// Strokes aslant over the area, `step` apart.
  void hatch(const Area& at, const Stroke& stroke, double step);
};

/// What the item covers, its stroke aside; of a text, where it stands.
Area bounds_of(const DrawnItem& item);
/// The item with that id; null where there is none.
const DrawnItem* item_of(const Drawing& drawing, const ItemId& id);
/// The id of the topmost item of a part that covers the point; none where none does.
std::optional<ItemId> item_at(const Drawing& drawing, std::string_view part, const Point& point);

/// The width of a text as a pen will set it.
using TextWidth = std::function<double(const Letters&, std::string_view)>;

/// What every picture is laid out with.
struct Canvas {
  double width = 0;
  const Strings& strings;
  TextWidth text_width;

  [[nodiscard]] std::string fitted(const Letters& letters, std::string_view text,
                                   double room) const;
  /// The letters at the largest size, down to `least`, at which the text has room.
  [[nodiscard]] Letters sized(Letters letters, std::string_view text, double room,
                              double least) const;
  /// The text in lines that have room.
  [[nodiscard]] std::vector<std::string> lines(const Letters& letters, std::string_view text,
                                               double room) const;
};

/// As much of `text` as has room, with an ellipsis where it was cut; `width` measures a text.
std::string fitted(std::string_view text, double room,
                   const std::function<double(std::string_view)>& width);

}  // namespace warpbook::lab
