#include <string>

#include "lab/exhibits/layers/layers_picture.hpp"
#include "lab/markup/html_parts.hpp"
#include "lab/markup/svg_pen.hpp"

namespace warpbook::lab {
namespace {

constexpr double kWidth = 768;

}  // namespace

std::string html_body(const LayersExhibit& layers, const Strings& strings,
                      const std::string& caption) {
  if (layers.layers.empty()) return {};
  const LayersPlane plane(layers, kWidth);
  std::string list;
  for (std::size_t layer = 0; layer < layers.layers.size(); ++layer)
    list += tagged("li", "", escaped(layer_text(layers, layer, strings)));
  return svg_of(drawing_of(layers, plane, {}, svg_canvas(kWidth, strings)), caption) +
         tagged("p", "wb-more", escaped(strings("layers.legend"))) + tagged("ul", "", list);
}

}  // namespace warpbook::lab
