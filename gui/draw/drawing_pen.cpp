#include "gui/draw/strokes.hpp"

#include <cmath>

namespace warpbook::gui {
namespace {
void join(ImDrawList& list, const std::vector<ImVec2>& points, Colour colour, float thickness) {
  if (points.size() > 1)
    list.AddPolyline(points.data(), static_cast<int>(points.size()), colour, thickness);
}
}  // namespace

void stroke(ImDrawList& list, const std::vector<ImVec2>& points, Colour colour, float thickness,
            const Dash& dash) {
  if (points.size() < 2) return;
  if (dash.on <= 0) {
    join(list, points, colour, thickness);
    return;
  }
  float left = dash.on;  // of the dash or gap that is being drawn
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
      left = inked ? dash.on : dash.off;
    }
    left -= length;
    piece.push_back(to);
  }
  if (inked) join(list, piece, colour, thickness);
}

}  // namespace warpbook::gui
