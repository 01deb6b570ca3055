// A warp's film under mouse and keyboard: the handle below it is dragged, or stepped by the arrow keys.
#include <algorithm>
#include <array>

#include "gui/controls/point.hpp"
#include "gui/exhibits/drawn.hpp"
#include "gui/exhibits/panels.hpp"
#include "lab/exhibits/warp_film/warp_film_picture.hpp"

namespace warpbook::gui {
namespace {
constexpr float kWords = 44;

using Film = lab::WarpFilmExhibit;

/// The step that was chosen last: a choice of the view's own, kept by ImGui.
std::size_t kept_step(const Film& film) {
  return std::min<std::size_t>(kept("step", film.chosen), film.steps.size() - 1);
}

/// Left and right: a step; home and end: the first and the last.
void step_by_keys(const Film& film) {
  constexpr std::array kKeys{ImGuiKey_LeftArrow, ImGuiKey_RightArrow, ImGuiKey_Home, ImGuiKey_End};
  own_keys(kKeys);
  const std::size_t now = kept_step(film), last = film.steps.size() - 1;
  if (ImGui::IsKeyPressed(kKeys[0]) && now > 0) keep("step", now - 1);
  if (ImGui::IsKeyPressed(kKeys[1]) && now < last) keep("step", now + 1);
  if (ImGui::IsKeyPressed(kKeys[2])) keep("step", 0);
  if (ImGui::IsKeyPressed(kKeys[3])) keep("step", last);
}

/// The film and the scale below it are one slider: a press anywhere on it goes there, and the handle follows the mouse.
std::size_t shown_step(const FigureArea& area, const Film& film, const lab::WarpFilmPlane& plane) {
  lab::Area slider = plane.strip();
  slider.height = plane.height() - slider.y;
  item_over("film", area.corner, slider);
  if (ImGui::IsItemFocused()) step_by_keys(film);
  if (ImGui::IsItemActive() && ImGui::IsMouseDown(ImGuiMouseButton_Left))
    keep("step", plane.step_near(film, mouse_in(area.corner).x));
  return kept_step(film);
}
}  // namespace

float figure_of(const FigureArea& area, const Film& film, const std::string& /*id*/) {
  const Ui& ui = area.ui;
  if (film.steps.empty()) return words(area, ui.tr("warp_film.nothing"), ui.caption_style());
  const lab::Canvas canvas = canvas_for(area);
  const auto& plane = kept_layout<lab::WarpFilmPlane>(
      area, &film, [&] { return lab::WarpFilmPlane(film, beside_as<Film>(area), canvas); });
  const auto below = static_cast<float>(plane.height());
  if (!area.draw) return below + kWords;
  const std::size_t shown = shown_step(area, film, plane);
  draw_kept(area, &film, FigureInputs(shown),
            [&] { return drawing_of(film, plane, shown, canvas); });
  const ParagraphStyle style{13, 20, Face::sans, Face::bold, ui.theme.t2, 0};
  words({ui, {area.corner.x, area.corner.y + below + 2}, area.width, true},
        lab::step_text(film, shown, ui.book.strings()) + " " + ui.tr("gui.warp_film.how"), style);
  return below + kWords;
}

}  // namespace warpbook::gui
