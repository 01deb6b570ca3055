// The picture of a boundary at the step that the reader looks at, and below it a strip of all steps with a picture.
#include <algorithm>
#include <array>
#include <cmath>
#include <string>

#include "gui/controls/point.hpp"
#include "gui/exhibits/drawn.hpp"
#include "gui/exhibits/panels.hpp"
#include "gui/exhibits/training_step.hpp"
#include "lab/exhibits/boundary/boundary_picture.hpp"

namespace warpbook::gui {
namespace {
using Boundary = lab::BoundaryExhibit;

constexpr float kLargest = 420, kStrip = 18, kStripGap = 8, kFrameWords = 26;

float side_of(float width) { return std::floor(std::min(width, kLargest)); }

lab::Area strip_of(float side) {
  return {0, static_cast<double>(side + kStripGap), static_cast<double>(side),
          static_cast<double>(kStrip)};
}

void step_by_keys(const Ui& ui, const Boundary& boundary, std::size_t now) {
  constexpr std::array kKeys{ImGuiKey_LeftArrow, ImGuiKey_RightArrow};
  own_keys(kKeys);
  if (ImGui::IsKeyPressed(kKeys[0]) && now > 0) choose_step(ui, boundary.frames[now - 1].step);
  if (ImGui::IsKeyPressed(kKeys[1]) && now + 1 < boundary.frames.size())
    choose_step(ui, boundary.frames[now + 1].step);
}

/// Hovering over the strip shows a step, a press keeps it.
std::size_t shown_frame(const FigureArea& area, const Boundary& boundary, const lab::Area& strip) {
  const Ui& ui = area.ui;
  const std::size_t now = *lab::frame_of_step(boundary, chosen_step(ui));
  const bool pressed = item_over("steps", area.corner, strip);
  if (ImGui::IsItemFocused()) step_by_keys(ui, boundary, now);
  if (!ImGui::IsItemHovered()) return now;
  const double share = std::clamp((mouse_in(area.corner).x - strip.x) / strip.width, 0.0, 1.0);
  const std::size_t over =
      std::min(boundary.frames.size() - 1,
               static_cast<std::size_t>(share * static_cast<double>(boundary.frames.size())));
  if (pressed) choose_step(ui, boundary.frames[over].step);
  return over;
}

void draw_strip(const FigureArea& area, const Boundary& boundary, const lab::Area& strip,
                std::size_t shown) {
  const float wide = static_cast<float>(strip.width) / static_cast<float>(boundary.frames.size());
  const float top = area.corner.y + static_cast<float>(strip.y);
  for (std::size_t frame = 0; frame < boundary.frames.size(); ++frame) {
    const float left = area.corner.x + wide * static_cast<float>(frame);
    area.ui.ink().fill({left, top}, {left + wide - 1, top + kStrip},
                       frame == shown ? area.ui.theme.accent : area.ui.theme.s4, 2);
  }
}
}  // namespace

float figure_of(const FigureArea& area, const Boundary& boundary, const std::string& /*id*/) {
  const Ui& ui = area.ui;
  if (boundary.frames.empty()) return words(area, ui.tr("boundary.nothing"), ui.caption_style());
  const float side = side_of(area.width);
  const lab::Area strip = strip_of(side);
  const float below = side + kStripGap + kStrip;
  const ImVec2 legend{area.corner.x, area.corner.y + below + kFrameWords};
  const float height =
      below + kFrameWords +
      words({ui, legend, area.width, area.draw}, ui.tr("boundary.legend"), ui.caption_style());
  if (!area.draw) return height;
  const std::size_t shown = shown_frame(area, boundary, strip);
  draw_kept(area, &boundary, FigureInputs(std::uint64_t{shown}),
            [&] { return drawing_of(boundary, shown, static_cast<double>(side)); });
  draw_strip(area, boundary, strip, shown);
  ui.ink().label(area.corner.x, area.corner.y + below + kFrameWords / 2, ui.note(),
                 frame_text(boundary, shown, ui.book.strings()), area.width);
  return height;
}

}  // namespace warpbook::gui
