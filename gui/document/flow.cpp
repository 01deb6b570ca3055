#include "gui/document/flow.hpp"

#include <algorithm>

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
    const bool pressed = item(box.run->kind == Run::Kind::link ? "link" : "parameter", min, max);
    if (ImGui::IsItemHovered()) {
      hot = box.run;
      ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
    }
    if (pressed)
      (box.run->kind == Run::Kind::link ? shared_->follow : shared_->focus_parameter) =
          box.run->target;
    ImGui::PopID();
  }
}

void Flow::paragraph(const Runs& runs, const ParagraphStyle& style, float indent) {
  const Ink ink = ui_->ink();
  const Paragraph& paragraph = ui_->paragraphs.get(runs, style, width_ - indent, ink);
  const ImVec2 corner{left_ + indent, y_};
  const std::size_t part = part_++;
  const TextPlace begin{block_, part, 0}, end{block_, part, paragraph.text().size()};
  std::size_t from = 0, to = 0;
  if (shared_->from < end && shared_->to > begin) {
    from = shared_->from > begin ? shared_->from.offset : 0;
    to = shared_->to < end ? shared_->to.offset : end.offset;
  }
  switch (pass_) {
    case Pass::measure: break;
    case Pass::collect:
      if (to > from) {
        if (!shared_->collected.empty()) shared_->collected += '\n';
        shared_->collected += paragraph.text().substr(from, to - from);
      }
      break;
    case Pass::draw: {
      const Run* hot = nullptr;
      if (ImGui::IsRectVisible(corner, {right(), y_ + paragraph.height()})) {
        links(paragraph, corner, hot);
        ParagraphColours colours = ui_->paragraph_colours();
        if (chip_) colours.chip = chip_;
        paragraph.draw(ink, corner, colours, from, to, hot);
        shared_->drawn.push_back({block_, part, &paragraph, corner, width_ - indent});
      }
      break;
    }
  }
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
