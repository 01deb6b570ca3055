#include "gui/controls/choice_menu.hpp"

#include <algorithm>
#include <cmath>

#include "gui/controls/widgets.hpp"

namespace warpbook::gui {
namespace {
constexpr float kMenuRow = 32, kMenuPadding = 6, kMenuText = 30, kMenuNote = 24, kMenuCross = 28,
                kMenuWidest = 520;
constexpr float kBoxPadding = 10, kBoxChevron = 22;

float menu_width(const Ui& ui, const std::vector<MenuRow>& rows) {
  float wide = 0;
  for (const MenuRow& row : rows) {
    const float note = row.note.empty() ? 0 : kMenuNote + ui.ink().width(ui.note(), row.note);
    wide = std::max(wide, ui.ink().width(ui.label(), row.label) + note +
                              (row.removal.empty() ? 0 : kMenuCross));
  }
  return std::min(wide + kMenuText + 2 * kMenuPadding + 18, kMenuWidest);
}

Type box_type(const Ui& ui) { return {Face::sans, 14, ui.theme.t1}; }

/// The row of that place; what was pressed of it.
std::optional<MenuPress> draw_menu_row(const Ui& ui, const MenuRow& row, std::size_t number,
                                       ImVec2 min, ImVec2 max) {
  const float end = max.x - (row.removal.empty() ? 0 : kMenuCross), middle = (min.y + max.y) / 2;
  std::optional<MenuPress> press;
  if (item(row.id.c_str(), min, {end, max.y})) press = MenuPress{number, false};
  if (row.chosen) ImGui::SetItemDefaultFocus();
  const Ink ink = ui.ink();
  if (ImGui::IsItemHovered() || ImGui::IsItemFocused())
    ink.fill(min, max, ui.theme.s4, measure::kControlRadius);
  if (row.chosen) ink.icon(Icon::check, {min.x + 14, middle}, ui.theme.accent, 14);
  const float note = ink.width(ui.note(), row.note),
              room = end - min.x - kMenuText - 10 - (note > 0 ? note + kMenuNote : 0);
  ink.text_middle(min.x + kMenuText, middle, ui.label(), ink.fitted(ui.label(), row.label, room));
  if (note > 0) ink.text_middle(end - 10, middle, ui.note(), row.note, Align::right);
  if (!row.removal.empty() && icon_button(ui, ("remove " + row.id).c_str(), {end, min.y + 3},
                                          Icon::cross, row.removal, kMenuCross - 2))
    press = MenuPress{number, true};
  return press;
}
}  // namespace

std::optional<MenuPress> choice_menu(const Ui& ui, const char* id, ImVec2 corner,
                                     const std::vector<MenuRow>& rows) {
  const float wide = menu_width(ui, rows),
              high = kMenuRow * static_cast<float>(rows.size()) + 2 * kMenuPadding;
  const ImGuiViewport& viewport = *ImGui::GetMainViewport();
  const ImVec2 last{viewport.Pos.x + viewport.Size.x - wide - 8,
                    viewport.Pos.y + viewport.Size.y - high - 8};
  ImGui::SetNextWindowPos(
      {std::max(0.0f, std::min(corner.x, last.x)), std::max(0.0f, std::min(corner.y, last.y))});
  ImGui::SetNextWindowSize({wide, high});
  if (!ImGui::BeginPopup(id, ImGuiWindowFlags_NoMove)) return std::nullopt;
  const ImVec2 at = ImGui::GetWindowPos();
  if (ui.theme.outline)
    ui.ink().outline(at, {at.x + wide, at.y + high}, ui.theme.outline, measure::kPanelRadius);
  std::optional<MenuPress> press;
  ImVec2 min{at.x + kMenuPadding, at.y + kMenuPadding};
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const ImVec2 max{at.x + wide - kMenuPadding, min.y + kMenuRow};
    if (const auto pressed = draw_menu_row(ui, rows[i], i, min, max)) press = pressed;
    min.y = max.y;
  }
  if (press && !press->removed) ImGui::CloseCurrentPopup();
  ImGui::EndPopup();
  return press;
}

float choice_box_width(const Ui& ui, const std::vector<MenuRow>& rows) {
  float wide = 0;
  for (const MenuRow& row : rows) wide = std::max(wide, ui.ink().width(box_type(ui), row.label));
  return std::ceil(wide) + 2 * kBoxPadding + kBoxChevron;
}

std::optional<MenuPress> choice_box(const Ui& ui, const char* id, ImVec2 corner, float width,
                                    const std::string& label, const std::vector<MenuRow>& rows) {
  constexpr const char* kList = "list";
  const ImVec2 end{corner.x + width, corner.y + measure::kCardButton};
  const float middle = (corner.y + end.y) / 2;
  ImGui::PushID(id);
  if (item("open", corner, end)) ImGui::OpenPopup(kList);
  const float lit = ui.motion.to(ImGui::GetItemID(), ImGui::IsItemHovered() ? 1.0f : 0.0f);
  const Ink ink = ui.ink();
  ink.fill(corner, end, mix(ui.theme.s3, ui.theme.s4, lit), measure::kControlRadius);
  ink.text_middle(corner.x + kBoxPadding, middle, box_type(ui),
                  ink.fitted(box_type(ui), label, width - kBoxPadding - kBoxChevron));
  ink.icon(Icon::chevron_down, {end.x - kBoxChevron / 2 - 1, middle}, ui.theme.t2, 13);
  const auto press = choice_menu(ui, kList, {corner.x, end.y + 4}, rows);
  ImGui::PopID();
  return press;
}

}  // namespace warpbook::gui
