// An array as cells with their numbers: a row for one dimension, rows and columns for two.
#include <algorithm>
#include <cmath>
#include <functional>

#include "gui/exhibits/exhibit.hpp"

namespace warpbook::gui {
namespace {
constexpr float kCellHeight = 28, kGap = 3;
constexpr std::uint64_t kMostCells = 256;

struct Grid {
  std::uint64_t columns = 0, rows = 0, shown = 0;
  float cell = 0;
};

Grid grid_of(const Ui& ui, const lab::TensorExhibit& tensor, float width) {
  Grid grid;
  const std::uint64_t count = lab::count(tensor);
  grid.shown = std::min(count, kMostCells);
  float widest = 0;
  for (std::uint64_t i = 0; i < grid.shown; ++i) {
    widest = std::max(widest, ui.ink().width({Face::mono, 13, 0}, lab::element_text(tensor, i)));
  }
  grid.cell = std::clamp(std::ceil(widest) + 12, 34.0f, std::max(34.0f, width));
  const auto fit =
      static_cast<std::uint64_t>(std::max(1.0f, std::floor((width + kGap) / (grid.cell + kGap))));
  const std::uint64_t inner = tensor.shape.size() >= 2 ? tensor.shape.back() : count;
  grid.columns = std::max<std::uint64_t>(1, std::min(inner, fit));
  grid.rows = (grid.shown + grid.columns - 1) / std::max<std::uint64_t>(1, grid.columns);
  return grid;
}
}  // namespace

float tensor_figure(const Frame& frame, const lab::TensorExhibit& tensor) {
  const Ui& ui = frame.ui;
  const Grid grid = grid_of(ui, tensor, frame.width);
  if (grid.shown == 0) return words(frame, ui.tr("gui.tensor.empty"), ui.caption_style());
  if (frame.draw) {
    const Ink ink = ui.ink();
    const Link& link = ui.book.link.current();
    for (std::uint64_t i = 0; i < grid.shown; ++i) {
      const std::uint64_t row = i / grid.columns, column = i % grid.columns;
      const ImVec2 min{frame.corner.x + static_cast<float>(column) * (grid.cell + kGap),
                       frame.corner.y + static_cast<float>(row) * (kCellHeight + kGap)};
      const ImVec2 max{min.x + grid.cell, min.y + kCellHeight};
      if (!ImGui::IsRectVisible(min, max)) continue;
      const bool wrong = std::ranges::find(tensor.wrong, i) != tensor.wrong.end();
      const std::string number = lab::element_text(tensor, i);
      const float settled = ui.motion.since(ImGui::GetID(reinterpret_cast<const void*>(i + 1)),
                                            std::hash<std::string>{}(number), kMoveSeconds);
      ink.fill(min, max,
               mix(ui.theme.accent_tint, wrong ? ui.theme.bad_tint : ui.theme.s3, settled),
               measure::kCellRadius);
      ink.text_middle((min.x + max.x) / 2, (min.y + max.y) / 2,
                      {Face::mono, 13, wrong ? ui.theme.bad : ui.theme.t1}, number, Align::centre);
      if (link.element && link.element->index == static_cast<std::int64_t>(i)) {
        ink.outline(min, max, ui.theme.accent, measure::kCellRadius, measure::kRing);
      }
    }
  }
  return static_cast<float>(grid.rows) * (kCellHeight + kGap) - kGap;
}

}  // namespace warpbook::gui
