// The thin line that joins what is being read with the panel of the lab that it is about, and the pin that holds the lab.
#include <algorithm>

#include "gui/controls/widgets.hpp"
#include "gui/shell/shell.hpp"

namespace warpbook::gui {
namespace {
constexpr float kBelowTop = 18;  // where a panel or card is joined: the middle of its header
constexpr float kPin = 18;

/// Across, along the gap between text and lab, across again; corners rounded.
void elbow(const Ink& ink, ImVec2 from, float gap, ImVec2 to, Colour colour) {
  ImDrawList* list = ink.list();
  const float down = to.y > from.y ? 1.0f : -1.0f;
  const float radius = std::min(6.0f, std::abs(to.y - from.y) / 2);
  list->PathLineTo(from);
  list->PathLineTo({gap - radius, from.y});
  list->PathBezierQuadraticCurveTo({gap, from.y}, {gap, from.y + down * radius});
  list->PathLineTo({gap, to.y - down * radius});
  list->PathBezierQuadraticCurveTo({gap, to.y}, {gap + radius, to.y});
  list->PathLineTo(to);
  list->PathStroke(colour, 1.5f);
  list->AddCircleFilled({from.x + 3, from.y}, 3, colour);
}
}  // namespace

void Shell::draw_connector(const Ui& ui, ImVec2 top, float bottom) {
  const auto& connected = document_.connected();
  const LabView::Place* panel = nullptr;
  std::string name;
  for (const std::string& topic : connected ? connected->topics : std::vector<std::string>()) {
    panel = lab_.place_of(topic);
    if (panel) {
      name = topic;
      break;
    }
  }
  // The lab follows once, when what is read changes; what the reader does in it after that is theirs.
  if (panel && !lab_held_ && !ui.typing) {
    const std::string joined = std::to_string(connected->node) + " " + name;
    if (joined != connected_to_) lab_.reveal(name);
    connected_to_ = joined;
  }
  const Ink ink = ui.ink();
  const float gap = top.x + measure::kLabMargin / 2;
  float pin_y = top.y + kBelowTop + measure::kGap;
  bool seen = false;
  if (panel) {
    const float text_top = top.y + 52, text_bottom = bottom - measure::kFoot - 8;
    const ImVec2 from{connected->max.x,
                      std::clamp(connected->min.y + kBelowTop, text_top, text_bottom)};
    const ImVec2 to{panel->min.x, panel->min.y + kBelowTop};
    const bool in_text = connected->max.y > text_top && connected->min.y < text_bottom;
    const float begin = panel->stays ? top.y : lab_.scroll_top();
    seen = in_text && to.y > begin + 4 && to.y < bottom - 4;
    if (seen) {
      pin_y = to.y;
      elbow(ink, from, gap, to, fade(ui.theme.accent, 0.6f));
    }
  }
  if (!seen && !lab_held_) return;
  // It lies over the lab's own window, which would take the click.
  const ImVec2 at{gap - kPin / 2, pin_y - kPin / 2};
  ImGui::SetCursorScreenPos(at);
  ImGui::PushStyleColor(ImGuiCol_ChildBg, 0);
  if (ImGui::BeginChild("hold", {kPin, kPin}, ImGuiChildFlags_NavFlattened,
                        ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_NoScrollbar)) {
    if (item("hold the lab", at, {at.x + kPin, at.y + kPin})) lab_held_ = !lab_held_;
    const float lit =
        ui.motion.to(ImGui::GetItemID(), ImGui::IsItemHovered() || lab_held_ ? 1.0f : 0.0f);
    tip(ui, ui.tr(lab_held_ ? "gui.hold.release" : "gui.hold.hold") + " (Ctrl+L)");
    const Ink over = ui.ink();
    const ImVec2 middle{gap, pin_y};
    over.list()->AddCircleFilled(middle, kPin / 2 - 0.5f,
                                 lab_held_ ? ui.theme.accent : mix(ui.theme.s0, ui.theme.s4, lit));
    over.icon(Icon::pin, middle,
              lab_held_ ? ui.theme.on_accent : mix(ui.theme.accent, ui.theme.t1, lit), 11);
  }
  ImGui::EndChild();
  ImGui::PopStyleColor();
}

}  // namespace warpbook::gui
