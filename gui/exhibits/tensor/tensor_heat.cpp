// A tensor as a heat map or a grey image under mouse and keyboard, whole or looked at closer, and the element that is pointed at in words.
#include <algorithm>
#include <optional>
#include <string>

#include "gui/controls/widgets.hpp"
#include "gui/draw/drawing_pen.hpp"
#include "gui/exhibits/tensor/closer_look.hpp"
#include "gui/exhibits/tensor/heat_texture.hpp"
#include "gui/exhibits/tensor/tensor_views.hpp"
#include "lab/exhibits/tensor/heat_picture.hpp"

namespace warpbook::gui {
namespace {
constexpr float kLine = 30;

/// What is drawn: the tensor, or what the reader looks at of it.
struct Shown {
  const lab::TensorExhibit* tensor = nullptr;
  lab::HeatLayout layout;
  const lab::HeatCells* cells = nullptr;
  float height = 0;  ///< of the cells' place, which stays the same however close one looks
};

class HeatPanel {
 public:
  explicit HeatPanel(const TensorFrame& place)
      : place_(place),
        ui_(place.ui()),
        planes_(lab::planes_of(place.tensor)),
        look_(ui_, place.id, planes_),
        shown_(look_.is_whole() ? whole() : closer()) {}

  float draw() const {
    if (shown_.cells->raster.planes == 0) return 0;
    const FigureArea figure = place_.figure();
    const lab::HeatPicture picture{*shown_.tensor, place_.view,      shown_.layout,
                                   *shown_.cells,  scale_of(place_), outlined()};
    FigureInputs inputs = look_.inputs();
    inputs.add(static_cast<std::uint64_t>(place_.view));
    inputs.add(picture.outlined);
    const lab::Drawing& drawing = kept_drawing(figure, place_.tensor.data.data(), inputs, [&] {
      return drawing_of(picture, canvas_for(figure));
    });
    float used = std::max(static_cast<float>(drawing.height), shown_.height);
    if (place_.draw()) {
      if (shown_.layout.texture)
        draw_heat_texture(place_, shown_.layout, *shown_.cells, look_.inputs());
      gui::draw(ui_.ink(), ui_.theme, drawing, place_.corner);
      draw_words(place_.corner.y + used, cell_pointed_at());
    }
    used += kLine;
    used += say_shared_scale(place_, place_.corner.y + used);
    const lab::TensorMarks& any = shown_.cells->any;
    used += shown_.layout.texture ? say_texture_marks(place_, place_.corner.y + used, any)
                                  : say_marks(place_, place_.corner.y + used, any);
    for (const std::string& remark :
         lab::remarks_of(shown_.cells->raster, place_.view, ui_.book.strings())) {
      used += words({ui_, {place_.corner.x, place_.corner.y + used}, place_.width, place_.draw()},
                    remark, ui_.caption_style());
    }
    return used;
  }

 private:
  [[nodiscard]] lab::HeatLayout layout_of(const lab::TensorExhibit& tensor) const {
    return lab::heat_layout(tensor, place_.view, static_cast<double>(place_.width));
  }

  [[nodiscard]] Shown whole() const {
    Shown shown{&place_.tensor, layout_of(place_.tensor), nullptr, 0};
    const auto make = [&] {
      return lab::heat_cells(place_.tensor, place_.view, shown.layout.cells);
    };
    shown.cells = &ui_.cache.get<lab::HeatCells>(
        place_.tensor.data.data(),
        kept_as(TensorPart::raster, place_.view, raster_key(shown.layout.cells)), make);
    return shown;
  }

  /// The chosen plane by itself, or all of them.
  [[nodiscard]] const lab::TensorExhibit& chosen_planes() const {
    if (!look_.region().plane) return place_.tensor;
    lab::TensorRegion all = look_.region();
    all.row = all.column = 0;
    all.rows = planes_.rows;
    all.columns = planes_.columns;
    return ui_.cache.latest<lab::TensorExhibit>(
        place_.tensor.data.data(), kept_as(TensorPart::plane, place_.view, 0),
        FigureInputs(all.plane), [&] { return lab::cut(place_.tensor, all); });
  }

  /// In the place that the chosen planes take when they are whole.
  [[nodiscard]] Shown closer() const {
    const lab::TensorExhibit& around = chosen_planes();
    Shown shown{&around, layout_of(around), nullptr, 0};
    shown.height = static_cast<float>(shown.layout.height() + lab::kHeatScaleHigh);
    if (look_.is_close()) {
      shown.tensor = &ui_.cache.latest<lab::TensorExhibit>(
          place_.tensor.data.data(), kept_as(TensorPart::region, place_.view, 0), look_.inputs(),
          [&] { return lab::cut(place_.tensor, look_.region()); });
      shown.layout = lab::closer_layout(*shown.tensor, shown.layout);
    }
    FigureInputs inputs = look_.inputs();
    inputs.add(place_.width);
    shown.cells = &ui_.cache.latest<lab::HeatCells>(
        place_.tensor.data.data(), kept_as(TensorPart::closer_raster, place_.view, 0), inputs,
        [&] { return lab::heat_cells(*shown.tensor, place_.view, shown.layout.cells); });
    return shown;
  }

  /// Of what is drawn.
  [[nodiscard]] std::optional<std::uint64_t> outlined() const {
    const auto pinned = pinned_element(place_);
    return pinned ? lab::element_of_region(planes_, look_.region(), *pinned) : std::nullopt;
  }
  /// Of the tensor.
  [[nodiscard]] std::uint64_t element_in(std::size_t cell) const {
    return lab::element_of_whole(planes_, look_.region(), shown_.cells->raster.cells[cell].index);
  }

  /// The number of the cell under the mouse; a click pins its element.
  [[nodiscard]] std::optional<std::size_t> cell_pointed_at() const {
    const lab::HeatLayout& layout = shown_.layout;
    const lab::TensorRaster& raster = shown_.cells->raster;
    const bool pressed = item_over("cells", place_.corner,
                                   {0, 0, static_cast<double>(place_.width), layout.height()});
    std::optional<std::size_t> cell;
    if (ImGui::IsItemHovered()) cell = layout.cell_at(mouse_in(place_.corner));
    std::optional<lab::Point> about;
    if (cell) {
      const std::size_t column = *cell % raster.plane_columns,
                        row = *cell / raster.plane_columns % raster.plane_rows;
      about = {(static_cast<double>(column) + 0.5) / static_cast<double>(raster.plane_columns),
               (static_cast<double>(row) + 0.5) / static_cast<double>(raster.plane_rows)};
    }
    const auto step = static_cast<double>(raster.step);
    const bool clicked =
        look_.take_input(pressed, about, {layout.cell.x / step, layout.cell.y / step});
    if (const auto next = step_by_arrows(place_, raster.step, planes_.columns * raster.step))
      look_.show(*next);
    if (!cell || element_in(*cell) >= lab::held(place_.tensor)) return std::nullopt;
    if (clicked) pin_element(place_, element_in(*cell));
    return cell;
  }

  /// One line: the element or elements under the mouse, else the pinned one; and at its right how close one looks.
  void draw_words(float top, std::optional<std::size_t> hovered) const {
    float right = place_.corner.x + place_.width;
    if (look_.is_offered())
      right = look_.draw_controls(right, top + 2,
                                  lab::plane_name(place_.tensor, look_.region().plane.value_or(0)));
    const float middle = top + kLine / 2;
    TensorFrame words = place_;
    words.width = std::max(0.0f, right - place_.corner.x - 8);
    // Of a part, an element is named by its place in the whole.
    if (!hovered || shown_.cells->raster.step == 1 || !look_.is_whole()) {
      say_element(words, middle, hovered ? std::optional(element_in(*hovered)) : std::nullopt);
      return;
    }
    const std::string says = lab::cell_text(*shown_.tensor, place_.view, shown_.cells->raster,
                                            *hovered, ui_.book.strings());
    ui_.ink().label(place_.corner.x, middle, ui_.figures(ui_.theme.t1), says, words.width);
  }

  const TensorFrame& place_;
  const Ui& ui_;
  lab::TensorPlanes planes_;
  CloserLook look_;
  Shown shown_;
};
}  // namespace

float tensor_heat(const TensorFrame& place) { return HeatPanel(place).draw(); }

}  // namespace warpbook::gui
