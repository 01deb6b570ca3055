// The picture of schedules under mouse and keyboard, and below it what the checker found.
#include <algorithm>
#include <array>

#include "gui/controls/point.hpp"
#include "gui/exhibits/drawn.hpp"
#include "gui/exhibits/panels.hpp"
#include "lab/exhibits/schedules/schedules_picture.hpp"

namespace warpbook::gui {
namespace {
using Schedules = lab::SchedulesExhibit;

/// The schedule that was chosen last: a choice of the view's own, kept by ImGui.
std::size_t kept_schedule(const Schedules& schedules) {
  return std::min<std::size_t>(kept("schedule", schedules.chosen), schedules.runs.size() - 1);
}

/// Left and right go along the strip, up and down from row to row.
void step_by_keys(const Schedules& schedules, const lab::SchedulesPlane& plane) {
  constexpr std::array kKeys{ImGuiKey_LeftArrow, ImGuiKey_RightArrow, ImGuiKey_UpArrow,
                             ImGuiKey_DownArrow};
  own_keys(kKeys);
  const std::size_t now = kept_schedule(schedules), count = schedules.runs.size(),
                    row = plane.columns();
  if (ImGui::IsKeyPressed(kKeys[0]) && now > 0) keep("schedule", now - 1);
  if (ImGui::IsKeyPressed(kKeys[1]) && now + 1 < count) keep("schedule", now + 1);
  if (ImGui::IsKeyPressed(kKeys[2]) && now >= row) keep("schedule", now - row);
  if (ImGui::IsKeyPressed(kKeys[3]) && now + row < count) keep("schedule", now + row);
}

/// Hovering shows the schedule under the mouse, a press keeps it; on the strip the arrow keys go from one to the next.
std::size_t shown_schedule(const FigureArea& area, const Schedules& schedules,
                           const lab::SchedulesPlane& plane) {
  const bool pressed = item_over("strip", area.corner, plane.strip());
  if (ImGui::IsItemFocused()) step_by_keys(schedules, plane);
  if (!ImGui::IsItemHovered()) return kept_schedule(schedules);
  const auto over = plane.run_at(mouse_in(area.corner));
  if (over && pressed) keep("schedule", *over);
  return over.value_or(kept_schedule(schedules));
}
}  // namespace

float figure_of(const FigureArea& area, const Schedules& schedules, const std::string& /*id*/) {
  const Ui& ui = area.ui;
  if (schedules.runs.empty()) return words(area, ui.tr("schedules.nothing"), ui.caption_style());
  const lab::Canvas canvas = canvas_for(area);
  const auto& plane = kept_layout<lab::SchedulesPlane>(
      area, &schedules, [&] { return lab::SchedulesPlane(schedules, canvas); });
  const auto below = static_cast<float>(plane.height());
  if (area.draw) {
    const std::size_t shown = shown_schedule(area, schedules, plane);
    draw_kept(area, &schedules, FigureInputs(shown),
              [&] { return drawing_of(schedules, plane, shown, canvas); });
  }
  const std::string says =
      schedules.collision ? ui.tr(schedules.collision->finding) : ui.tr("gui.schedules.how");
  const ParagraphStyle style{13, 20, Face::sans, Face::bold, ui.theme.t2, 0};
  return below + 6 +
         words({ui, {area.corner.x, area.corner.y + below + 6}, area.width, area.draw}, says,
               style);
}

}  // namespace warpbook::gui
