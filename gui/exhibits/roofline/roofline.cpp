// The picture of a roofline under mouse and keyboard, and the shown run in words.
#include <algorithm>
#include <array>

#include "gui/controls/point.hpp"
#include "gui/exhibits/drawn.hpp"
#include "gui/exhibits/panels.hpp"
#include "lab/exhibits/roofline/roofline_picture.hpp"

namespace warpbook::gui {
namespace {
constexpr float kWords = 44;

using Roofline = lab::RooflineExhibit;

/// The run that was chosen last: a choice of the view's own, kept by ImGui.
std::size_t kept_run(const Roofline& roofline) {
  return std::min<std::size_t>(kept("run", roofline.chosen), roofline.points.size() - 1);
}

void step_by_keys(const Roofline& roofline) {
  constexpr std::array kKeys{ImGuiKey_LeftArrow, ImGuiKey_RightArrow};
  own_keys(kKeys);
  const std::size_t now = kept_run(roofline);
  if (ImGui::IsKeyPressed(kKeys[0]) && now > 0) keep("run", now - 1);
  if (ImGui::IsKeyPressed(kKeys[1]) && now + 1 < roofline.points.size()) keep("run", now + 1);
}

/// Hovering shows the nearest run, a press keeps it; on the picture the arrow keys go from run to run.
std::size_t shown_run(const FigureArea& area, const Roofline& roofline,
                      const lab::RooflinePlane& plane) {
  if (!plane.any()) return kept_run(roofline);
  const bool pressed = item_over("plot", area.corner, plane.area());
  if (ImGui::IsItemFocused()) step_by_keys(roofline);
  if (!ImGui::IsItemHovered()) return kept_run(roofline);
  const auto over = plane.run_near(roofline, mouse_in(area.corner));
  if (over && pressed) keep("run", *over);
  return over.value_or(kept_run(roofline));
}
}  // namespace

float figure_of(const FigureArea& area, const Roofline& roofline, const std::string& /*id*/) {
  const Ui& ui = area.ui;
  if (roofline.points.empty()) return words(area, ui.tr("roofline.nothing"), ui.caption_style());
  const lab::Canvas canvas = canvas_for(area);
  const auto& plane = kept_layout<lab::RooflinePlane>(area, &roofline, [&] {
    return lab::RooflinePlane(roofline, beside_as<Roofline>(area), canvas);
  });
  const auto below = static_cast<float>(plane.height());
  if (!area.draw) return below + kWords;
  const std::size_t shown = shown_run(area, roofline, plane);
  draw_kept(area, &roofline, FigureInputs(shown),
            [&] { return drawing_of(roofline, plane, shown, canvas); });
  // What is chosen at first, the sentence below says.
  const ParagraphStyle style{13, 20, Face::sans, Face::bold, ui.theme.t2, 0};
  words({ui, {area.corner.x, area.corner.y + below + 4}, area.width, true},
        shown == roofline.chosen ? ui.tr("gui.roofline.how")
                                 : lab::point_text(roofline, shown, ui.book.strings()),
        style);
  return below + kWords;
}

}  // namespace warpbook::gui
