#include "gui/editor/editor.hpp"

#include <algorithm>
#include <cctype>
#include <set>

#include "gui/controls/highlight.hpp"
#include "gui/editor/cuda_words.hpp"

#include <imgui_internal.h>

namespace warpbook::gui {
namespace {
constexpr float kEditorRow = CodeEditor::kRow, kSize = 15, kScrollbar = 12;
constexpr float kWholeRows = 36,
                kMostRows = 26;  // of a text of more rows than the one, the other are shown

/// Whether that child window of the current window has the keyboard.
bool is_focused(ImGuiID child) {
  const ImGuiWindow* focused = ImGui::GetCurrentContext()->NavWindow;
  return focused && focused->ChildId == child && focused->ParentWindow == ImGui::GetCurrentWindow();
}
}  // namespace

const TextEditor::Language* cuda_language() {
  static const TextEditor::Language language = [] {
    TextEditor::Language made = *TextEditor::Language::Cpp();
    made.name = "CUDA C++";
    made.keywords.clear();
    made.declarations.clear();
    made.identifiers.clear();
    for (const std::string_view word : cuda_keywords()) made.keywords.emplace(word);
    for (const std::string_view word : cuda_types()) made.declarations.emplace(word);
    for (const std::string_view word : cuda_names()) made.identifiers.emplace(word);
    return made;
  }();
  return &language;
}

const TextEditor::Language* toml_language() {
  static const TextEditor::Language language = [] {
    TextEditor::Language made = *TextEditor::Language::Cpp();
    made.name = "TOML";
    made.preprocess = 0;
    made.singleLineComment = "#";
    made.commentStart.clear();
    made.commentEnd.clear();
    made.keywords.clear();
    made.declarations.clear();
    made.identifiers.clear();
    return made;
  }();
  return &language;
}

CodeEditor::CodeEditor() {
  editor_.SetLanguage(cuda_language());
  editor_.SetTabSize(2);
  editor_.SetInsertSpacesOnTabs(true);
  editor_.SetShowWhitespacesEnabled(false);
  editor_.SetShowScrollbarMiniMapEnabled(false);
  editor_.SetShowMiniMapEnabled(false);
  editor_.SetShowMatchingBrackets(false);
  editor_.SetCompletePairedGlyphs(false);
  editor_.SetLineSpacing(kEditorRow / kSize);
  TextEditor::AutoCompleteConfig completion;
  completion.callback = [this](TextEditor::AutoCompleteState& state) {
    std::set<std::string> own;
    editor_.IterateIdentifiers([&](const std::string& word) { own.insert(word); });
    state.suggestions = completions_of(state.searchTerm, own);
  };
  editor_.SetAutoCompleteConfig(&completion);
  editor_.SetLineNumberLeftMargin(1);
  editor_.SetTextLeftMargin(2);
}

void CodeEditor::put_theme(const Theme& theme) {
  if (theme_ == &theme) return;
  theme_ = &theme;
  marks_stamp_ = 0;
  TextEditor::Palette palette = TextEditor::GetDarkPalette();
  const auto put = [&](TextEditor::Color which, Colour colour) {
    palette.at(static_cast<std::size_t>(which)) = colour;
  };
  using C = TextEditor::Color;
  put(C::text, theme.t1);
  put(C::keyword, theme.code_keyword);
  put(C::declaration, theme.code_type);
  put(C::number, theme.code_number);
  put(C::string, theme.code_string);
  put(C::punctuation, theme.t1);
  put(C::preprocessor, theme.code_directive);
  put(C::identifier, theme.t1);
  put(C::knownIdentifier, theme.code_cuda);
  put(C::comment, theme.code_comment);
  put(C::background, 0);
  put(C::cursor, theme.accent);
  put(C::selection, fade(theme.accent, 0.35f));
  put(C::whitespace, theme.t4);
  put(C::matchingBracketBackground, fade(theme.accent, 0.25f));
  for (const C bracket : {C::matchingBracketActive, C::matchingBracketLevel1,
                          C::matchingBracketLevel2, C::matchingBracketLevel3}) {
    put(bracket, theme.t1);
  }
  put(C::matchingBracketError, theme.bad);
  put(C::lineNumber, theme.t3);
  put(C::currentLineNumber, theme.t2);
  editor_.SetPalette(palette);
}

float CodeEditor::rows_height(const std::vector<Note>& notes) const {
  if (room_ > 0) return room_;
  const auto rows = static_cast<float>(
      std::max<std::size_t>(3, static_cast<std::size_t>(std::ranges::count(text_, '\n')) + 1));
  float height = rows * kEditorRow;
  for (const Note& note : notes) height += note.height;
  const float most = rows <= kWholeRows ? kWholeRows : kMostRows;
  return std::min(height, most * kEditorRow) + 2 * kTopPadding + kScrollbar;
}

float CodeEditor::text_left(const Ui& ui) const {
  const std::size_t digits = std::to_string(editor_.GetLineCount() + 1).size();
  return static_cast<float>(digits + 3) * ui.ink().width({Face::mono, kSize, 0}, "#");
}

void CodeEditor::put_squiggles(const Ui& ui, const Annotations& annotations) {
  // The marks themselves are hashed, because an address can be used again for others.
  std::uint64_t stamp = annotations.stale ? 2u : 1u;
  const auto add = [&](std::uint64_t part) { stamp = (stamp ^ part) * 0x100000001B3ull; };
  add(editor_.GetLineCount());
  if (annotations.findings) {
    for (const auto* mark : shown_marks(annotations)) {
      add(mark->line);
      add(mark->column);
    }
  }
  if (stamp == marks_stamp_) return;
  marks_stamp_ = stamp;
  editor_.ClearSquiggles();
  if (!annotations.findings || annotations.stale) return;
  for (const auto* shown : shown_marks(annotations)) {
    const lab::SourceExhibit::Mark& mark = *shown;
    if (mark.line == 0 || mark.line > editor_.GetLineCount() || mark.column == 0) continue;
    const std::string content = editor_.GetLineText(mark.line - 1);
    std::size_t end = mark.column;
    const auto wordy = [&](std::size_t i) {
      return i < content.size() &&
             (std::isalnum(static_cast<unsigned char>(content[i])) || content[i] == '_');
    };
    while (wordy(end)) ++end;
    editor_.AddSquiggle({mark.line - 1, mark.column - 1}, {mark.line - 1, end}, 0,
                        mark.severity == device::Severity::error ? ui.theme.bad : ui.theme.warn);
  }
}

float CodeEditor::height(const Ui& ui, const Annotations& annotations, float width) const {
  return rows_height(notes(ui, annotations, width)) +
         draw_elsewhere({ui, {0, 0}, width, false}, annotations);
}

void CodeEditor::take(const std::string& text) {
  if (text == text_) return;
  if (text_.empty()) {
    editor_.SetText(text);
    bursts_.clear();
  } else if (editor_.GetText() !=
             text) {  // an undoable change: a reset or a directive's case can be taken back
    bursts_.resize(std::min(bursts_.size(), editor_.GetUndoIndex()));
    editor_.SelectAll();
    editor_.ReplaceTextInAllCursors(text);
    editor_.SetCursor({0, 0});
    count_bursts(false);
  }
  text_ = text;
  marks_stamp_ = 0;
}

// ---- Undo ---------------------------------------------------------------------------------------

void CodeEditor::count_bursts(bool same_burst) {
  const std::size_t burst = bursts_.empty() ? 1 : bursts_.back() + (same_burst ? 0 : 1);
  bursts_.resize(std::max(bursts_.size(), editor_.GetUndoIndex()), burst);
}

void CodeEditor::undo() {
  count_bursts(false);
  const auto burst = [this] { return bursts_[editor_.GetUndoIndex() - 1]; };
  if (!editor_.CanUndo()) return;
  const std::size_t last = burst();
  while (editor_.CanUndo() && burst() == last) editor_.Undo();
}

void CodeEditor::undo_to(const std::string* ran) {
  const std::size_t before = editor_.GetUndoIndex();
  const auto there = [&] { return ran && editor_.GetText() == *ran; };
  if (ran && !there()) {
    while (editor_.CanUndo() && !there()) editor_.Undo();
    if (there()) return;
    while (editor_.GetUndoIndex() < before) editor_.Redo();
  }
  undo();
}

/// Draws the editor, which takes in what is typed. The widget counts each letter as a change; here those of a word are one burst.
bool CodeEditor::render(const char* id, ImVec2 size) {
  constexpr double kPause = 2;  // seconds, after which a new burst begins
  count_bursts(false);          // changes that were made by others
  const ImGuiIO& io = ImGui::GetIO();
  const std::size_t before = editor_.GetUndoIndex();
  const bool types = !io.InputQueueCharacters.empty();
  const ImWchar typed = types ? io.InputQueueCharacters.front() : 0,
                last = types ? io.InputQueueCharacters.back() : 0;
  const bool goes_on = editor_.GetMainCursorPosition() == typed_to_ &&
                       ImGui::GetTime() - typed_when_ < kPause && (typed == 0) == (typed_ == 0) &&
                       (typed <= ' ' || typed_ > ' ');
  const bool edited =
      editor_.Render(id, size, ImGuiChildFlags_None,
                     ImGuiWindowFlags_NoMove | ImGuiWindowFlags_HorizontalScrollbar |
                         ImGuiWindowFlags_NoSavedSettings);
  const std::size_t now = editor_.GetUndoIndex();
  if (now == before) return edited;
  const bool redone = now > before && io.KeyCtrl &&
                      (ImGui::IsKeyPressed(ImGuiKey_Y) || ImGui::IsKeyPressed(ImGuiKey_Z));
  if (now < before) {
    while (editor_.CanUndo() && bursts_[editor_.GetUndoIndex() - 1] == bursts_[now]) editor_.Undo();
  } else if (redone) {
    while (editor_.CanRedo() &&
           bursts_[editor_.GetUndoIndex()] == bursts_[editor_.GetUndoIndex() - 1])
      editor_.Redo();
  } else {
    bursts_.resize(before);
    count_bursts(goes_on && before > 0);
  }
  typed_ = last;
  typed_when_ = now > before && !redone ? ImGui::GetTime() : -10;
  typed_to_ = editor_.GetMainCursorPosition();
  typed_at_ = ImGui::GetMousePos();
  return edited;
}

std::uint64_t CodeEditor::work_stamp() const {
  const auto caret = editor_.GetMainCursorPosition();
  const auto error = error_ ? static_cast<std::uint64_t>(error_->bottom - error_->top) : 0;
  return (caret.line * 4096 + caret.index) * 4096 + error;
}

CodeEditor::Rows CodeEditor::rows_in_work(float room) const {
  const float moved = top_ - known_top_;
  const float caret = editor_.GetLineTop(editor_.GetMainCursorPosition().line) + moved;
  const Rows row{caret, caret + kRow};
  if (!error_) return row;
  const Rows both{std::min(row.top, error_->top + moved),
                  std::max(row.bottom, error_->bottom + moved)};
  return both.bottom - both.top <= room ? both : row;
}

// ---- One frame ----------------------------------------------------------------------------------

void CodeEditor::draw(const Ui& ui, const char* id, ImVec2 corner, float width,
                      const Annotations& annotations,
                      const std::function<void(Book&, std::string)>& changed) {
  put_theme(ui.theme);
  put_squiggles(ui, annotations);
  const auto said = notes(ui, annotations, width);
  std::vector<std::pair<std::size_t, float>> space;
  for (const Note& note : said) {
    if (note.height > 0) space.emplace_back(note.line - 1, note.height);
  }
  editor_.SetSpaceBelow(std::move(space));
  shown_height_ = rows_height(said);
  follow_link(ui, annotations);
  ImGui::SetCursorScreenPos({corner.x, corner.y + kTopPadding});
  ImGui::PushFont(ui.fonts.face(Face::mono), kSize);
  ImGui::PushStyleColor(ImGuiCol_NavCursor, 0);  // the panel has the ring
  const bool edited =
      render(id, {width - cost_width(ui, annotations), shown_height_ - kTopPadding});
  ImGui::PopStyleColor();
  ImGui::PopFont();
  has_keyboard_ = is_focused(ImGui::GetItemID());
  top_ = corner.y + kTopPadding;
  if (ImGui::IsItemVisible()) known_top_ = top_;
  if (edited || editor_.GetText() != text_) {
    std::string now = editor_.GetText();
    if (now != text_) {
      text_ = now;
      ui.post([changed, now = std::move(now)](Book& book) { changed(book, now); });
    }
  }
  // The annotations are drawn here, because the text is in a child window of its own.
  const Ink ink = ui.ink();
  ink.list()->PushClipRect(corner, {corner.x + width, corner.y + shown_height_}, true);
  draw_lines(ui, corner, width, annotations, said);
  draw_costs(ui, corner, width, annotations);
  draw_values(ui, corner.x + width - cost_width(ui, annotations), annotations);
  ink.list()->PopClipRect();
  draw_undo(ui, corner, width, annotations, said);
  draw_word_help(ui, corner, width);
  draw_elsewhere({ui, {corner.x, corner.y + shown_height_}, width, true}, annotations);
}

}  // namespace warpbook::gui
