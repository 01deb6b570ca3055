// The controls of the window. They are drawn in the theme's colours, but are ImGui's own items, so that the keyboard and
// the tests reach them.
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
/// Draws at `corner`; true when pressed by mouse or key. Tests find the button by `id`.
bool button(const Ui& ui, const char* id, ImVec2 corner, std::string_view label,
            const ButtonLook& look = {}, float width = 0);
/// A square with an icon and no fill; `tip` says what it does.
bool icon_button(const Ui& ui, const char* id, ImVec2 corner, Icon icon, std::string_view tip,
                 float size = 28);
/// A switch with its label.
bool toggle(const Ui& ui, const char* id, ImVec2 corner, std::string_view label, bool on);

/// The badge that says how figures were obtained (counted, measured, estimated), with its right end at `right`. Gives back
/// its width.
float badge(const Ui& ui, float right, float middle, const device::Evidence& evidence);
float badge_width(const Ui& ui, const device::Evidence& evidence);
/// A bar, 4 points high.
void progress_bar(const Ui& ui, ImVec2 corner, float width, float fraction);
/// A line of text that may be longer than its room: it is cut with an ellipsis, and a tip shows all of it.
void fitted_text(const Ui& ui, float x, float baseline, const Type& type, std::string_view text,
                 float width);
/// A tip beside the last item, while the mouse or the focus is on it.
void tip(const Ui& ui, std::string_view sentence);
/// A tip beside the mouse, now.
void show_tip(const Ui& ui, std::string_view sentence);

/// An invisible item of ImGui, which Tab and the arrow keys reach; true when pressed.
bool item(const char* id, ImVec2 min, ImVec2 max);

/// One line of text to be typed: ImGui's own box, whose letters lie on whole pixels at every scale.
struct TextBox {
  Face face = Face::sans;
  float size = 15;
  ImVec2 padding;  ///< between the box's edge and its text
};
void text_box(const Fonts& fonts, const char* id, ImVec2 corner, float width, const TextBox& look,
              const std::string& hint, std::string& text, ImGuiInputTextFlags flags = 0);

/// The surface of a panel or card, with an outline if the theme has one.
void ground(const Ui& ui, ImVec2 min, ImVec2 max, Colour fill,
            float radius = measure::kPanelRadius);
/// The header of a panel.
struct PanelHeader {
  std::string title, subtitle;
  bool mono_title = false;
  const device::Evidence* evidence = nullptr;
  float right = 0;  ///< room to leave free at the right end
};
/// Draws ground and header of a panel of a known height; gives back the y at which the body begins.
float panel(const Ui& ui, ImVec2 corner, float width, float height, const PanelHeader& header);

}  // namespace warpbook::gui
