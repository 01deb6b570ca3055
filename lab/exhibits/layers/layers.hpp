// A network's layers in one training step: what each puts out for one image, the gradient that comes back to it, and what its
// launches cost, forward and backward.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "lab/exhibits/tensor/tensor.hpp"
#include "lab/markup/kind.hpp"

namespace warpbook::lab {

/// From the launches of the step, never from a formula.
struct LayersExhibit {
  static constexpr std::string_view kKind = "layers";
  /// What launches of a layer are for: its outputs, the gradient of its inputs, that of its weights, new weights.
  enum class Work : std::uint8_t { forward, data, weights, update };
  struct Cost {
    Work work = Work::forward;
    std::string kernel;  ///< the file below the root
    std::uint64_t launches = 0;
    std::uint64_t bytes = 0;                ///< of the sectors that moved at L1
    double seconds = 0, low = 0, high = 0;  ///< each 0: not known
    friend bool operator==(const Cost&, const Cost&) = default;
  };
  /// A tensor without an element.
  static TensorExhibit none() {
    TensorExhibit made;
    made.shape = {0};
    return made;
  }
  struct Layer {
    std::string name;                  ///< "conv1"
    std::vector<std::uint64_t> shape;  ///< of what it puts out for one image
    std::uint64_t parameters = 0;
    std::uint64_t bytes = 0;  ///< of what it puts out for all images
    /// One map of the shown image: [rows][columns], or three such planes for red, green and blue. none(): not shown.
    TensorExhibit map = none();
    TensorExhibit gradient = none();  ///< of the same map
    std::vector<Cost> costs;
    friend bool operator==(const Layer&, const Layer&) = default;
  };
  std::uint64_t images = 0;   ///< of the step
  std::vector<Layer> layers;  ///< from the image on
  friend bool operator==(const LayersExhibit&, const LayersExhibit&) = default;
};

constexpr auto enum_names(LayersExhibit::Work) {
  return device::checked_names<LayersExhibit::Work>("forward", "data", "weights", "update");
}

template <class V>
void fields(V&& visit, Is<LayersExhibit::Cost> auto& v) {
  visit("work", v.work);
  visit("kernel", v.kernel);
  visit("launches", v.launches);
  visit("bytes", v.bytes);
  visit("seconds", v.seconds);
  visit("low", v.low);
  visit("high", v.high);
}

template <class V>
void fields(V&& visit, Is<LayersExhibit::Layer> auto& v) {
  visit("name", v.name);
  visit("shape", v.shape);
  visit("parameters", v.parameters);
  visit("bytes", v.bytes);
  visit("map", v.map);
  visit("gradient", v.gradient);
  visit("costs", v.costs);
}

template <class V>
void fields(V&& visit, Is<LayersExhibit> auto& v) {
  visit("images", v.images);
  visit("layers", v.layers);
}
/// Maps have two axes, or three with red, green and blue; a gradient has its map's.
bool valid(const LayersExhibit& v);

std::string sentence_of(const LayersExhibit& layers, const Strings& strings);
void text_body(const LayersExhibit& layers, const Strings& strings, Page& page);
std::string html_body(const LayersExhibit& layers, const Strings& strings,
                      const std::string& caption);
Table table_of(const LayersExhibit& layers, const Strings& strings);
void compare(const LayersExhibit& a, const LayersExhibit& b, Comparer& comparer);

}  // namespace warpbook::lab
