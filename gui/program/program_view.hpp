// The page of the reader's own program: its editor, what it printed, what was found, and its timeline.
#pragma once

#include <string>

#include "gui/controls/ui.hpp"
#include "gui/editor/code_panel.hpp"
#include "gui/lab/file_chooser.hpp"

namespace warpbook::gui {

class ProgramView {
 public:
  /// Draws the page at `corner`: the editor beside the results where there is room, else above them.
  void draw(const Ui& ui, ImVec2 corner, ImVec2 size);
  /// Gives the keyboard to the editor.
  void focus_editor() { code_.editor(CodePanel::kProgramEditor).focus(); }
  [[nodiscard]] CodePanel& code() { return code_; }

 private:
  /// Title, file and buttons. Gives back its height.
  float draw_head(const Ui& ui, ImVec2 corner, float width);
  void draw_buttons(const Ui& ui, float right, float middle, float& left);
  float draw_arguments(const Ui& ui, ImVec2 corner, float width);
  /// These draw from a corner down; each gives back the height it took.
  float draw_editor(const Ui& ui, ImVec2 corner, float width, float room);
  float draw_results(const Ui& ui, ImVec2 corner, float width);
  static float draw_progress(const Ui& ui, ImVec2 corner, float width);
  static float draw_end(const Ui& ui, ImVec2 corner, float width);

  CodePanel code_;
  FileChooser chooser_{FileSort::program};
  std::string typed_;  ///< arguments, as they stand in their box
};

}  // namespace warpbook::gui
