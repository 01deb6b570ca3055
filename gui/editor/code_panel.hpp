// The panel in which the reader edits: tabs for the sources of a lesson, for their PTX and their machine code, and buttons
// to reset and undo.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "gui/editor/editor.hpp"
#include "gui/editor/ptx_pane.hpp"
#include "gui/editor/sass_pane.hpp"

namespace warpbook::gui {

class CodePanel {
 public:
  /// The sources of the live run. Gives back the height taken.
  float draw_slots(const Ui& ui, ImVec2 corner, float width);
  /// The reader's attempt at an exercise.
  float draw_exercise(const Ui& ui, ImVec2 corner, float width, const ExerciseAttempt& attempt);
  /// The reader's own program, in a panel of at most that height.
  float draw_program(const Ui& ui, ImVec2 corner, float width, float room,
                     const MyProgram& program);
  static constexpr const char* kProgramEditor = "program:";  ///< its editor's name
  /// The editor of a slot, an exercise or the reader's program, made when first asked for.
  CodeEditor& editor(const std::string& name) { return editors_[name]; }
  /// Pins the caret's line, so that its PTX, its machine code and everything else it did are marked; once more releases it.
  void pin_line(const Ui& ui);
  /// Explains the word at the caret of the editor that has the keyboard, or stops doing so.
  void toggle_word_help();
  /// The same on the page of the reader's own program: the bars of its timeline are marked.
  void pin_program_line(const Ui& ui);
  /// Shows the PTX with the source, or hides it.
  void show_ptx(bool shown);
  [[nodiscard]] bool ptx_shown() const { return ptx_; }
  /// The same with its machine code.
  void show_sass(bool shown);
  [[nodiscard]] bool sass_shown() const { return sass_; }
  /// The width that puts the panes that are shown beside the source: each in a column if `room` allows it, else one below
  /// the other. 0 if none is shown.
  [[nodiscard]] float width_for_panes(float room) const;
  /// Names of the panes.
  static constexpr const char *kPtxPane = "ptx", *kSassPane = "sass";
  struct Pane {
    ImVec2 min, max;
  };
  /// Where they are on the screen, in view or not; nothing where they are not shown.
  [[nodiscard]] const std::optional<Pane>& ptx_at() const { return ptx_at_; }
  [[nodiscard]] const std::optional<Pane>& sass_at() const { return sass_at_; }
  /// The pane that the reader has opened since this was last asked; empty: none.
  [[nodiscard]] const std::string& opened() const { return opened_; }
  std::string take_opened() { return std::exchange(opened_, {}); }
  /// The slot that is shown, or will be first.
  [[nodiscard]] const std::string& shown(const Book& book);
  /// The slot that was shown last; empty before any was.
  [[nodiscard]] const std::string& slot() const { return shown_; }
  void show_slot(std::string name) { shown_ = std::move(name); }
  /// The editor that was drawn last since this was last asked; null: none.
  [[nodiscard]] const CodeEditor* take_drawn() { return std::exchange(drawn_, nullptr); }
  void forget() {
    drawn_ = nullptr;
    editors_.clear();
    shown_.clear();
    tabs_.clear();
  }

 private:
  /// The panes that are shown with the source.
  struct Panes {
    bool ptx = false, sass = false;
  };
  /// What the panel shows: a slot of the live run, or an attempt at an exercise.
  struct Shown;
  /// Where the source, its PTX and its machine code go in the panel's body, for a width.
  struct Layout {
    struct Place {
      ImVec2 at, size;  ///< from the body's corner
    };
    Place code, ptx, sass;  ///< of no height: not shown
    float height = 0;       ///< of the body
  };

  void choose_tabs(const Book& book);
  [[nodiscard]] static Layout lay_out(const Ui& ui, const CodeEditor& code,
                                      const CodeEditor::Annotations& annotations, Panes panes,
                                      float width);
  /// Draws the tabs; a press on one shows its slot, or shows or hides its pane.
  void draw_tabs(const Ui& ui, ImVec2 corner, const Shown& shown);
  void draw_panes(const Ui& ui, ImVec2 body, const Layout& layout,
                  const CodeEditor::Annotations& annotations);
  float draw_shown(const Ui& ui, ImVec2 corner, float width, Shown shown);

  std::map<std::string, CodeEditor> editors_;
  const CodeEditor* drawn_ = nullptr;
  const lab::Lesson* lesson_ = nullptr;       ///< that the tabs belong to
  std::vector<const lab::SourceSlot*> tabs_;  ///< slots that the run used or the reader edited
  std::string shown_;                         ///< slot
  bool ptx_ = false,
       sass_ = false;  ///< shown with the source: beside it where there is room, else below
  std::optional<Pane> ptx_at_, sass_at_;
  std::string opened_;
  PtxPane ptx_pane_;
  SassPane sass_pane_;
};

}  // namespace warpbook::gui
