#include "gui/present/present_view.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "gui/controls/region.hpp"
#include "gui/controls/widgets.hpp"
#include "gui/exhibits/exhibit.hpp"

namespace warpbook::gui {
namespace {
constexpr float kMargin = 16;
/// What an exhibit is enlarged by, from the largest on; the last one scrolls if it is still too high.
constexpr std::array kEnlargements{2.2f, 1.9f, 1.6f, 1.35f, 1.15f, 1.0f, 0.85f};

std::string title_of(const Ui& ui) {
  const auto& chapters = ui.book.chapters();
  const auto chapter = std::ranges::find(chapters, ui.book.lesson() ? ui.book.lesson()->slug : "",
                                         &ChapterEntry::slug);
  return chapter == chapters.end() ? ui.book.document().title : chapter->title;
}

/// The screens as a row of marks, the present one lit.
void draw_progress(const Ui& ui, const Presentation& lecture, float left, float right,
                   float middle) {
  constexpr float kHigh = 4, kMostMark = 26, kGap = 3;
  const auto count = static_cast<float>(lecture.screens().size());
  const float each = std::min(kMostMark, (right - left - kGap * (count - 1)) / count);
  if (each < 2) return;
  float x = left + (right - left - count * (each + kGap) + kGap) / 2;
  for (std::size_t i = 0; i < lecture.screens().size(); ++i) {
    const Colour colour = i == lecture.at()  ? ui.theme.accent
                          : i < lecture.at() ? ui.theme.s5
                                             : ui.theme.s3;
    ui.ink().fill({x, middle - kHigh / 2}, {x + each, middle + kHigh / 2}, colour, 2);
    x += each + kGap;
  }
}

/// "recorded on 2026-11-26", and why.
std::string recorded_text(const Ui& ui, const Presentation::Recorded& recorded) {
  const std::string day = recorded.when.substr(0, recorded.when.find('T'));
  return ui.tr(recorded.error ? "gui.present.recorded-failed" : "gui.present.recorded",
               {{"day", day}});
}

/// Null where the panel is not on the screen.
const LabView::Place* place_of(const LabView* lab, const std::string& panel) {
  return lab && !panel.empty() ? lab->place_of(panel) : nullptr;
}
}  // namespace

std::string clock_text(double seconds) {
  const auto whole = static_cast<long>(std::ceil(seconds));
  const std::string rest = std::to_string(whole % 60);
  return std::to_string(whole / 60) + ":" + (rest.size() == 1 ? "0" : "") + rest;
}

void PresentView::begin() {
  strokes_.clear_all();
  pointer_ = pen_ = drawing_ = false;
  enlargement_ = 1;
}

// ---- One exhibit that fills the screen ----------------------------------------------------------

float PresentView::fitting(const Ui& ui, const lab::Exhibit& exhibit, ImVec2 size) const {
  // The foot has the same height in units at every scale, so it takes more of the screen the larger everything is drawn.
  const float wide = size.x * enlargement_, high = (size.y + kFoot) * enlargement_;
  for (const float scale : kEnlargements) {
    const FigureArea area{ui, {0, 0}, wide / scale - 2 * kMargin, false};
    if (exhibit_panel(area, exhibit, false) <= high / scale - kFoot - 2 * kMargin) return scale;
  }
  return kEnlargements.back();
}

bool PresentView::draw_enlarged(const Ui& ui, const Presentation& lecture, ImVec2 corner,
                                ImVec2 size) {
  const std::string& id = lecture.enlarged();
  const auto [exhibit, stale] = id.empty() ? ShownExhibit{} : ui.book.shown_exhibit(id);
  float wanted = 1;
  if (exhibit) {
    // Of the screen as it is before anything is enlarged: the answer may not be a part of what it is worked out from, or two scales
    // could call for each other, a frame each.
    const ImVec2 screen = ImGui::GetIO().DisplaySize;
    const std::string now = id + " " + std::to_string(ui.book.shown_version()) + " " +
                            std::to_string(std::lround(screen.x * enlargement_)) + " " +
                            std::to_string(std::lround(screen.y * enlargement_)) + " " +
                            std::to_string(std::lround(100 * size.x / screen.x));
    wanted = std::exchange(fitted_for_, now) == now ? enlargement_ : fitting(ui, *exhibit, size);
  } else {
    fitted_for_.clear();
  }
  settling_ = std::exchange(enlargement_, wanted) != wanted;
  if (!exhibit) return false;
  region("enlarged", corner, size, ui.theme.s0, 0, [&, shown = exhibit, old = stale] {
    const ImVec2 begin = ImGui::GetCursorScreenPos();
    const float width = ImGui::GetContentRegionAvail().x - 2 * kMargin;
    const FigureArea inside{ui, {begin.x + kMargin, begin.y + kMargin}, width, true};
    const float high = exhibit_panel(inside, *shown, old);
    ImGui::SetCursorScreenPos({begin.x, begin.y + high + 2 * kMargin - 1});
    ImGui::Dummy({1, 1});
  });
  return true;
}

// ---- The foot -----------------------------------------------------------------------------------

float PresentView::draw_countdown(const Ui& ui, const Presentation& lecture, float right,
                                  float middle) {
  const auto left = lecture.countdown(ui.book.now());
  if (!left) return right;
  constexpr float kHalf = 16, kPad = 12;
  const Ink ink = ui.ink();
  const bool over = *left <= 0;
  const Type type{Face::mono_bold, 24, over ? ui.theme.bad : ui.theme.t1};
  const std::string says = clock_text(*left);
  const float width = ink.width(type, says) + 2 * kPad;
  ink.fill({right - width, middle - kHalf}, {right, middle + kHalf},
           over ? ui.theme.bad_tint : ui.theme.s3, measure::kPanelRadius);
  ink.text_middle(right - width / 2, middle, type, says, Align::centre);
  return right - width - 16;
}

float PresentView::draw_mark(const Ui& ui, const std::string& says, Colour colour, float right,
                             float middle) {
  const Ink ink = ui.ink();
  const Type type{Face::bold, 15, colour};
  const float width = ink.width(type, says);
  ink.text_middle(right, middle, type, says, Align::right);
  return right - width - 20;
}

void PresentView::draw_foot(const Ui& ui, const Presentation& lecture, ImVec2 corner, float width) {
  const Ink ink = ui.ink();
  const float middle = corner.y + kFoot / 2;
  ink.fill(corner, {corner.x + width, corner.y + kFoot}, ui.theme.s0);
  const std::string number =
      std::to_string(lecture.at() + 1) + " / " + std::to_string(lecture.screens().size());
  float right = draw_mark(ui, number, ui.theme.t2, corner.x + width - 20, middle);
  right = draw_countdown(ui, lecture, right, middle);
  if (lecture.frozen())
    right = draw_mark(ui, ui.tr("gui.present.frozen"), ui.theme.accent_text, right, middle);
  if (lecture.recorded())
    right = draw_mark(ui, recorded_text(ui, *lecture.recorded()), ui.theme.warn, right, middle);
  const Type title{Face::bold, 16, ui.theme.t1}, step{Face::sans, 16, ui.theme.t3};
  const float left = corner.x + 20, half = corner.x + width * 0.36f;
  const std::string chapter = ink.fitted(title, title_of(ui), half - left);
  ink.text_middle(left, middle, title, chapter);
  const std::string& name = lecture.screen().step;
  const float after = left + ink.width(title, chapter) + 12;
  if (!name.empty())
    ink.text_middle(after, middle, step, ink.fitted(step, ui.tr("gui.step." + name), half - after));
  draw_progress(ui, lecture, half + 12, right, middle);
}

// ---- What lies over the page --------------------------------------------------------------------

std::string PresentView::key_of(const Presentation& lecture) {
  return std::to_string(lecture.at()) + " " + lecture.enlarged();
}

void PresentView::take_strokes(const std::string& key, const LabView* lab, ImVec2 corner) {
  const ImVec2 at = ImGui::GetMousePos();
  if (ImGui::IsMouseClicked(ImGuiMouseButton_Left) && ImGui::IsWindowHovered()) {
    const std::string panel = lab ? lab->panel_at(at) : std::string();
    strokes_.begin(key, panel, panel.empty() ? corner : lab->place_of(panel)->min, at);
    drawing_ = true;
  }
  drawing_ = drawing_ && ImGui::IsMouseDown(ImGuiMouseButton_Left) && !strokes_.of(key).empty();
  if (!drawing_) return;
  const LabView::Place* place = place_of(lab, strokes_.of(key).back().panel);
  strokes_.go_on(key, place ? place->min : corner, at);
}

void PresentView::draw_strokes(const Ui& ui, const std::string& key, const LabView* lab,
                               ImVec2 corner) const {
  constexpr float kThick = 4;
  ImDrawList* list = ui.ink().list();
  for (const Stroke& stroke : strokes_.of(key)) {
    const LabView::Place* place = place_of(lab, stroke.panel);
    if (!stroke.panel.empty() && !place) continue;
    const ImVec2 origin = place ? place->min : corner;
    const auto at = [&](const ImVec2& point) {
      return ImVec2{origin.x + point.x, origin.y + point.y};
    };
    // Line by line, with round joints: a polyline has spikes where the hand turns back.
    for (std::size_t i = 0; i < stroke.points.size(); ++i) {
      list->AddCircleFilled(at(stroke.points[i]), kThick / 2, ui.theme.warn);
      if (i > 0)
        list->AddLine(at(stroke.points[i - 1]), at(stroke.points[i]), ui.theme.warn, kThick);
    }
  }
}

void PresentView::draw_pointer(const Ui& ui) {
  if (!ImGui::IsMousePosValid()) return;
  ImDrawList* list = ImGui::GetForegroundDrawList();
  const ImVec2 at = ImGui::GetMousePos();
  // A dark and a light ring, so that it stands out from any ground.
  list->AddCircleFilled(at, 26, fade(ui.theme.bad, 0.22f));
  list->AddCircle(at, 26, fade(ui.theme.s0, 0.8f), 0, 2);
  list->AddCircleFilled(at, 9, ui.theme.bad);
  list->AddCircle(at, 9, ui.theme.t1, 0, 2);
  ImGui::SetMouseCursor(ImGuiMouseCursor_None);
}

void PresentView::draw_over(const Ui& ui, const Presentation& lecture, const LabView* lab,
                            ImVec2 corner, ImVec2 size) {
  const std::string key = key_of(lecture);
  ImGui::SetCursorScreenPos(corner);
  ImGui::PushStyleColor(ImGuiCol_ChildBg, 0);
  const ImGuiWindowFlags takes = pen_ ? ImGuiWindowFlags_None : ImGuiWindowFlags_NoInputs;
  if (ImGui::BeginChild("over", size, ImGuiChildFlags_None,
                        takes | ImGuiWindowFlags_NoScrollbar | ImGuiWindowFlags_NoNav |
                            ImGuiWindowFlags_NoSavedSettings)) {
    if (pen_) take_strokes(key, lab, corner);
    draw_strokes(ui, key, lab, corner);
  }
  ImGui::EndChild();
  ImGui::PopStyleColor();
  if (pointer_) draw_pointer(ui);
  if (!lecture.blank()) return;
  ImGui::GetForegroundDrawList()->AddRectFilled(corner, {corner.x + size.x, corner.y + size.y},
                                                IM_COL32_BLACK);
  ImGui::SetMouseCursor(ImGuiMouseCursor_None);
}

}  // namespace warpbook::gui
