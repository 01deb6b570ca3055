#include "gui/editor/code_panel.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <utility>

#include "gui/controls/point.hpp"
#include "gui/controls/widgets.hpp"
#include "gui/editor/line_map.hpp"
#include "gui/exhibits/accesses/thread_values.hpp"
#include "gui/exhibits/exhibit.hpp"
#include "gui/exhibits/panel_menu.hpp"
#include "gui/exhibits/tensor/heat_bar.hpp"

namespace warpbook::gui {
/// A tab of a header.
struct CodeTab {
  const lab::SourceSlot* slot = nullptr;  ///< null: the PTX or the machine code
  const char* item = "slot";              ///< what tests call it
  std::string label;
  Type type;
  ImVec2 corner;  ///< of its text's row, from the panel's own corner
  float width = 0;
};

namespace {
constexpr const char *kPtx = CodePanel::kPtxPane, *kSass = CodePanel::kSassPane;  // tabs
constexpr Icon kResetIcon = Icon::reset;

/// From these widths on the source has a column of panes beside it, or both panes, each in a column.
constexpr float kPanesBeside = 900, kEachBeside = 1300;

std::string file_name(const lab::SourceSlot& slot) {
  return slot.file.empty() ? slot.name + ".cu" : slot.file;
}

/// Lays tabs out in as many rows as they need, the last two (PTX and SASS) in one. The last row leaves `reserved` free at
/// its right end.
std::vector<CodeTab> laid_out(const Ui& ui, std::vector<CodeTab> tabs, float width, float reserved,
                              float& x, float& top) {
  constexpr float kBetween = 20;
  x = measure::kPadding;
  top = 0;
  for (CodeTab& tab : tabs) tab.width = ui.ink().width(tab.type, tab.label);
  for (std::size_t i = 0; i < tabs.size(); ++i) {
    CodeTab& tab = tabs[i];
    const float wide = tab.width + (i + 2 == tabs.size() ? kBetween + tabs.back().width : 0),
                end = width - (i + 2 >= tabs.size() ? reserved : measure::kPadding);
    if (x > measure::kPadding && x + wide > end) {
      x = measure::kPadding;
      top += measure::kPanelHeader;
    }
    tab.corner = {x, top};
    x += tab.width + kBetween;
  }
  return tabs;
}

/// The tabs of PTX and machine code.
void add_panes(const Ui& ui, std::vector<CodeTab>& tabs) {
  for (const auto& [item, label] : {std::pair(kPtx, "PTX"), std::pair(kSass, "SASS")})
    tabs.push_back({nullptr, item, label, {Face::sans, 15, ui.theme.t3}, {}, 0});
}

CodeTab file_tab(const Ui& ui, const lab::SourceSlot* slot, const std::string& file) {
  return {slot, "slot", file, {Face::mono, 14, ui.theme.t3}, {}, 0};
}

/// A button with an icon, or the icon alone if the words have no room right of `left`. Gives back its left end.
float fitting_button(const Ui& ui, const char* id, float left, float right, float middle,
                     const char* key, const Icon& icon, const std::function<void(Book&)>& act) {
  const ButtonLook look{ButtonKind::quiet, measure::kCardButton, &icon};
  const std::string label = ui.tr(key);
  const float wide = button_width(ui, label, look), top = middle - measure::kCardButton / 2;
  const bool words = right - wide > left;
  right -= words ? wide : measure::kCardButton;
  if (words ? button(ui, id, {right, top}, label, look)
            : icon_button(ui, id, {right, top}, icon, label, measure::kCardButton))
    ui.post(act);
  return right;
}

/// Whose source that is: "from question 5".
std::string from_page(const Ui& ui, const lab::DocumentNode& directive) {
  const auto* question = std::get_if<lab::PredictDirective>(&directive);
  if (!question) return ui.tr("gui.editor.of-task");
  return ui.tr("gui.editor.of-question",
               {{"number", std::to_string(number_of(ui.book, *question))}});
}

/// The button that puts the original back, by `reset`. The keyboard goes to the editor, where undo takes that back.
float original_button(const Ui& ui, CodeEditor& code, float left, float right, float middle,
                      const std::function<void(Book&)>& reset) {
  return fitting_button(ui, "original", left, right, middle, "gui.editor.original", kResetIcon,
                        [reset, &code](Book& book) {
                          reset(book);
                          code.focus();
                        }) -
         6;
}

/// The buttons for a slot that was edited. Gives back their left end.
float edited_buttons(const Ui& ui, const lab::SourceSlot& slot, CodeEditor& code, float left,
                     float right, float middle) {
  right = original_button(ui, code, left, right, middle,
                          [name = slot.name](Book& book) { book.reset_source(name); });
  const std::string against = ui.tr("gui.compare.with-original");
  const ButtonLook look{ButtonKind::quiet, measure::kCardButton};
  const float wide = button_width(ui, against, look);
  const CompareSide original{CompareSide::Kind::original};
  const bool shown =
      ui.book.comparing() && (ui.book.side(false) == original || ui.book.side(true) == original);
  if (shown || right - wide <= left) return right;
  right -= wide;
  if (button(ui, "against original", {right, middle - measure::kCardButton / 2}, against, look))
    ui.post([](Book& book) { book.compare_with_original(); });
  return right - 6;
}

/// Draws it; true when pressed.
bool pressed(const Ui& ui, const CodeTab& tab, ImVec2 panel, bool chosen) {
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

struct CodePanel::Shown {
  const char* id = "";  ///< of the panel, among ImGui's
  CodeEditor& code;
  std::vector<CodeTab> tabs;
  const lab::SourceSlot* slot = nullptr;  ///< whose tab is chosen; null: there is one only
  const lab::Exhibit* exhibit = nullptr;  ///< that the findings are of; null: none, or veiled
  CodeEditor::Annotations annotations;
  Panes panes;
  std::string text;
  bool had_counts = false;  ///< the last run that did not fail has counts of its lines
  std::string note;         ///< left of the buttons, where it has room
  std::function<void(Book&, std::string)> changed;
  /// Draws buttons between `left` and `right`; gives back the left end of the last.
  std::function<float(float left, float right, float middle)> buttons;
};

void CodePanel::show_ptx(bool shown) {
  if (shown && !ptx_) opened_ = kPtxPane;
  ptx_ = shown;
}

void CodePanel::show_sass(bool shown) {
  if (shown && !sass_) opened_ = kSassPane;
  sass_ = shown;
}

void CodePanel::choose_tabs(const Book& book) {
  const lab::Lesson& lesson = *book.lesson();
  if (std::exchange(lesson_, &lesson) != &lesson) tabs_.clear();
  const lab::Report* report = book.report().get();
  // A run that failed early may not have used all of its sources.
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

void CodePanel::toggle_word_help() {
  for (auto& [name, editor] : editors_) {
    if (editor.has_keyboard()) editor.toggle_word_help();
  }
}

void CodePanel::pin_line(const Ui& ui) {
  const ExerciseAttempt* attempt = ui.book.active_attempt();
  if (!attempt && (!ui.book.lesson() || ui.book.lesson()->slots.empty())) return;
  const auto report = ui.book.report();
  const std::string name = attempt ? "" : shown(ui.book);
  const lab::SourceExhibit* findings = attempt ? attempt->findings() : nullptr;
  if (!attempt && report && !ui.book.veil(name))
    findings = report->find_as<lab::SourceExhibit>(name);
  if (!findings) return;
  const std::uint32_t caret = editor(attempt ? "exercise:" + attempt->id() : name).caret_line();
  const LineMap lines(findings->text, attempt ? attempt->source() : ui.book.source(name));
  for (const auto& line : findings->lines) {
    if (lines.now(line.line) != caret) continue;
    Link link;
    link.line = line.line;
    pin(ui, link);
    return;
  }
}

void CodePanel::pin_program_line(const Ui& ui) {
  const lab::SourceExhibit* findings = ui.book.my_program().findings();
  if (!findings) return;
  const std::uint32_t caret = editor(kProgramEditor).caret_line();
  const LineMap lines(findings->text, ui.book.my_program().text());
  const auto count = static_cast<std::uint32_t>(std::ranges::count(findings->text, '\n') + 1);
  for (std::uint32_t line = 1; line <= count; ++line) {
    if (lines.now(line) != caret) continue;
    Link link;
    link.line = line;
    pin(ui, link);
    return;
  }
}

const std::string& CodePanel::shown(const Book& book) {
  choose_tabs(book);
  return shown_;
}

float CodePanel::width_for_panes(float room) const {
  if (ptx_ && sass_ && room >= kEachBeside) return kEachBeside;
  return ptx_ || sass_ ? kPanesBeside : 0;
}

CodePanel::Layout CodePanel::lay_out(const Ui& ui, const CodeEditor& code,
                                     const CodeEditor::Annotations& annotations, Panes panes,
                                     float width) {
  constexpr float kBetween = 1;
  Layout layout;
  const bool beside_it = (panes.ptx || panes.sass) && width >= kPanesBeside,
             three = panes.ptx && panes.sass && width >= kEachBeside;
  const float code_width = std::floor(width * (three ? 0.36f : beside_it ? 0.52f : 1));
  const float left = beside_it ? code_width + kBetween : 0, room = width - left,
              ptx_width = three ? std::floor(room * 0.45f) : room,
              sass_width = three ? room - ptx_width - kBetween : room;
  layout.code = {{0, 0}, {code_width, code.height(ui, annotations, code_width)}};
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
  layout.ptx = place(panes.ptx, {ptx_width, PtxPane::height(ui, annotations.findings)});
  layout.sass =
      place(panes.sass, {sass_width, SassPane::height(ui, annotations.findings, sass_width)});
  layout.height = std::max({layout.code.size.y, layout.ptx.at.y + layout.ptx.size.y,
                            layout.sass.at.y + layout.sass.size.y});
  // The last pane of a column takes the room that the others leave.
  for (Layout::Place* last : {&layout.ptx, &layout.sass}) {
    const bool shown = last->size.y > 0, is_last = last == &layout.sass || !panes.sass || three;
    if (beside_it && shown && is_last) last->size.y = layout.height - last->at.y;
  }
  return layout;
}

void CodePanel::draw_panes(const Ui& ui, ImVec2 body, const Layout& layout,
                           const CodeEditor::Annotations& annotations) {
  const Ink ink = ui.ink();
  const auto corner_of = [&](const Layout::Place& place) {
    const ImVec2 at{body.x + place.at.x, body.y + place.at.y};
    if (place.at.x > 0) ink.fill({at.x - 1, at.y}, {at.x, at.y + place.size.y}, ui.theme.line);
    if (place.at.y > 0) ink.fill({at.x, at.y - 1}, {at.x + place.size.x, at.y}, ui.theme.line);
    return at;
  };
  const lab::SourceExhibit* findings = annotations.findings;
  const bool stale = annotations.stale;
  const auto seen = [&](const Layout::Place& place) {
    const ImVec2 at{body.x + place.at.x, body.y + place.at.y};
    return place.size.y > 0 ? std::optional(Pane{at, {at.x + place.size.x, at.y + place.size.y}})
                            : std::nullopt;
  };
  ptx_at_ = seen(layout.ptx);
  sass_at_ = seen(layout.sass);
  const auto draw = [&](auto& pane, const Layout::Place& place, const char* id) {
    if (place.size.y <= 0) return;
    const ImVec2 corner = corner_of(place);
    if (!annotations.veil) return pane.draw(ui, corner, place.size, findings, stale);
    ImGui::PushID(id);
    draw_veil({ui, corner, place.size.x, true}, place.size.y, *annotations.veil);
    ImGui::PopID();
  };
  draw(ptx_pane_, layout.ptx, "ptx");
  draw(sass_pane_, layout.sass, "sass");
}

void CodePanel::draw_tabs(const Ui& ui, ImVec2 corner, const Shown& shown) {
  for (const CodeTab& tab : shown.tabs) {
    const bool pane = tab.item == kPtx ? ptx_ : sass_;
    const bool is_file = tab.item != kPtx && tab.item != kSass;
    const bool chosen = is_file ? tab.slot == shown.slot : pane;
    if (!pressed(ui, tab, corner, chosen)) continue;
    if (tab.item == kPtx)
      show_ptx(!pane);
    else if (tab.item == kSass)
      show_sass(!pane);
    else if (tab.slot)
      shown_ = tab.slot->name;
  }
  if (sass_ != ui.book.sass_wanted())
    ui.post([wanted = sass_](Book& book) { book.want_sass(wanted); });
}

float CodePanel::draw_shown(const Ui& ui, ImVec2 corner, float width, Shown shown) {
  const CodeEditor::Annotations& annotations = shown.annotations;
  shown.code.take(shown.text);
  drawn_ = &shown.code;
  const Layout layout = lay_out(ui, shown.code, annotations, shown.panes, width);
  const bool counted = annotations.findings && !annotations.findings->lines.empty();
  // A source that does not compile has no counts; what is below it stays in its place all the same.
  const float foot = counted || shown.had_counts ? kHeatBar : 0;
  constexpr float kBadgeRoom = 150;  // of the menu and the badge
  float x = 0, last_row = 0;
  shown.tabs = laid_out(ui, std::move(shown.tabs), width, kBadgeRoom, x, last_row);
  x += corner.x;
  const float head = last_row + measure::kPanelHeader;
  const float height = head + layout.height + foot + 8;
  const Ink ink = ui.ink();
  ground(ui, corner, {corner.x + width, corner.y + height}, ui.theme.s2);
  ImGui::PushID(shown.id);
  draw_tabs(ui, corner, shown);
  const float middle = corner.y + last_row + measure::kPanelHeader / 2;
  float right = corner.x + width - measure::kPadding;
  if (shown.exhibit) {
    panel_menu(ui, corner.x + width - 8, middle, *shown.exhibit, annotations.stale);
    right -= kMenuWidth - 8;
  }
  if (shown.exhibit && shown.exhibit->evidence)
    right -= badge(ui, right, middle, *shown.exhibit->evidence) + 8;
  right = shown.buttons(x, right, middle);
  if (!shown.note.empty() && right - ink.width(ui.note(), shown.note) - 12 > x)
    ink.text_middle(right - 6, middle, ui.note(), shown.note, Align::right);
  const ImVec2 body{corner.x, corner.y + head};
  shown.code.draw(ui, "source", body, layout.code.size.x, annotations, shown.changed);
  if (shown.code.has_keyboard())  // the whole panel is where typing goes
    ink.outline(corner, {corner.x + width, corner.y + height}, ui.theme.accent,
                measure::kPanelRadius, measure::kRing);
  draw_panes(ui, body, layout, annotations);
  if (counted) {
    heat_bar(ui, {corner.x + measure::kPadding, body.y + layout.height},
             width - 2 * measure::kPadding, *annotations.findings);
  }
  ImGui::PopID();
  return height;
}

float CodePanel::draw_slots(const Ui& ui, ImVec2 corner, float width) {
  const lab::Lesson* lesson = ui.book.lesson();
  if (!lesson || lesson->slots.empty()) return 0;
  choose_tabs(ui.book);
  const lab::SourceSlot* slot = *std::ranges::find(tabs_, shown_, &lab::SourceSlot::name);
  const auto report = ui.book.report();
  const bool stale = ui.book.stale();
  // The source itself never answers a question, but the cost of its lines may.
  const lab::PredictDirective* veil = ui.book.veil(slot->name);
  const bool open = report && !veil;
  const lab::Exhibit* accesses = first_accesses(report.get());
  Shown shown{"code", editor(slot->name), {}, slot};
  shown.exhibit = open ? report->find(slot->name) : nullptr;
  shown.annotations.findings = open ? report->find_as<lab::SourceExhibit>(slot->name) : nullptr;
  if (report) shown.annotations.veil = veil;
  if (accesses && !ui.book.veil(accesses->id))
    shown.annotations.accesses = &std::get<lab::AccessesExhibit>(accesses->value);
  shown.annotations.stale = stale;
  shown.annotations.linked = (ptx_ || sass_) && !stale;
  const auto* earlier =
      report ? ui.book.pictures()->find_as<lab::SourceExhibit>(slot->name) : nullptr;
  shown.had_counts = open && earlier && !earlier->lines.empty();
  if (earlier) shown.annotations.ran = &earlier->text;
  shown.panes = {ptx_, sass_};
  for (const lab::SourceSlot* other : tabs_)
    shown.tabs.push_back(file_tab(ui, other, file_name(*other)));
  add_panes(ui, shown.tabs);
  shown.text = ui.book.source(slot->name);
  if (stale)
    shown.note = ui.book.stale_reason();
  else if (const lab::DocumentNode* from = ui.book.page_source(slot->name))
    shown.note = from_page(ui, *from);
  shown.changed = [name = slot->name](Book& book, std::string now) {
    book.set_source(name, std::move(now));
  };
  shown.buttons = [&](float left, float right, float middle) {
    return ui.book.edited(slot->name)
               ? edited_buttons(ui, *slot, editor(slot->name), left, right, middle)
               : right;
  };
  return draw_shown(ui, corner, width, std::move(shown));
}

float CodePanel::draw_exercise(const Ui& ui, ImVec2 corner, float width,
                               const ExerciseAttempt& attempt) {
  const auto result = attempt.result();
  const lab::Submission submission = attempt.text()->submission;
  // Settings are not compiled, and of a whole program the check shows what it prints and asks CUDA for, not its PTX.
  const bool has_ptx = submission == lab::Submission::kernel;
  Shown shown{"exercise", editor("exercise:" + attempt.id()), {}};
  shown.code.set_language(submission == lab::Submission::settings ? toml_language()
                                                                  : cuda_language());
  shown.exhibit = result ? result->report.find("submission") : nullptr;
  shown.annotations.findings = attempt.findings();
  shown.annotations.stale = attempt.stale();
  shown.annotations.costs = has_ptx;
  if (has_ptx) shown.panes = {ptx_, sass_};
  shown.annotations.linked = (shown.panes.ptx || shown.panes.sass) && !attempt.stale();
  shown.tabs = {file_tab(ui, nullptr, attempt.file_name())};
  if (has_ptx) add_panes(ui, shown.tabs);
  shown.text = attempt.source();
  const char* whose = attempt.edited() ? "gui.editor.yours" : "gui.editor.starter";
  shown.note = attempt.stale() ? ui.book.stale_reason() : ui.tr(whose);
  shown.changed = [id = attempt.id()](Book& book, std::string now) {
    book.write_exercise(id, std::move(now));
  };
  shown.buttons = [&](float left, float right, float middle) {
    if (!attempt.edited()) return right;
    return original_button(ui, editor("exercise:" + attempt.id()), left, right, middle,
                           [id = attempt.id()](Book& book) { book.reset_exercise(id); });
  };
  return draw_shown(ui, corner, width, std::move(shown));
}

float CodePanel::draw_program(const Ui& ui, ImVec2 corner, float width, float room,
                              const MyProgram& program) {
  constexpr float kAround = measure::kPanelHeader + 8;  // the tab above the text, the foot below it
  const auto result = program.result();
  Shown shown{"program", editor(kProgramEditor), {}};
  shown.code.set_room(room - kAround);
  shown.exhibit = result ? result->report.find("source") : nullptr;
  shown.annotations.findings = program.findings();
  shown.annotations.stale = program.stale();
  shown.annotations.costs = false;
  shown.tabs = {file_tab(ui, nullptr, program.name())};
  shown.text = program.text();
  if (program.stale()) shown.note = ui.book.stale_reason();
  shown.changed = [](Book& book, std::string now) { book.write_program(std::move(now)); };
  shown.buttons = [](float, float right, float) { return right; };
  return draw_shown(ui, corner, width, std::move(shown));
}

}  // namespace warpbook::gui
