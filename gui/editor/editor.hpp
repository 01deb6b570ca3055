// The code editor: goossens' TextEditor in the book's colours, with what lines cost at the right
// and what the compiler and the checkers say at their lines.
#pragma once

#include <memory>
#include <string>

#include <TextEditor.h>

#include "gui/shell/ui.hpp"
#include "lab/exhibits.hpp"

namespace warpbook::gui {

class CodeEditor {
 public:
  CodeEditor();

  /// The height that draw() takes at this width.
  [[nodiscard]] float height(const Ui& ui, const lab::SourceExhibit* findings, float width) const;
  /// Draws `text`; what the reader changes is handed to `changed` in a later frame. `findings` (may
  /// be null) are of the last run; where they are of an earlier version they are dimmed.
  void draw(const Ui& ui, const char* id, ImVec2 corner, float width, const std::string& text,
            const lab::SourceExhibit* findings, bool stale,
            const std::function<void(Book&, std::string)>& changed);
  /// Gives the keyboard to the editor at the next draw.
  void focus() { editor_.SetFocus(); }
  [[nodiscard]] bool can_undo() const { return editor_.CanUndo(); }
  void undo() { editor_.Undo(); }
  TextEditor& widget() { return editor_; }

 private:
  void put_theme(const Theme& theme);
  void put_marks(const Ui& ui, const lab::SourceExhibit* findings, bool stale);
  void draw_costs(const Ui& ui, ImVec2 corner, float width, const lab::SourceExhibit* findings,
                  bool stale) const;
  float draw_messages(const Ui& ui, ImVec2 corner, float width, const lab::SourceExhibit* findings,
                      bool draw) const;
  [[nodiscard]] float rows_height() const;

  TextEditor editor_;
  std::string text_;  ///< what the editor was last given or gave
  const Theme* theme_ = nullptr;
  std::uint64_t marks_stamp_ = 0;
};

/// CUDA C++ for the editor: the same words as gui/editor/highlight.
const TextEditor::Language* cuda_language();

}  // namespace warpbook::gui
