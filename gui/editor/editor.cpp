#include "gui/editor/editor.hpp"

#include <algorithm>
#include <cmath>

#include <imgui_internal.h>

#include "gui/editor/highlight.hpp"
#include "gui/exhibits/exhibit.hpp"

namespace warpbook::gui {
namespace {
constexpr float kRow = 24, kSize = 15, kCostWidth = 74, kMostRows = 26, kTopPadding = 4,
                kScrollbar = 12;
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

CodeEditor::CodeEditor() {
  editor_.SetLanguage(cuda_language());
  editor_.SetTabSize(2);
  editor_.SetInsertSpacesOnTabs(true);
  editor_.SetShowWhitespacesEnabled(false);
  editor_.SetShowScrollbarMiniMapEnabled(false);
  editor_.SetShowMiniMapEnabled(false);
  editor_.SetShowMatchingBrackets(false);
  editor_.SetCompletePairedGlyphs(false);
  editor_.SetLineSpacing(kRow / kSize);
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
  put(C::lineNumber, theme.t4);
  put(C::currentLineNumber, theme.t2);
  editor_.SetPalette(palette);
}

float CodeEditor::rows_height() const {
  const auto rows = static_cast<float>(
      std::max<std::size_t>(3, static_cast<std::size_t>(std::ranges::count(text_, '\n')) + 1));
  return std::min(rows, kMostRows) * kRow + 2 * kTopPadding + kScrollbar;
}

void CodeEditor::put_marks(const Ui& ui, const lab::SourceExhibit* findings, bool stale) {
  // What is shown, not where it lies: an address is used again.
  std::uint64_t stamp = (stale ? 2u : 1u) + (static_cast<std::uint64_t>(ui.book.language()) << 2);
  const auto add = [&](std::uint64_t part) { stamp = (stamp ^ part) * 0x100000001B3ull; };
  const auto& line = ui.book.link.current().line;
  add(line.value_or(0));
  add(editor_.GetLineCount());
  if (findings) {
    for (const auto& mark : findings->marks) {
      add(mark.line);
      add(mark.column);
      add(std::hash<std::string>{}(mark.text.key + mark.text.text));
    }
  }
  if (stamp == marks_stamp_) return;
  marks_stamp_ = stamp;
  editor_.ClearMarkers();
  editor_.ClearSquiggles();
  if (line && *line <= editor_.GetLineCount()) {
    editor_.AddMarker(*line - 1, ui.theme.accent_tint, ui.theme.accent_tint, "", "");
  }
  if (!findings || stale) return;
  for (const auto& mark : findings->marks) {
    if (mark.line == 0 || mark.line > editor_.GetLineCount()) continue;
    const bool error = mark.severity == device::Severity::error;
    const std::string says = ui.tr(mark.text);
    const Colour tint = error ? ui.theme.bad_tint : ui.theme.warn_tint;
    editor_.AddMarker(mark.line - 1, tint, tint, says, says);
    if (mark.column > 0) {
      const std::string content = editor_.GetLineText(mark.line - 1);
      std::size_t end = mark.column;
      const auto wordy = [&](std::size_t i) {
        return i < content.size() &&
               (std::isalnum(static_cast<unsigned char>(content[i])) || content[i] == '_');
      };
      while (wordy(end)) ++end;
      editor_.AddSquiggle({mark.line - 1, mark.column - 1}, {mark.line - 1, end}, 0,
                          error ? ui.theme.bad : ui.theme.warn, says);
    }
  }
}

float CodeEditor::draw_messages(const Ui& ui, ImVec2 corner, float width,
                                const lab::SourceExhibit* findings, bool draw) const {
  if (!findings) return 0;
  float y = corner.y;
  std::size_t shown = 0;
  for (const auto& mark : findings->marks) {
    if (++shown > 4) break;
    const bool error = mark.severity == device::Severity::error;
    const float left = corner.x + 78;
    const ParagraphStyle style{14, 20, Face::sans, Face::bold, error ? ui.theme.bad : ui.theme.warn,
                               0};
    const float height =
        words({ui, {left, y + 5}, width - (left - corner.x) - 12, draw}, ui.tr(mark.text), style) +
        10;
    if (draw) {
      ui.ink().text(corner.x + 16, y + 20, {Face::sans, 13, ui.theme.t3},
                    ui.tr("gui.editor.line", {{"line", std::to_string(mark.line)}}));
    }
    y += height;
  }
  return y - corner.y;
}

void CodeEditor::draw_costs(const Ui& ui, ImVec2 corner, float width,
                            const lab::SourceExhibit* findings, bool stale) const {
  if (!findings) return;
  const Ink ink = ui.ink();
  std::uint64_t most = 1;
  for (const auto& line : findings->lines) most = std::max(most, line.threads);
  const ImGuiWindow* window = ImGui::GetCurrentWindow();
  const float scroll =
      window->DC.ChildWindows.empty() ? 0 : window->DC.ChildWindows.back()->Scroll.y;
  const float right = corner.x + width - measure::kPadding + 8, bottom = corner.y + rows_height();
  ink.list()->PushClipRect({corner.x, corner.y}, {corner.x + width, bottom}, true);
  for (std::size_t row = 0; row < editor_.GetLineCount(); ++row) {
    const float top = corner.y + kTopPadding + static_cast<float>(row) * kRow - scroll;
    if (top > bottom || top + kRow < corner.y) continue;
    const auto line = static_cast<std::uint32_t>(row + 1);
    const auto cost = std::ranges::find(findings->lines, line, &lab::SourceExhibit::Line::line);
    const bool spends = cost != findings->lines.end() && cost->threads > 0;
    const float share = spends ? static_cast<float>(cost->threads) / static_cast<float>(most) : 0;
    const Colour heat = spends ? viridis(0.12f + 0.88f * share) : ui.theme.s3;
    ink.fill({right - 8, top}, {right, top + kRow - 1},
             stale && spends ? mix(ui.theme.s2, heat, 0.4f) : heat);
    if (spends) {
      ink.text_middle(right - 15, top + kRow / 2,
                      {Face::mono, 13, stale ? ui.theme.t4 : ui.theme.t1},
                      lab::grouped(cost->threads), Align::right);
    }
    // The cost of a line is a place to point at: its lanes are linked.
    if (spends && ImGui::IsWindowHovered(ImGuiHoveredFlags_ChildWindows) &&
        ImGui::IsMouseHoveringRect({right - kCostWidth, top}, {right, top + kRow})) {
      Link link;
      link.line = line;
      ui.post([link](Book& book) { book.link.hover(link); });
      if (ImGui::IsMouseClicked(ImGuiMouseButton_Left))
        ui.post([link](Book& book) { book.link.pin(link); });
    }
  }
  ink.list()->PopClipRect();
}

float CodeEditor::height(const Ui& ui, const lab::SourceExhibit* findings, float width) const {
  return rows_height() + draw_messages(ui, {0, 0}, width, findings, false);
}

void CodeEditor::draw(const Ui& ui, const char* id, ImVec2 corner, float width,
                      const std::string& text, const lab::SourceExhibit* findings, bool stale,
                      const std::function<void(Book&, std::string)>& changed) {
  put_theme(ui.theme);
  if (text != text_) {
    if (text_.empty()) {
      editor_.SetText(text);
    } else if (editor_.GetText() !=
               text) {  // an undoable change: a reset or a directive's case can be taken back
      editor_.SelectAll();
      editor_.ReplaceTextInAllCursors(text);
      editor_.SetCursor({0, 0});
    }
    text_ = text;
    marks_stamp_ = 0;
  }
  put_marks(ui, findings, stale);
  ImGui::SetCursorScreenPos({corner.x, corner.y + kTopPadding});
  ImGui::PushFont(ui.fonts.face(Face::mono), kSize);
  const bool edited =
      editor_.Render(id, {width - kCostWidth, rows_height() - kTopPadding}, ImGuiChildFlags_None,
                     ImGuiWindowFlags_NoMove | ImGuiWindowFlags_HorizontalScrollbar |
                         ImGuiWindowFlags_NoSavedSettings);
  ImGui::PopFont();
  if (edited || editor_.GetText() != text_) {
    std::string now = editor_.GetText();
    if (now != text_) {
      text_ = now;
      ui.post([changed, now = std::move(now)](Book& book) { changed(book, now); });
    }
  }
  draw_costs(ui, corner, width, findings, stale);
  if (!stale) draw_messages(ui, {corner.x, corner.y + rows_height()}, width, findings, true);
}

}  // namespace warpbook::gui
