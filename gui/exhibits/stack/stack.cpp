// A machine as a stack: what compiles across its width, and below it what kernels run on, GPU beside CPU, each part standing
// on the next one.
#include <algorithm>
#include <string>

#include "gui/controls/widgets.hpp"
#include "gui/exhibits/panels.hpp"
#include "lab/exhibits/stack/stack_words.hpp"

namespace warpbook::gui {
namespace {
using lab::StackExhibit;
using PartState = StackExhibit::State;

constexpr float kHeading = 26, kHead = 30, kLine = 20, kPad = 10, kStackGap = 3, kColumnGap = 16,
                kNarrow = 460;

ParagraphStyle problem_style(const Ui& ui) {
  return {14, 20, Face::sans, Face::bold, ui.theme.t2, ui.theme.t1};
}
ParagraphStyle remedy_style(const Ui& ui) {
  return {14, 20, Face::mono, Face::mono_bold, ui.theme.accent_text, 0};
}

Icon icon_of(PartState state) {
  switch (state) {
    case PartState::here: return Icon::check;
    case PartState::missing: return Icon::waiting;
    case PartState::unusable: return Icon::cross;
  }
  __builtin_unreachable();
}
Colour colour_of(const Theme& theme, PartState state) {
  switch (state) {
    case PartState::here: return theme.ok;
    case PartState::missing: return theme.t4;
    case PartState::unusable: return theme.bad;
  }
  __builtin_unreachable();
}

/// As much of a path's end as fits: the file's name says more than the folders before it.
std::string path_end(const Ink& ink, const Type& type, const std::string& path, float room) {
  if (ink.width(type, path) <= room) return path;
  for (std::size_t at = path.find('/', 1); at != std::string::npos; at = path.find('/', at + 1)) {
    const std::string end = "…" + path.substr(at);
    if (ink.width(type, end) <= room) return end;
  }
  return ink.fitted(type, path, room);
}

float part_height(const FigureArea& area, const StackExhibit::Part& part) {
  const Ui& ui = area.ui;
  const FigureArea inside{ui, {}, area.width - 2 * kPad, false};
  float height = kHead;
  if (part.found.size() > 1) height += kLine * static_cast<float>(part.found.size() - 1);
  if (const std::string problem = lab::problem_of(part, ui.book.strings()); !problem.empty())
    height += words(inside, problem, problem_style(ui)) + 4;
  if (!part.remedy.empty()) height += words(inside, part.remedy, remedy_style(ui)) + 4;
  return height + (height > kHead ? 6 : 0);
}

void draw_part(const FigureArea& area, const StackExhibit::Part& part, float height) {
  const Ui& ui = area.ui;
  const Ink ink = ui.ink();
  const ImVec2 min = area.corner, max{min.x + area.width, min.y + height};
  if (part.state == PartState::missing) {
    ink.dashed_outline(min, max, ui.theme.t4, measure::kControlRadius);
  } else {
    ink.fill(min, max, part.state == PartState::here ? ui.theme.s3 : ui.theme.bad_tint,
             measure::kControlRadius);
  }
  const float middle = min.y + kHead / 2, left = min.x + kPad;
  ink.icon(icon_of(part.state), {left + 6, middle}, colour_of(ui.theme, part.state), 13,
           ui.theme.s2);
  const Type name{Face::bold, 15, ui.theme.t1};
  const std::string says = ui.tr(part.name);
  ink.text_middle(left + 20, middle, name, says);
  const float taken = left + 20 + ink.width(name, says) + 12;
  const bool named = !part.found.empty();
  const std::string first = named ? part.found.front() : ui.tr(lab::state_key(part.state));
  const Type type = named ? ui.figures(ui.theme.t1) : ui.note();
  ink.text_middle(max.x - kPad, middle, type,
                  path_end(ink, type, first, std::max(0.0f, max.x - kPad - taken)), Align::right);
  float y = min.y + kHead;
  for (std::size_t i = 1; i < part.found.size(); ++i) {
    const Type path{Face::mono, 12.5f, ui.theme.t3};
    ink.text_middle(left, y + kLine / 2, path,
                    path_end(ink, path, part.found[i], area.width - 2 * kPad));
    y += kLine;
  }
  const float width = area.width - 2 * kPad;
  if (const std::string problem = lab::problem_of(part, ui.book.strings()); !problem.empty())
    y += words({ui, {left, y}, width, true}, problem, problem_style(ui)) + 4;
  if (!part.remedy.empty()) words({ui, {left, y}, width, true}, part.remedy, remedy_style(ui));
}

/// One side of the stack; gives back the height that it takes.
float side_of(const FigureArea& area, const lab::StackSide& side) {
  const Ui& ui = area.ui;
  if (area.draw) {
    ui.ink().text_middle(area.corner.x, area.corner.y + kHeading / 2, ui.note(),
                         ui.tr("stack.side." + std::string(lab::name_of(side.side))));
  }
  float y = kHeading;
  for (const StackExhibit::Part* part : side.parts) {
    const FigureArea place{ui, {area.corner.x, area.corner.y + y}, area.width, area.draw};
    const float height = part_height(place, *part);
    if (area.draw) draw_part(place, *part, height);
    y += height + kStackGap;
  }
  return y;
}

float fits_of(const FigureArea& area, const StackExhibit& stack) {
  const Ui& ui = area.ui;
  float y = 0;
  for (const StackExhibit::Fit& fit : stack.fits) {
    const FigureArea place{ui, {area.corner.x + 22, area.corner.y + y}, area.width - 22, area.draw};
    const float height = words(place, ui.tr(fit.text), problem_style(ui));
    if (area.draw) {
      ui.ink().icon(fit.fits ? Icon::check : Icon::cross,
                    {area.corner.x + kPad, place.corner.y + 10},
                    fit.fits ? ui.theme.ok : ui.theme.bad, 12, ui.theme.s2);
    }
    y += height + 6;
  }
  if (!stack.when.empty()) {
    y += words({ui, {area.corner.x, area.corner.y + y}, area.width, area.draw},
               ui.tr("stack.when", {{"when", stack.when}}), ui.caption_style());
  }
  return y;
}
}  // namespace

float figure_of(const FigureArea& area, const StackExhibit& stack, const std::string& /*id*/) {
  const Ui& ui = area.ui;
  const auto sides = lab::sides_of(stack);
  if (sides.empty()) return words(area, ui.tr("stack.empty"), ui.caption_style());
  float y = 0;
  const bool beside = area.width >= kNarrow && sides.size() == 3;
  for (std::size_t i = 0; i < sides.size(); ++i) {
    const ImVec2 corner{area.corner.x, area.corner.y + y};
    if (beside && i == 1) {
      const float half = (area.width - kColumnGap) / 2;
      const float left = side_of({ui, corner, half, area.draw}, sides[1]),
                  right = side_of({ui, {corner.x + half + kColumnGap, corner.y}, half, area.draw},
                                  sides[2]);
      y += std::max(left, right) + kPad;
      break;
    }
    y += side_of({ui, corner, area.width, area.draw}, sides[i]) + kPad;
  }
  return y + fits_of({ui, {area.corner.x, area.corner.y + y}, area.width, area.draw}, stack);
}

}  // namespace warpbook::gui
