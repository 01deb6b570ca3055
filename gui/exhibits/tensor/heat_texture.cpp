#include "gui/exhibits/tensor/heat_texture.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace warpbook::gui {
namespace {
using View = lab::TensorExhibit::View;
constexpr float kSwatch = 12, kAfterSwatch = 6, kAfterWords = 18, kMarksLine = 24;
constexpr float kWrongShare = 0.65f;

/// Of what is marked; what is wrong still shows a little of its value.
Colour colour_of(const Theme& theme, const lab::TensorMarks& marks, Colour value) {
  if (marks.nan) return theme.bad;
  if (marks.infinite) return theme.warn;
  return marks.wrong ? mix(value, theme.bad, kWrongShare) : value;
}

/// Planes lie in a texture as near to a square as they come: one long row of them might be longer than a texture can be.
struct Tiles {
  explicit Tiles(const lab::TensorLayout& cells)
      : columns(static_cast<int>(cells.plane_columns)), rows(static_cast<int>(cells.plane_rows)) {
    const auto planes = static_cast<double>(cells.planes);
    across = static_cast<std::uint64_t>(std::ceil(std::sqrt(planes * rows / columns)));
    across = std::clamp<std::uint64_t>(across, 1, cells.planes);
    down = (cells.planes + across - 1) / across;
  }
  [[nodiscard]] int x_of(std::uint64_t plane) const {
    return static_cast<int>(plane % across) * columns;
  }
  [[nodiscard]] int y_of(std::uint64_t plane) const {
    return static_cast<int>(plane / across) * rows;
  }
  [[nodiscard]] int width() const { return static_cast<int>(across) * columns; }
  [[nodiscard]] int height() const { return static_cast<int>(down) * rows; }

  int columns, rows;  ///< of one plane
  std::uint64_t across = 1, down = 1;
};

Pictures::Picture painted(const TensorFrame& place, const lab::TensorRaster& raster) {
  const Theme& theme = place.ui().theme;
  const lab::TensorScale& scale = scale_of(place);
  const Tiles tiles(raster);
  std::vector<Colour> pixels(static_cast<std::size_t>(tiles.width()) *
                             static_cast<std::size_t>(tiles.height()));
  for (std::uint64_t plane = 0; plane < raster.planes; ++plane) {
    for (std::uint64_t row = 0; row < raster.plane_rows; ++row) {
      const auto y = static_cast<std::size_t>(tiles.y_of(plane)) + row;
      Colour* to = pixels.data() + y * static_cast<std::size_t>(tiles.width()) + tiles.x_of(plane);
      for (std::uint64_t column = 0; column < raster.plane_columns; ++column) {
        const lab::TensorCell& cell = raster.at(plane, row, column);
        // Of a cell that no element is in, the data ended before the shape.
        const Colour value = std::isnan(cell.value)
                                 ? theme.s3
                                 : rgb(lab::heat_colour(place.view, scale.share(cell.value)));
        *to++ = colour_of(theme, cell.marks, value);
      }
    }
  }
  return place.ui().pictures.make(pixels, tiles.width());
}

/// One of a tensor, a scale, a layout and a theme, that of the last look: the scale is the cache's own, and its address tells it from
/// others.
const Pictures::Picture& picture_of(const TensorFrame& place, const lab::TensorRaster& raster,
                                    const FigureInputs& look) {
  const Theme& theme = place.ui().theme;
  const std::uint64_t paint = (theme.dark ? 1u : 0u) | (theme.outline != 0 ? 2u : 0u);
  return place.ui().cache.latest<Pictures::Picture>(
      &scale_of(place), kept_as(TensorPart::picture, place.view, raster_key(raster) | paint << 38),
      look, [&] { return painted(place, raster); });
}
}  // namespace

void draw_heat_texture(const TensorFrame& place, const lab::HeatLayout& layout,
                       const lab::HeatCells& cells, const FigureInputs& look) {
  const float density = ImGui::GetIO().DisplayFramebufferScale.x;
  // Pixels lie on the screen's.
  const ImVec2 corner{std::round(place.corner.x * density) / density,
                      std::round(place.corner.y * density) / density};
  const Tiles tiles(cells.raster);
  std::vector<Pictures::Part> parts;
  for (std::uint64_t plane = 0; plane < cells.raster.planes; ++plane) {
    const lab::Point at = layout.corner_of(plane);
    const ImVec2 min{corner.x + static_cast<float>(at.x), corner.y + static_cast<float>(at.y)},
        max{min.x + static_cast<float>(layout.plane_width()),
            min.y + static_cast<float>(layout.plane_height() - layout.title)};
    if (ImGui::IsRectVisible(min, max))
      parts.push_back({tiles.x_of(plane), tiles.y_of(plane), tiles.columns, tiles.rows, min, max});
  }
  Pictures::draw(place.ui().ink().list(), picture_of(place, cells.raster, look), parts);
}

float say_texture_marks(const TensorFrame& place, float top, const lab::TensorMarks& any) {
  if (any == lab::TensorMarks{}) return 0;
  const Ui& ui = place.ui();
  const Ink ink = ui.ink();
  const Colour ground = rgb(lab::heat_colour(place.view, 0.5));
  float x = place.corner.x;
  const auto say = [&](bool there, const lab::TensorMarks& marks, std::string_view key) {
    if (!there) return;
    const float middle = top + kMarksLine / 2;
    ink.fill({x, middle - kSwatch / 2}, {x + kSwatch, middle + kSwatch / 2},
             colour_of(ui.theme, marks, ground), measure::kCellRadius);
    x += kSwatch + kAfterSwatch;
    const std::string words = ui.tr(key);
    ink.text_middle(x, middle, ui.caption(), words);
    x += ink.width(ui.caption(), words) + kAfterWords;
  };
  if (place.draw()) {
    say(any.nan, {true, false, false}, "tensor.mark.nan");
    say(any.infinite, {false, true, false}, "tensor.mark.infinite");
    say(any.wrong, {false, false, true}, "tensor.mark.wrong");
  }
  return kMarksLine;
}

}  // namespace warpbook::gui
