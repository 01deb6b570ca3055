// What the renderers of a graph share: its walk, step by step, what is known after a step, and steps in words.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "lab/exhibits/graph/graph.hpp"

namespace warpbook::lab {

/// One operation, forward or backward.
struct GraphStep {
  bool backward = false;
  std::uint32_t node = 0;
  friend bool operator==(const GraphStep&, const GraphStep&) = default;
};
/// All operations in order, then from the last to the first those that gradients went back through.
std::vector<GraphStep> steps_of(const GraphExhibit& graph);

/// What is known after the first `done` steps.
class GraphKnowledge {
 public:
  GraphKnowledge(const GraphExhibit& graph, std::size_t done);
  [[nodiscard]] bool value(std::size_t node) const { return values_[node]; }
  /// Whether the node's gradient is whole: all operations that use it have gone back.
  [[nodiscard]] bool gradient(std::size_t node) const { return gradients_[node]; }
  /// Whether gradients have come back through the node's operation, to its inputs.
  [[nodiscard]] bool went_back(std::size_t node) const { return went_back_[node]; }

 private:
  std::vector<bool> values_, gradients_, went_back_;
};

struct GraphFigures {
  std::uint64_t operations = 0;
  std::uint64_t forward_launches = 0, backward_launches = 0;
};
GraphFigures figures_of(const GraphExhibit& graph);

/// "3 x 2", and "" for a single number.
std::string graph_shape_text(const GraphExhibit::Data& data);
/// "48", "1 2 3 4 5 6", with "…" where there are more than were kept.
std::string elements_text(const GraphExhibit::Data& data);
/// What a step did, in sentences: the operation, its result, its launches and their lines.
std::string step_text(const GraphExhibit& graph, const GraphStep& step, const Strings& strings);

}  // namespace warpbook::lab
