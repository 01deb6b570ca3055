#include <string>

#include "lab/exhibits/graph/graph_picture.hpp"
#include "lab/markup/html_parts.hpp"
#include "lab/markup/svg_pen.hpp"

namespace warpbook::lab {
namespace {

constexpr double kGraphPageWidth = 768;

}  // namespace

/// After the last step, and all steps in words below.
std::string html_body(const GraphExhibit& graph, const Strings& strings,
                      const std::string& caption) {
  if (graph.nodes.empty()) return {};
  const std::vector<GraphStep> steps = steps_of(graph);
  std::string list;
  for (const GraphStep& step : steps)
    list += tagged("li", "", escaped(step_text(graph, step, strings)));
  return svg_of(drawing_of(graph, GraphPlane(graph, kGraphPageWidth), steps.size(),
                           svg_canvas(kGraphPageWidth, strings)),
                caption) +
         tagged("p", "wb-more", escaped(strings("graph.legend"))) + tagged("ol", "", list);
}

}  // namespace warpbook::lab
