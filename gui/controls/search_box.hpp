// A box for words to search for, and a memory of who had the keyboard before.
#pragma once

#include <string>
#include <utility>

#include "gui/controls/ui.hpp"

namespace warpbook::gui {

/// What the reader did to a box in this frame.
enum class Typed : std::uint8_t { nothing, changed, enter, shift_enter, escape };

class SearchBox {
 public:
  /// Takes the keyboard in the next frame in which it is drawn, with its text selected.
  void focus() { wanted_ = true; }
  /// Draws the box, 32 points high, with a hint while it is empty.
  Typed draw(const Ui& ui, const char* id, ImVec2 corner, float width, const std::string& hint);
  std::string text;

 private:
  bool wanted_ = false;
};

/// The item that gets the keyboard back when a bar or a drawer closes.
class FocusBefore {
 public:
  /// Remembers the item that has the keyboard, unless one is remembered already.
  void remember();
  void give_back();
  /// No item had it, so Tab would now begin at the upper left corner of whatever window had it; said once.
  bool take_none_had_it() { return std::exchange(none_had_it_, false); }

 private:
  ImGuiID window_ = 0, item_ = 0;
  bool item_had_it_ = false, none_had_it_ = false;
};

}  // namespace warpbook::gui
