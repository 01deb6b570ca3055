// A network learns: the presets' figures, what a step launches, and that the hand estimates are what the runs come to.
#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include <catch2/catch_approx.hpp>
#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_floating_point.hpp>

#include "lab/exhibits/boundary/boundary_summary.hpp"
#include "lab/exhibits/exhibit.hpp"
#include "lab/exhibits/timeline/timeline_summary.hpp"
#include "lessons/catalogue.hpp"
#include "tests/lessons/chapter.hpp"

namespace warpbook::mlp_test {
namespace {

using Catch::Approx;
using Catch::Matchers::WithinRel;
using Int = std::int64_t;
using lab::LearningExhibit;
using Pass = LearningExhibit::Pass;
using tests::chapter::answer;
using tests::chapter::exhibit;
using tests::chapter::figure;
using tests::chapter::Values;

lab::Report run(const std::string& network, double rate, Int steps, Values others = {}) {
  Values all{{"network", network}, {"rate", rate}, {"steps", steps}, {"momentum", 0.0}};
  for (auto& value : others) {
    std::erase_if(all, [&](const auto& one) { return one.first == value.first; });
    all.push_back(std::move(value));
  }
  lab::Report report = tests::chapter::run("mlp", all);
  CHECK(report.errors.empty());
  return report;
}

const std::vector<LearningExhibit::Point>& points(const lab::Report& report) {
  return exhibit<LearningExhibit>(report, "curve").runs.front().points;
}

std::vector<std::string> operations(const lab::Report& report, Pass pass) {
  std::vector<std::string> names;
  for (const auto& launch : points(report).front().launches)
    if (launch.pass == pass) names.push_back(launch.operation);
  return names;
}

}  // namespace

TEST_CASE("A network learns comes after Activations, and before Convolution, fast") {
  const auto place = [](std::string_view slug) {
    return std::ranges::find(lessons::catalogue(), slug, &lab::Lesson::slug) -
           lessons::catalogue().begin();
  };
  CHECK(place("activations") < place("mlp"));
  CHECK(place("mlp") < place("convolution-algorithms"));
}

TEST_CASE("A network learns' smallest network has the losses of the closed form at 0, 10, ... 90") {
  const lab::Report report = run("linear", 0.01, 100);
  const auto& curve = points(report);
  REQUIRE(curve.size() == 10);
  const double r = 2 * 0.01 * (std::stod(figure(report, "squares")) + 1);
  for (std::size_t i = 0; i < curve.size(); ++i) {
    CHECK(curve[i].step == 10 * i);
    const double formula = curve[0].loss * std::pow(1 - r, 2 * static_cast<double>(curve[i].step));
    CHECK_THAT(curve[i].loss, WithinRel(formula, 0.02));  // squares has four digits
  }
  CHECK(exhibit<lab::CheckExhibit>(report, "check").passed());
  CHECK(answer(report, "ratio") == "0.24");
  CHECK(figure(report, "shrinks") == "0.0697");
}

TEST_CASE("A network learns' smallest network launches eight kernels in every step") {
  const lab::Report report = run("linear", 0.01, 20);
  for (const auto& point : points(report)) CHECK(point.launches.size() == 8);
  CHECK(operations(report, Pass::forward) ==
        std::vector<std::string>{"sgemm_strided", "broadcast_add", "mean_square_error"});
  CHECK(operations(report, Pass::backward).size() == 3);
  CHECK(operations(report, Pass::update) ==
        std::vector<std::string>{"sgd_momentum", "sgd_momentum"});
}

TEST_CASE("A network learns' five rates: 0.14 is the quickest, and 0.3 alone diverges") {
  const lab::Report report = run("linear", 0.01, 20);
  CHECK(answer(report, "quickest") == "0.14");
  CHECK(answer(report, "diverges") == "0.3");
  const double limit = std::stod(figure(report, "limit"));
  CHECK(limit > 0.28);
  CHECK(limit < 0.3);
  // The reader's own training turns at the same place.
  CHECK(answer(run("linear", 0.28, 100), "fate") != "grows");
  CHECK(answer(run("linear", 0.3, 100), "fate") == "grows");
}

TEST_CASE(
    "A network learns ends a training whose loss no float can hold, and shows what was before") {
  const lab::Report report = run("linear", 2, 200);
  REQUIRE_FALSE(points(report).empty());
  CHECK(points(report).size() < 10);
  for (const auto& point : points(report)) CHECK(std::isfinite(point.loss));
}

TEST_CASE(
    "A network learns' two layers: 6 launches forward, 7 back of which 3 are products, 4 update") {
  const lab::Report report = run("layers", 0.05, 100);
  CHECK(operations(report, Pass::forward).size() == 6);
  CHECK(operations(report, Pass::backward).size() == 7);
  CHECK(operations(report, Pass::update).size() == 4);
  CHECK(answer(report, "products-back") == "3");
  CHECK(points(report).back().loss < 0.01 * points(report).front().loss);
}

TEST_CASE("A network learns' fused layers launch fewer kernels, and learn the same to the bit") {
  const lab::Report separate = run("layers", 0.05, 20),
                    fused = run("layers", 0.05, 20, {{"fused", true}});
  CHECK(answer(separate, "fewer") == "3");
  CHECK(figure(separate, "step-launches") == "17");
  CHECK(figure(fused, "step-launches") == "14");
  for (std::size_t i = 0; i < points(separate).size(); ++i)
    CHECK(points(separate)[i].loss == points(fused)[i].loss);
}

TEST_CASE("A network learns' graph saves a slow host's time, and nothing of a fast one's") {
  const lab::Report slow = run("layers", 0.05, 10, {{"call", 10.0}}),
                    fast = run("layers", 0.05, 10);
  CHECK(answer(slow, "separate-tens") == "170");
  CHECK(answer(slow, "graph-tens") == "70");
  CHECK(answer(fast, "separate-tens") == "70");
  const auto graph = run("layers", 0.05, 10, {{"call", 10.0}, {"graph", true}});
  CHECK(1e6 * lab::whole_of(exhibit<lab::TimelineExhibit>(graph, "timeline")) ==
        Approx(72).epsilon(0.02));
}

TEST_CASE("A network learns the circles, and shows where it answers what on the way") {
  const lab::Report report = run("circles", 0.2, 40, {{"momentum", 0.9}});
  const auto& boundary = exhibit<lab::BoundaryExhibit>(report, "boundary");
  CHECK(lab::valid(boundary));
  CHECK(boundary.frames.size() == 11);
  CHECK(lab::wrong_in(boundary, 0) > 50);
  CHECK(lab::wrong_in(boundary, 10) == 0);
  // The points' answers are those that the loss's kernel counted.
  for (std::size_t i = 0; i < points(report).size(); ++i)
    CHECK(1 - *points(report)[i].accuracy ==
          Approx(static_cast<double>(lab::wrong_in(boundary, i)) / 300));
}

TEST_CASE("A network learns the spiral to 95 %, and its step waits for one block", "[ci]") {
  const lab::Report report = run("spiral", 0.2, 150, {{"momentum", 0.9}});
  CHECK(*points(report).back().accuracy > 0.95);
  CHECK(answer(report, "longest") == "gradient");
  CHECK(figure(report, "longest-blocks") == "1");
}

TEST_CASE("A network learns' gradients that are never set to 0 make the loss swing") {
  const lab::Report report = run("linear", 0.01, 100, {{"momentum", 1.0}});
  CHECK(answer(report, "fate") == "swings");
  CHECK(answer(run("linear", 0.01, 100), "fate") == "falls");
}

TEST_CASE(
    "A network learns looks into the launch that was chosen, and the last where there is none") {
  const auto kernel = [](Int launch, bool fused) {
    const lab::Report report = run("linear", 0.01, 10, {{"launch", launch}, {"fused", fused}});
    return exhibit<lab::SourceExhibit>(report, "kernel");
  };
  const lab::SourceExhibit product = kernel(1, false);
  CHECK(product.file == "01_one_each.cu");
  CHECK_FALSE(product.lines.empty());
  CHECK(kernel(40, false).text.find("sgd_momentum") != std::string::npos);
  CHECK(kernel(1, true).slot == "linear");
}

TEST_CASE("A network learns lets its pictures be seen while it learns") {
  std::vector<std::size_t> seen;
  const lab::Lesson& lesson = *lessons::find("mlp");
  lab::Inputs inputs;
  inputs.values.set("steps", Int{10});
  inputs.values.set("seed",
                    Int{98});  // of no other test: a training that was seen before is shown at once
  const lab::Report report =
      lab::run(lesson, inputs, tests::chapter::compiler(), WARPBOOK_SOURCE_DIR, {}, {},
               device::kLessonChecks, false, [&](const std::vector<lab::Exhibit>& so_far) {
                 const auto boundary = std::ranges::find(so_far, "boundary", &lab::Exhibit::id);
                 REQUIRE(boundary != so_far.end());
                 seen.push_back(std::get<lab::BoundaryExhibit>(boundary->value).frames.size());
               });
  CHECK(report.errors.empty());
  REQUIRE(seen.size() == 10);
  CHECK(seen.front() == 2);
  CHECK(seen.back() == 11);
}

TEST_CASE("A network learns with the reader's own layer: a wrong one learns something else") {
  std::string source = tests::chapter::variant("mlp", "linear");
  const std::string bias = "sum += b[column];";
  source.replace(source.find(bias), bias.size(), "");
  const auto with = [&](const std::string& text) {
    return tests::chapter::run("mlp",
                               {{"network", std::string("layers")},
                                {"rate", 0.05},
                                {"momentum", 0.0},
                                {"steps", Int{10}},
                                {"fused", true}},
                               {.slot = text.empty() ? "" : "linear", .source = text});
  };
  CHECK(points(with(source)).front().loss != points(with("")).front().loss);
}

}  // namespace warpbook::mlp_test
