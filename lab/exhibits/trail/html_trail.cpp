#include "lab/exhibits/trail/trail_picture.hpp"
#include "lab/markup/html_parts.hpp"
#include "lab/markup/svg_pen.hpp"

namespace warpbook::lab {
namespace {

constexpr double kTrailPageWidth = 768;

}  // namespace

std::string html_body(const TrailExhibit& trail, const Strings& strings,
                      const std::string& caption) {
  if (trail.steps.empty()) return {};
  const Canvas canvas = svg_canvas(kTrailPageWidth, strings);
  return svg_of(drawing_of(trail, TrailPlane(trail, kTrailPageWidth), {}, canvas), caption);
}

}  // namespace warpbook::lab
