// The graph of operations: its walk, what is known after each step, its renderers and where the picture has its parts.
#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>
#include <nlohmann/json.hpp>

#include "lab/exhibits/exhibit.hpp"
#include "lab/exhibits/graph/graph_picture.hpp"
#include "lab/markup/svg_pen.hpp"
#include "lab/markup/table.hpp"
#include "lab/render/render.hpp"
#include "tests/lab/report/sample_report.hpp"
#include "tests/lab/text/texts.hpp"

namespace warpbook::lab::graph_test {
namespace {

using sample::english;
using sample::exhibit;
using tests::holds;

/// Forward only: nobody went back.
GraphExhibit forward_only() {
  GraphExhibit made = sample::graph();
  for (GraphExhibit::Node& node : made.nodes) {
    node.gradient.reset();
    node.backward.clear();
    for (GraphExhibit::Input& input : node.inputs) input.gradient.reset();
  }
  return made;
}

}  // namespace

TEST_CASE("Graph: the walk takes operations in order, and back those that gradients went through") {
  using Steps = std::vector<GraphStep>;
  CHECK(steps_of(sample::graph()) ==
        Steps{{false, 2}, {false, 4}, {false, 5}, {true, 5}, {true, 4}, {true, 2}});
  CHECK(steps_of(forward_only()) == Steps{{false, 2}, {false, 4}, {false, 5}});
  CHECK(steps_of({}).empty());
}

TEST_CASE("Graph: values are known after their step, gradients when all who use a node went back") {
  const GraphExhibit graph = sample::graph();
  const GraphKnowledge before(graph, 0);
  CHECK(before.value(0));
  CHECK_FALSE(before.value(2));
  CHECK_FALSE(before.gradient(5));
  const GraphKnowledge forward(graph, 3);
  CHECK(forward.value(5));
  CHECK(forward.gradient(5));  // the 1 that the way back begins with
  CHECK_FALSE(forward.gradient(4));
  const GraphKnowledge one_back(graph, 4);
  CHECK(one_back.went_back(5));
  CHECK(one_back.gradient(4));
  CHECK_FALSE(one_back.gradient(1));
  CHECK(GraphKnowledge(graph, 6).gradient(1));
  CHECK_FALSE(GraphKnowledge(graph, 6).gradient(0));  // data: nobody asked
  CHECK_FALSE(GraphKnowledge(forward_only(), 3).gradient(5));
}

TEST_CASE("Graph: operations and launches are counted") {
  const GraphFigures figures = figures_of(sample::graph());
  CHECK(figures.operations == 3);
  CHECK(figures.forward_launches == 3);
  CHECK(figures.backward_launches == 4);
}

TEST_CASE("Graph: a step says its result, its launches and their line; equal launches once") {
  const GraphExhibit graph = sample::graph();
  const std::string forward = step_text(graph, {false, 4}, english());
  CHECK(holds(forward, "y = 8"));
  CHECK(holds(forward, "kernels/broadcast_add/01_one_each.cu"));
  CHECK(holds(forward, "24"));
  const std::string back = step_text(graph, {true, 5}, english());
  CHECK(holds(back, "y = 8"));
  CHECK(holds(back, "2 times"));
  CHECK(holds(step_text(graph, {true, 4}, sample::keys()), "graph.no-launch"));
}

TEST_CASE("Graph: the sentence says the last value and the gradients of what was put in") {
  const auto said = [](const GraphExhibit& graph) { return sentence(exhibit(graph), english()); };
  CHECK(holds(said(sample::graph()), "z = 64"));
  CHECK(holds(said(sample::graph()), "x = 48"));
  CHECK(holds(sentence(exhibit(forward_only()), sample::keys()), "graph.not-back"));
  CHECK(holds(sentence(exhibit(GraphExhibit{}), sample::keys()), "graph.nothing"));
}

TEST_CASE("Graph: long tensors are cut, and shapes are named where there is more than one number") {
  GraphExhibit::Data data{{2, 10}, {10, 1}, {1, 2.5, -3}};
  CHECK(elements_text(data) == "1 2.5 −3 …");
  CHECK(graph_shape_text(data) == "2 x 10");
  CHECK(graph_shape_text({{1}, {1}, {5}}).empty());
}

TEST_CASE("Graph: it is rendered as text, HTML, JSON and a table") {
  for (const GraphExhibit& graph : {sample::graph(), forward_only()}) {
    for (const int width : {24, 80, 200})
      CHECK_FALSE(to_text(exhibit(graph), english(), width).empty());
    CHECK(to_json(exhibit(graph), english())["kind"] == "graph");
    CHECK(table_of(exhibit(graph), english()).rows.size() == graph.nodes.size());
    const std::string html = to_html(exhibit(graph), english());
    CHECK(holds(html, "<svg"));
    CHECK(holds(html, "01_one_each.cu"));
  }
}

TEST_CASE("Graph: inputs come first, only operations have some, and each axis has its stride") {
  CHECK(valid(sample::graph()));
  GraphExhibit graph = sample::graph();
  graph.nodes[2].inputs[0].node = 5;
  CHECK_FALSE(valid(graph));
  graph = sample::graph();
  graph.nodes[0].inputs = {{}};
  CHECK_FALSE(valid(graph));
  graph = sample::graph();
  graph.nodes[1].value.strides.clear();
  CHECK_FALSE(valid(graph));
}

TEST_CASE("Graph: in the picture no box covers another, ways end at boxes, and all is inside") {
  const double width = GENERATE(340.0, 768.0);
  const GraphExhibit graph = sample::graph();
  const GraphPlane plane(graph, width);
  for (std::size_t i = 0; i < graph.nodes.size(); ++i) {
    CHECK(plane.node_at(plane.box(i).middle()) == i);
    for (std::size_t input = 0; input < graph.nodes[i].inputs.size(); ++input) {
      const auto& [from, to] = plane.way(i, input);
      CHECK(from.y == plane.box(graph.nodes[i].inputs[input].node).bottom());
      CHECK(to.y == plane.box(i).y);
      CHECK(from.y < to.y);
    }
  }
  const Canvas canvas = svg_canvas(width, english());
  for (std::size_t done = 0; done <= 6; ++done) {
    for (const DrawnItem& item : drawing_of(graph, plane, done, canvas).items) {
      CHECK(bounds_of(item).x >= -1);
      CHECK(bounds_of(item).right() <= width + 1);
      CHECK(bounds_of(item).bottom() <= plane.height() + 1);
    }
  }
}

TEST_CASE("Graph: the picture after a step shows no number of a later one") {
  const GraphExhibit graph = sample::graph();
  const GraphPlane plane(graph, 768);
  const auto shows = [&](std::size_t done, const std::string& text) {
    return holds(svg_of(drawing_of(graph, plane, done, svg_canvas(768, english())), "graph"), text);
  };
  CHECK_FALSE(shows(2, ">64<"));
  CHECK(shows(3, ">64<"));
  CHECK_FALSE(shows(5, ">48<"));
  CHECK(shows(6, ">48<"));
}

}  // namespace warpbook::lab::graph_test
