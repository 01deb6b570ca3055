#include "lab/exhibits/bars/bars_picture.hpp"
#include "lab/markup/svg_pen.hpp"

namespace warpbook::lab {
namespace {

constexpr double kBarsPageWidth = 640;

}  // namespace

std::string html_body(const BarsExhibit& bars, const BarsExhibit* beside, const Strings& strings,
                      const std::string& caption) {
  if (bars.groups.empty()) return {};
  return svg_of(drawing_of(bars, beside, svg_canvas(kBarsPageWidth, strings)), caption);
}

}  // namespace warpbook::lab
