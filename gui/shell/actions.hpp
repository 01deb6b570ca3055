// One table of everything that can be done from the keyboard; menus and the palette read it too.
#pragma once

#include <functional>
#include <span>
#include <string_view>

#include <imgui.h>

namespace warpbook::gui {

class Shell;
struct Ui;

struct Action {
  std::string_view id;      ///< "run"; its words are gui.action.<id>
  ImGuiKeyChord chord = 0;  ///< 0: none
  std::string_view keys;    ///< as a reader sees them
  std::function<void(Shell&, const Ui&)> act;
  bool yields = false;  ///< to an editor or a box that has the keyboard and uses these keys itself
};
std::span<const Action> actions();
/// Null where there is none.
const Action* find_action(std::string_view id);

}  // namespace warpbook::gui
