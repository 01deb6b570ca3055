// The launch as its blocks: how many, how large, and how many of their threads had nothing to do.
#include <algorithm>
#include <cmath>

#include "gui/exhibits/drawn.hpp"
#include "gui/exhibits/geometry/grid_view.hpp"
#include "gui/exhibits/panels.hpp"
#include "lab/exhibits/geometry/geometry_picture.hpp"

namespace warpbook::gui {
namespace {
std::string extent(const device::Dim3& e) {
  std::string text = lab::grouped(e.x);
  if (e.y > 1 || e.z > 1) text += " × " + lab::grouped(e.y);
  if (e.z > 1) text += " × " + lab::grouped(e.z);
  return text;
}

float blocks_of(const FigureArea& area, const lab::GeometryExhibit& geometry) {
  constexpr float kBelow = 4;
  const auto make = [&] { return drawing_of(geometry, canvas_for(area)); };
  const lab::Drawing& drawing = area.draw ? draw_kept(area, &geometry, FigureInputs(), make)
                                          : kept_drawing(area, &geometry, FigureInputs(), make);
  return static_cast<float>(drawing.height) + kBelow;
}
}  // namespace

float figure_of(const FigureArea& area, const lab::GeometryExhibit& geometry,
                const std::string& /*id*/) {
  const Ui& ui = area.ui;
  constexpr float kLine = 34, kBetween = 7, kApart = 20;
  const Ink ink = ui.ink();
  struct Entry {
    std::string value, label;
  };
  const Entry entries[] = {
      {extent(geometry.grid), ui.tr("gui.geometry.blocks")},
      {extent(geometry.block), ui.tr("gui.geometry.threads-a-block")},
      {lab::grouped(geometry.threads), ui.tr("gui.geometry.threads")},
      {geometry.idle_known ? lab::grouped(geometry.idle) : "?", ui.tr("gui.geometry.idle")}};
  const Type value_type{Face::mono, 16, ui.theme.t1};
  float whole = -kApart;
  for (const Entry& entry : entries)
    whole +=
        ink.width(value_type, entry.value) + kBetween + ink.width(ui.note(), entry.label) + kApart;
  // One after another where there is room for all, else two below the other two.
  const float extra = (area.width - whole) / 3;
  const float figures = extra >= 0 ? kLine : 2 * kLine;
  const bool in_space = has_grid_view(geometry);
  const FigureArea below{ui, {area.corner.x, area.corner.y + figures}, area.width, area.draw};
  if (!area.draw)
    return figures + (in_space ? grid_view(below, geometry) : blocks_of(below, geometry));
  float x = area.corner.x, y = area.corner.y + 16;
  for (int i = 0; i < 4; ++i) {
    const Entry& entry = entries[i];
    if (extra < 0 && i == 2) {
      x = area.corner.x;
      y += kLine;
    }
    const float after = x + ink.width(value_type, entry.value) + kBetween;
    const float end =
        extra >= 0 ? after + ink.width(ui.note(), entry.label) + kApart + std::min(extra, 40.0f)
                   : area.corner.x + area.width / 2 * static_cast<float>(i % 2 + 1);
    ink.text(x, y, value_type, entry.value);
    ink.text(after, y, ui.note(), ink.fitted(ui.note(), entry.label, end - after - 4));
    x = end;
  }
  if (in_space) return figures + grid_view(below, geometry);
  return figures + blocks_of(below, geometry);
}

}  // namespace warpbook::gui
