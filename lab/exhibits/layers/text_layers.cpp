#include <string>
#include <vector>

#include "lab/exhibits/layers/layers_summary.hpp"
#include "lab/markup/text_parts.hpp"

namespace warpbook::lab {

/// A line a layer: what it puts out, and how long each kind of its work takes.
void text_body(const LayersExhibit& layers, const Strings& strings, Page& page) {
  if (layers.layers.empty()) return;
  std::vector<std::vector<std::string>> rows(1);
  for (const char* head : {"layer", "shape", "parameters", "bytes"})
    rows[0].push_back(strings(std::string("layers.head.") + head));
  for (const LayersExhibit::Work work : kLayerWorks) rows[0].push_back(work_name(work, strings));
  for (const LayersExhibit::Layer& layer : layers.layers) {
    rows.push_back(
        {layer.name, shape_text(layer), grouped(layer.parameters), byte_count(layer.bytes)});
    for (const LayersExhibit::Work work : kLayerWorks) {
      const double seconds = time_of(layer, work).seconds;
      rows.back().push_back(seconds == 0 ? "-" : duration(seconds));
    }
  }
  text_rows(rows, page, 0);
}

}  // namespace warpbook::lab
