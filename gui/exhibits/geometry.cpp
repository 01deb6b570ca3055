// The launch as its blocks: how many, how large, and how many of their threads had nothing to do.
#include <algorithm>
#include <cmath>

#include "gui/exhibits/exhibit.hpp"

namespace warpbook::gui {
namespace {
std::string extent(const device::Dim3& e) {
  std::string text = lab::grouped(e.x);
  if (e.y > 1 || e.z > 1) text += " x " + lab::grouped(e.y);
  if (e.z > 1) text += " x " + lab::grouped(e.z);
  return text;
}
}  // namespace

float geometry_figure(const Frame& frame, const lab::GeometryExhibit& geometry) {
  const Ui& ui = frame.ui;
  constexpr float kBar = 14, kFigures = 34;
  if (!frame.draw) return kFigures + kBar + 4;
  const Ink ink = ui.ink();
  struct Entry {
    std::string value, label;
  };
  const Entry entries[] = {
      {extent(geometry.grid), ui.tr("gui.geometry.blocks")},
      {extent(geometry.block), ui.tr("gui.geometry.threads-a-block")},
      {lab::grouped(geometry.threads), ui.tr("gui.geometry.threads")},
      {geometry.idle_known ? lab::grouped(geometry.idle) : "?", ui.tr("gui.geometry.idle")}};
  const float step = frame.width / 4;
  for (int i = 0; i < 4; ++i) {
    const float x = frame.corner.x + step * static_cast<float>(i);
    ink.text(x, frame.corner.y + 16, {Face::mono, 16, ui.theme.t1}, entries[i].value);
    const float after = x + ink.width({Face::mono, 16, 0}, entries[i].value) + 7;
    ink.text(after, frame.corner.y + 16, ui.note(),
             ink.fitted(ui.note(), entries[i].label, x + step - after - 4));
  }
  // One bar a block while they can be told apart, idle threads at its end; else one bar for all.
  const float top = frame.corner.y + kFigures;
  const std::uint64_t blocks = geometry.grid.count();
  const double busy_share =
      geometry.threads ? 1.0 - static_cast<double>(geometry.idle_known ? geometry.idle : 0) /
                                   static_cast<double>(geometry.threads)
                       : 0;
  const std::uint64_t shown = blocks <= 64 ? std::max<std::uint64_t>(blocks, 1) : 1;
  const float gap = shown > 1 ? 3.0f : 0.0f;
  const float each =
      (frame.width - gap * static_cast<float>(shown - 1)) / static_cast<float>(shown);
  const double busy_blocks = busy_share * static_cast<double>(shown);
  for (std::uint64_t b = 0; b < shown; ++b) {
    const float x = frame.corner.x + static_cast<float>(b) * (each + gap);
    const auto filled =
        static_cast<float>(std::clamp(busy_blocks - static_cast<double>(b), 0.0, 1.0));
    ink.fill({x, top}, {x + each, top + kBar}, ui.theme.s4, measure::kCellRadius);
    if (filled > 0) {
      const Colour colour =
          shown == 1 ? ui.theme.category[0] : ui.theme.category[b % ui.theme.category.size()];
      ink.fill({x, top}, {x + each * filled, top + kBar}, mix(ui.theme.s2, colour, 0.6f),
               measure::kCellRadius);
    }
  }
  return kFigures + kBar + 4;
}

}  // namespace warpbook::gui
