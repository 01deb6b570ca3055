#include "gui/controls/tab_stops.hpp"

#include <imgui_internal.h>

namespace warpbook::gui {

bool tab_is_looking() {
  const ImGuiContext& context = *ImGui::GetCurrentContext();
  const ImGuiNavMoveFlags looks = context.NavMoveFlags;
  // A box that is given the keyboard by name is looked for in the same way, but it is where it says.
  return context.NavMoveScoringItems && (looks & ImGuiNavMoveFlags_IsTabbing) != 0 &&
         (looks & ImGuiNavMoveFlags_FocusApi) == 0;
}

void focus_next_item() {
  ImGui::FocusWindow(ImGui::GetCurrentWindow());
  ImGui::SetKeyboardFocusHere();
}

void look_for_next_item() {
  // ImGui::SetKeyboardFocusHere() looks in the same way, but it also scrolls to the item and gives it what is typed.
  ImGuiContext& context = *ImGui::GetCurrentContext();
  ImGui::SetNavWindow(ImGui::GetCurrentWindow());
  ImGui::SetNavFocusScope(context.CurrentFocusScopeId);
  ImGui::NavMoveRequestSubmit(ImGuiDir_None, ImGuiDir_Down, ImGuiNavMoveFlags_IsTabbing,
                              ImGuiScrollFlags_None);
  context.NavTabbingDir = 1;
  context.NavTabbingCounter = 1;
}

void focus_found_item(bool ring) {
  const ImGuiNavItemData found = ImGui::GetCurrentContext()->NavMoveResultLocal;
  ImGui::NavMoveRequestCancel();
  if (found.ID == 0) return;
  ImGui::SetNavWindow(found.Window);
  ImGui::SetNavID(found.ID, ImGuiNavLayer_Main, found.FocusScopeId, found.RectRel);
  ImGui::SetNavCursorVisible(ring);
}

bool is_wanted(ImVec2 min, ImVec2 max) {
  return ImGui::IsRectVisible(min, max) || tab_is_looking();
}

}  // namespace warpbook::gui
