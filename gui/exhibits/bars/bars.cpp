// Figures as bars; each bar has its name and its value beside it, so there is nothing to point at.
#include "gui/exhibits/drawn.hpp"
#include "gui/exhibits/panels.hpp"
#include "lab/exhibits/bars/bars_picture.hpp"

namespace warpbook::gui {

float figure_of(const FigureArea& area, const lab::BarsExhibit& bars, const std::string& /*id*/) {
  if (bars.groups.empty()) return 0;  // the sentence says so
  const auto make = [&] {
    return drawing_of(bars, beside_as<lab::BarsExhibit>(area), canvas_for(area));
  };
  const lab::Drawing& drawing = area.draw ? draw_kept(area, &bars, FigureInputs(), make)
                                          : kept_drawing(area, &bars, FigureInputs(), make);
  return static_cast<float>(drawing.height);
}

}  // namespace warpbook::gui
