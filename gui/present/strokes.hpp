// What the lecturer draws on the screen. A stroke that begins on a panel of the lab belongs to it: it moves where the panel moves,
// and is gone with it. All strokes of a screen are there again when the class comes back to it.
#pragma once

#include <map>
#include <string>
#include <vector>

#include <imgui.h>

namespace warpbook::gui {

struct Stroke {
  std::string panel;           ///< empty: the screen itself
  std::vector<ImVec2> points;  ///< from the panel's corner, in units of the book
};

class Strokes {
 public:
  /// A stroke begins at `at`, on that panel.
  void begin(const std::string& screen, std::string panel, ImVec2 corner, ImVec2 at);
  void go_on(const std::string& screen, ImVec2 corner, ImVec2 at);
  /// Takes the screen's last stroke away.
  void undo(const std::string& screen);
  void clear(const std::string& screen) { of_.erase(screen); }
  void clear_all() { of_.clear(); }
  [[nodiscard]] const std::vector<Stroke>& of(const std::string& screen) const;

 private:
  std::map<std::string, std::vector<Stroke>> of_;  ///< by screen
};

}  // namespace warpbook::gui
