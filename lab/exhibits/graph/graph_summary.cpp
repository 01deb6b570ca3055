#include "lab/exhibits/graph/graph_summary.hpp"

#include <algorithm>
#include <functional>
#include <numeric>

#include "lab/markup/phrases.hpp"

namespace warpbook::lab {
namespace {

using Node = GraphExhibit::Node;

bool is_operation(const Node& node) { return !node.operation.empty(); }

/// Whether gradients went back through its operation.
bool is_reached(const Node& node) {
  return is_operation(node) && std::ranges::any_of(node.inputs, [](const auto& input) {
           return input.gradient.has_value();
         });
}

/// "y = 8", "r (3 x 1) = 1 0 -2"
std::string assigned(const std::string& name, const GraphExhibit::Data& data) {
  const std::string shape = graph_shape_text(data);
  return name + (shape.empty() ? "" : " (" + shape + ")") + " = " + elements_text(data);
}

std::string launch_text(const GraphExhibit::Launch& launch, const Strings& strings) {
  const char* key = launch.line == 0 ? "graph.launch" : "graph.launch-line";
  return strings(key, {{"file", launch.file},
                       {"blocks", counted(strings, "count.blocks", launch.blocks)},
                       {"threads", counted(strings, "count.threads", launch.threads)},
                       {"instructions", grouped(launch.warp_instructions)},
                       {"line", std::to_string(launch.line)}});
}

/// Launches that are alike are told once, with how many they are.
std::vector<std::string> launches_text(const std::vector<GraphExhibit::Launch>& launches,
                                       const Strings& strings) {
  if (launches.empty()) return {strings("graph.no-launch")};
  std::vector<std::pair<std::string, std::uint64_t>> told;
  for (const GraphExhibit::Launch& launch : launches) {
    const std::string text = launch_text(launch, strings);
    const auto same = std::ranges::find(told, text, &decltype(told)::value_type::first);
    if (same == told.end())
      told.emplace_back(text, 1);
    else
      ++same->second;
  }
  std::vector<std::string> parts{counted(strings, "graph.launches", launches.size())};
  for (const auto& [text, times] : told)
    parts.push_back(times == 1 ? text
                               : strings("graph.times", {{"times", times}, {"launch", text}}));
  return parts;
}

}  // namespace

std::vector<GraphStep> steps_of(const GraphExhibit& graph) {
  std::vector<GraphStep> steps;
  for (std::uint32_t i = 0; i < graph.nodes.size(); ++i) {
    if (is_operation(graph.nodes[i])) steps.push_back({false, i});
  }
  for (auto i = static_cast<std::uint32_t>(graph.nodes.size()); i-- > 0;) {
    if (is_reached(graph.nodes[i])) steps.push_back({true, i});
  }
  return steps;
}

GraphKnowledge::GraphKnowledge(const GraphExhibit& graph, std::size_t done)
    : values_(graph.nodes.size()), gradients_(graph.nodes.size()), went_back_(graph.nodes.size()) {
  for (std::size_t i = 0; i < graph.nodes.size(); ++i) values_[i] = !is_operation(graph.nodes[i]);
  const std::vector<GraphStep> steps = steps_of(graph);
  const std::size_t seen = std::min(done, steps.size());
  for (std::size_t i = 0; i < seen; ++i)
    (steps[i].backward ? went_back_ : values_)[steps[i].node] = true;
  // The loss has its gradient, 1, as soon as the way back begins.
  const bool begun = seen < steps.size() ? steps[seen].backward : !steps.empty();
  for (std::size_t i = 0; i < graph.nodes.size(); ++i) {
    gradients_[i] = begun && graph.nodes[i].gradient.has_value();
    for (std::size_t user = i + 1; user < graph.nodes.size(); ++user) {
      const bool uses = std::ranges::any_of(graph.nodes[user].inputs, [&](const auto& input) {
        return input.node == i && input.gradient;
      });
      if (uses && !went_back_[user]) gradients_[i] = false;
    }
  }
}

GraphFigures figures_of(const GraphExhibit& graph) {
  GraphFigures figures;
  for (const Node& node : graph.nodes) {
    if (is_operation(node)) ++figures.operations;
    figures.forward_launches += node.forward.size();
    figures.backward_launches += node.backward.size();
  }
  return figures;
}

std::string graph_shape_text(const GraphExhibit::Data& data) {
  if (std::ranges::all_of(data.shape, [](std::uint64_t extent) { return extent == 1; })) return {};
  std::string text;
  for (const std::uint64_t axis : data.shape)
    text += (text.empty() ? "" : " x ") + std::to_string(axis);
  return text;
}

std::string elements_text(const GraphExhibit::Data& data) {
  std::string text;
  for (const double element : data.first) text += (text.empty() ? "" : " ") + figure(element, 4);
  const std::uint64_t all =
      std::accumulate(data.shape.begin(), data.shape.end(), std::uint64_t{1}, std::multiplies<>());
  return data.first.size() < all ? text + " …" : text;
}

std::string step_text(const GraphExhibit& graph, const GraphStep& step, const Strings& strings) {
  const Node& node = graph.nodes[step.node];
  std::vector<std::string> parts;
  if (!step.backward) {
    parts.push_back(strings("graph.forward", {{"operation", node.operation},
                                              {"result", assigned(node.name, node.value)}}));
  } else {
    std::vector<std::string> gradients;
    for (const GraphExhibit::Input& input : node.inputs) {
      if (input.gradient)
        gradients.push_back(assigned(graph.nodes[input.node].name, *input.gradient));
    }
    parts.push_back(strings("graph.backward", {{"operation", node.operation},
                                               {"name", node.name},
                                               {"gradients", joined(strings, gradients)}}));
  }
  std::ranges::copy(launches_text(step.backward ? node.backward : node.forward, strings),
                    std::back_inserter(parts));
  return sentences(strings, parts);
}

}  // namespace warpbook::lab
