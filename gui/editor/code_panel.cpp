#include "gui/editor/code_panel.hpp"

#include <algorithm>

#include "gui/editor/highlight.hpp"
#include "gui/exhibits/panel_menu.hpp"
#include "gui/exhibits/thread_values.hpp"
#include "gui/shell/widgets.hpp"

namespace warpbook::gui {
namespace {
std::string file_name(const lab::SourceSlot& slot) {
  return slot.file.empty() ? slot.name + ".cu" : slot.file;
}

/// A tab of a header; true when pressed.
bool tab(const Ui& ui, const char* id, float& x, float top, const std::string& label, bool chosen,
         bool mono) {
  const Ink ink = ui.ink();
  const Type type{mono ? Face::mono : Face::sans, mono ? 14.0f : 15.0f,
                  chosen ? ui.theme.t1 : ui.theme.t3};
  const float width = ink.width(type, label);
  const ImVec2 min{x - 6, top}, max{x + width + 6, top + measure::kPanelHeader};
  const bool pressed = item(id, min, max);
  Type shown = type;
  if (ImGui::IsItemHovered()) shown.colour = ui.theme.t1;
  ink.text_middle(x, top + measure::kPanelHeader / 2, shown, label);
  if (chosen) ink.fill({x, max.y - 2}, {x + width, max.y}, ui.theme.accent, 1);
  x += width + 20;
  return pressed;
}
}  // namespace

float CodePanel::draw_ptx(const Ui& ui, ImVec2 corner, float width, const std::string& ptx) {
  constexpr float kRow = 20, kHeight = 26 * kRow;
  if (ptx.empty()) {
    ui.ink().text_middle(corner.x + measure::kPadding, corner.y + 24, ui.caption(),
                         ui.tr("gui.editor.no-ptx"));
    return 48;
  }
  ImGui::SetCursorScreenPos(corner);
  if (ImGui::BeginChild("ptx", {width - 4, kHeight}, ImGuiChildFlags_None,
                        ImGuiWindowFlags_HorizontalScrollbar)) {
    std::vector<std::string_view> lines;
    for (std::string_view rest = ptx; !rest.empty();) {
      lines.push_back(rest.substr(0, rest.find('\n')));
      rest.remove_prefix(std::min(rest.size(), lines.back().size() + 1));
    }
    const Ink ink = ui.ink();
    const ImVec2 begin = ImGui::GetCursorScreenPos();
    bool in_comment = false;
    for (std::size_t i = 0; i < lines.size(); ++i) {
      const float y = begin.y + static_cast<float>(i) * kRow;
      if (!ImGui::IsRectVisible({begin.x, y}, {begin.x + width, y + kRow})) continue;
      ink.text_middle(begin.x + 40, y + kRow / 2, {Face::mono, 12, ui.theme.t4},
                      std::to_string(i + 1), Align::right);
      float x = begin.x + 54;
      std::string line(lines[i]);
      for (std::size_t at = line.find('\t'); at != std::string::npos; at = line.find('\t'))
        line.replace(at, 1, "    ");
      for (const Token& token : highlight(line, Dialect::ptx, in_comment)) {
        const Type type{Face::mono, 13, colour_of(token.kind, ui.theme)};
        const std::string_view piece =
            std::string_view(line).substr(token.from, token.to - token.from);
        ink.text_middle(x, y + kRow / 2, type, piece);
        x += ink.width(type, piece);
      }
    }
    ImGui::SetCursorScreenPos({begin.x, begin.y + static_cast<float>(lines.size()) * kRow});
    ImGui::Dummy({width * 0.8f, 1});
  }
  ImGui::EndChild();
  return kHeight;
}

float CodePanel::draw_slots(const Ui& ui, ImVec2 corner, float width) {
  const lab::Lesson* lesson = ui.book.lesson();
  if (!lesson || lesson->slots.empty()) return 0;
  auto slot = std::ranges::find(lesson->slots, shown_, &lab::SourceSlot::name);
  if (slot == lesson->slots.end()) slot = lesson->slots.begin();
  shown_ = slot->name;
  const auto report = ui.book.report();
  const auto* findings = report ? report->find_as<lab::SourceExhibit>(slot->name) : nullptr;
  const lab::Exhibit* exhibit = report ? report->find(slot->name) : nullptr;
  const bool stale = ui.book.stale();
  // Source itself never answers a question; what each line cost may.
  const bool veiled = ui.book.veil(slot->name) != nullptr;
  if (veiled) findings = nullptr;
  const lab::Exhibit* accesses = first_accesses(report.get());
  CodeEditor::Beside beside{findings, nullptr, stale};
  if (accesses && !ui.book.veil(accesses->id))
    beside.accesses = &std::get<lab::AccessesExhibit>(accesses->value);
  CodeEditor& code = editor(slot->name);
  const std::string text = ui.book.source(slot->name);
  const float body_height = ptx_ ? (findings && !findings->ptx.empty() ? 26 * 20.0f : 48.0f)
                                 : code.height(ui, beside, width);
  const float height = measure::kPanelHeader + body_height + 8;
  const Ink ink = ui.ink();
  ground(ui, corner, {corner.x + width, corner.y + height}, ui.theme.s2);
  ImGui::PushID("code");
  float x = corner.x + measure::kPadding;
  for (const lab::SourceSlot& other : lesson->slots) {
    ImGui::PushID(other.name.c_str());
    if (tab(ui, "slot", x, corner.y, file_name(other), !ptx_ && other.name == shown_, true)) {
      shown_ = other.name;
      ptx_ = false;
    }
    ImGui::PopID();
  }
  if (tab(ui, "ptx", x, corner.y, "PTX", ptx_, false)) ptx_ = !ptx_;

  const float middle = corner.y + measure::kPanelHeader / 2;
  float right = corner.x + width - measure::kPadding;
  if (exhibit && !veiled) {
    panel_menu(ui, corner.x + width - 8, middle, *exhibit, stale);
    right -= kMenuWidth - 8;
  }
  if (exhibit && exhibit->provenance && !veiled)
    right -= badge(ui, right, middle, *exhibit->provenance) + 8;
  if (findings && !findings->lines.empty() && !ptx_) {
    const std::string unit = ui.tr("gui.editor.lanes");
    ink.text_middle(right, middle, ui.note(), unit, Align::right);
    right -= ink.width(ui.note(), unit) + 10;
  }
  if (ui.book.edited(slot->name)) {
    static constexpr Icon kReset = Icon::reset;
    const ButtonLook look{ButtonKind::quiet, measure::kCardButton, &kReset};
    const std::string label = ui.tr("gui.editor.original");
    right -= button_width(ui, label, look);
    if (button(ui, "original", {right, middle - measure::kCardButton / 2}, label, look)) {
      ui.post([name = slot->name](Book& book) { book.reset_source(name); });
    }
    right -= 6;
  }
  if (stale && right - x > 150)
    ink.text_middle(right - 6, middle, ui.note(), ui.tr("gui.stale"), Align::right);
  const ImVec2 body{corner.x, corner.y + measure::kPanelHeader};
  if (ptx_) {
    draw_ptx(ui, body, width, findings ? findings->ptx : std::string());
  } else {
    code.draw(ui, "source", body, width, text, beside,
              [name = slot->name](Book& book, std::string now) {
                book.set_source(name, std::move(now));
              });
  }
  ImGui::PopID();
  return height;
}

float CodePanel::draw_exercise(const Ui& ui, ImVec2 corner, float width, const ExerciseDesk& desk) {
  const auto result = desk.result();
  const auto* findings =
      result ? result->report.find_as<lab::SourceExhibit>("submission") : nullptr;
  const CodeEditor::Beside beside{findings, nullptr, desk.stale()};
  CodeEditor& code = editor("exercise:" + desk.id());
  const float height = measure::kPanelHeader + code.height(ui, beside, width) + 8;
  const Ink ink = ui.ink();
  ground(ui, corner, {corner.x + width, corner.y + height}, ui.theme.s2);
  ImGui::PushID("exercise");
  const float middle = corner.y + measure::kPanelHeader / 2;
  const std::string name = desk.id() + ".cu";
  ink.text_middle(corner.x + measure::kPadding, middle, ui.code(ui.theme.t1), name);
  ink.text_middle(corner.x + measure::kPadding + ink.width(ui.code(0), name) + 10, middle,
                  ui.note(), ui.tr(desk.edited() ? "gui.editor.yours" : "gui.editor.starter"));
  float right = corner.x + width - 8;
  if (findings) {
    panel_menu(ui, right, middle, *result->report.find("submission"), desk.stale());
    right -= kMenuWidth - 8;
  }
  if (desk.edited()) {
    static constexpr Icon kReset = Icon::reset;
    const ButtonLook look{ButtonKind::quiet, measure::kCardButton, &kReset};
    const std::string label = ui.tr("gui.editor.original");
    if (button(ui, "original",
               {right - button_width(ui, label, look) - 2, middle - measure::kCardButton / 2},
               label, look)) {
      ui.post([id = desk.id()](Book& book) { book.desk(id)->reset(); });
    }
  }
  code.draw(
      ui, "source", {corner.x, corner.y + measure::kPanelHeader}, width, desk.source(), beside,
      [id = desk.id()](Book& book, std::string now) { book.write_exercise(id, std::move(now)); });
  ImGui::PopID();
  return height;
}

}  // namespace warpbook::gui
