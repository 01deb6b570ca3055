#include "gui/shell/shell.hpp"

#include <algorithm>
#include <cmath>

#include "gui/controls/widgets.hpp"
#include "gui/shell/actions.hpp"
#include "gui/shell/page_error.hpp"

namespace warpbook::gui {
namespace {
constexpr float kReadDocument = 560, kLabDocument = 400, kWidestDocument = 720, kOneColumn = 1100,
                kWideList = 1400;
constexpr float kTabs = 40, kTrack = 44, kFindButton = 34;
constexpr ImGuiWindowFlags kRegion = ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoSavedSettings;

/// Draws `body` in a child window; begin and end always meet.
template <class Body>
void region(const char* id, ImVec2 corner, ImVec2 size, Colour ground, float radius, Body body) {
  ImGui::SetCursorScreenPos(corner);
  ImGui::PushStyleColor(ImGuiCol_ChildBg, ground);
  ImGui::PushStyleVar(ImGuiStyleVar_ChildRounding, radius);
  const bool open = ImGui::BeginChild(id, size, ImGuiChildFlags_NavFlattened, kRegion);
  ImGui::PopStyleVar();
  ImGui::PopStyleColor();
  if (open) body();
  ImGui::EndChild();
}
}  // namespace

void Shell::set_zoom(float zoom) { zoom_ = std::clamp(zoom, 0.6f, 2.5f); }

void Shell::show_document() {
  lab_tab_ = false;
  if (one_column_) glossary_.close();
  if (stop_ == Stop::lab_only) stop_ = Stop::read;
}

void Shell::show_lab() {
  lab_tab_ = true;
  glossary_.close();
}

void Shell::toggle_glossary() {
  if (glossary_.is_open()) {
    glossary_.close();
  } else {
    glossary_.open();
  }
}

bool Shell::close_bar() {
  if (document_.find_bar().is_open()) {
    document_.find_bar().close();
  } else if (glossary_.is_open()) {
    glossary_.close();
  } else {
    return false;
  }
  return true;
}

void Shell::follow(const Ui& ui, const std::string& target) {
  if (target.empty()) return;
  if (target.starts_with("http")) {
    ImGui::SetClipboardText(target.c_str());
    ui.post([target](Book& book) {
      const std::string says = book.strings()("gui.document.address", {{"address", target}});
      book.tell({Toast::Kind::plain, says, {}, {}, book.now() + 6});
    });
    return;
  }
  if (target.starts_with("#")) {
    glossary_.open_at(target.substr(1));
    return;
  }
  ui.post([target](Book& book) { book.open(target); });
}

void Shell::frame(Book& book, const Fonts& fonts, double time) {
  const Theme& theme = theme_named(book.theme());
  if (theme_ != &theme) {
    theme_ = &theme;
    apply(theme, ImGui::GetStyle());
  }
  paragraphs_.next_frame();
  motion_.next_frame(time, book.reduced_motion());
  figures_.next_frame(book.shown_version());
  pictures_.next_frame();
  const Ui ui{book,     theme,  fonts,     paragraphs_, posts_, motion_,
              figures_, boxes_, pictures_, time,        typing_};
  const ImGuiViewport& viewport = *ImGui::GetMainViewport();
  ImGui::SetNextWindowPos(viewport.Pos);
  ImGui::SetNextWindowSize(viewport.Size);
  constexpr ImGuiWindowFlags kHost =
      ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoSavedSettings |
      ImGuiWindowFlags_NoBringToFrontOnFocus | ImGuiWindowFlags_NoScrollWithMouse;
  if (ImGui::Begin("book", nullptr, kHost)) {
    handle_keys(ui);
    const ImVec2 at = viewport.Pos, size = viewport.Size;
    draw_top_bar(ui, at, size.x);
    const float top = at.y + measure::kTopBar, bottom = at.y + size.y - measure::kStatusBar;
    const bool wide = size.x >= kWideList;
    list_shown_ = list_chosen_ ? list_open_ : wide;
    const float list = list_shown_ ? measure::kListWidth : measure::kRailWidth;
    draw_list(ui, {at.x, top}, {list, bottom - top}, !list_shown_);
    const float left = at.x + list, room = size.x - list;
    one_column_ = size.x < kOneColumn;
    make_room(book);
    if (one_column_) {
      draw_tabs(ui, {left, top}, room);
      if (lab_tab_ || glossary_.is_open()) {
        draw_lab(ui, {left, top + kTabs}, {room, bottom - top - kTabs});
      } else {
        draw_document(ui, {left, top + kTabs}, {room, bottom - top - kTabs});
      }
    } else {
      const float extra = std::max(0.0f, room - 1200) * 0.46f;
      const float wanted = stop() == Stop::read  ? std::min(kReadDocument + extra, kWidestDocument)
                           : stop() == Stop::lab ? kLabDocument
                                                 : 0;
      const ImGuiID moves = ImGui::GetID("divider at");
      divider_ =
          dragging_ ? motion_.to(moves, divider_, 0) : motion_.to(moves, wanted, kMoveSeconds);
      if (divider_ > 80) draw_document(ui, {left, top}, {divider_, bottom - top});
      const float lab_left = left + (divider_ > 80 ? divider_ : 0);
      draw_lab(ui, {lab_left, top}, {at.x + size.x - lab_left, bottom - top});
      if (divider_ > 80 && !glossary_.is_open()) draw_connector(ui, {lab_left, top}, bottom);
      draw_divider(ui, {lab_left, top}, bottom - top, left, room);
    }
    draw_status_bar(ui, {at.x, bottom}, size.x);
    draw_toasts(ui, {at.x + size.x - 16, bottom - 12});
    draw_settings(ui);
  }
  ImGui::End();
  typing_ = ImGui::GetIO().WantTextInput;

  if (const std::string name = document_.take_focused_parameter(); !name.empty()) {
    book.turn_to_live_run();
    lab_.focus_parameter(name);
  }
  follow(ui, document_.take_followed_link());
  if (const auto [chapter, term] = glossary_.take_followed(); !chapter.empty()) {
    show_document();
    document_.go_to_term(term);
    if (!book.lesson() || book.lesson()->slug != chapter) follow(ui, chapter);
  }
  if (!lab_held_ &&
      (book.active_attempt() ? book.active_attempt()->id() != document_.exercise_in_view()
                             : !document_.exercise_in_view().empty())) {
    book.set_active_exercise(document_.exercise_in_view());
  }
  if (!lab_held_) book.follow_comparison(one_column_ ? std::nullopt : document_.compare_in_view());
  const bool changes = !posts_.empty();
  posts_.apply(book);
  const bool linked = book.link.next_frame();
  std::erase_if(book.toasts(), [&](const Toast& toast) { return toast.until < book.now(); });
  busy_ = motion_.moving() || changes || linked || document_.settling() || glossary_.settling() ||
          book.progress().running ||
          (book.active_attempt() && book.active_attempt()->progress().running);
}

void Shell::make_room(const Book& book) {
  const bool now =
      !book.active_attempt() && !glossary_.is_open() && (book.comparing() || book.compare_node());
  if (now != comparing_) made_room_ = now;
  comparing_ = now;
}

void Shell::draw_document(const Ui& ui, ImVec2 corner, ImVec2 size) {
  ui.ink().list()->AddRectFilled(corner, {corner.x + size.x, corner.y + size.y}, ui.theme.s1, 8,
                                 ImDrawFlags_RoundCornersTop);
  float used = page_error(ui, corner, size.x);
  draw_track(ui, {corner.x, corner.y + used}, size.x);
  used += kTrack;
  used += document_.find_bar().draw(ui, {corner.x, corner.y + used}, size.x);
  const float top = corner.y + used, bottom = corner.y + size.y - measure::kFoot;
  region("document", {corner.x, top}, {size.x, bottom - top}, 0, 0,
         [&] { document_.draw(ui, !one_column_); });
  draw_foot(ui, {corner.x, bottom}, size.x);
}

void Shell::draw_track(const Ui& ui, ImVec2 corner, float width) {
  const Ink ink = ui.ink();
  const auto& steps = document_.steps();
  if (steps.empty()) return;
  const std::size_t current = document_.current_step();
  const float left = corner.x + measure::kDocumentMargin,
              edge = corner.x + width - measure::kDocumentMargin - 6, right = edge - kFindButton;
  const float middle = corner.y + 27;
  if (icon_button(ui, "find", {edge - kFindButton + 8, middle - 14}, Icon::search,
                  ui.tr("gui.action.find") + " (Ctrl+F)"))
    document_.open_find();
  const std::string says = ui.tr("gui.step." + steps[current].name) + " · " +
                           std::to_string(current + 1) + " / " + std::to_string(steps.size());
  ink.text_middle(right, middle, ui.note(), says, Align::right);
  const float room = right - left - 118, gap = 5;
  const float each =
      (room - gap * static_cast<float>(steps.size() - 1)) / static_cast<float>(steps.size());
  for (std::size_t i = 0; i < steps.size(); ++i) {
    const float x = left + static_cast<float>(i) * (each + gap);
    ImGui::PushID(static_cast<int>(i));
    if (item("segment", {x, middle - 9}, {x + each, middle + 9})) document_.go_to_step(i);
    const bool hovered = ImGui::IsItemHovered();
    tip(ui, ui.tr("gui.step." + steps[i].name));
    ImGui::PopID();
    const Colour colour = i == current ? ui.theme.accent : i < current ? ui.theme.s5 : ui.theme.s4;
    ink.fill({x, middle - 2}, {x + each, middle + 2},
             hovered && i != current ? ui.theme.t3 : colour, 2);
  }
}

void Shell::draw_foot(const Ui& ui, ImVec2 corner, float width) {
  const Ink ink = ui.ink();
  const auto& steps = document_.steps();
  const std::size_t current = document_.current_step();
  const float middle = corner.y + measure::kFoot / 2 - 2;
  static constexpr Icon kBack = Icon::chevron_left;
  const float left = corner.x + measure::kDocumentMargin - 12,
              right = corner.x + width - measure::kDocumentMargin + 6;
  if (current > 0 && current < steps.size()) {
    const std::string label = ui.tr("gui.step." + steps[current - 1].name);
    if (button(ui, "step before", {left, middle - 16}, label,
               {ButtonKind::quiet, measure::kButton, &kBack})) {
      document_.go_to_step(current - 1);
    }
  }
  if (current + 1 < steps.size()) {
    const std::string label = ui.tr("gui.step." + steps[current + 1].name);
    const float wide = ink.width(ui.label(), label) + 44;
    const ImVec2 min{right - wide, middle - 16}, max{right, middle + 16};
    if (item("step after", min, max)) document_.go_to_step(current + 1);
    if (ImGui::IsItemHovered()) ink.fill(min, max, ui.theme.s3, measure::kControlRadius);
    ink.text_middle(min.x + 12, middle, ui.label(), label);
    ink.icon(Icon::chevron_right, {max.x - 16, middle}, ui.theme.t1, 14);
  }
}

void Shell::draw_lab(const Ui& ui, ImVec2 corner, ImVec2 size) {
  if (glossary_.is_open()) {
    region("glossary", corner, size, 0, 0, [&] { glossary_.draw(ui); });
    return;
  }
  if (!lab_held_) reading_ = document_.named_parameters();
  const float top = lab_.measure_top(ui, size, {one_column_, reading_});
  if (top > 0) region("lab top", corner, {size.x, top}, 0, 0, [&] { lab_.draw_top(ui); });
  region("lab", {corner.x, corner.y + top}, {size.x, size.y - top}, 0, 0, [&] { lab_.draw(ui); });
}

void Shell::draw_tabs(const Ui& ui, ImVec2 corner, float) {
  const bool covered = glossary_.is_open();
  const ButtonLook read{ButtonKind::plain,    measure::kButton, nullptr, 0, {}, false,
                        !lab_tab_ && !covered};
  const ButtonLook lab{ButtonKind::plain,   measure::kButton, nullptr, 0, {}, false,
                       lab_tab_ && !covered};
  const std::string first = ui.tr("gui.tab.text"), second = ui.tr("gui.tab.lab");
  const auto show = [&](bool lab_wanted) {
    lab_tab_ = lab_wanted;
    glossary_.close();
  };
  if (button(ui, "text tab", {corner.x + 16, corner.y + 2}, first, read)) show(false);
  if (button(ui, "lab tab", {corner.x + 24 + button_width(ui, first, read), corner.y + 2}, second,
             lab))
    show(true);
}

void Shell::draw_divider(const Ui& ui, ImVec2 corner, float height, float left, float room) {
  ImGui::SetCursorScreenPos({corner.x - 4, corner.y + 40});
  ImGui::InvisibleButton("divider", {10, height - 80});
  const bool hot = ImGui::IsItemHovered() || ImGui::IsItemActive();
  if (hot) {
    ImGui::SetMouseCursor(ImGuiMouseCursor_ResizeEW);
    ui.ink().fill({corner.x, corner.y + 8}, {corner.x + 2, corner.y + height - 8}, ui.theme.accent,
                  1);
  }
  if (ImGui::IsItemActive()) {
    dragging_ = true;
    divider_ =
        std::clamp(ImGui::GetMousePos().x - left, 0.0f, std::min(kWidestDocument, room - 360));
  } else if (dragging_) {  // let go: spring to the nearest stop
    dragging_ = false;
    const auto distance = [&](float x) { return std::abs(divider_ - x); };
    made_room_ = false;
    stop_ = distance(kReadDocument) < distance(kLabDocument) ? Stop::read
            : distance(kLabDocument) < distance(0)           ? Stop::lab
                                                             : Stop::lab_only;
  }
}

}  // namespace warpbook::gui
