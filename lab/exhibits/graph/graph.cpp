#include "lab/exhibits/graph/graph.hpp"

#include <algorithm>

#include "lab/exhibits/graph/graph_summary.hpp"
#include "lab/markup/phrases.hpp"

namespace warpbook::lab {
namespace {

using Node = GraphExhibit::Node;

/// Of what was put in: "x = 48" for each whose gradient is known.
std::vector<std::string> gradients_of_leaves(const GraphExhibit& graph) {
  std::vector<std::string> said;
  for (const Node& node : graph.nodes) {
    if (node.operation.empty() && node.gradient)
      said.push_back(node.name + " = " + elements_text(*node.gradient));
  }
  return said;
}

std::string strides_text(const GraphExhibit::Data& data) {
  std::string text;
  for (const std::int64_t stride : data.strides)
    text += (text.empty() ? "" : ", ") + std::to_string(stride);
  return text;
}

std::string inputs_text(const GraphExhibit& graph, const Node& node) {
  std::string text;
  for (const GraphExhibit::Input& input : node.inputs)
    text += (text.empty() ? "" : ", ") + graph.nodes[input.node].name;
  return text;
}

}  // namespace

std::string sentence_of(const GraphExhibit& graph, const Strings& strings) {
  const GraphFigures figures = figures_of(graph);
  if (figures.operations == 0) return strings("graph.nothing");
  const Node& last = graph.nodes.back();
  std::vector<std::string> parts{
      strings("graph.whole",
              {{"operations", counted(strings, "graph.operations", figures.operations)},
               {"launches", counted(strings, "graph.launch-count", figures.forward_launches)},
               {"name", last.name},
               {"value", elements_text(last.value)}})};
  const std::vector<std::string> gradients = gradients_of_leaves(graph);
  parts.push_back(gradients.empty()
                      ? strings("graph.not-back")
                      : strings("graph.back", {{"launches", counted(strings, "graph.launch-count",
                                                                    figures.backward_launches)},
                                               {"gradients", joined(strings, gradients)}}));
  return sentences(strings, parts);
}

/// A row for each node.
Table table_of(const GraphExhibit& graph, const Strings& strings) {
  Table table{
      {strings("graph.head.name"), strings("graph.head.operation"), strings("graph.head.inputs"),
       strings("graph.head.shape"), strings("graph.head.strides"), strings("graph.head.value"),
       strings("graph.head.gradient"), strings("graph.head.forward"),
       strings("graph.head.backward")},
      {}};
  for (const Node& node : graph.nodes)
    table.rows.push_back(
        {node.name, node.operation, inputs_text(graph, node), graph_shape_text(node.value),
         strides_text(node.value), elements_text(node.value),
         node.gradient ? elements_text(*node.gradient) : "", std::to_string(node.forward.size()),
         std::to_string(node.backward.size())});
  return table;
}

void compare(const GraphExhibit& a, const GraphExhibit& b, Comparer& comparer) {
  const GraphFigures one = figures_of(a), two = figures_of(b);
  comparer.figure("graph_operations", figure_of(one.operations), figure_of(two.operations));
  comparer.figure("graph_forward", figure_of(one.forward_launches),
                  figure_of(two.forward_launches));
  comparer.figure("graph_backward", figure_of(one.backward_launches),
                  figure_of(two.backward_launches));
}

bool valid(const GraphExhibit& v) {
  const auto whole = [](const GraphExhibit::Data& data) {
    return data.shape.size() == data.strides.size();
  };
  for (std::size_t i = 0; i < v.nodes.size(); ++i) {
    const Node& node = v.nodes[i];
    if (node.operation.empty() != node.inputs.empty()) return false;
    if (!whole(node.value) || (node.gradient && !whole(*node.gradient))) return false;
    if (!std::ranges::all_of(node.inputs, [&](const GraphExhibit::Input& input) {
          return input.node < i && (!input.gradient || whole(*input.gradient));
        }))
      return false;
  }
  return true;
}

}  // namespace warpbook::lab
