// The launch as its blocks: how many, how large, and how many of their threads had nothing to do.
#include <algorithm>
#include <cmath>

#include "gui/exhibits/geometry/grid_view.hpp"
#include "gui/exhibits/panels.hpp"

namespace warpbook::gui {
namespace {
std::string extent(const device::Dim3& e) {
  std::string text = lab::grouped(e.x);
  if (e.y > 1 || e.z > 1) text += " × " + lab::grouped(e.y);
  if (e.z > 1) text += " × " + lab::grouped(e.z);
  return text;
}
}  // namespace

float figure_of(const FigureArea& area, const lab::GeometryExhibit& geometry,
                const std::string& /*id*/) {
  const Ui& ui = area.ui;
  constexpr float kBar = 14, kLine = 34, kBetween = 7, kApart = 20;
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
  if (!area.draw) return figures + (in_space ? grid_view(below, geometry) : kBar + 4);
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
  // One bar a block while they can be told apart, idle threads at its end; else one bar for all.
  const float top = area.corner.y + figures;
  const std::uint64_t blocks = geometry.grid.count();
  const double busy_share =
      geometry.threads ? 1.0 - static_cast<double>(geometry.idle_known ? geometry.idle : 0) /
                                   static_cast<double>(geometry.threads)
                       : 0;
  const std::uint64_t shown = blocks <= 64 ? std::max<std::uint64_t>(blocks, 1) : 1;
  const float gap = shown > 1 ? 3.0f : 0.0f;
  const float each = (area.width - gap * static_cast<float>(shown - 1)) / static_cast<float>(shown);
  for (std::uint64_t b = 0; b < shown; ++b) {
    const float left = area.corner.x + static_cast<float>(b) * (each + gap);
    const auto idle = lab::idle_in(geometry, b);
    const auto filled = static_cast<float>(
        shown > 1 && idle ? 1.0 - *idle / static_cast<double>(geometry.block.count()) : busy_share);
    ink.fill({left, top}, {left + each, top + kBar}, ui.theme.s4, measure::kCellRadius);
    if (filled > 0) {
      const Colour colour =
          shown == 1 ? ui.theme.category[0] : ui.theme.category[b % ui.theme.category.size()];
      ink.fill({left, top}, {left + each * filled, top + kBar}, mix(ui.theme.s2, colour, 0.6f),
               measure::kCellRadius);
    }
  }
  return figures + kBar + 4;
}

}  // namespace warpbook::gui
