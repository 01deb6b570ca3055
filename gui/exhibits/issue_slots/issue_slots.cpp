// Issue slots under mouse and keyboard, and the shown case in words.
#include <algorithm>
#include <array>

#include "gui/controls/point.hpp"
#include "gui/exhibits/drawn.hpp"
#include "gui/exhibits/panels.hpp"
#include "lab/exhibits/issue_slots/issue_slots_picture.hpp"

namespace warpbook::gui {
namespace {
constexpr float kWords = 44;

using Slots = lab::IssueSlotsExhibit;

/// The case that was chosen last: a choice of the view's own, kept by ImGui.
std::size_t kept_case(const Slots& slots) {
  return std::min<std::size_t>(kept("case", slots.chosen), slots.cases.size() - 1);
}

void step_by_keys(const Slots& slots) {
  constexpr std::array kKeys{ImGuiKey_UpArrow, ImGuiKey_DownArrow};
  own_keys(kKeys);
  const std::size_t now = kept_case(slots);
  if (ImGui::IsKeyPressed(kKeys[0]) && now > 0) keep("case", now - 1);
  if (ImGui::IsKeyPressed(kKeys[1]) && now + 1 < slots.cases.size()) keep("case", now + 1);
}

/// Hovering shows the strip under the mouse, a press keeps it; on the picture the arrow keys go from strip to strip.
std::size_t shown_case(const FigureArea& area, const Slots& slots,
                       const lab::IssueSlotsPlane& plane) {
  const bool pressed = item_over("strips", area.corner, plane.area());
  if (ImGui::IsItemFocused()) step_by_keys(slots);
  if (!ImGui::IsItemHovered()) return kept_case(slots);
  const auto over = plane.case_at(mouse_in(area.corner));
  if (over && pressed) keep("case", *over);
  return over.value_or(kept_case(slots));
}
}  // namespace

float figure_of(const FigureArea& area, const Slots& slots, const std::string& /*id*/) {
  const Ui& ui = area.ui;
  if (slots.cases.empty()) return words(area, ui.tr("issue_slots.nothing"), ui.caption_style());
  const lab::Canvas canvas = canvas_for(area);
  const auto& plane = kept_layout<lab::IssueSlotsPlane>(
      area, &slots, [&] { return lab::IssueSlotsPlane(slots, beside_as<Slots>(area), canvas); });
  const auto below = static_cast<float>(plane.height());
  if (!area.draw) return below + kWords;
  const std::size_t shown = shown_case(area, slots, plane);
  draw_kept(area, &slots, FigureInputs(shown),
            [&] { return drawing_of(slots, plane, shown, canvas); });
  const ParagraphStyle style{13, 20, Face::sans, Face::bold, ui.theme.t2, 0};
  words({ui, {area.corner.x, area.corner.y + below + 2}, area.width, true},
        lab::case_text(slots, shown, ui.book.strings()), style);
  return below + kWords;
}

}  // namespace warpbook::gui
