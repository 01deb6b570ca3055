// A list of things that hold or do not: icon, sentence, what was got; under a failed one its cases
// and mismatches.
#include <algorithm>

#include "gui/controls/point.hpp"
#include "gui/controls/widgets.hpp"
#include "gui/exhibits/panels.hpp"

namespace warpbook::gui {
namespace {
using Item = lab::CheckExhibit::Item;
using CheckState = lab::CheckExhibit::State;
constexpr float kRow = 30, kIndent = 30;

void draw_state(const Ui& ui, CheckState state, ImVec2 middle) {
  const Ink ink = ui.ink();
  switch (state) {
    case CheckState::passed: ink.icon(Icon::check, middle, ui.theme.ok, 15, ui.theme.s2); break;
    case CheckState::failed: ink.icon(Icon::cross, middle, ui.theme.bad, 15, ui.theme.s2); break;
    case CheckState::warning:
      ink.icon(Icon::warning, middle, ui.theme.warn, 15, ui.theme.s2);
      break;
    case CheckState::waiting: ink.icon(Icon::waiting, middle, ui.theme.t4, 14); break;
  }
}

float draw_cases(const FigureArea& area, const Item& item) {
  const Ui& ui = area.ui;
  const Ink ink = ui.ink();
  float x = area.corner.x, y = area.corner.y;
  const Type type{Face::mono, 12.5f, 0};
  for (const lab::CaseLabel& one : lab::labels_of(item.cases, ui.book.strings())) {
    const float width = 8 + 14 + 4 + ink.width(type, one.text) + 9;
    if (x + width > area.corner.x + area.width && x > area.corner.x) {
      x = area.corner.x;
      y += 28;
    }
    if (area.draw) {
      const Colour colour = one.passed ? ui.theme.ok : ui.theme.bad;
      ink.fill({x, y}, {x + width, y + 23}, one.passed ? ui.theme.ok_tint : ui.theme.bad_tint,
               measure::kControlRadius);
      ink.icon(one.passed ? Icon::check : Icon::cross, {x + 14, y + 11.5f}, colour, 11);
      ink.text_middle(x + 25, y + 11.5f, {type.face, type.size, colour}, one.text);
    }
    x += width + 5;
  }
  return y + 28 - area.corner.y;
}

/// Which case the mismatches below are of, how it calls the kernel and what its arrays hold then.
float draw_inputs(const FigureArea& area, const lab::CheckExhibit::Inputs& inputs) {
  const Ui& ui = area.ui;
  constexpr float kInset = 12;
  float y = area.corner.y;
  const auto add = [&](const std::string& text, const ParagraphStyle& style, float inset) {
    y += words({ui, {area.corner.x + inset, y}, area.width - inset, area.draw}, text, style);
  };
  const ParagraphStyle code{13, 20, Face::mono, Face::mono, ui.theme.t1, 0};
  add(ui.tr("check.inputs", {{"name", inputs.name}}), ui.caption_style(), 0);
  for (const std::string& call : inputs.calls) add(call, code, kInset);
  for (const auto& values : inputs.arrays)
    add(lab::values_text(values, ui.book.strings()), ui.caption_style(), kInset);
  return y - area.corner.y;
}

float draw_mismatches(const FigureArea& area, const Item& item) {
  const Ui& ui = area.ui;
  constexpr float kLine = 24;
  const float height = kLine * static_cast<float>(item.mismatches.size() + 1) + 8;
  if (!area.draw) return height;
  const Ink ink = ui.ink();
  const ImVec2 corner = area.corner;
  ink.fill(corner, {corner.x + area.width, corner.y + height}, ui.theme.s3,
           measure::kControlRadius);
  const float index = corner.x + 64, expected = index + 105, got = expected + 75, by = got + 30;
  float middle = corner.y + 4 + kLine / 2;
  ink.text_middle(index, middle, ui.note(), ui.tr("gui.check.index"), Align::right);
  ink.text_middle(expected, middle, ui.note(), ui.tr("gui.check.expected"), Align::right);
  ink.text_middle(got, middle, ui.note(), ui.tr("gui.check.got"), Align::right);
  // Where no writer is known at all, nobody watched: that nobody wrote is then not said.
  const bool watched =
      std::ranges::any_of(item.mismatches, [](const auto& one) { return !one.written_by.empty(); });
  if (watched) ink.text_middle(by, middle, ui.note(), ui.tr("gui.check.written-by"));
  for (const auto& one : item.mismatches) {
    middle += kLine;
    ink.text_middle(index, middle, ui.figures(ui.theme.t1), lab::grouped(one.index), Align::right);
    ink.text_middle(expected, middle, ui.figures(ui.theme.t1),
                    ink.fitted(ui.figures(0), lab::typeset(one.expected), 100), Align::right);
    ink.text_middle(got, middle, ui.figures(ui.theme.bad),
                    ink.fitted(ui.figures(0), lab::typeset(one.got), 70), Align::right);
    if (!watched) continue;
    const std::string who =
        one.written_by.empty() ? ui.tr("gui.check.nobody") : ui.tr(one.written_by);
    ink.text_middle(by, middle, ui.caption(),
                    ink.fitted(ui.caption(), who, corner.x + area.width - by - 8));
  }
  return height;
}

/// Pointing at what failed marks its line in the source, a press leads there.
void lead_to_line(const Ui& ui, std::uint32_t line, std::size_t number, ImVec2 min, ImVec2 max) {
  Link link;
  link.line = line;
  ImGui::PushID(static_cast<int>(number));
  const bool pressed = gui::item("to line", min, max);
  ImGui::PopID();
  if (ImGui::IsItemHovered()) ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
  if (ImGui::IsItemHovered() || pressed) point_at(ui, link, pressed);
}

/// A row of cells, one a part of the array: how they are filled says what is wrong there.
float draw_spread(const FigureArea& area, const lab::CheckExhibit::Spread& spread) {
  const Ui& ui = area.ui;
  constexpr float kCells = 18, kGap = 1;
  const ParagraphStyle caption = ui.caption_style();
  float y = area.corner.y;
  y += words({ui, {area.corner.x, y}, area.width, area.draw},
             lab::spread_caption(spread, ui.book.strings()), caption) +
       6;
  const float step = area.width / static_cast<float>(spread.parts.size());
  if (area.draw) {
    const Ink ink = ui.ink();
    float x = area.corner.x;
    for (const auto& part : spread.parts) {
      const ImVec2 from{x, y}, to{x + step - kGap, y + kCells};
      switch (lab::look_of(part)) {
        case lab::PartLook::right: ink.fill(from, to, ui.theme.ok_tint); break;
        case lab::PartLook::partly:
          ink.fill(from, to, ui.theme.bad_tint);
          ink.fill({from.x, (from.y + to.y) / 2}, to, ui.theme.bad);
          break;
        case lab::PartLook::wrong: ink.fill(from, to, ui.theme.bad); break;
        case lab::PartLook::unwritten:
          ink.fill(from, to, ui.theme.s3);
          ink.outline(from, to, ui.theme.bad);
          break;
      }
      x += step;
    }
  }
  y += kCells + 6;
  y += words({ui, {area.corner.x, y}, area.width, area.draw}, ui.tr("gui.check.spread-legend"),
             caption);
  return y - area.corner.y;
}
}  // namespace

float figure_of(const FigureArea& area, const lab::CheckExhibit& check, const std::string& /*id*/) {
  const Ui& ui = area.ui;
  const Ink ink = ui.ink();
  float y = area.corner.y;
  for (std::size_t number = 0; number < check.items.size(); ++number) {
    const Item& item = check.items[number];
    const float top = y;
    const std::string got = ui.tr(item.got);
    const float got_width = std::min(ink.width(ui.caption(), got), area.width * 0.45f);
    const ParagraphStyle style{15,
                               22,
                               Face::sans,
                               Face::bold,
                               item.state == CheckState::waiting ? ui.theme.t3 : ui.theme.t1,
                               0};
    const FigureArea text{
        ui, {area.corner.x + kIndent, y + 4}, area.width - kIndent - got_width - 16, area.draw};
    const float text_height =
        words({ui, text.corner, text.width, false}, ui.tr(item.sentence), style);
    if (area.draw) {
      draw_state(ui, item.state, {area.corner.x + 9, y + kRow / 2});
      words(text, ui.tr(item.sentence), style);
      ink.label(area.corner.x + area.width, y + kRow / 2, ui.caption(), got, got_width + 1,
                Align::right);
    }
    y += std::max(kRow, text_height + 8);
    const bool failed = item.state == CheckState::failed || item.state == CheckState::warning;
    const FigureArea below{ui, {area.corner.x + kIndent, y}, area.width - kIndent, area.draw};
    if (failed && !item.cases.empty()) y += draw_cases(below, item) + 4;
    if (failed && !item.inputs.calls.empty())
      y += draw_inputs({ui, {below.corner.x, y}, below.width, area.draw}, item.inputs) + 8;
    if (failed && !item.mismatches.empty()) {
      y += draw_mismatches({ui, {below.corner.x, y}, below.width, area.draw}, item) + 8;
    }
    if (failed && !item.spread.parts.empty())
      y += draw_spread({ui, {below.corner.x, y}, below.width, area.draw}, item.spread) + 8;
    if (failed && !item.advice.empty()) {
      const ParagraphStyle advice{15, 22, Face::sans, Face::bold, ui.theme.t2, 0};
      y += words({ui, {below.corner.x, y}, below.width, area.draw}, ui.tr(item.advice), advice) + 8;
    }
    if (area.draw && failed && item.line != 0)
      lead_to_line(ui, item.line, number, {area.corner.x, top}, {area.corner.x + area.width, y});
  }
  return y - area.corner.y;
}

}  // namespace warpbook::gui
