// Autograd: the presets' figures to the digit, and what its page works out by hand.
#include <algorithm>
#include <string>
#include <vector>

#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>

#include "lab/exhibits/exhibit.hpp"
#include "lab/exhibits/graph/graph_summary.hpp"
#include "lessons/catalogue.hpp"
#include "tests/lessons/chapter.hpp"

namespace warpbook::autograd_test {
namespace {

using tests::chapter::answer;
using tests::chapter::exhibit;
using tests::chapter::figure;
using tests::chapter::Values;
using tests::chapter::variant;
using Int = std::int64_t;

/// A small matrix, so that a run that is about something else is quick.
lab::Report run(Values values, const std::string& name = {}) {
  if (std::ranges::find(values, std::string("edge"), &Values::value_type::first) == values.end())
    values.emplace_back("edge", Int{32});
  if (name.empty()) return tests::chapter::run("autograd", values);
  return tests::chapter::run("autograd", values, {"operation", variant("autograd", name)});
}

lab::Report preset(const std::string& name) {
  const lab::Lesson* lesson = lessons::find("autograd");
  const auto found = std::ranges::find(lesson->presets, name, &lab::Preset::name);
  REQUIRE(found != lesson->presets.end());
  return run(tests::chapter::values_of(*found));
}

std::vector<double> elements(const lab::Report& report, std::string_view id) {
  const auto& tensor = exhibit<lab::TensorExhibit>(report, id);
  std::vector<double> values;
  for (std::uint64_t i = 0; i < lab::count(tensor); ++i) values.push_back(lab::element(tensor, i));
  return values;
}

std::string said(const lab::Report& report, std::string_view id, std::string_view argument) {
  const auto& text = exhibit<lab::TextExhibit>(report, id);
  return device::argument_of(text.text.arguments, argument)->text;
}

bool passed(const lab::Report& report, std::string_view id) {
  return exhibit<lab::CheckExhibit>(report, id).passed();
}

using Elements = std::vector<double>;

}  // namespace

TEST_CASE("Autograd: the tensor of 3 x 2 and its views, by strides alone") {
  struct Expected {
    std::string view, shape, strides, first;
    Elements values;
  };
  const auto [view, shape, strides, first, gathered] =
      GENERATE(values<Expected>({{"t", "3, 2", "2, 1", "0", {1, 2, 3, 4, 5, 6}},
                                 {"t.T", "2, 3", "1, 2", "0", {1, 3, 5, 2, 4, 6}},
                                 {"t[:,1]", "3", "2", "1", {2, 4, 6}},
                                 {"t[1:]", "2, 2", "2, 1", "2", {3, 4, 5, 6}}}));
  CAPTURE(view);
  const lab::Report report = run({{"view", view}});
  CHECK(report.errors.empty());
  CHECK(said(report, "view", "shape") == shape);
  CHECK(said(report, "view", "strides") == strides);
  CHECK(said(report, "view", "offset") == first);
  CHECK(answer(report, "view-bytes") == "0");
  CHECK(elements(report, "gathered") == gathered);
}

TEST_CASE("Autograd: element 2 of the slice is read at word 5") {
  CHECK(answer(preset("sliced"), "word") == "5");
}

TEST_CASE("Autograd: 3 x 3 + 3 x 3, and what is broadcast") {
  struct Expected {
    std::string operand, strides, words;
    Elements sum;
  };
  const auto [operand, strides, words, sum] =
      GENERATE(values<Expected>({{"3x3", "3, 1", "9", {11, 22, 33, 44, 55, 66, 77, 88, 99}},
                                 {"1x3", "0, 1", "3", {11, 22, 33, 14, 25, 36, 17, 28, 39}},
                                 {"3x1", "1, 0", "3", {11, 12, 13, 24, 25, 26, 37, 38, 39}},
                                 {"5", "0, 0", "1", {6, 7, 8, 9, 10, 11, 12, 13, 14}}}));
  CAPTURE(operand);
  const lab::Report report = run({{"operand", operand}});
  CHECK(answer(report, "operand-strides") == strides);
  CHECK(figure(report, "operand-words") == words);
  CHECK(elements(report, "sum") == sum);
  CHECK(passed(report, "check"));
}

TEST_CASE("Autograd: initcheck finds who reads memory that nobody has written") {
  const lab::Report report = preset("uninitialised");
  CHECK(answer(report, "promised") == "anything");
  CHECK(answer(preset("broadcast"), "promised") == "6");
  CHECK_FALSE(passed(report, "check"));
  REQUIRE_FALSE(report.errors.empty());
  CHECK(report.errors.front().code == device::ErrorCode::uninitialised_read);
  CHECK(report.errors.front().place.line > 0);
}

TEST_CASE("Autograd: of z = (3x + 2)^2 at x = 2, dz/dx is 48, and 96 after a second way back") {
  const lab::Report once = preset("chain");
  CHECK(figure(once, "y") == "8");
  CHECK(figure(once, "z") == "64");
  CHECK(figure(once, "dy") == "16");
  CHECK(answer(once, "gradient") == "48");
  CHECK(answer(once, "backward-launches") == "4");
  CHECK(answer(preset("twice"), "gradient") == "96");
  CHECK(answer(run({{"backwards", Int{3}}, {"zeroing", true}}), "gradient") == "48");
  CHECK(answer(run({{"x", Int{-3}}}), "gradient") == "-42");
}

TEST_CASE("Autograd: the house's error and gradients are those that the page works out") {
  const lab::Report report = run({});
  const auto& graph = exhibit<lab::GraphExhibit>(report, "fit");
  const auto node = [&](const std::string& name) {
    return *std::ranges::find(graph.nodes, name, &lab::GraphExhibit::Node::name);
  };
  CHECK(node("t w").value.first == Elements{1, 3, 5});
  CHECK(node("p").value.first == Elements{2, 4, 6});
  CHECK(node("r").value.first == Elements{1, 0, -2});
  CHECK(node("r").gradient->first == Elements{2, 0, -4});
  CHECK(node("E").value.first == Elements{5});
  CHECK(answer(report, "bias-gradient") == "-2");
  CHECK(answer(report, "sun-gradient") == "-18");
  CHECK(figure(report, "wind-gradient") == "-20");
  CHECK(figure(report, "words-read") == "0, 2, 4");
  CHECK(figure(report, "copies-made") == "0");
}

TEST_CASE("Autograd: differences of forward pass a right backward and name a wrong one") {
  const lab::Report right = run({});
  CHECK(answer(right, "best-step") == "0.01");
  CHECK(passed(right, "slope-check"));
  CHECK(passed(run({}, "cube"), "slope-check"));
  const lab::Report wrong = run({}, "half_a_rule");
  CHECK_FALSE(passed(wrong, "slope-check"));
  CHECK(wrong.errors.empty());
}

TEST_CASE("Autograd: reading a transpose loads eight times as many sectors") {
  const auto edge = GENERATE(Int{32}, Int{256});
  const lab::Report report = run({{"edge", edge}});
  CHECK(answer(report, "times-as-many") == "8");
  CHECK(figure(report, "sectors-lying") ==
        std::to_string(edge * edge / 8).insert(edge == 256 ? 1 : 3, edge == 256 ? "," : ""));
}

TEST_CASE("Autograd: a word of the signal gets a gradient for each window that it is in") {
  CHECK(elements(run({}), "windows") == Elements{1, 2, 3, 3, 3, 3, 2, 1});
}

TEST_CASE("Autograd: kernels that the reader may edit show what each line executed") {
  const lab::Report report = run({});
  for (const char* slot : {"copy", "add", "multiply", "backward", "operation"}) {
    CAPTURE(slot);
    const auto& source = exhibit<lab::SourceExhibit>(report, slot);
    CHECK(std::ranges::any_of(
        source.lines, [](const auto& line) { return line.counters.warp_instructions > 0; }));
  }
}

}  // namespace warpbook::autograd_test
