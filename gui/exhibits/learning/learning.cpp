// The picture of a training under mouse and keyboard: a press on a step opens its launches, and one on a launch its kernel.
#include <array>
#include <optional>
#include <string>

#include "gui/controls/point.hpp"
#include "gui/exhibits/drawn.hpp"
#include "gui/exhibits/panels.hpp"
#include "gui/exhibits/training_step.hpp"
#include "lab/exhibits/learning/learning_picture.hpp"

namespace warpbook::gui {
namespace {
using Learning = lab::LearningExhibit;

constexpr float kWords = 44;  ///< of what is pointed at: two lines

void step_by_keys(const Ui& ui, const Learning& learning, std::size_t now) {
  constexpr std::array kKeys{ImGuiKey_LeftArrow, ImGuiKey_RightArrow};
  own_keys(kKeys);
  const auto& points = learning.runs.front().points;
  if (ImGui::IsKeyPressed(kKeys[0]) && now > 0) choose_step(ui, points[now - 1].step);
  if (ImGui::IsKeyPressed(kKeys[1]) && now + 1 < points.size())
    choose_step(ui, points[now + 1].step);
}

/// Hovering shows the nearest step, a press keeps it, here and in the other views of the training.
std::optional<std::size_t> shown_point(const FigureArea& area, const Learning& learning,
                                       const lab::LearningPlane& plane) {
  const Ui& ui = area.ui;
  const auto now = lab::point_of_step(learning, chosen_step(ui));
  if (!now) return {};
  const bool pressed = item_over("plot", area.corner, plane.plots());
  if (ImGui::IsItemFocused()) step_by_keys(ui, learning, *now);
  if (!ImGui::IsItemHovered()) return now;
  const auto over = plane.point_near(learning, mouse_in(area.corner));
  if (over && pressed) choose_step(ui, learning.runs.front().points[*over].step);
  return over ? over : now;
}

/// The launch under the mouse; a press sets the parameter that says which one is looked into.
std::optional<std::size_t> shown_launch(const FigureArea& area, const Learning& learning,
                                        const lab::LearningPlane& plane, std::size_t shown) {
  if (!plane.bar()) return {};
  const auto& point = learning.runs.front().points[shown];
  const bool pressed = item_over("launches", area.corner, *plane.bar());
  if (!ImGui::IsItemHovered()) return {};
  const auto over = plane.launch_at(point, mouse_in(area.corner));
  if (over && pressed && !learning.opens.empty()) {
    area.ui.post([name = learning.opens, number = static_cast<std::int64_t>(*over) + 1](
                     Book& book) { book.set_value(name, lab::Value(number)); });
  }
  return over;
}
}  // namespace

float figure_of(const FigureArea& area, const Learning& learning, const std::string& /*id*/) {
  const Ui& ui = area.ui;
  if (!lab::any_point(learning)) return words(area, ui.tr("learning.nothing"), ui.caption_style());
  const lab::Canvas canvas = canvas_for(area);
  const auto& plane = kept_layout<lab::LearningPlane>(area, &learning, [&] {
    return lab::LearningPlane(learning, beside_as<Learning>(area), canvas);
  });
  const auto below = static_cast<float>(plane.height());
  if (!area.draw) return below + kWords;
  const auto shown = shown_point(area, learning, plane);
  const auto launch = shown ? shown_launch(area, learning, plane, *shown) : std::nullopt;
  draw_kept(area, &learning, FigureInputs(shown, launch),
            [&] { return drawing_of(learning, plane, shown, launch, canvas); });
  std::string says = ui.tr(plane.bar() ? "gui.learning.how" : "gui.learning.how-steps");
  if (launch)
    says = launch_text(learning.runs.front().points[*shown], *launch, ui.book.strings());
  else if (shown && !plane.bar() && ImGui::IsItemHovered())
    says = point_text(learning.runs.front().points[*shown], ui.book.strings());
  words({ui, {area.corner.x, area.corner.y + below + 4}, area.width, true}, says,
        ui.caption_style());
  return below + kWords;
}

}  // namespace warpbook::gui
