#include "lab/markup/svg.hpp"

#include <fmt/format.h>

#include "lab/markup/html_parts.hpp"

namespace warpbook::lab {

std::string svg_open(double width, double height, std::string_view caption) {
  const std::string wide = coordinate(width), high = coordinate(height);
  return fmt::format(
      R"(<svg viewBox="0 0 {0} {1}" width="{0}" height="{1}" role="img" aria-label="{2}">)", wide,
      high, escaped(caption));
}

std::string svg_rectangle(std::string_view css, double x, double y, double width, double height) {
  return fmt::format(R"(<rect class="{}" x="{}" y="{}" width="{}" height="{}"/>)", css,
                     coordinate(x), coordinate(y), coordinate(width), coordinate(height));
}

std::string svg_line(std::string_view css, double x1, double y1, double x2, double y2) {
  return fmt::format(R"(<line class="{}" x1="{}" y1="{}" x2="{}" y2="{}"/>)", css, coordinate(x1),
                     coordinate(y1), coordinate(x2), coordinate(y2));
}

std::string svg_polyline(std::string_view css,
                         const std::vector<std::pair<double, double>>& points) {
  std::string all;
  for (const auto& [x, y] : points)
    all += (all.empty() ? "" : " ") + coordinate(x) + "," + coordinate(y);
  return fmt::format(R"(<polyline class="{}" points="{}"/>)", css, all);
}

std::string svg_path(std::string_view css, std::string_view data) {
  return fmt::format(R"(<path class="{}" d="{}"/>)", css, data);
}

std::string svg_circle(std::string_view css, double x, double y, double radius) {
  return fmt::format(R"(<circle class="{}" cx="{}" cy="{}" r="{}"/>)", css, coordinate(x),
                     coordinate(y), coordinate(radius));
}

std::string svg_text(std::string_view css, double x, double y, std::string_view words) {
  return fmt::format(R"(<text class="{}" x="{}" y="{}">{}</text>)", css, coordinate(x),
                     coordinate(y), escaped(words));
}

}  // namespace warpbook::lab
