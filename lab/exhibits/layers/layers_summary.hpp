// What the renderers of a network's layers share: sums of their costs, and a layer in words.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "lab/exhibits/layers/layers.hpp"

namespace warpbook::lab {

/// All kinds of work, in the order in which they are drawn.
inline constexpr std::array kLayerWorks{LayersExhibit::Work::forward, LayersExhibit::Work::data,
                                        LayersExhibit::Work::weights, LayersExhibit::Work::update};

/// Seconds of a layer's work, with its band; each 0 where none was done, or its time is not known.
struct LayerTime {
  double seconds = 0, low = 0, high = 0;
};
LayerTime time_of(const LayersExhibit::Layer& layer, LayersExhibit::Work work);
/// Seconds of all its work, and of that work in all layers.
double seconds_of(const LayersExhibit::Layer& layer);
double seconds_of(const LayersExhibit& layers, LayersExhibit::Work work);
double seconds_of(const LayersExhibit& layers);

/// "8 × 32 × 32"
std::string shape_text(const LayersExhibit::Layer& layer);
/// "forward", "gradient of the data", ...
std::string work_name(LayersExhibit::Work work, const Strings& strings);
/// What the layer puts out, keeps and costs, in sentences, with the kernels' files.
std::string layer_text(const LayersExhibit& layers, std::size_t layer, const Strings& strings);

/// A map made coarser until it has at most `most` rows and columns: a cell is the mean of its values.
struct CoarseMap {
  std::uint64_t rows = 0, columns = 0;
  std::vector<std::array<double, 3>> cells;  ///< row by row; of one plane all three are alike
  double low = 0, high = 0;                  ///< of all cells
};
CoarseMap coarse(const TensorExhibit& map, std::uint64_t most);

}  // namespace warpbook::lab
