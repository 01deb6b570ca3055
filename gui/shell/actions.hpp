// One table of everything that the reader can do. The shell handles keys by it, and lists it in the settings and in the
// palette, where a few letters find an action; buttons and tips show its keys.
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
  std::string_view keys;    ///< the chord as the reader sees it; empty: none
  std::function<void(Shell&, const Ui&)> act;
  bool yields = false;  ///< an editor or a box that has the keyboard gets these keys first
};
std::span<const Action> actions();
/// The keys of an action, as the reader sees them. The id must be one of the table.
std::string_view keys_of(std::string_view id);

}  // namespace warpbook::gui
