#include "gui/program/program_view.hpp"

#include <algorithm>
#include <array>
#include <string_view>

#include "gui/controls/widgets.hpp"
#include "gui/exhibits/exhibit.hpp"
#include "lab/program/program_report.hpp"

namespace warpbook::gui {
namespace {
using End = device::runtime::ProgramOutcome::End;

constexpr float kTwoColumns = 860;  ///< from this width on the results are beside the editor
constexpr float kEditorShare = 0.46f, kWidestEditor = 900;
constexpr float kHead = 56, kArguments = 40, kLeastEditor = 220;
constexpr float kEditorAbove = 0.5f;  ///< of the height, where the results are below it
constexpr float kNoWait = 0.2f;       ///< seconds in which nothing is said of a run
constexpr ImGuiWindowFlags kColumn = ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoSavedSettings;

/// Draws `body` in a child window that scrolls.
template <class Body>
void column(const char* id, ImVec2 corner, ImVec2 size, Body body) {
  ImGui::SetCursorScreenPos(corner);
  if (ImGui::BeginChild(id, size, ImGuiChildFlags_NavFlattened, kColumn)) {
    const ImVec2 begin = ImGui::GetCursorScreenPos();
    const float height = body(begin, ImGui::GetContentRegionAvail().x);
    ImGui::SetCursorScreenPos({begin.x, begin.y + height});
    ImGui::Dummy({1, 1});
  }
  ImGui::EndChild();
}

ParagraphStyle told_style(const Ui& ui) {
  return {15, ui.leading(22), Face::sans, Face::bold, ui.theme.t1, 0};
}

/// A card with an icon and a few sentences. Gives back its height, with the gap below it.
float card(const Ui& ui, ImVec2 corner, float width, Icon icon, Colour colour,
           const std::string& says) {
  constexpr float kText = 44;
  const FigureArea text{
      ui, {corner.x + kText, corner.y + 11}, width - kText - measure::kPadding, false};
  const float height = std::max(44.0f, words(text, says, told_style(ui)) + 22);
  ground(ui, corner, {corner.x + width, corner.y + height}, ui.theme.s2);
  const Ink ink = ui.ink();
  ink.fill(corner, {corner.x + measure::kAccentBar, corner.y + height}, colour, 2);
  ink.icon(icon, {corner.x + 24, corner.y + 22}, colour, 16, ui.theme.s2);
  words({ui, text.corner, text.width, true}, says, told_style(ui));
  return height + measure::kGap;
}

/// What the last run came to, and how it looks.
struct Verdict {
  Icon icon = Icon::check;
  Colour colour = 0;
  std::string says;
};
Verdict verdict_of(const Ui& ui, const lab::SourceResult& result) {
  const auto said = [&](const char* key, const char* name) {
    return ui.tr(
        std::string("gui.program.") + key,
        {{name, std::to_string(result.code)}, {"time", lab::duration(result.report.run_seconds)}});
  };
  if (*result.end == End::signalled) return {Icon::cross, ui.theme.bad, said("signal", "number")};
  if (*result.end != End::exited) return {Icon::cross, ui.theme.bad, said("stopped", "number")};
  if (result.code != 0) return {Icon::cross, ui.theme.bad, said("exit", "code")};
  if (!lab::is_clean(result.report))
    return {Icon::warning, ui.theme.warn, said("exit-found", "code")};
  return {Icon::check, ui.theme.ok, said("exit", "code")};
}

bool is_shown(const lab::Exhibit& exhibit) { return exhibit.id != "source"; }
}  // namespace

void ProgramView::draw(const Ui& ui, ImVec2 corner, ImVec2 size) {
  ImGui::PushID("my program");
  const float left = corner.x + measure::kLabMargin, wide = size.x - 2 * measure::kLabMargin;
  float top = corner.y + draw_head(ui, {left, corner.y}, wide);
  top += draw_arguments(ui, {left, top}, wide);
  const float room = corner.y + size.y - top;
  if (wide >= kTwoColumns) {
    const float editor = std::min(std::floor(wide * kEditorShare), kWidestEditor);
    const float right = left + editor + measure::kGap;
    column("editor", {left, top}, {editor, room}, [&](ImVec2 at, float width) {
      return draw_editor(ui, at, width, room - measure::kGap);
    });
    column("results", {right, top}, {left + wide - right, room},
           [&](ImVec2 at, float width) { return draw_results(ui, at, width); });
  } else {
    column("both", {left, top}, {wide, room}, [&](ImVec2 at, float width) {
      const float above =
          draw_editor(ui, at, width, std::max(kLeastEditor, room * kEditorAbove)) + measure::kGap;
      return above + draw_results(ui, {at.x, at.y + above}, width);
    });
  }
  ImGui::PopID();
}

// ---- The head -----------------------------------------------------------------------------------

float ProgramView::draw_head(const Ui& ui, ImVec2 corner, float width) {
  const Ink ink = ui.ink();
  const float middle = corner.y + kHead / 2;
  const std::string title = ui.tr("gui.program.title");
  ink.text_middle(corner.x, middle, ui.section(), title);
  float left = corner.x + width;
  draw_buttons(ui, corner.x + width, middle, left);
  const float path = corner.x + ink.width(ui.section(), title) + 16;
  const std::string folder = ui.book.my_program().file().parent_path().string();
  if (!folder.empty() && left > path)
    ink.label(path, middle + 2, ui.caption(), folder, left - path - 12);
  return kHead;
}

void ProgramView::draw_buttons(const Ui& ui, float right, float middle, float& left) {
  const ButtonLook look{ButtonKind::plain, measure::kCardButton};
  const float top = middle - measure::kCardButton / 2;
  const auto placed = [&](const char* id, const char* key) {
    const std::string label = ui.tr(key);
    right -= button_width(ui, label, look);
    const bool pressed = button(ui, id, {right, top}, label, look);
    left = right;
    right -= 6;
    return pressed;
  };
  if (placed("open program", "gui.program.open")) {
    const auto& program = ui.book.my_program();
    chooser_.open(nearest_folder(program.file().empty() ? program.folder() : program.file()));
  }
  if (placed("new program", "gui.program.new")) ui.post([](Book& book) { book.begin_program(); });
  tip(ui, ui.tr("gui.program.new-tip"));
  if (const auto file = chooser_.draw(ui))
    ui.post([file = *file](Book& book) { book.open_program(file); });
}

float ProgramView::draw_arguments(const Ui& ui, ImVec2 corner, float width) {
  constexpr float kWidest = 560;
  const std::string& kept = ui.book.my_program().arguments();
  const std::string label = ui.tr("gui.program.arguments"),
                    hint = ui.tr("gui.program.no-arguments");
  const float before = ui.ink().width(ui.label(), label) + 12;
  ui.ink().text_middle(corner.x, corner.y + 14, ui.label(), label);
  ImGui::PushStyleColor(ImGuiCol_FrameBg, ui.theme.s2);  // as a panel, since it is in none
  text_box(ui.fonts, "##arguments", {corner.x + before, corner.y},
           std::min(width - before, kWidest), {Face::mono, 14, {8, 6}}, hint, typed_);
  ImGui::PopStyleColor();
  if (ui.theme.outline)
    ui.ink().outline(ImGui::GetItemRectMin(), ImGui::GetItemRectMax(), ui.theme.outline,
                     measure::kControlRadius);
  if (ImGui::IsItemEdited()) {
    ui.post([typed = typed_](Book& book) { book.set_program_arguments(typed); });
  } else if (!ImGui::IsItemActive()) {
    typed_ = kept;
  }
  return kArguments;
}

float ProgramView::draw_editor(const Ui& ui, ImVec2 corner, float width, float room) {
  const MyProgram& program = ui.book.my_program();
  if (program.file().empty())
    return card(ui, corner, width, Icon::speech, ui.theme.accent, ui.tr("gui.program.none"));
  return code_.draw_program(ui, corner, width, room, program);
}

// ---- The results --------------------------------------------------------------------------------

float ProgramView::draw_progress(const Ui& ui, ImVec2 corner, float width) {
  const auto progress = ui.book.my_program().progress();
  if (!progress.running || progress.seconds < kNoWait) return 0;
  constexpr float kHeight = 44;
  const Ink ink = ui.ink();
  ground(ui, corner, {corner.x + width, corner.y + kHeight}, ui.theme.s2);
  const float middle = corner.y + kHeight / 2, left = corner.x + measure::kPadding;
  ink.ring({left + 8, middle}, 7, ui.theme.s4, ui.theme.accent,
           ui.motion.reduced() ? 0 : static_cast<float>(ui.time));
  const std::string what = ui.tr(progress.what);
  ink.text_middle(left + 28, middle, ui.label(), what);
  ink.text_middle(left + 28 + ink.width(ui.label(), what) + 10, middle, ui.figures(ui.theme.t2),
                  std::to_string(static_cast<int>(progress.seconds)) + " s");
  const std::string cancel = ui.tr("gui.cancel");
  const ButtonLook look{ButtonKind::quiet, measure::kCardButton, nullptr, 0, ui.keys_of("back")};
  const float wide = button_width(ui, cancel, look);
  if (button(ui, "cancel program", {corner.x + width - wide - 8, middle - 13}, cancel, look))
    ui.post([](Book& book) { book.my_program().cancel(); });
  return kHeight + measure::kGap;
}

float ProgramView::draw_end(const Ui& ui, ImVec2 corner, float width) {
  const auto result = ui.book.my_program().result();
  const Verdict verdict = verdict_of(ui, *result);
  const float height = card(ui, corner, width, verdict.icon, verdict.colour, verdict.says);
  if (ui.book.my_program().stale())
    ui.ink().fill({corner.x + measure::kAccentBar, corner.y},
                  {corner.x + width, corner.y + height - measure::kGap}, fade(ui.theme.s2, 0.55f));
  return height;
}

float ProgramView::draw_results(const Ui& ui, ImVec2 corner, float width) {
  const MyProgram& program = ui.book.my_program();
  const auto result = program.result();
  float y = corner.y;
  y += draw_progress(ui, {corner.x, y}, width);
  if (program.missing() && !result)
    y += card(ui, {corner.x, y}, width, Icon::warning, ui.theme.warn, ui.tr(*program.missing()));
  if (!result) {
    if (!program.progress().running && !program.missing() && !program.file().empty())
      y += card(ui, {corner.x, y}, width, Icon::waiting, ui.theme.accent,
                ui.tr("gui.program.empty-how", {{"keys", std::string(ui.keys_of("run"))}}));
    return y - corner.y;
  }
  for (const device::Error& error : result->report.errors)
    y += card(ui, {corner.x, y}, width, Icon::cross, ui.theme.bad, ui.tr(error));
  if (result->end) y += draw_end(ui, {corner.x, y}, width);
  for (const lab::Exhibit& exhibit : result->report.exhibits) {
    if (!is_shown(exhibit)) continue;
    y += exhibit_panel_under({ui, {corner.x, y}, width, true}, exhibit, program.stale(), nullptr) +
         measure::kGap;
  }
  return y - corner.y;
}

}  // namespace warpbook::gui
