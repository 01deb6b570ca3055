// The views of a tensor, each drawn below the switch that chooses among them.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>

#include "gui/exhibits/drawn.hpp"
#include "lab/exhibits/tensor/tensor_picture.hpp"

namespace warpbook::gui {

/// What all of a tensor's views are given.
struct TensorFrame {
  const FigureArea& area;
  const lab::TensorExhibit& tensor;
  lab::TensorExhibit::View view;
  const std::string& id;  ///< the exhibit's
  ImVec2 corner;
  float width = 0;

  [[nodiscard]] const Ui& ui() const { return area.ui; }
  [[nodiscard]] bool draw() const { return area.draw; }
  /// The place of the figure itself, below the switch.
  [[nodiscard]] FigureArea figure() const {
    return {area.ui, corner, width, area.draw, area.beside};
  }
};

/// What is worked out of a tensor, as the cache keeps it.
enum class TensorPart : std::uint64_t {
  table,
  scale,
  raster,
  plot,
  picture,
  plane,         ///< that is looked at alone
  region,        ///< that is looked at closer
  closer_raster  ///< of what is looked at
};
inline constexpr std::uint64_t kWidths = (1ull << 40) - 1;
/// The number under which the cache keeps a part in a width, which is at most kWidths.
constexpr std::uint64_t kept_as(TensorPart part, lab::TensorExhibit::View view,
                                std::uint64_t width) {
  return (static_cast<std::uint64_t>(part) + 1) << 48 | static_cast<std::uint64_t>(view) << 40 |
         width;
}
/// Tells the rasters of a tensor apart: no two have the same step and as many planes. Less than 2^38.
constexpr std::uint64_t raster_key(const lab::TensorLayout& layout) {
  return std::min<std::uint64_t>(layout.step, (1u << 18) - 1) << 20 |
         std::min<std::uint64_t>(layout.planes, (1u << 20) - 1);
}
/// Of this tensor and of the one that it stands beside.
const lab::TensorScale& scale_of(const TensorFrame& place);
/// Where it stands beside another one: that both have one range, and which. Gives back the height.
float say_shared_scale(const TensorFrame& place, float top);

// Each gives back the height that it takes.
float tensor_table(const TensorFrame& place);
float tensor_plot(const TensorFrame& place);
float tensor_heat(const TensorFrame& place);

/// The element that the reader pinned; none where there is none, or the tensor has become shorter.
std::optional<std::uint64_t> pinned_element(const TensorFrame& place);
/// Pins another; the same once more lets go.
void pin_element(const TensorFrame& place, std::uint64_t element);
/// On the item that was just made: the arrow keys pin another element, `along` further for left and right, `row` for up and
/// down. Gives back which, if one does.
std::optional<std::uint64_t> step_by_arrows(const TensorFrame& place, std::uint64_t along,
                                            std::uint64_t row);
/// One line: the element under the mouse, else the pinned one, and what is marked on it.
void say_element(const TensorFrame& place, float middle, std::optional<std::uint64_t> hovered);
/// What the signs mean, of those that occur; gives back the height.
float say_marks(const TensorFrame& place, float top, const lab::TensorMarks& any);

}  // namespace warpbook::gui
