#include "lab/exhibits/layers/layers.hpp"

#include <algorithm>

#include "lab/exhibits/layers/layers_summary.hpp"
#include "lab/markup/phrases.hpp"

namespace warpbook::lab {
namespace {

using Layers = LayersExhibit;
constexpr std::uint64_t kColours = 3;

bool is_map(const TensorExhibit& map) {
  if (map.data.empty()) return true;
  return valid(map) &&
         (map.shape.size() == 2 || (map.shape.size() == 3 && map.shape.front() == kColours)) &&
         count(map) != 0;
}

}  // namespace

std::string sentence_of(const Layers& layers, const Strings& strings) {
  if (layers.layers.empty()) return strings("layers.nothing");
  const double total = seconds_of(layers);
  const std::string images = counted(strings, "layers.images", layers.images);
  if (total == 0)
    return strings(
        "layers.untimed",
        {{"images", images}, {"layers", counted(strings, "layers.layers", layers.layers.size())}});
  const auto longest = std::ranges::max_element(
      layers.layers, {}, [](const Layers::Layer& layer) { return seconds_of(layer); });
  const auto of = [&](Layers::Work work) { return duration(seconds_of(layers, work)); };
  return strings("layers.whole", {{"images", images},
                                  {"total", duration(total)},
                                  {"forward", of(Layers::Work::forward)},
                                  {"data", of(Layers::Work::data)},
                                  {"weights", of(Layers::Work::weights)},
                                  {"layer", longest->name},
                                  {"time", duration(seconds_of(*longest))}});
}

/// A row for each kernel of a layer; a layer that launches none has a row of its own.
Table table_of(const Layers& layers, const Strings& strings) {
  Table table;
  for (const char* head : {"layer", "shape", "parameters", "bytes", "work", "kernel", "launches",
                           "moved", "seconds", "low", "high"})
    table.head.push_back(strings(std::string("layers.head.") + head));
  for (const Layers::Layer& layer : layers.layers) {
    const std::vector<std::string> own{layer.name, shape_text(layer),
                                       std::to_string(layer.parameters),
                                       std::to_string(layer.bytes)};
    for (const Layers::Cost& cost : layer.costs) {
      table.rows.push_back(own);
      for (const std::string& cell :
           {work_name(cost.work, strings), cost.kernel, std::to_string(cost.launches),
            std::to_string(cost.bytes), exact_text(cost.seconds), exact_text(cost.low),
            exact_text(cost.high)})
        table.rows.back().push_back(cell);
    }
    if (!layer.costs.empty()) continue;
    table.rows.push_back(own);
    table.rows.back().resize(table.head.size());
  }
  return table;
}

void compare(const Layers& a, const Layers& b, Comparer& comparer) {
  for (const Layers::Layer& layer : b.layers) {
    const auto other = std::ranges::find(a.layers, layer.name, &Layers::Layer::name);
    const auto before = [&](auto member) -> std::optional<double> {
      if (other == a.layers.end()) return std::nullopt;
      return figure_of((*other).*member);
    };
    const Message row = Message::plain(layer.name);
    comparer.figure("parameters", before(&Layers::Layer::parameters), figure_of(layer.parameters),
                    row, device::EvidenceKind::counted);
    comparer.figure("output_bytes", before(&Layers::Layer::bytes), figure_of(layer.bytes), row,
                    device::EvidenceKind::counted);
  }
}

bool valid(const Layers& v) {
  return std::ranges::all_of(v.layers, [](const Layers::Layer& layer) {
    return is_map(layer.map) && is_map(layer.gradient) &&
           (layer.gradient.data.empty() || layer.gradient.shape == layer.map.shape);
  });
}

}  // namespace warpbook::lab
