// Draws a picture's display list as SVG for an HTML page, in the colours that html_style() gives to the roles.
#pragma once

#include <string>
#include <string_view>

#include "lab/markup/drawing.hpp"

namespace warpbook::lab {

/// `caption` is the alternative text.
std::string svg_of(const Drawing& drawing, std::string_view caption);

/// A canvas whose texts are measured by the advance widths of the page's first faces, since the reader's may be others.
Canvas svg_canvas(double width, const Strings& strings);

}  // namespace warpbook::lab
