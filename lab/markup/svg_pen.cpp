#include "lab/markup/svg_pen.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <map>
#include <optional>

#include <fmt/format.h>

#include "lab/markup/html_parts.hpp"
#include "lab/text/unicode.hpp"

namespace warpbook::lab {
namespace {

/// Of the characters from the space to the tilde, in thousandths of the size: Roboto's own.
using Advances = std::array<std::uint16_t, 95>;
constexpr Advances kRegular{
    249, 263, 326, 623, 563, 731, 623, 175, 332, 335, 432, 567, 197, 274, 268, 415, 563, 563, 563,
    563, 563, 563, 563, 563, 563, 563, 252, 256, 508, 563, 523, 476, 895, 647, 639, 633, 659, 584,
    583, 682, 713, 283, 552, 643, 540, 878, 713, 682, 641, 682, 663, 624, 586, 677, 632, 883, 632,
    610, 598, 270, 413, 270, 418, 455, 313, 550, 568, 531, 568, 529, 345, 568, 568, 252, 259, 513,
    252, 874, 568, 568, 568, 568, 343, 523, 346, 568, 503, 757, 503, 503, 503, 340, 248, 340, 679};
constexpr Advances kBold{
    249, 272, 320, 595, 574, 739, 657, 161, 347, 348, 443, 545, 258, 391, 291, 403, 574, 574, 574,
    574, 574, 574, 574, 574, 574, 574, 284, 274, 509, 577, 517, 499, 887, 640, 642, 639, 655, 574,
    577, 668, 708, 293, 571, 646, 541, 873, 708, 683, 651, 700, 661, 634, 571, 687, 636, 886, 636,
    631, 589, 278, 421, 278, 438, 446, 331, 537, 564, 518, 564, 529, 357, 564, 564, 267, 265, 536,
    267, 865, 564, 564, 564, 564, 350, 516, 349, 564, 511, 736, 511, 511, 511, 330, 253, 330, 648};
/// JetBrains Mono's; of any other character, as wide as Roboto's digits are. East Asian characters fill a square.
constexpr double kMonoAdvance = 0.6, kOtherAdvance = 0.563, kWideAdvance = 1;
constexpr double kCapitalShare = 0.715;  ///< a capital's height, of the size

double estimated_width(const Letters& letters, std::string_view text) {
  double ems = 0;
  while (!text.empty()) {
    const char32_t point = take_code_point(text);
    const int columns = columns_of(point);
    if (columns == 2)
      ems += kWideAdvance;
    else if (columns == 0)
      continue;
    else if (letters.face == Letters::Face::mono)
      ems += kMonoAdvance;
    else if (point >= U' ' && point <= U'~')
      ems += (letters.bold ? kBold : kRegular)[point - U' '] / 1000.0;
    else
      ems += kOtherAdvance;
  }
  return ems * letters.size;
}

std::string colour_of(const Paint& paint) {
  if (const auto role = paint.role()) return fmt::format("var(--{})", name_of(*role));
  return fmt::format("#{:06x}", paint.colour());
}

/// ` fill="…"`, with an opacity where it is not opaque; `none` where there is nothing.
std::string attributes_of(std::string_view name, const Paint& paint) {
  if (!paint.visible()) return fmt::format(" {}=\"none\"", name);
  std::string made = fmt::format(" {}=\"{}\"", name, colour_of(paint));
  if (paint.opacity() < 1)
    made += fmt::format(" {}-opacity=\"{}\"", name, coordinate(paint.opacity()));
  return made;
}

/// SVG's own default for a stroke is none, so that nothing is written for it.
std::string attributes_of(const Stroke& stroke) {
  if (!stroke.paint.visible()) return {};
  std::string made = attributes_of("stroke", stroke.paint);
  if (stroke.width != 1) made += fmt::format(" stroke-width=\"{}\"", coordinate(stroke.width));
  if (stroke.dash.on > 0) {
    made += fmt::format(" stroke-dasharray=\"{} {}\"", coordinate(stroke.dash.on),
                        coordinate(stroke.dash.off));
  }
  return made;
}

std::string pair_of(const Point& point) { return coordinate(point.x) + "," + coordinate(point.y); }

std::string_view name_of(Anchor anchor) {
  return anchor == Anchor::middle ? "middle" : anchor == Anchor::right ? "end" : "start";
}

/// What most texts of a picture have in common. The picture's element says it once, and they inherit it.
struct TextStyle {
  std::string size;
  Anchor anchor = Anchor::left;
  friend auto operator<=>(const TextStyle&, const TextStyle&) = default;
};
TextStyle style_of(const Text& text) { return {coordinate(text.letters.size), text.anchor}; }

std::optional<TextStyle> most_common_style(const Drawing& drawing) {
  std::map<TextStyle, std::size_t> uses;
  for (const DrawnItem& item : drawing.items) {
    if (const auto* text = std::get_if<Text>(&item.shape)) ++uses[style_of(*text)];
  }
  const auto most =
      std::ranges::max_element(uses, {}, [](const auto& entry) { return entry.second; });
  return most == uses.end() ? std::nullopt : std::optional(most->first);
}

/// An element's name with the attributes of its geometry.
struct Geometry {
  TextStyle inherited;
  std::string operator()(const Rectangle& shape) const {
    const Area& at = shape.at;
    std::string made = fmt::format(R"(rect x="{}" y="{}" width="{}" height="{}")", coordinate(at.x),
                                   coordinate(at.y), coordinate(std::max(0.0, at.width)),
                                   coordinate(std::max(0.0, at.height)));
    return shape.radius > 0 ? made + fmt::format(R"( rx="{}")", coordinate(shape.radius)) : made;
  }
  std::string operator()(const Polyline& shape) const {
    std::string points;
    for (const Point& point : shape.points) points += (points.empty() ? "" : " ") + pair_of(point);
    return fmt::format(R"({} points="{}")", shape.closed ? "polygon" : "polyline", points);
  }
  std::string operator()(const Curve& shape) const {
    return fmt::format(R"(path d="M{}C{} {} {}")", pair_of(shape.points[0]),
                       pair_of(shape.points[1]), pair_of(shape.points[2]),
                       pair_of(shape.points[3]));
  }
  std::string operator()(const Circle& shape) const {
    return fmt::format(R"(circle cx="{}" cy="{}" r="{}")", coordinate(shape.middle.x),
                       coordinate(shape.middle.y), coordinate(shape.radius));
  }
  std::string operator()(const Text& shape) const {
    const double baseline = shape.at.y + shape.letters.size * kCapitalShare / 2;
    const TextStyle own = style_of(shape);
    std::string made =
        fmt::format(R"(text x="{}" y="{}")", coordinate(shape.at.x), coordinate(baseline));
    if (own.size != inherited.size) made += fmt::format(R"( font-size="{}")", own.size);
    if (shape.letters.face == Letters::Face::sans) made += R"( class="wb-sans")";
    if (shape.letters.bold) made += R"( font-weight="700")";
    if (own.anchor != inherited.anchor)
      made += fmt::format(R"( text-anchor="{}")", name_of(own.anchor));
    return made;
  }
};

std::string_view name_of_element(std::string_view geometry) {
  return geometry.substr(0, geometry.find(' '));
}

void append(std::string& svg, const DrawnItem& item, const TextStyle& inherited) {
  if (!item.fill.visible() && !item.stroke.paint.visible()) return;
  const std::string geometry = std::visit(Geometry{inherited}, item.shape);
  svg += "<" + geometry + attributes_of("fill", item.fill) + attributes_of(item.stroke);
  const auto* text = std::get_if<Text>(&item.shape);
  std::string content = text ? escaped(text->text) : std::string();
  if (!item.title.empty()) content += tagged("title", "", escaped(item.title));
  if (content.empty())
    svg += "/>";
  else
    svg += fmt::format(">{}</{}>", content, name_of_element(geometry));
}

}  // namespace

std::string svg_of(const Drawing& drawing, std::string_view caption) {
  const std::string wide = coordinate(drawing.width), high = coordinate(drawing.height);
  std::string svg = fmt::format(
      R"(<svg class="wb-picture" viewBox="0 0 {0} {1}" width="{0}" height="{1}" role="img" aria-label="{2}")",
      wide, high, escaped(caption));
  const auto common = most_common_style(drawing);
  if (common)
    svg +=
        fmt::format(R"( font-size="{}" text-anchor="{}")", common->size, name_of(common->anchor));
  svg += ">";
  for (const DrawnItem& item : drawing.items) append(svg, item, common.value_or(TextStyle{}));
  return svg + "</svg>";
}

Canvas svg_canvas(double width, const Strings& strings) {
  return {width, strings, estimated_width};
}

}  // namespace warpbook::lab
