// A list to choose from, opened below a button: by mouse, or by arrow keys and Enter.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "gui/controls/ui.hpp"

namespace warpbook::gui {

struct MenuRow {
  std::string id;  ///< what tests call it
  std::string label;
  std::string note = {};  ///< small, at the right end
  bool chosen = false;
  std::string removal = {};  ///< what a cross at the end of the row takes away; empty: no cross
};

struct MenuPress {
  std::size_t row = 0;
  bool removed = false;  ///< it was the row's cross
};

/// Draws the popup `id` while it is open (ImGui::OpenPopup opens it), its upper left at `corner` or where the window has
/// room for it. Nothing where no row was pressed; a row that was pressed closes it.
std::optional<MenuPress> choice_menu(const Ui& ui, const char* id, ImVec2 corner,
                                     const std::vector<MenuRow>& rows);

/// The width in which a box has room for the label of any of the rows.
float choice_box_width(const Ui& ui, const std::vector<MenuRow>& rows);
/// A box that shows `label` and opens the list of the rows below itself; what was pressed of it.
std::optional<MenuPress> choice_box(const Ui& ui, const char* id, ImVec2 corner, float width,
                                    const std::string& label, const std::vector<MenuRow>& rows);

}  // namespace warpbook::gui
