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

bool is_wanted(ImVec2 min, ImVec2 max) {
  return ImGui::IsRectVisible(min, max) || tab_is_looking();
}

}  // namespace warpbook::gui
