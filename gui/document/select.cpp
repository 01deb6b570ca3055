// Selecting text with the mouse and the keys, and scrolling to a place of it.
#include <algorithm>
#include <cmath>

#include "gui/document/view.hpp"

namespace warpbook::gui {
namespace {
constexpr std::size_t kMostWords = 80;  // bytes: a longer selection is not what somebody looks for

const SetParagraph* paragraph_at(const std::vector<SetParagraph>& set, ImVec2 point) {
  for (const SetParagraph& one : set) {
    if (point.x >= one.corner.x && point.x < one.corner.x + one.width && point.y >= one.corner.y &&
        point.y < one.corner.y + one.paragraph->height())
      return &one;
  }
  return nullptr;
}
}  // namespace

TextPlace DocumentView::place_at(const Ui& ui, ImVec2 point) const {
  const SetParagraph* nearest = nullptr;
  float best = FLT_MAX;
  for (const SetParagraph& set : shared_.set) {
    const float over = set.corner.y - point.y,
                under = point.y - (set.corner.y + set.paragraph->height());
    const float distance = std::max({0.0f, over, under});
    if (distance < best) {
      best = distance;
      nearest = &set;
    }
  }
  if (!nearest) return {};
  const ImVec2 inside{point.x - nearest->corner.x, std::clamp(point.y - nearest->corner.y, 0.0f,
                                                              nearest->paragraph->height() - 1)};
  return {nearest->node, nearest->part, nearest->paragraph->at(inside, ui.ink()).offset};
}

void DocumentView::select_by_mouse(const Ui& ui) {
  constexpr float kEdge = 24, kPace = 9;  // points a second for each point beyond the edge
  const ImVec2 mouse = ImGui::GetMousePos();
  const SetParagraph* under = paragraph_at(shared_.set, mouse);
  // A link and a choice are items, and text as well.
  const bool over = ImGui::IsWindowHovered(ImGuiHoveredFlags_AllowWhenBlockedByActiveItem) &&
                    (under || !ImGui::IsAnyItemHovered());
  if (over && under && !ImGui::IsAnyItemHovered())
    ImGui::SetMouseCursor(ImGuiMouseCursor_TextInput);
  if (over && ImGui::IsMouseClicked(ImGuiMouseButton_Left)) {
    const bool extend = ImGui::GetIO().KeyShift && !selection_.empty();
    selection_.press(text_, place_at(ui, mouse), ImGui::GetMouseClickedCount(0), extend);
    selecting_ = true;
    shared_.grabbed = !selection_.empty();
    goal_x_ = -1;
  }
  scrolls_by_drag_ = false;
  if (!selecting_) return;
  if (!ImGui::IsMouseDown(ImGuiMouseButton_Left)) {
    selecting_ = shared_.grabbed = false;
    return;
  }
  if (!ImGui::IsMouseDragging(ImGuiMouseButton_Left)) return;
  shared_.grabbed = true;
  const float top = ImGui::GetWindowPos().y + kEdge,
              bottom = top + ImGui::GetWindowHeight() - 2 * kEdge;
  selection_.drag(text_, place_at(ui, {mouse.x, std::clamp(mouse.y, top, bottom)}));
  const float beyond = mouse.y < top ? mouse.y - top : std::max(0.0f, mouse.y - bottom);
  scrolls_by_drag_ = beyond != 0;
  if (scrolls_by_drag_) ImGui::SetScrollY(scroll_ + beyond * kPace * ImGui::GetIO().DeltaTime);
}

void DocumentView::select_by_keys(const Ui& ui, float width) {
  if (selection_.empty() || ui.typing) return;
  constexpr ImGuiInputFlags kKeys = ImGuiInputFlags_RouteGlobal | ImGuiInputFlags_Repeat;
  const auto pressed = [](ImGuiKey key) { return ImGui::Shortcut(ImGuiMod_Shift | key, kKeys); };
  const TextPlace at = selection_.focus();
  TextPlace to = at;
  if (pressed(ImGuiKey_RightArrow)) to = text_.after(at);
  if (pressed(ImGuiKey_LeftArrow)) to = text_.before(at);
  if (to != at) goal_x_ = -1;
  if (pressed(ImGuiKey_DownArrow)) to = next_line(ui, at, 1, width);
  if (pressed(ImGuiKey_UpArrow)) to = next_line(ui, at, -1, width);
  if (to == at) return;
  selection_.extend_to(to);
  reveal(ui, to, width);
}

void DocumentView::handle_selection(const Ui& ui, float width) {
  select_by_mouse(ui);
  select_by_keys(ui, width);
}

std::vector<SetParagraph> DocumentView::laid_out(const Ui& ui, std::size_t node, float width) {
  if (node == 0 || node > ui.book.document().nodes.size()) return {};
  FlowShared alone;
  Flow flow(ui, Flow::Pass::measure, {0, tops_[node - 1]}, width, node, alone);
  set_node(flow, ui.book.document().nodes[node - 1], context_of(ui, node - 1));
  return std::move(alone.set);
}

TextPlace DocumentView::next_line(const Ui& ui, const TextPlace& place, int by, float width) {
  const auto set_of = [&](const std::vector<SetParagraph>& set, std::size_t part) {
    const auto found = std::ranges::find(set, part, &SetParagraph::part);
    return found == set.end() ? nullptr : &*found;
  };
  const auto here = laid_out(ui, place.node, width);
  const SetParagraph* set = set_of(here, place.part);
  float y = -1, x = 0;
  if (set) {
    const ImVec2 caret = set->paragraph->place_of(place.offset, ui.ink());
    x = goal_x_ >= 0 ? goal_x_ : set->corner.x + caret.x;
    y = by > 0 ? caret.y + set->paragraph->line_height_at(caret.y) + 1 : caret.y - 1;
    goal_x_ = x;
    if (y >= 0 && y < set->paragraph->height())
      return {place.node, place.part, set->paragraph->at({x - set->corner.x, y}, ui.ink()).offset};
  }
  const TextPart* part = text_.neighbour(place, by);
  if (!part) return by > 0 ? text_.end() : text_.begin();
  const auto there = laid_out(ui, part->node, width);
  const SetParagraph* next = set_of(there, part->part);
  if (!next) return {part->node, part->part, by > 0 ? part->text.size() : 0};
  const float line = by > 0 ? 1 : next->paragraph->height() - 1;
  return {part->node, part->part, next->paragraph->at({x - next->corner.x, line}, ui.ink()).offset};
}

void DocumentView::reveal(const Ui& ui, const TextPlace& place, float width) {
  constexpr float kMargin = 48;
  float top = 0, line = 0;
  for (const SetParagraph& set : laid_out(ui, place.node, width)) {
    if (set.part != place.part) continue;
    top = set.corner.y + set.paragraph->place_of(place.offset, ui.ink()).y;
    line = set.paragraph->line_height_at(set.paragraph->place_of(place.offset, ui.ink()).y);
  }
  const float scroll = ImGui::GetScrollY(), height = ImGui::GetWindowHeight();
  if (top >= scroll + kMargin && top + line <= scroll + height - kMargin) return;
  wanted_scroll_ = std::max(0.0f, std::round(top - height / 3));
}

void DocumentView::open_find() {
  std::string words = selection_.empty() ? std::string() : selected_text();
  if (words.size() > kMostWords || words.find('\n') != std::string::npos) words.clear();
  // From what is at the view's top: a reader wants to be led on, not back.
  TextPlace from = selection_.from();
  if (selection_.empty()) {
    for (std::size_t i = 0; i < tops_.size(); ++i) {
      if (tops_[i] + heights_[i] >= scroll_) {
        from = {i + 1, 0, 0};
        break;
      }
    }
  }
  find_.open(std::move(words), from);
}

}  // namespace warpbook::gui
