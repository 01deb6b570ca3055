// The controls of the window, drawn from the theme on ImGui's own items, so that keyboard and tests
// reach them.
#pragma once

#include <string>
#include <string_view>

#include "gui/controls/ui.hpp"

namespace warpbook::gui {

enum class ButtonKind : std::uint8_t { primary, plain, quiet };

struct ButtonLook {
  ButtonKind kind = ButtonKind::plain;
  float height = measure::kButton;
  const Icon* icon = nullptr;
  Colour icon_colour = 0;      ///< 0: as the label
  std::string_view keys = {};  ///< shortcut, shown small
  bool disabled = false;
  bool chosen = false;
};
/// The width that a button with this label takes.
float button_width(const Ui& ui, std::string_view label, const ButtonLook& look);
/// Draws at `corner`; true when pressed by mouse or key. `id` is what tests call it.
bool button(const Ui& ui, const char* id, ImVec2 corner, std::string_view label,
            const ButtonLook& look = {}, float width = 0);
/// A square with an icon and no fill; `tip` says what it does.
bool icon_button(const Ui& ui, const char* id, ImVec2 corner, Icon icon, std::string_view tip,
                 float size = 28);
/// A switch with its label.
bool toggle(const Ui& ui, const char* id, ImVec2 corner, std::string_view label, bool on);

/// The pill that says where figures come from; drawn with its right end at `right`. Gives back its
/// width.
float badge(const Ui& ui, float right, float middle, const device::Evidence& evidence);
float badge_width(const Ui& ui, const device::Evidence& evidence);
/// A key as it stands on the keyboard; gives back its width.
float key_cap(const Ui& ui, float x, float middle, std::string_view keys);
/// A 4-pixel bar.
void progress_bar(const Ui& ui, ImVec2 corner, float width, float fraction);
/// A line of text that may be longer than its room: shown with an ellipsis, whole when hovered.
void fitted_text(const Ui& ui, float x, float baseline, const Type& type, std::string_view text,
                 float width);
/// Says a sentence beside the mouse or the focus.
void tip(const Ui& ui, std::string_view sentence);

/// An invisible item of ImGui at a place; true when pressed. Reachable by Tab and arrows.
bool item(const char* id, ImVec2 min, ImVec2 max);

/// The surface of a panel or card; outlined where the theme wants it.
void ground(const Ui& ui, ImVec2 min, ImVec2 max, Colour fill,
            float radius = measure::kPanelRadius);
/// A panel: its ground, title, subtitle, badge. The body is drawn by the caller below `body`.
struct PanelHeader {
  std::string title, subtitle;
  bool mono_title = false;
  const device::Evidence* evidence = nullptr;
  float right = 0;  ///< left free at the right end
};
/// Draws ground and header of a panel of a known height; gives back the y at which the body begins.
float panel(const Ui& ui, ImVec2 corner, float width, float height, const PanelHeader& header);

}  // namespace warpbook::gui
