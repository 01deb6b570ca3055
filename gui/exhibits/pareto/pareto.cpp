// A Pareto chart under mouse and keyboard; an earlier kernel of the reader's can be opened again.
#include <algorithm>
#include <array>

#include "gui/controls/point.hpp"
#include "gui/controls/widgets.hpp"
#include "gui/exhibits/drawn.hpp"
#include "gui/exhibits/panels.hpp"
#include "lab/exhibits/pareto/pareto_picture.hpp"

namespace warpbook::gui {
namespace {
constexpr float kWords = 64;  ///< three lines

using Pareto = lab::ParetoExhibit;

/// The kernel that was chosen last: a choice of the view's own, kept by ImGui.
std::size_t kept_kernel(const Pareto& pareto) {
  return std::min<std::size_t>(kept("kernel", lab::first_shown(pareto)), pareto.points.size() - 1);
}

void step_by_keys(const Pareto& pareto) {
  constexpr std::array kKeys{ImGuiKey_LeftArrow, ImGuiKey_RightArrow};
  own_keys(kKeys);
  const std::size_t now = kept_kernel(pareto);
  if (ImGui::IsKeyPressed(kKeys[0]) && now > 0) keep("kernel", now - 1);
  if (ImGui::IsKeyPressed(kKeys[1]) && now + 1 < pareto.points.size()) keep("kernel", now + 1);
}

/// Hovering shows the nearest kernel, a press keeps it; on the picture the arrow keys go from one to the next.
std::size_t shown_kernel(const FigureArea& area, const Pareto& pareto,
                         const lab::ParetoPlane& plane) {
  if (!plane.any()) return kept_kernel(pareto);
  const bool pressed = item_over("plot", area.corner, plane.area());
  if (ImGui::IsItemFocused()) step_by_keys(pareto);
  if (!ImGui::IsItemHovered()) return kept_kernel(pareto);
  const auto over = plane.point_near(pareto, mouse_in(area.corner));
  if (over && pressed) keep("kernel", *over);
  return over.value_or(kept_kernel(pareto));
}

/// The button that puts the chosen kernel back into the editor, if that is an earlier one. Gives back the room that it takes.
float offer_source(const FigureArea& area, const Pareto& pareto, float top) {
  constexpr float kGap = 12;
  const Ui& ui = area.ui;
  const auto& chosen = pareto.points[kept_kernel(pareto)];
  if (chosen.origin != Pareto::Origin::earlier) return 0;
  const std::string label = ui.tr("gui.pareto.open");
  const ButtonLook look{ButtonKind::plain};
  const float width = button_width(ui, label, look);
  if (button(ui, "open-earlier", {area.corner.x + area.width - width, top}, label, look))
    ui.post([run = chosen.run](Book& book) { book.open_earlier_run(run); });
  return width + kGap;
}
}  // namespace

float figure_of(const FigureArea& area, const Pareto& pareto, const std::string& /*id*/) {
  const Ui& ui = area.ui;
  if (pareto.points.empty()) return words(area, ui.tr("pareto.nothing"), ui.caption_style());
  const lab::Canvas canvas = canvas_for(area);
  const auto& plane = kept_layout<lab::ParetoPlane>(
      area, &pareto, [&] { return lab::ParetoPlane(pareto, beside_as<Pareto>(area), canvas); });
  const auto below = static_cast<float>(plane.height());
  if (!area.draw) return below + kWords;
  const std::size_t shown = shown_kernel(area, pareto, plane);
  draw_kept(area, &pareto, FigureInputs(shown),
            [&] { return drawing_of(pareto, plane, shown, canvas); });
  const float top = area.corner.y + below + 4;
  const float taken = offer_source(area, pareto, top);
  // What is chosen at first, the sentence below says.
  words({ui, {area.corner.x, top}, area.width - taken, true},
        shown == lab::first_shown(pareto) ? ui.tr("gui.pareto.how")
                                          : lab::point_text(pareto, shown, ui.book.strings()),
        ui.caption_style());
  return below + kWords;
}

}  // namespace warpbook::gui
