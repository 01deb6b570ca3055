#include "gui/controls/search_box.hpp"

#include <utility>

#include <imgui_internal.h>

#include "gui/controls/tab_stops.hpp"
#include "gui/controls/widgets.hpp"

namespace warpbook::gui {

Typed SearchBox::draw(const Ui& ui, const char* id, ImVec2 corner, float width,
                      const std::string& hint) {
  constexpr float kText = 15, kIconRoom = 30;
  const Ink ink = ui.ink();
  if (std::exchange(wanted_, false)) focus_next_item();
  const std::string before = text;
  text_box(ui.fonts, id, corner, width,
           {Face::sans, kText, {kIconRoom, (measure::kButton - kText) / 2}}, hint, text,
           ImGuiInputTextFlags_AutoSelectAll);
  ink.icon(Icon::search, {corner.x + 16, corner.y + measure::kButton / 2}, ui.theme.t3, 14);
  if (ImGui::IsItemDeactivated()) {
    if (ImGui::IsKeyPressed(ImGuiKey_Escape)) {
      text = before;  // ImGui puts back what stood there when typing began
      return Typed::escape;
    }
    if (ImGui::IsKeyPressed(ImGuiKey_Enter) || ImGui::IsKeyPressed(ImGuiKey_KeypadEnter)) {
      wanted_ = true;
      return ImGui::GetIO().KeyShift ? Typed::shift_enter : Typed::enter;
    }
  }
  return text == before ? Typed::nothing : Typed::changed;
}

void FocusBefore::remember() {
  if (window_) return;
  const ImGuiContext& context = *ImGui::GetCurrentContext();
  if (!context.NavWindow) return;
  window_ = context.NavWindow->ID;
  // Of a box only the item itself takes text; other items would be pressed.
  item_ = ImGui::GetIO().WantTextInput ? context.ActiveId : 0;
  item_had_it_ = item_ != 0 || (context.NavId != 0 && context.NavCursorVisible);
}

void FocusBefore::give_back() {
  if (ImGuiWindow* window = ImGui::FindWindowByID(window_)) {
    ImGui::FocusWindow(window);
    if (item_) {
      ImGui::ActivateItemByID(item_);
      ImGui::GetCurrentContext()->NavNextActivateFlags |= ImGuiActivateFlags_PreferInput;
    }
  }
  window_ = item_ = 0;
  none_had_it_ = !std::exchange(item_had_it_, false);
}

}  // namespace warpbook::gui
