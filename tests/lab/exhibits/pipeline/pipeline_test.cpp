// Pipelines: the bubble, what the renderers say of it, and where the picture has the boxes.
#include <string>

#include <catch2/catch_approx.hpp>
#include <catch2/catch_test_macros.hpp>
#include <nlohmann/json.hpp>

#include "lab/exhibits/pipeline/pipeline_picture.hpp"
#include "lab/markup/svg_pen.hpp"
#include "lab/render/render.hpp"
#include "tests/lab/markup/drawings.hpp"
#include "tests/lab/report/sample_report.hpp"
#include "tests/lab/text/texts.hpp"

namespace warpbook::lab::pipeline_exhibit_test {
namespace {

using Catch::Approx;
using sample::english;
using sample::exhibit;
using tests::holds;

}  // namespace

TEST_CASE("The bubble is what the devices wait until the last backward pass, not behind it") {
  const PipelineExhibit pipeline = sample::pipeline();
  CHECK(pipeline_end(pipeline) == 9);
  CHECK(bubble_of(pipeline) == Approx(1 - 12.0 / 18));
  CHECK(bubble_of({}) == 0);
}

TEST_CASE("The sentence of a pipeline says its time, its bubble and what it keeps") {
  const std::string says = sentence(exhibit(sample::pipeline()), sample::keys());
  CHECK(holds(says, "pipeline.takes"));
  CHECK(holds(says, "pipeline.bubble"));
  CHECK(holds(says, "pipeline.kept"));
  CHECK(holds(sentence(exhibit(PipelineExhibit{}), sample::keys()), "pipeline.nothing"));
}

TEST_CASE("A pipeline is rendered as text, HTML, JSON and a table") {
  const PipelineExhibit pipeline = sample::pipeline();
  for (const int width : {24, 80, 200})
    CHECK_FALSE(to_text(exhibit(pipeline), english(), width).empty());
  CHECK(to_json(exhibit(pipeline), english())["kind"] == "pipeline");
  CHECK(table_of(exhibit(pipeline), english()).rows.size() == pipeline.spans.size());
  CHECK(holds(to_html(exhibit(pipeline), english()), "<svg"));
}

TEST_CASE("A span of no row, or one that ends after the step, is not valid") {
  CHECK(valid(sample::pipeline()));
  PipelineExhibit pipeline = sample::pipeline();
  pipeline.spans[0].row = 2;
  CHECK_FALSE(valid(pipeline));
  pipeline = sample::pipeline();
  pipeline.spans[0].end = 11;
  CHECK_FALSE(valid(pipeline));
}

TEST_CASE(
    "In the picture each box lies in its row, and another pipeline beside it has the same axis") {
  const PipelineExhibit pipeline = sample::pipeline();
  PipelineExhibit longer = pipeline;
  longer.total = 20;
  const Canvas canvas = svg_canvas(600, english());
  const PipelinePlane alone(pipeline, nullptr, canvas), beside(pipeline, &longer, canvas);
  for (std::size_t i = 0; i < pipeline.spans.size(); ++i) {
    const Area box = alone.box(pipeline.spans[i]), strip = alone.strip(pipeline.spans[i].row);
    CHECK(box.y == strip.y);
    CHECK(box.x >= strip.x);
    CHECK(box.right() <= strip.right() + 1e-6);
    CHECK(alone.span_at(pipeline, box.middle()) == i);
  }
  CHECK(beside.box(pipeline.spans[0]).width == Approx(alone.box(pipeline.spans[0]).width / 2));
  const Drawing drawing = drawing_of(pipeline, alone, 0, canvas);
  for (const DrawnItem& item : drawing.items) CHECK(bounds_of(item).bottom() <= drawing.height + 1);
}

}  // namespace warpbook::lab::pipeline_exhibit_test
