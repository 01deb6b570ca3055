// The picture of a curve under mouse and keyboard, and the shown point in words.
#include <array>
#include <optional>
#include <string>

#include "gui/controls/point.hpp"
#include "gui/exhibits/drawn.hpp"
#include "gui/exhibits/panels.hpp"
#include "lab/exhibits/curve/curve_picture.hpp"

namespace warpbook::gui {
namespace {
constexpr float kWords = 24;

using Curve = lab::CurveExhibit;

/// The point that was chosen last: a choice of the view's own, kept by ImGui.
std::optional<std::uint64_t> kept_point(const Curve& curve) {
  const std::uint64_t point = kept("point", curve.chosen);
  return point < lab::points_of(curve) ? std::optional(point) : std::nullopt;
}

void step_by_keys(const Curve& curve) {
  constexpr std::array kKeys{ImGuiKey_LeftArrow, ImGuiKey_RightArrow};
  own_keys(kKeys);
  const std::uint64_t points = lab::points_of(curve), now = kept_point(curve).value_or(0);
  if (ImGui::IsKeyPressed(kKeys[0]) && now > 0) keep("point", now - 1);
  if (ImGui::IsKeyPressed(kKeys[1]) && now + 1 < points) keep("point", now + 1);
}

/// Hovering shows the nearest point, a press keeps it; on the picture the arrow keys go from point to point.
std::optional<std::uint64_t> shown_point(const FigureArea& area, const Curve& curve,
                                         const lab::CurvePlane& plane) {
  const bool pressed = item_over("plot", area.corner, plane.area());
  if (ImGui::IsItemFocused()) step_by_keys(curve);
  if (!ImGui::IsItemHovered()) return kept_point(curve);
  const auto over = plane.point_near(curve, mouse_in(area.corner));
  if (over && pressed) keep("point", *over);
  return over ? over : kept_point(curve);
}

std::string words_of(const Ui& ui, const Curve& curve, std::optional<std::uint64_t> shown) {
  if (!shown) return ui.tr("gui.curve.how");
  std::string says = lab::variable_name(curve, ui.book.strings()) + " = " +
                     lab::coordinate_text(lab::x_at(curve, *shown));
  for (std::size_t s = 0; s < curve.series.size(); ++s) {
    says += "   " + ui.tr(curve.series[s].name) + " = " +
            lab::coordinate_text(lab::y_at(curve, s, *shown));
  }
  return says;
}
}  // namespace

float figure_of(const FigureArea& area, const Curve& curve, const std::string& /*id*/) {
  const Ui& ui = area.ui;
  if (lab::points_of(curve) == 0 || curve.series.empty())
    return words(area, ui.tr("curve.nothing"), ui.caption_style());
  const lab::Canvas canvas = canvas_for(area);
  const auto& plane = kept_layout<lab::CurvePlane>(
      area, &curve, [&] { return lab::CurvePlane(curve, beside_as<Curve>(area), canvas); });
  const auto below = static_cast<float>(plane.height());
  if (!area.draw) return below + kWords;
  const auto shown = shown_point(area, curve, plane);
  draw_kept(area, &curve, FigureInputs(shown),
            [&] { return drawing_of(curve, plane, shown, canvas); });
  ui.ink().label(area.corner.x, area.corner.y + below + kWords / 2, ui.note(),
                 words_of(ui, curve, shown), area.width);
  return below + kWords;
}

}  // namespace warpbook::gui
