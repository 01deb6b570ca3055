// The pieces of a picture in SVG. Text is escaped on its way out; classes are our own.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace warpbook::lab {

/// <svg ...>, with `caption` as the alternative text; who opens it writes "</svg>".
std::string svg_open(double width, double height, std::string_view caption);
std::string svg_rectangle(std::string_view css, double x, double y, double width, double height);
std::string svg_line(std::string_view css, double x1, double y1, double x2, double y2);
/// Lines from point to point; `points` are pairs of x and y.
std::string svg_polyline(std::string_view css,
                         const std::vector<std::pair<double, double>>& points);
/// `data`: where the pen goes, as SVG writes it.
std::string svg_path(std::string_view css, std::string_view data);
std::string svg_circle(std::string_view css, double x, double y, double radius);
/// Where the text stands about (x, y) its class says.
std::string svg_text(std::string_view css, double x, double y, std::string_view words);

}  // namespace warpbook::lab
