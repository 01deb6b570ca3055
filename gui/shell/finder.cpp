#include "gui/shell/finder.hpp"

#include <algorithm>
#include <array>

#include "gui/controls/point.hpp"
#include "gui/controls/widgets.hpp"
#include "gui/shell/actions.hpp"
#include "lab/text/pinyin.hpp"
#include "lab/text/unicode.hpp"

namespace warpbook::gui {
namespace {
constexpr float kWidth = 640, kTop = 56, kRow = 34, kMostHeight = 0.7f, kInset = 12;
constexpr std::size_t kMostPlaces = 60, kFewPlaces = 8;

std::string title_of(const Book& book, const std::string& slug) {
  const auto& chapters = book.chapters();
  const auto found = std::ranges::find(chapters, slug, &ChapterEntry::slug);
  return found == chapters.end() ? slug : found->title;
}

/// Whether each of the words, which blanks part, is in the text.
bool has_all_words(std::string_view text, std::string_view words) {
  while (!words.empty()) {
    const std::size_t end = std::min(words.find(' '), words.size());
    if (text.find(words.substr(0, end)) == std::string_view::npos) return false;
    words.remove_prefix(std::min(end + 1, words.size()));
  }
  return true;
}
}  // namespace

std::pair<std::size_t, std::size_t> hit_in(std::string_view label, std::string_view typed) {
  const std::string folded = lab::case_folded(label), words = lab::case_folded(typed);
  const std::size_t at = words.empty() ? std::string::npos : folded.find(words);
  // Of the few capitals whose small letter takes more or fewer bytes the place is not known.
  if (at == std::string::npos || folded.size() != label.size()) return {0, 0};
  return {at, words.size()};
}

void Finder::open(What what) {
  if (!open_) before_.remember();
  open_ = true;
  what_ = what;
  box_.text.clear();
  box_.focus();
  rows_.clear();
  found_for_ = "\n";  // no box holds that, so the list is made in the next frame
  at_ = 0;
}

void Finder::close() {
  if (!open_) return;
  open_ = false;
  before_.give_back();
}

void Finder::find_places(const Ui& ui, std::size_t most) {
  for (BookPlace& place : ui.book.search().find(box_.text, most)) {
    Row row{place.says, {}, {}, nullptr};
    if (place.kind != BookPlace::Kind::chapter) row.note = title_of(ui.book, place.chapter);
    row.place = std::move(place);
    rows_.push_back(std::move(row));
  }
  if (!box_.text.empty()) return;
  for (const ChapterEntry& chapter : ui.book.chapters())
    rows_.push_back({chapter.title, {}, BookPlace{BookPlace::Kind::chapter, chapter.slug, 0, {}}});
}

void Finder::find_actions(const Ui& ui, const Presentation& lecture) {
  const std::string typed = lab::case_folded(box_.text);
  for (const Action& action : actions()) {
    if (!action.act || !acts_now(action, lecture)) continue;
    std::string says = ui.tr("gui.action." + std::string(action.id));
    // Other words by which readers look for it.
    const std::string also = "gui.also." + std::string(action.id);
    std::string words = says;
    if (ui.book.strings().has(also)) words += "\n" + ui.tr(also);
    if (!has_all_words(lab::case_folded(words), typed) &&
        lab::pinyin_initials(words).find(typed) == std::string::npos)
      continue;
    rows_.push_back({std::move(says), std::string(action.keys), {}, &action});
  }
  // Who types what a chapter is about wants to go there.
  if (!typed.empty()) find_places(ui, kFewPlaces);
}

void Finder::find(const Ui& ui, const Presentation& lecture) {
  if (found_for_ == box_.text) return;
  found_for_ = box_.text;
  rows_.clear();
  at_ = 0;
  what_ == What::places ? find_places(ui, kMostPlaces) : find_actions(ui, lecture);
}

void Finder::handle_keys() {
  constexpr std::array kKeys{ImGuiKey_UpArrow, ImGuiKey_DownArrow};
  own_keys(kKeys);
  if (rows_.empty()) return;
  const std::size_t count = rows_.size();
  const auto pressed = [](ImGuiKey key) { return ImGui::IsKeyPressed(key); };
  moved_ = pressed(ImGuiKey_UpArrow) || pressed(ImGuiKey_DownArrow);
  if (pressed(ImGuiKey_DownArrow)) at_ = (at_ + 1) % count;
  if (pressed(ImGuiKey_UpArrow)) at_ = (at_ + count - 1) % count;
}

void Finder::choose(const Row& row) {
  place_ = row.place;
  action_ = row.action;
  if (place_) before_ = {};  // the focus goes where the page goes
  close();
}

void Finder::draw_rows(const Ui& ui, float width) {
  const Ink ink = ui.ink();
  const ImVec2 begin = ImGui::GetCursorScreenPos();
  std::optional<std::size_t> pressed;
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    const Row& row = rows_[i];
    const ImVec2 min{begin.x, begin.y + kRow * static_cast<float>(i)},
        max{begin.x + width, min.y + kRow};
    ImGui::PushID(static_cast<int>(i));
    if (item("row", min, max)) pressed = i;
    const bool hovered = ImGui::IsItemHovered();
    if (i == at_ && moved_) ImGui::SetScrollHereY();
    ImGui::PopID();
    if (i == at_ || hovered)
      ink.fill(min, max, i == at_ ? ui.theme.accent_tint : ui.theme.s4, measure::kControlRadius);
    const float middle = (min.y + max.y) / 2, note = ink.width(ui.note(), row.note);
    const float room = width - 2 * kInset - (note > 0 ? note + 16 : 0);
    const std::string label = ink.fitted(ui.label(), row.label, room);
    if (const auto [at, size] = hit_in(label, box_.text); size > 0) {
      const float left = min.x + kInset + ink.width(ui.label(), label.substr(0, at));
      ink.fill({left, min.y + 6}, {left + ink.width(ui.label(), label.substr(at, size)), max.y - 6},
               ui.theme.found(false), 2);
    }
    ink.text_middle(min.x + kInset, middle, ui.label(), label);
    ink.text_middle(max.x - kInset, middle, ui.note(), row.note, Align::right);
  }
  if (rows_.empty() && !box_.text.empty()) {
    ink.text_middle(begin.x + kInset, begin.y + kRow / 2, ui.caption(),
                    ui.tr("gui.finder.none", {{"words", box_.text}}));
  }
  ImGui::SetCursorScreenPos(
      {begin.x, begin.y + kRow * static_cast<float>(std::max<std::size_t>(1, rows_.size())) - 1});
  ImGui::Dummy({1, 1});
  if (pressed) choose(rows_[*pressed]);
}

void Finder::draw(const Ui& ui, const Presentation& lecture) {
  if (!open_) return;
  find(ui, lecture);
  const ImGuiViewport& viewport = *ImGui::GetMainViewport();
  const float width = std::min(kWidth, viewport.Size.x - 32), head = measure::kButton + 2 * kInset;
  const float list = kRow * static_cast<float>(std::max<std::size_t>(1, rows_.size()));
  const float height = std::min(head + list + kInset, std::floor(viewport.Size.y * kMostHeight));
  ImGui::SetNextWindowPos(
      {viewport.Pos.x + std::floor((viewport.Size.x - width) / 2), viewport.Pos.y + kTop});
  ImGui::SetNextWindowSize({width, height});
  ImGui::PushStyleColor(ImGuiCol_WindowBg, ui.theme.s2);
  ImGui::PushStyleVar(ImGuiStyleVar_WindowRounding, measure::kPanelRadius);
  constexpr ImGuiWindowFlags kFlags =
      ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoSavedSettings;
  if (ImGui::Begin("finder", nullptr, kFlags)) {
    const ImVec2 at = ImGui::GetWindowPos();
    ui.ink().outline(at, {at.x + width, at.y + height}, ui.theme.s5, measure::kPanelRadius);
    const char* hint = what_ == What::places ? "gui.finder.places" : "gui.finder.actions";
    const Typed typed =
        box_.draw(ui, "##finder", {at.x + kInset, at.y + kInset}, width - 2 * kInset, ui.tr(hint));
    handle_keys();
    ImGui::SetCursorScreenPos({at.x + kInset, at.y + head});
    if (ImGui::BeginChild("rows", {width - 2 * kInset, height - head - kInset},
                          ImGuiChildFlags_None, ImGuiWindowFlags_NoSavedSettings))
      draw_rows(ui, ImGui::GetContentRegionAvail().x);
    ImGui::EndChild();
    if (typed == Typed::enter && at_ < rows_.size()) choose(rows_[at_]);
    const bool elsewhere = ImGui::IsMouseClicked(ImGuiMouseButton_Left) &&
                           !ImGui::IsWindowHovered(ImGuiHoveredFlags_ChildWindows);
    if (open_ && (typed == Typed::escape || elsewhere)) {
      close();
      if (elsewhere) take_none_focused();  // what was clicked has it
    }
  }
  ImGui::End();
  ImGui::PopStyleVar();
  ImGui::PopStyleColor();
}

}  // namespace warpbook::gui
