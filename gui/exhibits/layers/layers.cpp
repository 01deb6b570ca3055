// The picture of a network's layers under mouse and keyboard, and below it the layer that is pointed at in words.
#include <algorithm>
#include <array>
#include <string>

#include "gui/controls/point.hpp"
#include "gui/exhibits/drawn.hpp"
#include "gui/exhibits/panels.hpp"
#include "lab/exhibits/layers/layers_picture.hpp"

namespace warpbook::gui {
namespace {
using Layers = lab::LayersExhibit;

constexpr float kLayerTextGap = 6;

/// Room for the longest text of a layer, so that nothing moves when another one is shown.
float text_height(const FigureArea& area, const Layers& layers) {
  float most = 0;
  for (std::size_t layer = 0; layer < layers.layers.size(); ++layer) {
    most = std::max(
        most, words({area.ui, area.corner, area.width, false},
                    layer_text(layers, layer, area.ui.book.strings()), area.ui.caption_style()));
  }
  return kLayerTextGap + most;
}

/// The layer that was chosen last: a choice of the view's own, kept by ImGui. At first the one after the image.
std::size_t kept_layer(const Layers& layers) {
  return std::min<std::size_t>(kept("layer", 1), layers.layers.size() - 1);
}

void step_by_keys(const Layers& layers) {
  constexpr std::array kKeys{ImGuiKey_UpArrow, ImGuiKey_DownArrow};
  own_keys(kKeys);
  const std::size_t now = kept_layer(layers);
  if (ImGui::IsKeyPressed(kKeys[0]) && now > 0) keep("layer", now - 1);
  if (ImGui::IsKeyPressed(kKeys[1]) && now + 1 < layers.layers.size()) keep("layer", now + 1);
}

/// Hovering shows the layer under the mouse, a press keeps it.
std::size_t shown_layer(const FigureArea& area, const Layers& layers,
                        const lab::LayersPlane& plane) {
  const bool pressed = item_over("layers", area.corner, plane.rows());
  if (ImGui::IsItemFocused()) step_by_keys(layers);
  if (!ImGui::IsItemHovered()) return kept_layer(layers);
  const auto over = plane.row_at(mouse_in(area.corner));
  if (over && pressed) keep("layer", *over);
  return over.value_or(kept_layer(layers));
}
}  // namespace

float figure_of(const FigureArea& area, const Layers& layers, const std::string& /*id*/) {
  const Ui& ui = area.ui;
  if (layers.layers.empty()) return 0;
  const lab::LayersPlane plane(layers, static_cast<double>(area.width));
  const auto below = static_cast<float>(plane.height());
  const float text = text_height(area, layers);
  const ImVec2 legend{area.corner.x, area.corner.y + below + text};
  const float height =
      below + text +
      words({ui, legend, area.width, area.draw}, ui.tr("layers.legend"), ui.caption_style());
  if (!area.draw) return height;
  const std::size_t shown = shown_layer(area, layers, plane);
  draw_kept(area, &layers, FigureInputs(shown),
            [&] { return drawing_of(layers, plane, shown, canvas_for(area)); });
  words({ui, {area.corner.x, area.corner.y + below + kLayerTextGap}, area.width, true},
        layer_text(layers, shown, ui.book.strings()), ui.caption_style());
  return height;
}

}  // namespace warpbook::gui
