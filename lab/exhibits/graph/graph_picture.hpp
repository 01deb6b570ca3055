// The picture of a graph: what was put in at the top, values going down along lines, gradients coming back up beside them. After
// some steps of the walk only what is known by then has its numbers. The window and SVG draw the same.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "lab/exhibits/graph/graph_summary.hpp"
#include "lab/markup/drawing.hpp"

namespace warpbook::lab {

/// Where its parts lie.
class GraphPlane {
 public:
  GraphPlane(const GraphExhibit& graph, double width);

  [[nodiscard]] double width() const { return width_; }
  [[nodiscard]] double height() const { return height_; }
  [[nodiscard]] const Area& box(std::size_t node) const { return boxes_[node]; }
  /// The line along which a node's input comes: from the bottom of that input's box to the top of its own.
  struct Way {
    Point from, to;
  };
  [[nodiscard]] const Way& way(std::size_t node, std::size_t input) const {
    return ways_[node][input];
  }
  [[nodiscard]] std::optional<std::size_t> node_at(const Point& point) const;

 private:
  void place_boxes(const GraphExhibit& graph);
  void place_ways(const GraphExhibit& graph);

  double width_ = 0, height_ = 0;
  std::vector<Area> boxes_;
  std::vector<std::vector<Way>> ways_;
};

/// `done`: steps of the walk; the last of them is marked unless all are done.
Drawing drawing_of(const GraphExhibit& graph, const GraphPlane& plane, std::size_t done,
                   const Canvas& canvas);

}  // namespace warpbook::lab
