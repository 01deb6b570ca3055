#include "gui/document/flow.hpp"

#include <algorithm>

#include "gui/controls/tab_stops.hpp"
#include "gui/document/term_card.hpp"

namespace warpbook::gui {

float Flow::height_of(const Runs& runs, const ParagraphStyle& style, float indent) const {
  return ui_->paragraphs.get(runs, style, width_ - indent, ui_->ink()).height();
}

void Flow::links(const Paragraph& paragraph, ImVec2 corner, const Run*& hot) {
  int number = 0;
  for (const Paragraph::Box& box : paragraph.boxes_of_links()) {
    ImGui::PushID(static_cast<int>(part_ * 64) + number++);
    const ImVec2 min{corner.x + box.min.x, corner.y + box.min.y},
        max{corner.x + box.max.x, corner.y + box.max.y};
    const bool leads = box.run->kind == Run::Kind::link;
    const bool followed = pressed(leads ? "link" : "parameter", min, max);
    if (leads && box.run->target.starts_with("#") && !shared_->grabbed &&
        ImGui::IsItemHovered(ImGuiHoveredFlags_DelayShort | ImGuiHoveredFlags_ForTooltip))
      term_card(*ui_, box.run->target.substr(1), min, max);
    if (ImGui::IsItemHovered()) {
      hot = box.run;
      ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
    }
    if (followed) (leads ? shared_->follow : shared_->focus_parameter) = box.run->target;
    ImGui::PopID();
  }
}

void Flow::begin_choices() {
  if (!drawing() || shared_->choosing != node_) return;
  shared_->choosing = 0;
  look_for_next_item();
}

std::vector<TextMark> Flow::marks_of(std::size_t part, std::size_t size) const {
  std::vector<TextMark> marks;
  const TextPlace begin{node_, part, 0}, end{node_, part, size};
  if (shared_->from < end && shared_->to > begin) {
    marks.push_back({shared_->from > begin ? shared_->from.offset : 0,
                     shared_->to < end ? shared_->to.offset : size, ui_->theme.selected(), 0});
  }
  const auto first = std::ranges::lower_bound(shared_->found, TextRange{node_, part, 0, 0});
  for (auto at = first; at != shared_->found.end(); ++at) {
    if (at->node != node_ || at->part != part) break;
    const bool now = at - shared_->found.begin() == static_cast<std::ptrdiff_t>(shared_->found_now);
    marks.push_back({at->from, at->to, ui_->theme.found(now), now ? ui_->theme.warn : Colour{0}});
  }
  return marks;
}

void Flow::paragraph(const Runs& runs, const ParagraphStyle& style, float indent,
                     std::string lead) {
  const Ink ink = ui_->ink();
  const Paragraph& paragraph = ui_->paragraphs.get(runs, style, width_ - indent, ink);
  const ImVec2 corner{left_ + indent, y_};
  const std::size_t part = part_++;
  const bool seen = drawing() && is_wanted(corner, {right(), y_ + paragraph.height()});
  if (seen) {
    const Run* hot = nullptr;
    links(paragraph, corner, hot);
    ParagraphColours colours = ui_->paragraph_colours();
    if (chip_) colours.chip = chip_;
    paragraph.draw(ink, corner, colours, marks_of(part, paragraph.text().size()), hot);
  }
  if (seen || (pass_ == Pass::measure && !trial_))
    shared_->set.push_back({node_, part, &paragraph, corner, width_ - indent, std::move(lead)});
  y_ += paragraph.height();
}

void Flow::inset(float left, float right, const std::function<void(Flow&)>& body) {
  left_ += left;
  width_ -= left + right;
  body(*this);
  left_ -= left;
  width_ += left + right;
}

float Flow::measured(const std::function<void(Flow&)>& body) const {
  Flow other = *this;
  other.pass_ = Pass::measure;
  other.trial_ = true;
  body(other);
  return other.y_ - y_;
}

void Flow::card(const Card& look, const std::function<void(Flow&)>& body) {
  const auto content = [&](Flow& flow) {
    flow.gap(look.padding_top);
    flow.inset(look.padding_x, look.padding_x, body);
    flow.gap(look.padding_bottom);
  };
  if (drawing()) {
    const Ink ink = ui_->ink();
    const ImVec2 min = corner(), max{right(), y_ + measured(content)};
    ground(*ui_, min, max, look.fill);
    if (look.bar) ink.list()->AddRectFilled(min, {min.x + measure::kAccentBar, max.y}, look.bar, 2);
  }
  content(*this);
}

}  // namespace warpbook::gui
