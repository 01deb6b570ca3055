// The code editor: goossens' TextEditor in the book's colours. Around the text it shows the cost of each line at the right,
// the linked thread's values at the ends of lines, and the findings of the compiler and the checkers below their lines.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include <TextEditor.h>

#include "gui/exhibits/exhibit.hpp"
#include "lab/exhibits/exhibit.hpp"

namespace warpbook::gui {

class CodeEditor {
 public:
  CodeEditor();
  CodeEditor(const CodeEditor&) = delete;  // its completion leads back to it
  CodeEditor& operator=(const CodeEditor&) = delete;

  /// What is shown around the text.
  struct Annotations {
    const lab::SourceExhibit* findings = nullptr;    ///< of the last run; null: none, or veiled
    const lab::PredictDirective* veil = nullptr;     ///< the open question that veils findings
    const lab::AccessesExhibit* accesses = nullptr;  ///< has the linked thread's values
    bool stale =
        false;  ///< both are of an earlier version of the text, so they are dimmed or left out
    bool linked = false;  ///< its PTX is shown too, so pointing anywhere at a line links it
    bool costs = true;    ///< a run gives its lines costs, for which there is room at the right
    const std::string* ran = nullptr;  ///< the last text of which a run did not fail; null: unknown
  };
  /// Takes over a text that another than the reader has written, before it is measured and drawn.
  void take(const std::string& text);
  /// The height that draw() takes at this width.
  [[nodiscard]] float height(const Ui& ui, const Annotations& annotations, float width) const;
  /// Draws the text. When the reader changes it, `changed` gets the new text in a later frame.
  void draw(const Ui& ui, const char* id, ImVec2 corner, float width,
            const Annotations& annotations, const std::function<void(Book&, std::string)>& changed);
  /// Gives the keyboard to the editor at the next draw.
  void focus() { editor_.SetFocus(); }
  /// What is typed goes into it, as of the last draw.
  [[nodiscard]] bool has_keyboard() const { return has_keyboard_; }
  /// The height that its rows fill, however few they are; without it, the editor is as high as its text, up to a bound.
  void set_room(float height) { room_ = height; }
  /// CUDA C++ until this is called.
  void set_language(const TextEditor::Language* language) {
    if (editor_.GetLanguage() != language) editor_.SetLanguage(language);
  }
  /// Takes back what was written last: a word, or what was written at one go.
  void undo();
  /// A stretch of rows on the screen.
  struct Rows {
    float top = 0, bottom = 0;
  };
  /// Where the caret's row is, in sight or not, together with the first error and its words as far as both fit in `room`.
  [[nodiscard]] Rows rows_in_work(float room) const;
  /// Changes when the caret moves, and when an error comes or goes.
  [[nodiscard]] std::uint64_t work_stamp() const;
  /// Explains the word at the caret, until the caret moves or it is asked for again.
  void toggle_word_help();
  /// Where the caret is, from 1.
  [[nodiscard]] std::uint32_t caret_line() const {
    return static_cast<std::uint32_t>(editor_.GetMainCursorPosition().line) + 1;
  }
  TextEditor& widget() { return editor_; }

  static constexpr float kRow = 24;

 private:
  static constexpr float kTopPadding = 4;
  /// A line with findings, and the height of their text below it.
  struct Note {
    std::uint32_t line = 0;  ///< in the current text, from 1
    std::vector<const lab::SourceExhibit::Mark*> marks;
    float height = 0;  ///< 0: the line is only marked
  };
  [[nodiscard]] std::vector<Note> notes(const Ui& ui, const Annotations& annotations,
                                        float width) const;
  void put_theme(const Theme& theme);
  void put_squiggles(const Ui& ui, const Annotations& annotations);
  void draw_lines(const Ui& ui, ImVec2 corner, float width, const Annotations& annotations,
                  const std::vector<Note>& notes) const;
  void draw_note(const Ui& ui, ImVec2 corner, float width, const Note& note, bool stale) const;
  void draw_undo(const Ui& ui, ImVec2 corner, float width, const Annotations& annotations,
                 const std::vector<Note>& notes);
  /// The marks that are shown: while the text does not compile, its errors alone, because what else the compiler says then
  /// mostly follows from them.
  [[nodiscard]] static std::vector<const lab::SourceExhibit::Mark*> shown_marks(
      const Annotations& annotations);
  bool render(const char* id, ImVec2 size);
  /// Goes back to the last text that ran; where there is none, takes back what was written last.
  void undo_to(const std::string* ran);
  void count_bursts(bool same_burst);
  void draw_values(const Ui& ui, float right, const Annotations& annotations) const;
  void draw_costs(const Ui& ui, ImVec2 corner, float width, const Annotations& annotations) const;
  void follow_link(const Ui& ui, const Annotations& annotations);
  float draw_elsewhere(const FigureArea& area, const Annotations& annotations) const;
  [[nodiscard]] float rows_height(const std::vector<Note>& notes) const;
  /// The card that explains the word at the mouse, once it rests there, or at the caret if that was asked for.
  void draw_word_help(const Ui& ui, ImVec2 corner, float width);
  /// The word at the caret; empty where there is none.
  [[nodiscard]] std::string word_at_caret() const;
  /// Where words are prose, so that they may be terms of the book; elsewhere they are names that the program gives.
  [[nodiscard]] bool is_in_comment(TextEditor::DocPos at) const;
  [[nodiscard]] float text_left(const Ui& ui) const;
  /// Of the column of costs at the right.
  [[nodiscard]] static float cost_width(const Ui& ui, const Annotations& annotations);
  [[nodiscard]] bool in_sight(float top, ImVec2 corner, float height) const;

  TextEditor editor_;
  std::string text_;  ///< the text that the editor was last given, or gave back
  const Theme* theme_ = nullptr;
  std::uint64_t marks_stamp_ = 0;
  float room_ = 0;  ///< 0: not set
  bool has_keyboard_ = false;
  std::optional<TextEditor::DocPos> help_at_;  ///< where the caret was when help was asked for
  ImVec2 typed_at_{
      -1, -1};  ///< where the mouse was when the reader typed last: it explains nothing there
  std::optional<Rows> error_;  ///< of the first error, with its words

  // ---- What undo takes back at once
  std::vector<std::size_t>
      bursts_;  ///< of each change that can be undone or redone: the number of its burst
  TextEditor::DocPos typed_to_;  ///< the caret after the last change
  double typed_when_ = -10;
  ImWchar typed_ = 0;       ///< the last letter; 0: something was deleted
  float shown_height_ = 0;  ///< of the rows, in the frame that is drawn
  /// Where the widget begins, and where it began when it last knew the places of its lines, which it learns only in sight.
  float top_ = 0, known_top_ = 0;
  std::optional<std::uint32_t> followed_;  ///< the linked line that the editor has scrolled to
};

/// CUDA C++ for the editor: the words of gui/controls/highlight.hpp.
const TextEditor::Language* cuda_language();
const TextEditor::Language* toml_language();

}  // namespace warpbook::gui
