#include <algorithm>
#include <string>
#include <vector>

#include "lab/exhibits/graph/graph_summary.hpp"
#include "lab/markup/phrases.hpp"
#include "lab/markup/text_parts.hpp"

namespace warpbook::lab {
namespace {

constexpr std::size_t kOperationColumn = 1;

/// "multiply(y, y)"
std::string made_by(const GraphExhibit& graph, const GraphExhibit::Node& node) {
  if (node.operation.empty()) return {};
  std::string text;
  for (const GraphExhibit::Input& input : node.inputs)
    text += (text.empty() ? "" : ", ") + graph.nodes[input.node].name;
  return node.operation + "(" + text + ")";
}

/// The files of all kernels that ran, each once.
std::vector<std::string> kernel_files(const GraphExhibit& graph) {
  std::vector<std::string> files;
  for (const GraphExhibit::Node& node : graph.nodes) {
    for (const auto* launches : {&node.forward, &node.backward}) {
      for (const GraphExhibit::Launch& launch : *launches) {
        if (std::ranges::find(files, launch.file) == files.end()) files.push_back(launch.file);
      }
    }
  }
  return files;
}

}  // namespace

/// A line for each node, and the kernels below.
void text_body(const GraphExhibit& graph, const Strings& strings, Page& page) {
  if (graph.nodes.empty()) return;
  std::vector<std::vector<std::string>> rows{
      {strings("graph.head.name"), strings("graph.head.operation"), strings("graph.head.value"),
       strings("graph.head.gradient"), strings("graph.head.launches")}};
  for (const GraphExhibit::Node& node : graph.nodes)
    rows.push_back({node.name, made_by(graph, node), elements_text(node.value),
                    node.gradient ? elements_text(*node.gradient) : "–",
                    node.operation.empty() ? "–"
                                           : std::to_string(node.forward.size()) + " + " +
                                                 std::to_string(node.backward.size())});
  text_rows(rows, page, kOperationColumn);
  const std::vector<std::string> files = kernel_files(graph);
  if (!files.empty())
    page.paragraph(strings("graph.kernels", {{"files", joined(strings, files)}}), 2, Ink::quiet);
}

}  // namespace warpbook::lab
