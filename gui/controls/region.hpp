// A part of the window with a ground of its own, which scrolls by itself.
#pragma once

#include "gui/draw/theme.hpp"

namespace warpbook::gui {

/// Draws `body` in a child window.
template <class Body>
void region(const char* id, ImVec2 corner, ImVec2 size, Colour ground, float radius, Body body) {
  constexpr ImGuiWindowFlags kFlags = ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoSavedSettings;
  ImGui::SetCursorScreenPos(corner);
  ImGui::PushStyleColor(ImGuiCol_ChildBg, ground);
  ImGui::PushStyleVar(ImGuiStyleVar_ChildRounding, radius);
  const bool open = ImGui::BeginChild(id, size, ImGuiChildFlags_NavFlattened, kFlags);
  ImGui::PopStyleVar();
  ImGui::PopStyleColor();
  if (open) body();
  ImGui::EndChild();
}

}  // namespace warpbook::gui
