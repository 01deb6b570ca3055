// One table of everything that the reader can do. The shell handles keys by it, and lists it in the settings and in the
// palette, where a few letters find an action; buttons and tips show its keys.
#pragma once

#include <functional>
#include <span>
#include <string_view>

#include <imgui.h>

namespace warpbook::gui {

class Presentation;
class Shell;
struct Ui;

/// When an action is there: always, while a lecture is held, or while its votes are counted. Keys of the last kind mean nothing
/// else for so long.
enum class When : std::uint8_t { always, presenting, voting };

struct Action {
  std::string_view id;      ///< "run"; its words are gui.action.<id>
  ImGuiKeyChord chord = 0;  ///< 0: none
  std::string_view keys;    ///< the chord as the reader sees it; empty: none
  std::function<void(Shell&, const Ui&)> act;
  bool yields = false;  ///< an editor or a box that has the keyboard gets these keys first
  When when = When::always;
  ImGuiKeyChord other_chord = 0;  ///< does the same, and always yields; 0: none
  /// The action has so many keys, from `chord` on, and `act_on` is told which; 0: it has one, and `act`.
  int row = 0;
  std::function<void(Shell&, int)> act_on = nullptr;
};
std::span<const Action> actions();
/// The action is there now.
bool acts_now(const Action& action, const Presentation& lecture);
/// A key that counts votes, so that it means nothing else while they are counted.
bool counts_votes(ImGuiKeyChord chord);
/// The keys of an action, as the reader sees them. The id must be one of the table.
std::string_view keys_of(std::string_view id);

}  // namespace warpbook::gui
