// A tensor as a plot under mouse and keyboard, and the element that is pointed at in words.
#include <vector>

#include "gui/exhibits/tensor/tensor_views.hpp"
#include "lab/exhibits/tensor/plot_picture.hpp"

namespace warpbook::gui {
namespace {
constexpr float kLine = 24;

using Columns = std::vector<lab::TensorColumn>;

const Columns& columns_of(const TensorFrame& place) {
  const std::uint64_t most = lab::plot_columns(static_cast<double>(place.width));
  return place.ui().cache.get<Columns>(
      place.tensor.data.data(), kept_as(TensorPart::plot, lab::TensorExhibit::View::plot, most),
      [&] { return lab::plot_of(place.tensor, most); });
}

lab::TensorMarks marks_of(const Columns& columns) {
  lab::TensorMarks any;
  for (const lab::TensorColumn& column : columns) {
    any.nan |= column.marks.nan;
    any.infinite |= column.marks.infinite;
    any.wrong |= column.marks.wrong;
  }
  return any;
}

/// The first element of the column under the mouse; a press pins it.
std::optional<std::uint64_t> element_pointed_at(const TensorFrame& place, const Columns& columns,
                                                const lab::PlotLayout& layout) {
  const bool pressed = item_over("columns", place.corner, layout.area);  // "plot" is the button
  step_by_arrows(place, 1, columns.empty() ? 1 : columns.front().count);
  if (!ImGui::IsItemHovered()) return std::nullopt;
  const auto column = layout.column_at(mouse_in(place.corner));
  if (!column) return std::nullopt;
  const std::uint64_t element = columns[*column].first;
  if (pressed) pin_element(place, element);
  return element;
}
}  // namespace

float tensor_plot(const TensorFrame& place) {
  const Ui& ui = place.ui();
  const Columns& columns = columns_of(place);
  const lab::TensorScale& scale = scale_of(place);
  const FigureArea figure = place.figure();
  const lab::Canvas canvas = canvas_for(figure);
  const lab::PlotLayout layout(columns, scale, canvas);
  const auto high = static_cast<float>(layout.area.height);
  if (place.draw()) {
    const auto pinned = pinned_element(place);
    const FigureInputs inputs(static_cast<std::uint64_t>(place.view), pinned);
    draw_kept(figure, place.tensor.data.data(), inputs,
              [&] { return drawing_of(columns, scale, layout, pinned, canvas); });
    say_element(place, place.corner.y + high + kLine / 2,
                element_pointed_at(place, columns, layout));
  }
  float used = high + kLine;
  used += say_shared_scale(place, place.corner.y + used);
  used += say_marks(place, place.corner.y + used, marks_of(columns));
  if (!columns.empty() && columns.front().count > 1) {
    used += words({ui, {place.corner.x, place.corner.y + used}, place.width, place.draw()},
                  ui.tr("tensor.step.plot", {{"step", lab::grouped(columns.front().count)}}),
                  ui.caption_style());
  }
  return used;
}

}  // namespace warpbook::gui
