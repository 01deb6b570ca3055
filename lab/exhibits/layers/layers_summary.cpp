#include "lab/exhibits/layers/layers_summary.hpp"

#include <algorithm>

#include "lab/markup/phrases.hpp"

namespace warpbook::lab {
namespace {

using Layers = LayersExhibit;

/// Rows and columns of a map, which are its last two axes; and its planes.
struct MapShape {
  std::uint64_t planes = 1, rows = 0, columns = 0;
};
MapShape shape_of(const TensorExhibit& map) {
  const auto& shape = map.shape;
  if (shape.size() < 2) return {};
  return {shape.size() > 2 ? shape[0] : 1, shape[shape.size() - 2], shape.back()};
}

/// The mean of a plane's values in a square of `step`, as far as the map reaches.
double mean_of(const TensorExhibit& map, const MapShape& shape, std::uint64_t plane,
               std::uint64_t row, std::uint64_t column, std::uint64_t step) {
  double sum = 0;
  std::uint64_t count = 0;
  for (std::uint64_t r = row; r < std::min(row + step, shape.rows); ++r) {
    for (std::uint64_t c = column; c < std::min(column + step, shape.columns); ++c) {
      sum += element(map, (plane * shape.rows + r) * shape.columns + c);
      ++count;
    }
  }
  return sum / static_cast<double>(count);
}

std::string files_text(const Layers::Layer& layer, Layers::Work work) {
  std::string files;
  for (const Layers::Cost& cost : layer.costs) {
    if (cost.work == work) files += (files.empty() ? "" : ", ") + cost.kernel;
  }
  return files;
}

}  // namespace

LayerTime time_of(const Layers::Layer& layer, Layers::Work work) {
  LayerTime sum;
  for (const Layers::Cost& cost : layer.costs) {
    if (cost.work != work) continue;
    sum.seconds += cost.seconds;
    sum.low += cost.low;
    sum.high += cost.high;
  }
  return sum;
}

double seconds_of(const Layers::Layer& layer) {
  double sum = 0;
  for (const Layers::Cost& cost : layer.costs) sum += cost.seconds;
  return sum;
}

double seconds_of(const Layers& layers, Layers::Work work) {
  double sum = 0;
  for (const Layers::Layer& layer : layers.layers) sum += time_of(layer, work).seconds;
  return sum;
}

double seconds_of(const Layers& layers) {
  double sum = 0;
  for (const Layers::Layer& layer : layers.layers) sum += seconds_of(layer);
  return sum;
}

std::string shape_text(const Layers::Layer& layer) {
  std::string text;
  for (const std::uint64_t extent : layer.shape)
    text += (text.empty() ? "" : " × ") + std::to_string(extent);
  return text;
}

std::string work_name(Layers::Work work, const Strings& strings) {
  return strings("layers.work." + std::string(device::name_of(work)));
}

std::string layer_text(const Layers& layers, std::size_t layer, const Strings& strings) {
  const Layers::Layer& one = layers.layers[layer];
  std::vector<std::string> parts{
      strings(one.parameters == 0 ? "layers.puts-out" : "layers.puts-out-with",
              {{"name", one.name},
               {"shape", shape_text(one)},
               {"parameters", counted(strings, "layers.parameters", one.parameters)},
               {"bytes", byte_count(one.bytes)}})};
  for (const Layers::Work work : kLayerWorks) {
    const std::string files = files_text(one, work);
    if (files.empty()) continue;
    const LayerTime time = time_of(one, work);
    parts.push_back(strings(time.seconds == 0 ? "layers.work-untimed" : "layers.work-timed",
                            {{"work", work_name(work, strings)},
                             {"time", duration(time.seconds)},
                             {"low", duration(time.low)},
                             {"high", duration(time.high)},
                             {"files", files}}));
  }
  return sentences(strings, parts);
}

CoarseMap coarse(const TensorExhibit& map, std::uint64_t most) {
  const MapShape shape = shape_of(map);
  CoarseMap made;
  if (shape.rows == 0 || shape.columns == 0) return made;
  const std::uint64_t step = (std::max(shape.rows, shape.columns) + most - 1) / most;
  made.rows = (shape.rows + step - 1) / step;
  made.columns = (shape.columns + step - 1) / step;
  for (std::uint64_t row = 0; row < made.rows; ++row) {
    for (std::uint64_t column = 0; column < made.columns; ++column) {
      auto& cell = made.cells.emplace_back();
      for (std::uint64_t plane = 0; plane < cell.size(); ++plane)
        cell[plane] =
            mean_of(map, shape, std::min(plane, shape.planes - 1), row * step, column * step, step);
    }
  }
  made.low = made.high = made.cells.front()[0];
  for (const auto& cell : made.cells) {
    made.low = std::min(made.low, *std::ranges::min_element(cell));
    made.high = std::max(made.high, *std::ranges::max_element(cell));
  }
  return made;
}

}  // namespace warpbook::lab
