// The picture of an error's way under mouse and keyboard, and the shown step in words.
#include <algorithm>
#include <array>
#include <optional>

#include "gui/controls/point.hpp"
#include "gui/exhibits/drawn.hpp"
#include "gui/exhibits/panels.hpp"
#include "lab/exhibits/trail/trail_picture.hpp"

namespace warpbook::gui {
namespace {
using Trail = lab::TrailExhibit;
using ShownStep = std::optional<std::size_t>;

/// The step that was chosen last: a choice of the view's own, kept by ImGui.
ShownStep kept_step(const Trail& trail) {
  const std::size_t number = kept("step", trail.steps.size());
  return number < trail.steps.size() ? ShownStep(number) : std::nullopt;
}

void step_by_keys(const Trail& trail) {
  constexpr std::array kKeys{ImGuiKey_UpArrow, ImGuiKey_DownArrow};
  own_keys(kKeys);
  const ShownStep now = kept_step(trail);
  if (ImGui::IsKeyPressed(kKeys[0]) && now.value_or(0) > 0) keep("step", *now - 1);
  if (ImGui::IsKeyPressed(kKeys[1]))
    keep("step", now ? std::min(*now + 1, trail.steps.size() - 1) : 0);
}

/// Hovering shows the step under the mouse, a press keeps it; the arrow keys go from one to the next.
ShownStep shown_step(const FigureArea& area, const Trail& trail, const lab::TrailPlane& plane) {
  const bool pressed =
      item_over("steps", area.corner, {0, 0, static_cast<double>(area.width), plane.height()});
  if (ImGui::IsItemFocused()) step_by_keys(trail);
  if (!ImGui::IsItemHovered()) return kept_step(trail);
  const ShownStep over = plane.step_at(mouse_in(area.corner));
  if (over && pressed) keep("step", *over);
  return over ? over : kept_step(trail);
}
}  // namespace

float figure_of(const FigureArea& area, const Trail& trail, const std::string& /*id*/) {
  constexpr float kWords = 44;  // two lines
  const Ui& ui = area.ui;
  if (trail.steps.empty()) return words(area, ui.tr("trail.nothing"), ui.caption_style());
  const lab::Canvas canvas = canvas_for(area);
  const auto& plane = kept_layout<lab::TrailPlane>(
      area, &trail, [&] { return lab::TrailPlane(trail, static_cast<double>(area.width)); });
  const auto below = static_cast<float>(plane.height());
  if (!area.draw) return below + kWords;
  const ShownStep shown = shown_step(area, trail, plane);
  draw_kept(area, &trail, FigureInputs(shown),
            [&] { return drawing_of(trail, plane, shown, canvas); });
  const ParagraphStyle style{13, 20, Face::sans, Face::bold, ui.theme.t2, 0};
  words({ui, {area.corner.x, area.corner.y + below + 4}, area.width, true},
        shown ? lab::step_text(trail, *shown, ui.book.strings()) : ui.tr("gui.trail.how"), style);
  return below + kWords;
}

}  // namespace warpbook::gui
