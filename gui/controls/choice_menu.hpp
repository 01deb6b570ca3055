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
  std::string removal = {};  ///< says what a cross at the row's end removes; empty: no cross
};

struct MenuPress {
  std::size_t row = 0;
  bool removed = false;  ///< the row's cross was pressed
};

/// Draws the popup `id` while it is open (ImGui::OpenPopup opens it), with its upper left corner at `corner` or where the
/// window has room for it. Pressing a row closes the popup; returns that press.
std::optional<MenuPress> choice_menu(const Ui& ui, const char* id, ImVec2 corner,
                                     const std::vector<MenuRow>& rows);

/// The width of a box that has room for the label of every row.
float choice_box_width(const Ui& ui, const std::vector<MenuRow>& rows);
/// A box that shows `label` and opens the list of rows below itself. Returns what was pressed in the list.
std::optional<MenuPress> choice_box(const Ui& ui, const char* id, ImVec2 corner, float width,
                                    const std::string& label, const std::vector<MenuRow>& rows);

}  // namespace warpbook::gui
