// A GPU drawn to its figures, and below it where these are from.
#include "gui/exhibits/drawn.hpp"
#include "gui/exhibits/panels.hpp"
#include "lab/exhibits/gpu/gpu_picture.hpp"

namespace warpbook::gui {

float figure_of(const FigureArea& area, const lab::GpuExhibit& gpu, const std::string& /*id*/) {
  const Ui& ui = area.ui;
  if (gpu.multiprocessors == 0) return words(area, ui.tr("gpu.nothing"), ui.caption_style());
  const auto make = [&] { return drawing_of(gpu, canvas_for(area)); };
  const lab::Drawing& drawing = area.draw ? draw_kept(area, &gpu, FigureInputs(), make)
                                          : kept_drawing(area, &gpu, FigureInputs(), make);
  const float below = static_cast<float>(drawing.height) + 4;
  return below + words({ui, {area.corner.x, area.corner.y + below}, area.width, area.draw},
                       source_text(gpu, ui.book.strings()), ui.caption_style());
}

}  // namespace warpbook::gui
