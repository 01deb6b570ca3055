// A box to type what is looked for into, and where the keyboard was before.
#pragma once

#include <string>

#include "gui/controls/ui.hpp"

namespace warpbook::gui {

/// What the reader did to a box in this frame.
enum class Typed : std::uint8_t { nothing, changed, enter, shift_enter, escape };

class SearchBox {
 public:
  /// Takes the keyboard in the next frame in which it is drawn, with its text selected.
  void focus() { wanted_ = true; }
  /// Draws with a hint while it is empty; 32 high.
  Typed draw(const Ui& ui, const char* id, ImVec2 corner, float width, const std::string& hint);
  std::string text;

 private:
  bool wanted_ = false;
};

/// Where the keyboard goes back to when a bar or a drawer is closed.
class FocusBefore {
 public:
  /// Remembers who has the keyboard, unless somebody is remembered.
  void remember();
  void give_back();

 private:
  ImGuiID window_ = 0, item_ = 0;
};

}  // namespace warpbook::gui
