#include "gui/editor/code_panel.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "gui/editor/line_map.hpp"
#include "gui/exhibits/heat_bar.hpp"
#include "gui/exhibits/panel_menu.hpp"
#include "gui/exhibits/point.hpp"
#include "gui/exhibits/thread_values.hpp"
#include "gui/shell/widgets.hpp"

namespace warpbook::gui {
namespace {
constexpr const char *kPtx = "ptx", *kSass = "sass";  // the tabs of what a source became

std::string file_name(const lab::SourceSlot& slot) {
  return slot.file.empty() ? slot.name + ".cu" : slot.file;
}

/// A tab of a header.
struct Tab {
  const lab::SourceSlot* slot = nullptr;  ///< null: one of the texts that it became
  const char* item = "slot";              ///< what tests call it
  std::string label;
  Type type;
  ImVec2 corner;  ///< of its text's row, from the panel's own corner
  float width = 0;
};

/// Tabs in as many rows as they need; the last leaves `reserved` at its right end. `x` is where that row's room begins.
std::vector<Tab> laid_out(const Ui& ui, std::vector<Tab> tabs, float width, float reserved,
                          float& x, float& top) {
  constexpr float kBetween = 20;
  x = measure::kPadding;
  top = 0;
  for (std::size_t i = 0; i < tabs.size(); ++i) {
    Tab& tab = tabs[i];
    tab.width = ui.ink().width(tab.type, tab.label);
    const float end = width - (i + 1 == tabs.size() ? reserved : measure::kPadding);
    if (x > measure::kPadding && x + tab.width > end) {
      x = measure::kPadding;
      top += measure::kPanelHeader;
    }
    tab.corner = {x, top};
    x += tab.width + kBetween;
  }
  return tabs;
}

/// Draws it; true when pressed.
bool pressed(const Ui& ui, const Tab& tab, ImVec2 panel, bool chosen) {
  const ImVec2 at{panel.x + tab.corner.x, panel.y + tab.corner.y};
  ImGui::PushID(tab.slot ? tab.slot->name.c_str() : "");
  const bool was_pressed =
      item(tab.item, {at.x - 6, at.y}, {at.x + tab.width + 6, at.y + measure::kPanelHeader});
  ImGui::PopID();
  Type type = tab.type;
  if (chosen || ImGui::IsItemHovered()) type.colour = ui.theme.t1;
  const Ink ink = ui.ink();
  ink.text_middle(at.x, at.y + measure::kPanelHeader / 2, type, tab.label);
  if (chosen) {
    const float foot = at.y + measure::kPanelHeader;
    ink.fill({at.x, foot - 2}, {at.x + tab.width, foot}, ui.theme.accent, 1);
  }
  return was_pressed;
}
}  // namespace

void CodePanel::choose_tabs(const Book& book) {
  const lab::Lesson& lesson = *book.lesson();
  if (std::exchange(lesson_, &lesson) != &lesson) tabs_.clear();
  const lab::Report* report = book.report().get();
  // A run that failed on its way may not have come to all of its sources.
  if (report && report->errors.empty()) {
    tabs_.clear();
    for (const lab::SourceSlot& slot : lesson.slots) {
      if (report->find(slot.name) || book.edited(slot.name)) tabs_.push_back(&slot);
    }
  }
  if (tabs_.empty()) {
    for (const lab::SourceSlot& slot : lesson.slots) tabs_.push_back(&slot);
  }
  if (std::ranges::find(tabs_, shown_, &lab::SourceSlot::name) == tabs_.end())
    shown_ = tabs_.front()->name;
}

void CodePanel::pin_line(const Ui& ui) {
  const ExerciseDesk* desk = ui.book.active_desk();
  if (!desk && (!ui.book.lesson() || ui.book.lesson()->slots.empty())) return;
  const auto result = desk ? desk->result() : nullptr;
  const auto report = ui.book.report();
  const std::string name = desk ? "submission" : shown(ui.book);
  const lab::SourceExhibit* findings = nullptr;
  if (desk && result) findings = result->report.find_as<lab::SourceExhibit>(name);
  if (!desk && report && !ui.book.veil(name)) findings = report->find_as<lab::SourceExhibit>(name);
  if (!findings) return;
  const std::uint32_t caret = editor(desk ? "exercise:" + desk->id() : name).caret_line();
  const LineMap lines(findings->text, desk ? desk->source() : ui.book.source(name));
  for (const auto& line : findings->lines) {
    if (lines.now(line.line) != caret) continue;
    Link link;
    link.line = line.line;
    pin(ui, link);
    return;
  }
}

const std::string& CodePanel::shown(const Book& book) {
  choose_tabs(book);
  return shown_;
}

CodePanel::Layout CodePanel::lay_out(const Ui& ui, const CodeEditor& code,
                                     const CodeEditor::Beside& beside, float width) const {
  constexpr float kTwoColumns = 900, kThreeColumns = 1300, kBetween = 1;
  Layout layout;
  const bool beside_it = (ptx_ || sass_) && width >= kTwoColumns,
             three = ptx_ && sass_ && width >= kThreeColumns;
  const float code_width = std::floor(width * (three ? 0.36f : beside_it ? 0.52f : 1));
  const float left = beside_it ? code_width + kBetween : 0, room = width - left,
              ptx_width = three ? std::floor(room * 0.45f) : room,
              sass_width = three ? room - ptx_width - kBetween : room;
  layout.code = {{0, 0}, {code_width, code.height(ui, beside, code_width)}};
  float x = left, y = beside_it ? 0 : layout.code.size.y;
  const auto place = [&](bool shown, ImVec2 size) {
    if (!shown) return Layout::Place{};
    if (!beside_it || y > 0) y += kBetween;
    const Layout::Place made{{x, y}, size};
    if (three)
      x += size.x + kBetween;
    else
      y += size.y;
    return made;
  };
  layout.ptx = place(ptx_, {ptx_width, PtxPane::height(beside.findings)});
  layout.sass = place(sass_, {sass_width, SassPane::height(ui, beside.findings, sass_width)});
  layout.height = std::max({layout.code.size.y, layout.ptx.at.y + layout.ptx.size.y,
                            layout.sass.at.y + layout.sass.size.y});
  // The last text of a column takes what the others leave.
  for (Layout::Place* last : {&layout.ptx, &layout.sass}) {
    const bool shown = last->size.y > 0, is_last = last == &layout.sass || !sass_ || three;
    if (beside_it && shown && is_last) last->size.y = layout.height - last->at.y;
  }
  return layout;
}

void CodePanel::draw_panes(const Ui& ui, ImVec2 body, const Layout& layout,
                           const lab::SourceExhibit* findings, bool stale) {
  const Ink ink = ui.ink();
  const auto corner_of = [&](const Layout::Place& place) {
    const ImVec2 at{body.x + place.at.x, body.y + place.at.y};
    if (place.at.x > 0) ink.fill({at.x - 1, at.y}, {at.x, at.y + place.size.y}, ui.theme.line);
    if (place.at.y > 0) ink.fill({at.x, at.y - 1}, {at.x + place.size.x, at.y}, ui.theme.line);
    return at;
  };
  if (ptx_) ptx_pane_.draw(ui, corner_of(layout.ptx), layout.ptx.size, findings, stale);
  if (sass_) sass_pane_.draw(ui, corner_of(layout.sass), layout.sass.size, findings, stale);
}

float CodePanel::draw_slots(const Ui& ui, ImVec2 corner, float width) {
  const lab::Lesson* lesson = ui.book.lesson();
  if (!lesson || lesson->slots.empty()) return 0;
  choose_tabs(ui.book);
  const lab::SourceSlot* slot = *std::ranges::find(tabs_, shown_, &lab::SourceSlot::name);
  const auto report = ui.book.report();
  const auto* findings = report ? report->find_as<lab::SourceExhibit>(slot->name) : nullptr;
  const lab::Exhibit* exhibit = report ? report->find(slot->name) : nullptr;
  const bool stale = ui.book.stale();
  // Source itself never answers a question; what each line cost may.
  const bool veiled = ui.book.veil(slot->name) != nullptr;
  if (veiled) findings = nullptr;
  const lab::Exhibit* accesses = first_accesses(report.get());
  CodeEditor::Beside beside{findings, nullptr, stale, (ptx_ || sass_) && !stale};
  if (accesses && !ui.book.veil(accesses->id))
    beside.accesses = &std::get<lab::AccessesExhibit>(accesses->value);
  CodeEditor& code = editor(slot->name);
  const std::string text = ui.book.source(slot->name);
  const Layout layout = lay_out(ui, code, beside, width);
  const bool counted = findings && !findings->lines.empty();
  constexpr float kBadgeRoom = 150;  // of the menu and the badge
  std::vector<Tab> tabs;
  for (const lab::SourceSlot* other : tabs_)
    tabs.push_back({other, "slot", file_name(*other), {Face::mono, 14, ui.theme.t3}, {}, 0});
  tabs.push_back({nullptr, kPtx, "PTX", {Face::sans, 15, ui.theme.t3}, {}, 0});
  tabs.push_back({nullptr, kSass, "SASS", {Face::sans, 15, ui.theme.t3}, {}, 0});
  float x = 0, last_row = 0;
  tabs = laid_out(ui, std::move(tabs), width, kBadgeRoom, x, last_row);
  x += corner.x;
  const float head = last_row + measure::kPanelHeader;
  const float height = head + layout.height + (counted ? kHeatBar : 0) + 8;
  const Ink ink = ui.ink();
  ground(ui, corner, {corner.x + width, corner.y + height}, ui.theme.s2);
  ImGui::PushID("code");
  for (const Tab& tab : tabs) {
    bool& shown = tab.item == kPtx ? ptx_ : sass_;
    const bool chosen = tab.slot ? tab.slot == slot : shown;
    if (!pressed(ui, tab, corner, chosen)) continue;
    if (tab.slot)
      shown_ = tab.slot->name;
    else
      shown = !shown;
  }
  if (sass_ != ui.book.sass_wanted())
    ui.post([wanted = sass_](Book& book) { book.want_sass(wanted); });

  const float middle = corner.y + last_row + measure::kPanelHeader / 2;
  float right = corner.x + width - measure::kPadding;
  if (exhibit && !veiled) {
    panel_menu(ui, corner.x + width - 8, middle, *exhibit, stale);
    right -= kMenuWidth - 8;
  }
  if (exhibit && exhibit->provenance && !veiled)
    right -= badge(ui, right, middle, *exhibit->provenance) + 8;
  const bool edited = ui.book.edited(slot->name);
  if (edited) {
    static constexpr Icon kReset = Icon::reset;
    const ButtonLook look{ButtonKind::quiet, measure::kCardButton, &kReset};
    const std::string label = ui.tr("gui.editor.original");
    const float wide = button_width(ui, label, look), top = middle - measure::kCardButton / 2;
    const bool words = right - wide > x;
    right -= words ? wide : measure::kCardButton;
    if (words ? button(ui, "original", {right, top}, label, look)
              : icon_button(ui, "original", {right, top}, kReset, label, measure::kCardButton)) {
      ui.post([name = slot->name](Book& book) { book.reset_source(name); });
    }
    right -= 6;
    const bool comparing = ui.book.against() == Book::Against::original;
    const std::string against = ui.tr("gui.compare.with-original");
    const ButtonLook compare{ButtonKind::quiet, measure::kCardButton};
    const float compare_wide = button_width(ui, against, compare);
    if (!comparing && right - compare_wide > x) {
      right -= compare_wide;
      if (button(ui, "against original", {right, top}, against, compare))
        ui.post([](Book& book) { book.compare_with_original(); });
      right -= 6;
    }
  }
  if (stale && right - x > 150)
    ink.text_middle(right - 6, middle, ui.note(), ui.tr("gui.stale"), Align::right);
  const ImVec2 body{corner.x, corner.y + head};
  code.draw(
      ui, "source", body, layout.code.size.x, text, beside,
      [name = slot->name](Book& book, std::string now) { book.set_source(name, std::move(now)); });
  draw_panes(ui, body, layout, findings, stale);
  if (counted) {
    heat_bar(ui, {corner.x + measure::kPadding, body.y + layout.height},
             width - 2 * measure::kPadding, *findings);
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
  const bool settings = desk.text()->submission == lab::Submission::settings;
  code.set_language(settings ? toml_language() : cuda_language());
  const bool counted = findings && !findings->lines.empty();
  const float code_height = code.height(ui, beside, width);
  const float height = measure::kPanelHeader + code_height + (counted ? kHeatBar : 0) + 8;
  const Ink ink = ui.ink();
  ground(ui, corner, {corner.x + width, corner.y + height}, ui.theme.s2);
  ImGui::PushID("exercise");
  const float middle = corner.y + measure::kPanelHeader / 2;
  const std::string name = desk.file_name();
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
  if (counted) {
    heat_bar(ui, {corner.x + measure::kPadding, corner.y + measure::kPanelHeader + code_height},
             width - 2 * measure::kPadding, *findings);
  }
  ImGui::PopID();
  return height;
}

}  // namespace warpbook::gui
