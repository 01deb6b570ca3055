// The panel in which a reader edits: tabs for the sources of a lesson and their PTX, reset, undo.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "gui/editor/editor.hpp"
#include "gui/editor/ptx_pane.hpp"

namespace warpbook::gui {

class CodePanel {
 public:
  /// The sources of the live run. Gives back the height taken.
  float draw_slots(const Ui& ui, ImVec2 corner, float width);
  /// What is written for an exercise.
  float draw_exercise(const Ui& ui, ImVec2 corner, float width, const ExerciseDesk& desk);
  /// The editor that draws a slot or an exercise; made when first asked for.
  CodeEditor& editor(const std::string& name) { return editors_[name]; }
  /// Pins the line that the caret is in, so that its PTX, and what else it did, is marked; once more lets go.
  void pin_line(const Ui& ui);
  /// Shows the PTX with the source, or hides it.
  void show_ptx(bool shown) { ptx_ = shown; }
  [[nodiscard]] bool ptx_shown() const { return ptx_; }
  /// The slot that is shown, or will be first.
  [[nodiscard]] const std::string& shown(const Book& book);
  void forget() {
    editors_.clear();
    shown_.clear();
    tabs_.clear();
  }

 private:
  void choose_tabs(const Book& book);

  std::map<std::string, CodeEditor> editors_;
  const lab::Lesson* lesson_ = nullptr;  ///< whose the tabs are
  std::vector<const lab::SourceSlot*>
      tabs_;           ///< of the open lesson: what its run used, and what was edited
  std::string shown_;  ///< slot
  bool ptx_ = false;   ///< shown with the source: beside it where there is room, else below
  PtxPane pane_;
};

}  // namespace warpbook::gui
