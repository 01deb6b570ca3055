// What the editor shows around its text: findings below their lines, costs at the right, and the linked thread's values at
// the ends of lines.
#include <algorithm>
#include <cctype>
#include <cmath>
#include <functional>

#include "gui/controls/highlight.hpp"
#include "gui/controls/point.hpp"
#include "gui/controls/widgets.hpp"
#include "gui/editor/editor.hpp"
#include "gui/editor/line_map.hpp"
#include "gui/editor/word_help.hpp"
#include "gui/exhibits/accesses/thread_values.hpp"
#include "gui/exhibits/tensor/heat_bar.hpp"

namespace warpbook::gui {
namespace {
constexpr std::size_t kMostNotes = 6;  // lines with words below them; the others are only marked
constexpr std::size_t kMostSaid = 3;   // marks of one line that have words
constexpr float kNotePadding = 6, kSaidGap = 4, kIconRoom = 22, kUndoRoom = 84;

using SourceMark = lab::SourceExhibit::Mark;

bool is_error(const SourceMark& mark) { return mark.severity == device::Severity::error; }

ParagraphStyle said_style(const Ui& ui, const SourceMark& mark) {
  return {14, ui.leading(20), Face::sans, Face::bold, is_error(mark) ? ui.theme.bad : ui.theme.warn,
          0};
}
}  // namespace

std::vector<const SourceMark*> CodeEditor::shown_marks(const Annotations& annotations) {
  std::vector<const SourceMark*> shown;
  if (!annotations.findings) return shown;
  const auto& marks = annotations.findings->marks;
  // What does not compile has no PTX.
  const bool errors_alone =
      annotations.findings->ptx.empty() && std::ranges::any_of(marks, is_error);
  for (const SourceMark& mark : marks) {
    if (!errors_alone || is_error(mark)) shown.push_back(&mark);
  }
  return shown;
}

std::vector<CodeEditor::Note> CodeEditor::notes(const Ui& ui, const Annotations& annotations,
                                                float width) const {
  std::vector<Note> notes;
  if (!annotations.findings) return notes;
  const LineMap lines(annotations.findings->text, text_);
  for (const SourceMark* mark : shown_marks(annotations)) {
    const auto line = lines.now(mark->line);
    if (!line || *line > editor_.GetLineCount()) continue;
    auto note = std::ranges::find(notes, *line, &Note::line);
    if (note == notes.end()) note = notes.insert(notes.end(), Note{*line, {}, 0});
    note->marks.push_back(mark);
  }
  const float room = width - text_left(ui) - kIconRoom - kUndoRoom - 12;
  std::size_t told = 0;
  for (Note& note : notes) {
    if (++told > kMostNotes) break;
    note.height = 2 * kNotePadding - kSaidGap;
    for (std::size_t i = 0; i < std::min(note.marks.size(), kMostSaid); ++i) {
      note.height += kSaidGap + words({ui, {0, 0}, room, false}, ui.tr(note.marks[i]->text),
                                      said_style(ui, *note.marks[i]));
    }
  }
  return notes;
}

bool CodeEditor::in_sight(float top, ImVec2 corner, float height) const {
  return top < corner.y + shown_height_ && top + height > corner.y;
}

void CodeEditor::draw_lines(const Ui& ui, ImVec2 corner, float width,
                            const Annotations& annotations, const std::vector<Note>& notes) const {
  const Ink ink = ui.ink();
  const auto tint = [&](std::uint32_t line, Colour fill, Colour bar, float below) {
    const float top = editor_.GetLineTop(line - 1);
    ink.fill({corner.x, top}, {corner.x + width, top + kRow + below}, fill);
    ink.fill({corner.x, top}, {corner.x + measure::kAccentBar, top + kRow + below}, bar);
  };
  const Link& link = ui.book.link.current();
  const auto linked = link.line && annotations.findings
                          ? LineMap(annotations.findings->text, text_).now(*link.line)
                          : link.line;
  if (linked && *linked <= editor_.GetLineCount() && !link.thread)
    tint(*linked, ui.theme.accent_tint, ui.theme.accent, 0);
  if (link.thread && annotations.accesses && annotations.findings && !annotations.stale) {
    for (const LineValues& values :
         values_of(*annotations.accesses, *annotations.findings, *link.thread)) {
      if (values.touches) tint(values.line, ui.theme.accent_tint, ui.theme.accent, 0);
    }
  }
  for (const Note& note : notes) {
    const bool error =
        std::ranges::any_of(note.marks, [](const SourceMark* m) { return is_error(*m); });
    const float share = annotations.stale ? 0.4f : 1;
    tint(note.line, mix(ui.theme.s2, error ? ui.theme.bad_tint : ui.theme.warn_tint, share),
         mix(ui.theme.s2, error ? ui.theme.bad : ui.theme.warn, share), note.height);
    if (note.height > 0) draw_note(ui, corner, width, note, annotations.stale);
  }
}

void CodeEditor::draw_note(const Ui& ui, ImVec2 corner, float width, const Note& note,
                           bool stale) const {
  const Ink ink = ui.ink();
  const float top = editor_.GetLineTop(note.line - 1) + kRow;
  if (!in_sight(top, corner, note.height)) return;
  const float left = corner.x + text_left(ui);
  const float room = width - text_left(ui) - kIconRoom - kUndoRoom - 12;
  float y = top + kNotePadding;
  for (std::size_t i = 0; i < std::min(note.marks.size(), kMostSaid); ++i) {
    const SourceMark& mark = *note.marks[i];
    const ParagraphStyle style = said_style(ui, mark);
    ink.icon(is_error(mark) ? Icon::cross : Icon::warning, {left + 7, y + style.line / 2},
             style.colour, 14, is_error(mark) ? ui.theme.bad_tint : ui.theme.warn_tint);
    y += words({ui, {left + kIconRoom, y}, room, true}, ui.tr(mark.text), style) + kSaidGap;
  }
  if (stale)
    ink.fill({left, top}, {corner.x + width - 8, top + note.height}, fade(ui.theme.s2, 0.55f));
}

void CodeEditor::draw_undo(const Ui& ui, ImVec2 corner, float width, const Annotations& annotations,
                           const std::vector<Note>& notes) {
  const auto note = std::ranges::find_if(notes, [](const Note& n) {
    return n.height > 0 &&
           std::ranges::any_of(n.marks, [](const SourceMark* m) { return is_error(*m); });
  });
  error_.reset();
  if (note == notes.end()) return;
  const float row = editor_.GetLineTop(note->line - 1);
  if (!annotations.stale) error_ = {row, row + kRow + note->height};
  if (!editor_.CanUndo()) return;
  static constexpr Icon kUndo = Icon::undo;
  const ButtonLook look{ButtonKind::plain, measure::kCardButton, &kUndo};
  const std::string label = ui.tr("gui.editor.undo");
  const float wide = button_width(ui, label, look);
  const ImVec2 at{corner.x + width - wide - 12, editor_.GetLineTop(note->line - 1) + kRow + 2};
  if (at.y < corner.y || at.y + measure::kCardButton > corner.y + shown_height_) return;
  // A window of its own, because the editor's window below it would take the click.
  ImGui::SetCursorScreenPos(at);
  if (ImGui::BeginChild("undo", {wide, measure::kCardButton}, ImGuiChildFlags_NavFlattened,
                        ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_NoScrollbar) &&
      button(ui, "undo", at, label, look)) {
    undo_to(annotations.ran);
    focus();
  }
  ImGui::EndChild();
}

void CodeEditor::draw_values(const Ui& ui, float right, const Annotations& annotations) const {
  const Link& link = ui.book.link.current();
  if (!link.thread || !annotations.accesses || !annotations.findings || annotations.stale) return;
  const Ink ink = ui.ink();
  const Type type{Face::mono, 13, ui.theme.accent_text};
  for (const LineValues& values :
       values_of(*annotations.accesses, *annotations.findings, *link.thread)) {
    if (values.line > editor_.GetLineCount()) continue;
    const float left = editor_.GetTextRight(values.line - 1) + 18;
    const float room = right - left - 8;
    const std::string& text = ink.width(type, values.full) <= room ? values.full : values.brief;
    if (room < 40 && ink.width(type, text) > room) continue;
    const std::string shown = ink.fitted(type, text, room);
    const float middle = editor_.GetLineTop(values.line - 1) + kRow / 2;
    ink.fill({left - 6, middle - 9}, {left + ink.width(type, shown) + 6, middle + 9},
             ui.theme.accent_tint, measure::kCellRadius);
    ink.text_middle(left, middle, type, shown);
  }
}

float CodeEditor::cost_width(const Ui& ui, const Annotations& annotations) {
  constexpr float kMargin = measure::kPadding - 8;
  static const lab::SourceExhibit none;
  if (!annotations.costs) return kMargin;
  return kMargin + heat_width(ui, annotations.findings ? *annotations.findings : none);
}

void CodeEditor::draw_costs(const Ui& ui, ImVec2 corner, float width,
                            const Annotations& annotations) const {
  const lab::SourceExhibit* findings = annotations.findings;
  if (!findings || findings->lines.empty()) return;
  const lab::LineHeat& heat = heat_shown(ui, *findings);
  const float right = corner.x + width - measure::kPadding + 8,
              left = corner.x + width - cost_width(ui, annotations);
  const LineMap lines(findings->text, text_);
  std::vector<const lab::SourceExhibit::Line*> costs(editor_.GetLineCount() + 1, nullptr);
  for (const auto& line : findings->lines) {
    if (const auto now = lines.now(line.line); now && *now < costs.size()) costs[*now] = &line;
  }
  for (std::uint32_t line = 1; line < costs.size(); ++line) {
    const float top = editor_.GetLineTop(line - 1);
    if (!in_sight(top, corner, kRow)) continue;
    const auto* cost = costs[line];
    heat_mark(ui, right, top, kRow, cost ? heat.of_line(cost->line) : 0, heat, annotations.stale,
              cost ? heat_reason(ui, *cost, heat) : std::string());
    if (!cost || !ImGui::IsWindowHovered(ImGuiHoveredFlags_ChildWindows)) continue;
    // Pressing the number or the cost of a line links its lanes and its PTX.
    const bool at_number =
        ImGui::IsMouseHoveringRect({corner.x, top}, {corner.x + text_left(ui) - 8, top + kRow});
    const bool at_cost = at_number || ImGui::IsMouseHoveringRect({left, top}, {right, top + kRow});
    const bool over = at_cost || (annotations.linked &&
                                  ImGui::IsMouseHoveringRect({corner.x, top}, {right, top + kRow}));
    if (!over) continue;
    Link link;
    link.line = cost->line;
    point_at(ui, link, at_cost && ImGui::IsMouseClicked(ImGuiMouseButton_Left));
  }
}

/// If the link was made elsewhere, scrolls its line into view.
void CodeEditor::follow_link(const Ui& ui, const Annotations& annotations) {
  const auto& line = ui.book.link.current().line;
  if (line == followed_) return;
  followed_ = line;
  if (!line || !annotations.findings || annotations.stale) return;
  const auto now = LineMap(annotations.findings->text, text_).now(*line);
  if (!now || *now > editor_.GetLineCount()) return;
  const std::size_t row = *now - 1;
  if (row < editor_.GetFirstVisibleRow() || row > editor_.GetLastVisibleRow())
    editor_.ScrollToLine(row, TextEditor::Scroll::alignMiddle);
}

std::string CodeEditor::word_at_caret() const {
  const auto caret = editor_.GetMainCursorPosition();
  const std::string line = editor_.GetLineText(caret.line);
  const auto wordy = [&](std::size_t i) {
    return std::isalnum(static_cast<unsigned char>(line[i])) || line[i] == '_';
  };
  std::size_t begin = std::min(caret.index, line.size()), end = begin;
  while (begin > 0 && wordy(begin - 1)) --begin;
  while (end < line.size() && wordy(end)) ++end;
  return line.substr(begin, end - begin);
}

bool CodeEditor::is_in_comment(TextEditor::DocPos at) const {
  const Dialect dialect = editor_.GetLanguage() == toml_language() ? Dialect::toml : Dialect::cuda;
  bool in_comment = false;
  for (std::size_t line = 0; line < at.line; ++line)
    highlight(editor_.GetLineText(line), dialect, in_comment);
  const std::string text = editor_.GetLineText(at.line);
  return std::ranges::any_of(highlight(text, dialect, in_comment), [&](const Token& token) {
    return token.kind == Token::Kind::comment && at.index >= token.from && at.index < token.to;
  });
}

void CodeEditor::toggle_word_help() {
  const auto caret = editor_.GetMainCursorPosition();
  help_at_ = help_at_ == caret ? std::nullopt : std::optional(caret);
}

void CodeEditor::draw_word_help(const Ui& ui, ImVec2 corner, float width) {
  constexpr float kRest = 0.4f;  // seconds, so that a mouse on its way opens nothing
  const float letter = ui.ink().width({Face::mono, 15, 0}, "#");
  if (help_at_ && *help_at_ == editor_.GetMainCursorPosition() && has_keyboard_) {
    const float x = editor_.GetTextLeft() + static_cast<float>(help_at_->index) * letter,
                y = editor_.GetLineTop(help_at_->line);
    word_help(ui, word_at_caret(), true, {x, y}, {x, y + kRow});
    return;
  }
  help_at_.reset();
  const ImVec2 mouse = ImGui::GetMousePos();
  const bool rests = mouse.x != typed_at_.x || mouse.y != typed_at_.y;
  const bool over =
      rests && ImGui::IsWindowHovered(ImGuiHoveredFlags_ChildWindows) && !ImGui::IsAnyMouseDown() &&
      ImGui::IsMouseHoveringRect(corner, {corner.x + width, corner.y + shown_height_});
  const std::string word = over ? editor_.GetWordAtMousePos(mouse) : std::string();
  const float rested =
      ui.motion.since(ImGui::GetID("word under the mouse"), std::hash<std::string>{}(word), kRest);
  if (word.empty() || rested < 1) return;
  const float top = corner.y + std::floor((mouse.y - corner.y) / kRow) * kRow;
  word_help(ui, word, is_in_comment(editor_.GetDocPosAtMousePos(mouse)), {mouse.x, top},
            {mouse.x, top + kRow});
}

/// Findings in other files, or in lines that this text does not have.
float CodeEditor::draw_elsewhere(const FigureArea& area, const Annotations& annotations) const {
  if (!annotations.findings || annotations.stale) return 0;
  const Ui& ui = area.ui;
  float y = area.corner.y;
  std::size_t shown = 0;
  for (const SourceMark* said : shown_marks(annotations)) {
    const SourceMark& mark = *said;
    if ((mark.line > 0 && mark.line <= editor_.GetLineCount()) || ++shown > kMostSaid) continue;
    const ParagraphStyle style = said_style(ui, mark);
    const float left = area.corner.x + measure::kPadding;
    if (area.draw)
      ui.ink().icon(is_error(mark) ? Icon::cross : Icon::warning,
                    {left + 7, y + 4 + style.line / 2}, style.colour, 14, ui.theme.s2);
    y += words({ui,
                {left + kIconRoom, y + 4},
                area.width - kIconRoom - 2 * measure::kPadding,
                area.draw},
               ui.tr(mark.text), style) +
         8;
  }
  return y - area.corner.y;
}

}  // namespace warpbook::gui
