// The picture of a timeline under mouse and keyboard, and the shown box in words.
#include <array>
#include <optional>
#include <string>

#include "gui/controls/point.hpp"
#include "gui/exhibits/drawn.hpp"
#include "gui/exhibits/panels.hpp"
#include "lab/exhibits/timeline/timeline_picture.hpp"

namespace warpbook::gui {
namespace {
/// Room for the words of a box: two lines, or three where lines are short.
float room_for_words(float width) { return width < 640 ? 64 : 44; }

using Timeline = lab::TimelineExhibit;
using ShownBox = std::optional<std::size_t>;

/// The box of the span that was chosen last: a choice of the view's own, kept by ImGui. Boxes depend on the width, spans do not.
ShownBox kept_box(const Timeline& timeline, const lab::TimelinePlane& plane) {
  return plane.piece_of(kept("span", timeline.spans.size()));
}

void keep_box(const lab::TimelinePlane& plane, ShownBox box) {
  if (box) keep("span", plane.pieces()[*box].run.first);
}

/// Left and right go along a lane, up and down from lane to lane.
void step_by_keys(const Timeline& timeline, const lab::TimelinePlane& plane) {
  constexpr std::array kKeys{ImGuiKey_LeftArrow, ImGuiKey_RightArrow, ImGuiKey_UpArrow,
                             ImGuiKey_DownArrow};
  own_keys(kKeys);
  const auto pressed = [&](std::size_t key) { return ImGui::IsKeyPressed(kKeys[key]); };
  const ShownBox now = kept_box(timeline, plane);
  if (!now) {
    if (pressed(0) || pressed(1) || pressed(2) || pressed(3)) keep_box(plane, 0);
    return;
  }
  if (pressed(0)) keep_box(plane, plane.beside(*now, -1));
  if (pressed(1)) keep_box(plane, plane.beside(*now, 1));
  if (pressed(2)) keep_box(plane, plane.on_next_lane(*now, -1));
  if (pressed(3)) keep_box(plane, plane.on_next_lane(*now, 1));
}

/// Hovering shows the box under the mouse, a press keeps it; on the picture the arrow keys go from box to box.
ShownBox shown_box(const FigureArea& area, const Timeline& timeline,
                   const lab::TimelinePlane& plane) {
  const bool pressed = item_over("lanes", area.corner, plane.area());
  if (ImGui::IsItemFocused() && ImGui::GetIO().NavVisible) step_by_keys(timeline, plane);
  if (!ImGui::IsItemHovered()) return kept_box(timeline, plane);
  const ShownBox over = plane.piece_at(mouse_in(area.corner));
  if (pressed) keep_box(plane, over);
  return over ? over : kept_box(timeline, plane);
}

std::string words_of(const Ui& ui, const Timeline& timeline, const lab::TimelinePlane& plane,
                     ShownBox shown) {
  if (!shown) return ui.tr("gui.timeline.how");
  return lab::piece_text(timeline, plane.pieces()[*shown], lab::whole_of(timeline),
                         ui.book.strings());
}
}  // namespace

float figure_of(const FigureArea& area, const Timeline& timeline, const std::string& /*id*/) {
  const Ui& ui = area.ui;
  if (timeline.spans.empty()) return words(area, ui.tr("timeline.nothing"), ui.caption_style());
  const lab::Canvas canvas = canvas_for(area);
  const auto& plane = kept_layout<lab::TimelinePlane>(area, &timeline, [&] {
    return lab::TimelinePlane(timeline, beside_as<Timeline>(area), canvas);
  });
  const auto below = static_cast<float>(plane.height());
  if (!area.draw) return below + room_for_words(area.width);
  const ShownBox shown = shown_box(area, timeline, plane);
  draw_kept(area, &timeline, FigureInputs(shown),
            [&] { return drawing_of(timeline, plane, shown, canvas); });
  const ParagraphStyle style{13, 20, Face::sans, Face::bold, ui.theme.t2, 0};
  words({ui, {area.corner.x, area.corner.y + below + 4}, area.width, true},
        words_of(ui, timeline, plane, shown), style);
  return below + room_for_words(area.width);
}

}  // namespace warpbook::gui
