#include "lab/exhibits/tensor/heat_layout.hpp"

#include <algorithm>
#include <cmath>

namespace warpbook::lab {
namespace {
constexpr double kMostCell = 28, kLeastCell = 5, kLeastPixel = 2;
constexpr double kCellsHeight = 420, kPlaneTitle = 18;
/// A cell costs up to 8 vertices where it is marked: so many keep a page to its share. More are one texture.
constexpr std::uint64_t kMostHeatCells = 3600;
/// Of a texture: its height, what parts two planes, and from which width on a plane has its name above it.
constexpr double kTextureHeight = 520, kTextureGap = 4, kNamedWidth = 40;
/// Widths are told apart so coarsely: not each one makes a texture of its own while a divider is dragged.
constexpr double kTextureWidths = 16;

TensorRoom texture_room(const TensorExhibit& tensor, double width) {
  TensorRoom room;
  room.columns = static_cast<std::uint64_t>(
      std::max(1.0, std::floor(width / kTextureWidths) * kTextureWidths));
  room.rows = static_cast<std::uint64_t>(kTextureHeight);
  room.most = room.columns * room.rows;
  room.gap = static_cast<std::uint64_t>(kTextureGap);
  room.planes = planes_of(tensor).planes;
  return room;
}

/// As many planes beside each other as make the cells largest. `gap`: of so many cells and so many points.
void arrange(HeatLayout& layout, Point room, double least, double gap_cells, double gap) {
  double best = 0;
  for (std::uint64_t across = 1; across <= layout.cells.across; ++across) {
    const std::uint64_t down = (layout.cells.planes + across - 1) / across;
    const auto size_of = [&](std::uint64_t planes, std::uint64_t cells, double points) {
      const auto n = static_cast<double>(planes), each = static_cast<double>(cells);
      return (points - (n - 1) * gap) / (n * (each + gap_cells) - gap_cells);
    };
    const double upright = room.y - layout.title * static_cast<double>(down);
    const double cell = std::max(
        least, std::floor(std::min({kMostCell, size_of(across, layout.cells.plane_columns, room.x),
                                    size_of(down, layout.cells.plane_rows, upright)})));
    if (across > 1 && cell < best) continue;
    best = cell;
    layout.across = across;
    layout.down = down;
  }
  layout.cell = {best, best};
  layout.gap = gap_cells * best + gap;
}
}  // namespace

Point HeatLayout::corner_of(std::uint64_t plane) const {
  const std::uint64_t row = plane / across;
  return {static_cast<double>(plane % across) * (plane_width() + gap),
          static_cast<double>(row) * (plane_height() + gap) + title};
}

Point HeatLayout::corner_of_cell(std::size_t index) const {
  const Point corner = corner_of(index / (cells.plane_rows * cells.plane_columns));
  const std::size_t row = index / cells.plane_columns % cells.plane_rows;
  return {corner.x + static_cast<double>(index % cells.plane_columns) * cell.x,
          corner.y + static_cast<double>(row) * cell.y};
}

std::optional<std::size_t> HeatLayout::cell_at(Point place) const {
  if (place.x < 0 || place.y < 0 || cells.planes == 0) return std::nullopt;
  const auto column_of_planes = static_cast<std::uint64_t>(place.x / (plane_width() + gap)),
             row_of_planes = static_cast<std::uint64_t>(place.y / (plane_height() + gap));
  const std::uint64_t plane = row_of_planes * across + column_of_planes;
  if (column_of_planes >= across || plane >= cells.planes) return std::nullopt;
  const Point corner = corner_of(plane);
  if (place.y < corner.y) return std::nullopt;  // its name
  const auto column = static_cast<std::uint64_t>((place.x - corner.x) / cell.x),
             row = static_cast<std::uint64_t>((place.y - corner.y) / cell.y);
  if (column >= cells.plane_columns || row >= cells.plane_rows) return std::nullopt;
  return (plane * cells.plane_rows + row) * cells.plane_columns + column;
}

std::optional<std::size_t> HeatLayout::cell_of(const TensorPlanes& shape,
                                               std::uint64_t element) const {
  const std::uint64_t size = shape.rows * shape.columns, plane = element / size;
  if (plane >= cells.planes) return std::nullopt;
  const std::uint64_t row = element % size / shape.columns / cells.step,
                      column = element % shape.columns / cells.step;
  return (plane * cells.plane_rows + row) * cells.plane_columns + column;
}

HeatLayout cell_layout(const TensorExhibit& tensor, TensorExhibit::View view, double width) {
  HeatLayout layout;
  const double least = view == TensorExhibit::View::image ? kLeastPixel : kLeastCell;
  layout.cells =
      layout_of(tensor, {static_cast<std::uint64_t>(std::max(1.0, width / least)), kMostHeatCells});
  layout.title = layout.cells.planes > 1 ? kPlaneTitle : 0;
  arrange(layout, {width, kCellsHeight}, 2, 1, 0);
  return layout;
}

HeatLayout heat_layout(const TensorExhibit& tensor, TensorExhibit::View view, double width) {
  HeatLayout layout = cell_layout(tensor, view, width);
  if (layout.cells.whole()) return layout;
  layout = {};
  layout.texture = true;
  layout.cells = layout_of(tensor, texture_room(tensor, width));
  arrange(layout, {width, kTextureHeight}, 1, 0, kTextureGap);
  if (layout.cells.planes > 1) {
    layout.title = layout.plane_width() >= kNamedWidth ? kPlaneTitle : 0;
    return layout;
  }
  // A single row, or column, is a strip that can be seen.
  const auto stretched = [&](double cell, std::uint64_t cells) {
    return std::max(cell, std::floor(kMostCell / static_cast<double>(cells)));
  };
  layout.cell = {stretched(layout.cell.x, layout.cells.plane_columns),
                 stretched(layout.cell.y, layout.cells.plane_rows)};
  return layout;
}

HeatLayout closer_layout(const TensorExhibit& part, const HeatLayout& whole) {
  const Point room{whole.plane_width(), whole.plane_height() - whole.title};
  const TensorPlanes shape = planes_of(part);
  const auto columns = static_cast<double>(shape.columns), rows = static_cast<double>(shape.rows);
  HeatLayout layout = whole;
  const double side = std::min(room.x / columns, room.y / rows);
  layout.texture =
      side < kLeastCell || shape.rows * shape.columns * whole.cells.planes > kMostHeatCells;
  const double step = layout.texture ? std::ceil(std::max(columns / room.x, rows / room.y)) : 1;
  layout.cells.step = static_cast<std::uint64_t>(std::max(1.0, step));
  const auto cells_of = [&](std::uint64_t elements) {
    return (elements + layout.cells.step - 1) / layout.cells.step;
  };
  layout.cells.plane_columns = cells_of(shape.columns);
  layout.cells.plane_rows = cells_of(shape.rows);
  // Cells that are drawn one by one are squares.
  layout.cell = layout.texture ? Point{room.x / static_cast<double>(layout.cells.plane_columns),
                                       room.y / static_cast<double>(layout.cells.plane_rows)}
                               : Point{side, side};
  return layout;
}

}  // namespace warpbook::lab
