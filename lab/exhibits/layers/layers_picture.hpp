// The picture of a network's layers, a row each: at the left what the layer put out for one image, going down, and the gradient that
// came back to it, going up; at the right how long its launches take, forward and backward. The window and SVG draw the same.
#pragma once

#include <cstddef>
#include <optional>

#include "lab/exhibits/layers/layers_summary.hpp"
#include "lab/markup/drawing.hpp"

namespace warpbook::lab {

/// Where its parts lie.
class LayersPlane {
 public:
  LayersPlane(const LayersExhibit& layers, double width);

  [[nodiscard]] double width() const { return width_; }
  [[nodiscard]] double height() const;
  [[nodiscard]] Area rows() const;
  [[nodiscard]] Area row(std::size_t layer) const;
  [[nodiscard]] std::optional<std::size_t> row_at(const Point& point) const;
  /// Squares for a layer's map and for its gradient.
  [[nodiscard]] Area map(std::size_t layer) const;
  [[nodiscard]] Area gradient(std::size_t layer) const;
  [[nodiscard]] Area words(std::size_t layer) const;
  /// The line for one kind of work, as long as the longest time, with room for its words behind it.
  [[nodiscard]] Area bar(std::size_t layer, std::size_t work) const;

 private:
  double width_ = 0;
  std::size_t layers_ = 0;
};

/// `shown`: the layer whose row is marked; none in a page.
Drawing drawing_of(const LayersExhibit& layers, const LayersPlane& plane,
                   const std::optional<std::size_t>& shown, const Canvas& canvas);

}  // namespace warpbook::lab
