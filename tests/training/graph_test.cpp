// The graph that a tape has noted: every number of the small networks that chapters show.
#include "training/graph.hpp"

#include <algorithm>

#include <catch2/catch_test_macros.hpp>

#include "tests/training/training_lab.hpp"

namespace warpbook::tests::graph_test {
namespace {

using namespace warpbook;
using namespace warpbook::training;
using Node = lab::GraphExhibit::Node;
using Elements = std::vector<double>;

const Node& named(const lab::GraphExhibit& graph, const std::string& name) {
  const auto found = std::ranges::find(graph.nodes, name, &Node::name);
  REQUIRE(found != graph.nodes.end());
  return *found;
}

}  // namespace

TEST_CASE("graph: values, gradients, the gradient along each way, and launches with their lines") {
  const auto lab = training_lab();
  Engine engine(*lab);
  engine.constant(1);  // launches and copies before observe() do not disturb
  engine.observe({.records = true});
  Tape tape(engine);
  const Variable x = tape.parameter("x", engine.upload("x", {1}, {2}));
  const Variable y = tape.add(tape.multiply(tape.constant(3), x), tape.constant(2));
  const Variable z = tape.multiply(y, y);
  tape.backward(z, Tape::Keep::gradients);
  const lab::GraphExhibit graph = graph_of(tape, {{y, "y"}, {z, "z"}});
  CHECK(valid(graph));
  CHECK(graph.nodes.size() == 6);
  CHECK(named(graph, "z").value.first == Elements{64});
  CHECK(named(graph, "z").gradient->first == Elements{1});
  CHECK(named(graph, "y").gradient->first == Elements{16});
  CHECK(named(graph, "x").gradient->first == Elements{48});
  CHECK_FALSE(named(graph, "3").gradient.has_value());
  for (const lab::GraphExhibit::Input& way : named(graph, "z").inputs)
    CHECK(way.gradient->first == Elements{8});
  REQUIRE(named(graph, "z").backward.size() == 3);
  const lab::GraphExhibit::Launch& launch = named(graph, "z").backward.front();
  CHECK(launch.file == "kernels/broadcast_multiply/01_one_each.cu");
  CHECK(launch.blocks == 1);
  CHECK(launch.threads == 256);
  CHECK(launch.line > 0);
  CHECK(launch.warp_instructions > 0);
  CHECK(named(graph, "y").backward.empty());
}

TEST_CASE("graph: views are read by their strides, and of long tensors the first elements") {
  const auto lab = training_lab();
  Engine engine(*lab);
  Tape tape(engine);
  const Variable a = tape.parameter("a", engine.upload("a", {2, 3}, {1, 2, 3, 4, 5, 6}));
  const Variable turned = tape.transpose(a);
  const Variable wide =
      tape.broadcast_to(tape.parameter("b", engine.upload("b", {1}, {5})), {4, 5});
  const Variable loss = tape.sum(turned);
  tape.backward(loss, Tape::Keep::gradients);
  const lab::GraphExhibit graph = graph_of(tape, {{turned, "aT"}, {wide, "wide"}});
  CHECK(named(graph, "aT").value.first == Elements{1, 4, 2, 5, 3, 6});
  CHECK(named(graph, "aT").value.strides == Extents{1, 3});
  CHECK(named(graph, "wide").value.first == Elements(lab::kMostGraphElements, 5));
  CHECK(named(graph, "aT").gradient->first == Elements(6, 1));
  CHECK(named(graph, "aT").gradient->strides == Extents{0, 0});
}

}  // namespace warpbook::tests::graph_test
