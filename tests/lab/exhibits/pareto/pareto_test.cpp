// Pareto charts: who dominates whom, and what the renderers say of it.
#include <cmath>
#include <limits>
#include <string>

#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>
#include <nlohmann/json.hpp>

#include "lab/exhibits/pareto/pareto_picture.hpp"
#include "lab/markup/svg_pen.hpp"
#include "lab/render/render.hpp"
#include "tests/lab/markup/drawings.hpp"
#include "tests/lab/report/sample_report.hpp"
#include "tests/lab/text/texts.hpp"

namespace warpbook::lab::pareto_exhibit_test {
namespace {

using Measure = ParetoExhibit::Measure;
using Indices = std::vector<std::size_t>;
using sample::english;
using sample::exhibit;
using tests::count_of;
using tests::holds;

std::string said(const ParetoExhibit& pareto) { return sentence(exhibit(pareto), sample::keys()); }

/// Kernels of ours with these times and sectors.
ParetoExhibit chart(const std::vector<std::pair<double, double>>& kernels) {
  ParetoExhibit made;
  for (const auto& [seconds, sectors] : kernels) {
    made.points.push_back({Message::plain("kernel"), ParetoExhibit::Origin::ours, 0, seconds,
                           seconds, seconds, sectors, 1, 1});
  }
  return made;
}

}  // namespace

TEST_CASE("The frontier has what no other kernel dominates, the fastest first") {
  CHECK(frontier_of(chart({{3, 10}, {1, 30}, {2, 20}})) == Indices{1, 2, 0});
  CHECK(frontier_of(chart({{1, 10}, {2, 20}, {1, 20}})) == Indices{0});
  CHECK(frontier_of(chart({{2, 10}, {1, 11}, {2, 11}})) == Indices{1, 0});
  CHECK(frontier_of(chart({})).empty());
}

TEST_CASE("Of two kernels with the same figures neither dominates the other") {
  CHECK(frontier_of(chart({{1, 10}, {1, 10}})) == Indices{0, 1});
}

TEST_CASE("The frontier is that of the measure on the axis") {
  ParetoExhibit pareto = sample::pareto();
  CHECK(frontier_of(pareto) == Indices{0, 3, 1});
  pareto.measure = Measure::memory;
  CHECK(frontier_of(pareto) == Indices{0});
}

TEST_CASE("A kernel without a time or an amount has no place and dominates nothing") {
  const double odd = GENERATE(0.0, -1.0, std::numeric_limits<double>::quiet_NaN(),
                              std::numeric_limits<double>::infinity());
  const ParetoExhibit pareto = chart({{odd, 1}, {1, odd}, {2, 20}});
  CHECK(frontier_of(pareto) == Indices{2});
  CHECK(holds(point_text(pareto, 0, sample::keys()), "pareto.no-place"));
  CHECK(holds(said(chart({{odd, 1}})), "pareto.nothing"));
}

TEST_CASE(
    "The sentence names the frontier, and what dominates the reader's kernel or that nothing "
    "does") {
  ParetoExhibit pareto = sample::pareto();
  CHECK(holds(said(pareto), "pareto.frontier"));
  CHECK(holds(said(pareto), "pareto.on-frontier"));
  pareto.points[3].seconds = 7e-5;
  CHECK(holds(said(pareto), "pareto.dominated(other=B frugal)"));
}

TEST_CASE("A Pareto chart is rendered as text, HTML, JSON and a table") {
  const ParetoExhibit pareto = sample::pareto();
  for (const int width : {24, 80, 200})
    CHECK_FALSE(to_text(exhibit(pareto), english(), width).empty());
  CHECK(holds(to_text(exhibit(pareto), english(), 120), "9,000"));
  CHECK(holds(to_text(exhibit(pareto), english(), 120), "8 µs – 20 µs"));  // the band
  CHECK(to_json(exhibit(pareto), english())["value"]["points"][3]["origin"] == "yours");
  CHECK(table_of(exhibit(pareto), english()).rows.size() == pareto.points.size());
  CHECK(holds(to_html(exhibit(pareto), english()), "<svg"));
}

TEST_CASE("The picture has every kernel once, within the plane, and the one under the mouse") {
  const ParetoExhibit pareto = sample::pareto();
  const double width = GENERATE(300.0, 768.0);
  const Canvas canvas = svg_canvas(width, english());
  const ParetoPlane plane(pareto, nullptr, canvas);
  const Drawing drawing = drawing_of(pareto, plane, 0, canvas);
  CHECK(count_of(drawing, "kernel") == 5);
  for (std::size_t i = 0; i < pareto.points.size(); ++i) {
    const Point place = plane.at(pareto, pareto.points[i]);
    CHECK(plane.area().holds(place));
    CHECK(plane.point_near(pareto, place) == i);
  }
}

TEST_CASE("Two charts side by side have the same axes") {
  const ParetoExhibit one = chart({{1, 10}}), other = chart({{100, 1000}});
  const Canvas canvas = svg_canvas(768, english());
  const ParetoPlane left(one, &other, canvas), right(other, &one, canvas);
  CHECK(left.across(50) == right.across(50));
  CHECK(left.down(5) == right.down(5));
}

}  // namespace warpbook::lab::pareto_exhibit_test
