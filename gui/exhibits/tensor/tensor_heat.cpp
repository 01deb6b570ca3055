// A tensor as a heat map or a grey image under mouse and keyboard, and the element that is pointed at in words.
#include <optional>
#include <string>

#include "gui/draw/drawing_pen.hpp"
#include "gui/exhibits/tensor/heat_texture.hpp"
#include "gui/exhibits/tensor/tensor_views.hpp"
#include "lab/exhibits/tensor/heat_picture.hpp"

namespace warpbook::gui {
namespace {
constexpr float kLine = 24;

/// The number of the cell under the mouse; a press pins its element.
std::optional<std::size_t> cell_pointed_at(const TensorFrame& place, const lab::HeatLayout& layout,
                                           const lab::TensorRaster& raster) {
  const bool pressed =
      item_over("cells", place.corner, {0, 0, static_cast<double>(place.width), layout.height()});
  step_by_arrows(place, raster.step, lab::planes_of(place.tensor).columns * raster.step);
  if (!ImGui::IsItemHovered()) return std::nullopt;
  const auto cell = layout.cell_at(mouse_in(place.corner));
  if (!cell || raster.cells[*cell].index >= lab::held(place.tensor)) return std::nullopt;
  if (pressed) pin_element(place, raster.cells[*cell].index);
  return cell;
}

/// One line: the element or elements under the mouse, else the pinned one.
void say_cell(const TensorFrame& place, float middle, const lab::TensorRaster& raster,
              std::optional<std::size_t> hovered) {
  if (!hovered || raster.step == 1) {
    say_element(place, middle,
                hovered ? std::optional(raster.cells[*hovered].index) : std::nullopt);
    return;
  }
  const Ui& ui = place.ui();
  const Type type = ui.figures(ui.theme.t1);
  const std::string says =
      lab::cell_text(place.tensor, place.view, raster, *hovered, ui.book.strings());
  ui.ink().label(place.corner.x, middle, type, says, place.width);
}
}  // namespace

float tensor_heat(const TensorFrame& place) {
  const Ui& ui = place.ui();
  const lab::HeatLayout layout =
      lab::heat_layout(place.tensor, place.view, static_cast<double>(place.width));
  const auto& cells = ui.cache.get<lab::HeatCells>(
      place.tensor.data.data(), kept_as(TensorPart::raster, place.view, raster_key(layout.cells)),
      [&] { return lab::heat_cells(place.tensor, place.view, layout.cells); });
  if (cells.raster.planes == 0) return 0;
  const FigureArea figure = place.figure();
  const lab::HeatPicture picture{place.tensor, place.view,      layout,
                                 cells,        scale_of(place), pinned_element(place)};
  const auto make = [&] { return drawing_of(picture, canvas_for(figure)); };
  const FigureInputs inputs(static_cast<std::uint64_t>(place.view), picture.outlined);
  const lab::Drawing& drawing = kept_drawing(figure, place.tensor.data.data(), inputs, make);
  if (place.draw()) {
    if (layout.texture) draw_heat_texture(place, layout, cells);
    draw(ui.ink(), ui.theme, drawing, place.corner);
    const auto hovered = cell_pointed_at(place, layout, cells.raster);
    say_cell(place, place.corner.y + static_cast<float>(drawing.height) + kLine / 2, cells.raster,
             hovered);
  }
  float used = static_cast<float>(drawing.height) + kLine;
  used += say_shared_scale(place, place.corner.y + used);
  used += layout.texture ? say_texture_marks(place, place.corner.y + used, cells.any)
                         : say_marks(place, place.corner.y + used, cells.any);
  for (const std::string& remark : lab::remarks_of(cells.raster, place.view, ui.book.strings())) {
    used += words({ui, {place.corner.x, place.corner.y + used}, place.width, place.draw()}, remark,
                  ui.caption_style());
  }
  return used;
}

}  // namespace warpbook::gui
