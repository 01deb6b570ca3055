#include "gui/lab/lab_view.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <optional>
#include <set>
#include <utility>

#include <imgui_internal.h>

#include "gui/controls/widgets.hpp"
#include "gui/exhibits/exhibit.hpp"
#include "gui/exhibits/geometry/grid_view.hpp"

namespace warpbook::gui {
namespace {
constexpr float kLinesOfWheel = 5;  // per notch, as in what ImGui scrolls itself

/// The share of the lab's height that the part that stays may take; if it needs more, it scrolls with the rest.
constexpr float kMostTop = 0.6f;

/// From this width on the lab has two columns: pictures and code, and what else there is. A single one would be too wide to
/// be read across. The first is wider where panes are beside the code, as far as it leaves the second its least width.
constexpr float kTwoColumns = 1240, kFirstColumn = 0.54f, kLeastSecond = 420;

/// Ids of the exhibits that the text shows itself, so that the lab need not.
std::set<std::string> placed_in_text(const lab::Document& document) {
  std::set<std::string> ids;
  for (const lab::DocumentNode& node : document.nodes) {
    if (const auto* exhibit = std::get_if<lab::ExhibitDirective>(&node))
      ids.insert({exhibit->id, exhibit->beside});
  }
  return ids;
}

/// Whether another panel of the lab already says all that this exhibit says.
bool said_elsewhere(const lab::Report& report, const lab::Exhibit& exhibit, bool has_accesses) {
  if (const auto* source = std::get_if<lab::SourceExhibit>(&exhibit.value))
    return !source->slot.empty();
  if (const auto* geometry = std::get_if<lab::GeometryExhibit>(&exhibit.value))
    return !has_grid_view(*geometry);  // the parameters' last line
  const auto* tensor = std::get_if<lab::TensorExhibit>(&exhibit.value);
  if (!tensor || !has_accesses) return false;
  for (const lab::Exhibit& other : report.exhibits) {
    if (const auto* accesses = std::get_if<lab::AccessesExhibit>(&other.value)) {
      for (const auto& array : accesses->arrays) {
        if (array.tensor.name == tensor->name) return true;
      }
    }
  }
  return false;
}

/// The first number in a case's name: "n = 33, block 32" has 33.
std::uint64_t size_of_case(const std::string& name) {
  const std::size_t digit = name.find_first_of("0123456789");
  return digit == std::string::npos ? ~0ull : std::strtoull(name.c_str() + digit, nullptr, 10);
}

/// The name of the smallest case that fails, among those that have one.
std::string smallest_failed(const lab::CheckExhibit::Item& item) {
  const lab::CheckExhibit::Case* smallest = nullptr;
  for (const auto& one : item.cases) {
    if (one.passed || one.name.empty()) continue;
    if (!smallest || size_of_case(one.name) < size_of_case(smallest->name)) smallest = &one;
  }
  return smallest ? smallest->name : std::string();
}
}  // namespace

CodeEditor* LabView::editor_shown(const Ui& ui) {
  if (const ExerciseAttempt* attempt = ui.book.active_attempt())
    return &code_.editor("exercise:" + attempt->id());
  const bool has_slots = ui.book.lesson() && !ui.book.lesson()->slots.empty();
  return has_slots ? &code_.editor(code_.shown(ui.book)) : nullptr;
}

void LabView::focus_editor(const Ui& ui) {
  if (CodeEditor* editor = editor_shown(ui)) editor->focus();
}

void LabView::open_chapter(const Book& book) {
  if (std::exchange(lesson_, book.lesson()) == book.lesson()) return;
  if (wanted_scroll_ < 0) wanted_scroll_ = 0;
}

// ---- What lies over the lower edge --------------------------------------------------------------

bool LabView::follows_live_run() const {
  if (shown_.attempt) return false;
  const Compared* compared = shown_.compared();
  return !compared || compared->follows_inputs;
}

float LabView::measure_foot(const Ui& ui, ImVec2 size) {
  constexpr float kMostFoot = 0.4f;  // of the lab's height; what is higher scrolls
  foot_width_ = size.x - 2 * measure::kLabMargin - scrollbar_;
  foot_height_ = 0;
  if (follows_live_run())
    foot_height_ = errors(ui, {}, foot_width_, false) + progress(ui, {}, foot_width_, false);
  foot_shown_ = std::min(foot_height_, std::floor(size.y * kMostFoot));
  return foot_shown_;
}

void LabView::draw_foot(const Ui& ui) {
  const ImVec2 begin = ImGui::GetCursorScreenPos();
  ImVec2 corner{begin.x + measure::kLabMargin, begin.y};
  corner.y += errors(ui, corner, foot_width_, true);
  progress(ui, corner, foot_width_, true);
  ImGui::SetCursorScreenPos({begin.x, begin.y + foot_height_ - 1});
  ImGui::Dummy({1, 1});
}

float LabView::progress(const Ui& ui, ImVec2 corner, float width, bool draw) const {
  const auto progress = ui.book.progress();
  if (!progress.running || progress.seconds < 0.2) return 0;
  constexpr float kHeight = 54;
  if (!draw) return kHeight + measure::kGap;
  const Ink ink = ui.ink();
  ground(ui, corner, {corner.x + width, corner.y + kHeight}, ui.theme.s3);
  const float middle = corner.y + 20, left = corner.x + measure::kPadding;
  const std::string what =
      progress.what.empty() ? ui.tr("gui.progress.running") : ui.tr(progress.what);
  ink.text_middle(left, middle, ui.label(), what);
  // A part of the run that counts its own steps is not the whole, of which the bar alone shows how much is done.
  const bool counts = !progress.what.arguments.empty();
  const std::string share = std::to_string(static_cast<int>(progress.fraction * 100)) + " %";
  if (!counts)
    ink.text_middle(left + ink.width(ui.label(), what) + 10, middle, ui.figures(ui.theme.t2),
                    share);
  const std::string cancel = ui.tr("gui.cancel");
  const ButtonLook look{ButtonKind::quiet, measure::kCardButton, nullptr, 0, ui.keys_of("back")};
  const float button_wide = button_width(ui, cancel, look);
  if (button(ui, "cancel", {corner.x + width - button_wide - 8, middle - 13}, cancel, look)) {
    ui.post([](Book& book) { book.cancel(); });
  }
  progress_bar(ui, {left, corner.y + 38}, width - 2 * measure::kPadding,
               static_cast<float>(progress.fraction));
  return kHeight + measure::kGap;
}

float LabView::errors(const Ui& ui, ImVec2 corner, float width, bool draw) const {
  const auto report = ui.book.report();
  if (!report || report->errors.empty()) return 0;
  if (const lab::PredictDirective* question = ui.book.veil(lab::kVeiledErrors)) {
    constexpr float kHeight = 64;
    ImGui::PushID("errors");
    if (draw) draw_veil({ui, corner, width, true}, kHeight, *question);
    ImGui::PopID();
    return kHeight + measure::kGap;
  }
  std::set<const device::Error*> beside;  // errors that are shown with their parameter
  for (const lab::Parameter& parameter : ui.book.lesson()->parameters)
    beside.insert(ui.book.picture_error(parameter));
  float y = corner.y;
  for (const device::Error& error : report->errors) {
    if (beside.contains(&error)) continue;
    const std::string says = ui.tr(error);
    const ParagraphStyle style{15, 22, Face::sans, Face::bold, ui.theme.t1, 0};
    const FigureArea text{ui, {corner.x + 44, y + 11}, width - 44 - measure::kPadding, draw};
    const float height = std::max(44.0f, words({ui, {}, text.width, false}, says, style) + 22);
    if (draw) {
      const Ink ink = ui.ink();
      ground(ui, {corner.x, y}, {corner.x + width, y + height}, ui.theme.s3);
      ink.fill({corner.x, y}, {corner.x + measure::kAccentBar, y + height}, ui.theme.bad, 2);
      ink.icon(Icon::cross, {corner.x + 24, y + 22}, ui.theme.bad, 16, ui.theme.s3);
      words(text, says, style);
      if (ui.book.stale())
        ink.fill({corner.x + 4, y}, {corner.x + width, y + height}, fade(ui.theme.s3, 0.55f));
    }
    y += height + measure::kGap;
  }
  return y - corner.y;
}

// ---- What scrolls -------------------------------------------------------------------------------

float LabView::draw_verdict(const Ui& ui, ImVec2 corner, float width,
                            const ExerciseAttempt& attempt, const lab::CheckReport& result) {
  const auto* check = result.report.find_as<lab::CheckExhibit>("check");
  if (!check || !result.graded) return 0;
  const lab::CheckExhibit::Item* failed = attempt.first_failed();
  const std::string says =
      failed
          ? ui.tr(
                "gui.exercise.failed-of",
                {{"failed", std::to_string(std::ranges::count(check->items, lab::CheckState::failed,
                                                              &lab::CheckExhibit::Item::state))},
                 {"total", std::to_string(check->items.size())}})
          : ui.tr("gui.exercise.passed");
  std::vector<std::string> found;
  if (failed) {
    found.push_back(said_with_got(*failed, ui.book.strings()));
    if (const std::string smallest = smallest_failed(*failed); !smallest.empty())
      found.push_back(ui.tr("gui.exercise.smallest", {{"case", smallest}}));
    if (!failed->mismatches.empty()) {
      const lab::CheckExhibit::Mismatch& first = failed->mismatches.front();
      found.push_back(
          ui.tr(failed->inputs.name.empty() ? "gui.exercise.wrong" : "gui.exercise.wrong-in",
                {{"case", failed->inputs.name},
                 {"index", lab::grouped(first.index)},
                 {"expected", lab::typeset(first.expected)},
                 {"got", lab::typeset(first.got)}}));
    }
  }
  verdict_ = says;
  for (const std::string& line : found) verdict_ += "\n" + line;
  constexpr float kLine = 22, kLeft = 44;
  const ParagraphStyle bold{15, kLine, Face::bold, Face::bold, ui.theme.t1, 0},
      plain{15, kLine, Face::sans, Face::bold, ui.theme.t1, 0};
  const float room = width - kLeft - measure::kPadding;
  const auto set = [&](float top, bool draw) {
    float y = top + kLine / 2;
    y += words({ui, {corner.x + kLeft, y}, room, draw}, says, bold);
    for (const std::string& line : found)
      y += words({ui, {corner.x + kLeft, y}, room, draw}, line, plain);
    return y + kLine / 2 - top;
  };
  const float height = set(corner.y, false);
  const ImVec2 end{corner.x + width, corner.y + height};
  const Colour colour = failed ? ui.theme.bad : ui.theme.ok;
  ground(ui, corner, end, ui.theme.s2);
  ui.ink().fill(corner, {corner.x + measure::kAccentBar, end.y}, colour, 2);
  ui.ink().icon(failed ? Icon::cross : Icon::check, {corner.x + 24, corner.y + kLine}, colour, 16,
                ui.theme.s2);
  set(corner.y, true);
  if (attempt.stale()) ui.ink().fill({corner.x + 4, corner.y}, end, fade(ui.theme.s2, 0.55f));
  return height + measure::kGap;
}

float LabView::draw_unchecked(const Ui& ui, ImVec2 corner, float width,
                              const ExerciseAttempt& attempt) {
  constexpr float kHeight = 128;
  const Ink ink = ui.ink();
  ground(ui, corner, {corner.x + width, corner.y + kHeight}, ui.theme.s2);
  const float middle = corner.x + width / 2;
  const bool passed = attempt.passed();
  ink.icon(passed ? Icon::check : Icon::waiting, {middle, corner.y + 32},
           passed ? ui.theme.ok : ui.theme.t4, 20, ui.theme.s2);
  ink.text_middle(middle, corner.y + 64, {Face::sans, 16, ui.theme.t1},
                  ui.tr(passed ? "gui.exercise.passed-before" : "gui.exercise.empty"),
                  Align::centre);
  const char* next = passed ? "gui.exercise.passed-how" : "gui.exercise.empty-how";
  const std::string how =
      ink.fitted(ui.caption(), ui.tr(next, {{"keys", std::string(ui.keys_of("run"))}}),
                 width - 2 * measure::kPadding);
  ink.text_middle(middle, corner.y + 92, ui.caption(), how, Align::centre);
  return kHeight;
}

float LabView::draw_exhibits(const Ui& ui, ImVec2 corner, float width, bool pictures) {
  const auto report = ui.book.pictures();
  if (!report) return 0;
  const auto placed = placed_in_text(ui.book.document());
  const bool has_accesses = std::ranges::any_of(report->exhibits, [](const lab::Exhibit& e) {
    return std::holds_alternative<lab::AccessesExhibit>(e.value);
  });
  float y = corner.y;
  for (const auto& [exhibit, stale] : ui.book.shown_exhibits()) {
    const bool picture = std::holds_alternative<lab::AccessesExhibit>(exhibit->value);
    if (picture != pictures || placed.contains(exhibit->id) ||
        said_elsewhere(*report, *exhibit, has_accesses))
      continue;
    const float high = exhibit_panel({ui, {corner.x, y}, width, true}, *exhibit, stale);
    place(exhibit->id, {corner.x, y}, width, high);
    if (picture) place("accesses", {corner.x, y}, width, high);
    y += high + measure::kGap;
  }
  return y - corner.y;
}

std::pair<float, float> LabView::columns_of(float width) const {
  const float both = width - measure::kGap,
              first = std::max(std::floor(both * kFirstColumn),
                               code_.width_for_panes(both - kLeastSecond));
  if (width < kTwoColumns || both - first < kLeastSecond) return {width, 0};
  return {first, both - first};
}

float LabView::draw_live(const Ui& ui, ImVec2 corner, float width) {
  const auto [left, right] = columns_of(width);
  float y = corner.y + draw_exhibits(ui, corner, left, true);
  const float code = code_.draw_slots(ui, {corner.x, y}, left);
  place("code", {corner.x, y}, left, code);
  y += code + measure::kGap;
  if (right == 0) return y + draw_exhibits(ui, {corner.x, y}, width, false) - corner.y;
  const ImVec2 beside{corner.x + left + measure::kGap, corner.y};
  return std::max(y - corner.y, draw_exhibits(ui, beside, right, false));
}

float LabView::draw_own_comparison(const Ui& ui, ImVec2 corner, float width,
                                   const Compared& compared) {
  float y = corner.y;
  CompareLook look{{}, beside(), true, true};
  for (const lab::Report* run : {compared.b.get(), compared.a.get()}) {
    if (!run) continue;
    for (const lab::Exhibit& exhibit : run->exhibits) {
      if (!said_elsewhere(*run, exhibit, true) &&
          std::ranges::find(look.ids, exhibit.id) == look.ids.end())
        look.ids.push_back(exhibit.id);
    }
  }
  const auto draw_code = [&] {
    const float code = compared.follows_inputs ? code_.draw_slots(ui, {corner.x, y}, width) : 0;
    place("code", {corner.x, y}, width, code);
    y += code > 0 ? code + measure::kGap : 0;
  };
  // If the sources differ, the editor comes first; else the relation already contains them.
  const bool edited = !ui.book.inputs().sources.empty();
  if (edited) draw_code();
  const float pair = compare_pair(ui, {corner.x, y}, width, compared, look);
  place("comparison", {corner.x, y}, width, pair);
  if (!edited)
    place("code", {corner.x, y}, width,
          pair);  // the connector leads there when the text is about the code
  y += pair + measure::kGap;
  if (!edited) draw_code();
  return y - measure::kGap - corner.y;
}

float LabView::draw_variants(const Ui& ui, ImVec2 corner, float width, std::size_t node,
                             const Compared& compared) {
  const auto& directive = std::get<lab::CompareDirective>(ui.book.document().nodes[node]);
  const CompareLook look{directive.exhibits, beside(), false, false};
  ImGui::PushID(static_cast<int>(node));
  const float pair = compare_pair(ui, corner, width, compared, look);
  ImGui::PopID();
  place("comparison", corner, width, pair);
  return pair;
}

float LabView::draw_reports(const Ui& ui, ImVec2 corner, float width,
                            const ExerciseAttempt& attempt) {
  const auto result = attempt.result();
  if (!result)
    return attempt.progress().running ? 0
                                      : draw_unchecked(ui, corner, width, attempt) + measure::kGap;
  float y = corner.y + draw_verdict(ui, corner, width, attempt, *result);
  ImGui::PushID("reports");
  for (const lab::Exhibit& exhibit : result->report.exhibits) {
    if (exhibit.id == "check" || exhibit.id == "submission")
      continue;  // the text and the editor show it
    y += exhibit_panel({ui, {corner.x, y}, width, true}, exhibit, attempt.stale()) + measure::kGap;
  }
  ImGui::PopID();
  return y - corner.y;
}

float LabView::draw_exercise(const Ui& ui, ImVec2 corner, float width,
                             const ExerciseAttempt& attempt) {
  const auto [left, right] = columns_of(width);
  const float code = code_.draw_exercise(ui, corner, left, attempt) + measure::kGap;
  place("exercise", corner, left, code - measure::kGap);
  if (right == 0) return code + draw_reports(ui, {corner.x, corner.y + code}, width, attempt);
  return std::max(code,
                  draw_reports(ui, {corner.x + left + measure::kGap, corner.y}, right, attempt));
}

void LabView::forget() {
  code_.forget();
  strip_.forget();
  wanted_scroll_ = -1;
}

LabView::Shown LabView::shown_of(const Book& book) {
  Shown shown;
  const auto node = book.compare_node();
  shown.attempt = book.active_attempt();
  if (shown.attempt) return shown;
  shown.own = book.own_comparison();
  if (shown.own) return shown;
  if (node) shown.variants = book.comparison_of(*node);
  shown.node = node.value_or(0);
  return shown;
}

float LabView::measure_top(const Ui& ui, ImVec2 size, bool one_column) {
  open_chapter(ui.book);
  places_.clear();
  verdict_.clear();
  shown_ = shown_of(ui.book);
  one_column_ = one_column;
  width_ = size.x - 2 * measure::kLabMargin - scrollbar_;
  top_height_ = strip_height_ = 0;
  if (shown_.attempt) return 0;
  const Compared* compared = shown_.compared();
  if (compared) top_height_ += kCompareHeader + (beside() ? kCompareNames + measure::kGap : 0);
  if (!compared || compared->follows_inputs) {
    strip_height_ = strip_.measure(ui, width_, size.y - top_height_);
    top_height_ += strip_height_ > 0 ? strip_height_ + measure::kGap : 0;
  }
  if (top_height_ > 0) top_height_ += measure::kGap;
  return std::min(top_height_, std::floor(size.y * kMostTop));
}

void LabView::draw_top(const Ui& ui) {
  const ImVec2 begin = ImGui::GetCursorScreenPos();
  ImVec2 corner{begin.x + measure::kLabMargin, begin.y + measure::kGap};
  if (const Compared* compared = shown_.compared()) {
    SideWanted wanted;
    if (shown_.own) std::swap(wanted, wanted_side_);
    corner.y += compare_header(ui, corner, width_, wanted);
    if (beside()) {
      compare_names(ui, corner, width_, *compared);
      corner.y += kCompareNames + measure::kGap;
    }
  }
  if (strip_height_ > 0) {
    strip_.draw(ui, corner);
    place("parameters", corner, width_, strip_height_);
    places_["parameters"].stays = true;
  }
  // What does not scroll itself hands the wheel on, so that the lab scrolls wherever in it the mouse is.
  if (ImGui::IsWindowHovered() && ImGui::GetScrollMaxY() == 0 &&
      ImGui::TestKeyOwner(ImGuiKey_MouseWheelY, ImGuiKeyOwner_NoOwner))
    scroll_by_ -= ImGui::GetIO().MouseWheel * kLinesOfWheel * ImGui::GetFontSize();
  ImGui::SetCursorScreenPos({begin.x, begin.y + top_height_ - 1});
  ImGui::Dummy({1, 1});
}

void LabView::draw(const Ui& ui) {
  if (const float by = std::exchange(scroll_by_, 0.0f); by != 0)
    ImGui::SetScrollY(std::clamp(ImGui::GetScrollY() + by, 0.0f, ImGui::GetScrollMaxY()));
  scroll_top_ = ImGui::GetWindowPos().y;
  view_height_ = ImGui::GetWindowHeight();
  scroll_ = ImGui::GetScrollY();
  const ImVec2 begin = ImGui::GetCursorScreenPos();
  const float room = ImGui::GetContentRegionAvail().x;
  scrollbar_ = ImGui::GetWindowWidth() - room;
  const ImVec2 corner{begin.x + measure::kLabMargin,
                      begin.y + (top_height_ > 0 ? 0 : measure::kGap)};
  const float width = room - 2 * measure::kLabMargin;
  float height = 0;
  if (shown_.attempt) {
    height = draw_exercise(ui, corner, width, *shown_.attempt);
  } else if (shown_.own) {
    height = draw_own_comparison(ui, corner, width, *shown_.own);
  } else if (shown_.variants) {
    height = draw_variants(ui, corner, width, shown_.node, *shown_.variants);
  } else {
    height = draw_live(ui, corner, width);
  }
  // As much room below as the foot may take, so that it can leave nothing covered and come and go without moving anything.
  constexpr float kFootRoom = 62;
  ImGui::SetCursorScreenPos({begin.x, corner.y + height + std::max(kFootRoom, foot_height_)});
  ImGui::Dummy({1, 1});
  place_panes();
  scroll_to_restored();
  scroll_to_wanted(ui);
  keep_caret_in_view(code_.take_drawn());
}

void LabView::keep_caret_in_view(const CodeEditor* code) {
  constexpr float kMargin = 8;
  // Where nothing has changed, the reader may scroll the row away.
  const bool typing = code && code->has_keyboard();
  const std::uint64_t now =
      typing ? code->work_stamp() * 1024 + static_cast<std::uint64_t>(foot_shown_) + 1 : 0;
  if (std::exchange(caret_seen_, now) == now || !typing) return;
  const float top = ImGui::GetWindowPos().y + kMargin,
              room = view_height_ - foot_shown_ - 2 * kMargin;
  const CodeEditor::Rows rows = code->rows_in_work(room);
  const float hidden = rows.bottom > top + room ? rows.bottom - top - room
                       : rows.top < top         ? rows.top - top
                                                : 0;
  if (hidden != 0) ImGui::SetScrollY(std::max(0.0f, ImGui::GetScrollY() + hidden));
}

/// A pane that opens below what is in view would seem not to have opened.
void LabView::place_panes() {
  for (const auto& [name, at] : {std::pair(CodePanel::kPtxPane, code_.ptx_at()),
                                 std::pair(CodePanel::kSassPane, code_.sass_at())}) {
    if (at) place(name, at->min, at->max.x - at->min.x, at->max.y - at->min.y);
  }
  if (place_of(code_.opened())) reveal(code_.take_opened());
}

void LabView::scroll_to_restored() {
  if (wanted_scroll_ < 0) return;
  const bool scrolled_by_hand =
      ImGui::GetIO().MouseWheel != 0 && ImGui::IsWindowHovered(ImGuiHoveredFlags_ChildWindows);
  if (!scrolled_by_hand && wanted_panel_.empty()) {
    ImGui::SetScrollY(std::min(wanted_scroll_, ImGui::GetScrollMaxY()));
    if (ImGui::GetScrollMaxY() < wanted_scroll_) return;  // the runs have not brought it all yet
  }
  wanted_scroll_ = -1;
}

const LabView::Place* LabView::place_of(const std::string& name) const {
  const auto found = places_.find(name);
  return found == places_.end() ? nullptr : &found->second;
}

std::string LabView::panel_at(ImVec2 point) const {
  for (const auto& [name, place] : places_) {
    if (point.x >= place.min.x && point.x < place.max.x && point.y >= place.min.y &&
        point.y < place.max.y)
      return name;
  }
  return {};
}

void LabView::place(const std::string& name, ImVec2 corner, float width, float height) {
  if (height > 0)
    places_.try_emplace(name, Place{corner, {corner.x + width, corner.y + height}, false});
}

void LabView::scroll_to_wanted(const Ui& ui) {
  const Place* wanted = place_of(wanted_panel_);
  if (!wanted) return;
  if (wanted->stays) {
    wanted_panel_.clear();
    return;
  }
  constexpr float kEnough = 220;  // of a panel in view
  const float top = ImGui::GetWindowPos().y, height = ImGui::GetWindowHeight();
  const float now = ImGui::GetScrollY();
  const ImGuiID id = ImGui::GetID("scroll to");
  if (moving_to_ != wanted_panel_) {
    const float enough = std::min(kEnough, wanted->max.y - wanted->min.y);
    if (wanted->min.y >= top && wanted->min.y + enough <= top + height) {
      wanted_panel_.clear();
      return;
    }
    moving_to_ = wanted_panel_;
    ui.motion.to(id, now, 0);
  }
  const float above = top_height_ > 0 ? 0 : measure::kGap;  // what stays leaves a gap below itself
  const float goal = std::clamp(now + wanted->min.y - top - above, 0.0f, ImGui::GetScrollMaxY());
  const float next = ui.motion.to(id, goal, kMoveSeconds);
  ImGui::SetScrollY(next);
  const bool scrolled_by_hand =
      ImGui::GetIO().MouseWheel != 0 && ImGui::IsWindowHovered(ImGuiHoveredFlags_ChildWindows);
  if (std::abs(next - goal) < 0.5f || scrolled_by_hand) {
    wanted_panel_.clear();
    moving_to_.clear();
  }
}

}  // namespace warpbook::gui
