// Trainings: their axes, what is said of them, and where the picture has steps and launches.
#include <algorithm>
#include <cmath>
#include <limits>

#include <catch2/catch_approx.hpp>
#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>

#include "lab/exhibits/exhibit.hpp"
#include "lab/exhibits/learning/learning_picture.hpp"
#include "lab/markup/svg_pen.hpp"
#include "lab/render/render.hpp"
#include "tests/lab/report/sample_report.hpp"
#include "tests/lab/text/texts.hpp"

namespace warpbook::lab::learning_test {
namespace {

using Catch::Approx;
using sample::english;
using sample::exhibit;
using tests::holds;

/// A run with these losses, ten steps apart.
LearningExhibit losing(const std::vector<double>& losses) {
  LearningExhibit made;
  auto& run = made.runs.emplace_back();
  for (std::size_t i = 0; i < losses.size(); ++i)
    run.points.push_back({10 * i, losses[i], std::nullopt, {}});
  made.steps = 10 * losses.size();
  return made;
}

}  // namespace

TEST_CASE("Learning: losses of more than two powers of ten have a logarithmic axis") {
  CHECK_FALSE(bounds_of(losing({1, 0.5, 0.02})).logarithmic);
  const LearningBounds many = bounds_of(losing({2, 1e-3}));
  CHECK(many.logarithmic);
  CHECK(many.low == -3);
  CHECK(many.high == 1);
  CHECK(loss_ticks(many) == std::vector<double>{1e-3, 1e-2, 1e-1, 1, 10});
}

TEST_CASE("Learning: a loss of 0 lies on the lower edge of a logarithmic axis") {
  const LearningBounds bounds = bounds_of(losing({1, 1e-4, 0}));
  CHECK(bounds.low == -5);
  CHECK(ordinate(bounds, 0) == bounds.low);
  CHECK(ordinate(bounds, 1e-4) == Approx(-4));
}

TEST_CASE("Learning: a training that is not over has room for the rest of its steps") {
  CHECK(bounds_of(sample::learning()).last == 40);
  CHECK(bounds_of(losing({1}), losing({1, 1, 1})).last == 30);
}

TEST_CASE("Learning: the point of a step is the last one that is not after it") {
  const LearningExhibit learning = sample::learning();
  CHECK(point_of_step(learning, {}) == 3);
  CHECK(point_of_step(learning, std::uint64_t{0}) == 0);
  CHECK(point_of_step(learning, std::uint64_t{19}) == 1);
  CHECK(point_of_step(learning, std::uint64_t{20}) == 2);
  CHECK(point_of_step(learning, std::uint64_t{99}) == 3);
  CHECK_FALSE(point_of_step(LearningExhibit{}, std::uint64_t{0}));
}

TEST_CASE("Learning: launches are as wide as their estimated times, and alike where one has none") {
  auto launches = sample::learning().runs.front().points.front().launches;
  CHECK(seconds_of(launches) == Approx(6e-6));
  CHECK(shares_of(launches)[0] == Approx(0.5));
  CHECK(shares_of(launches)[1] == Approx(1.0 / 6));
  launches[1].seconds = 0;
  CHECK_FALSE(seconds_of(launches));
  CHECK(shares_of(launches) == std::vector<double>(3, 1.0 / 3));
}

TEST_CASE("Learning: the picture finds the step and the launch at a place") {
  const LearningExhibit learning = sample::learning();
  const Canvas canvas = svg_canvas(700, english());
  const LearningPlane plane(learning, nullptr, canvas);
  const auto& points = learning.runs.front().points;
  for (std::size_t i = 0; i < points.size(); ++i) {
    const Point place{plane.across(static_cast<double>(points[i].step)) + 3, plane.loss().y};
    CHECK(plane.point_near(learning, place) == i);
  }
  REQUIRE(plane.bar());
  for (std::size_t i = 0; i < 3; ++i)
    CHECK(plane.launch_at(points[0], plane.launch(points[0], i).middle()) == i);
  CHECK_FALSE(plane.launch_at(points[0], {0, 0}));
  CHECK(plane.launch(points[0], 2).right() == Approx(plane.bar()->right()));
  CHECK(plane.down(2) < plane.down(1e-3));
  CHECK(plane.down_right(1) < plane.down_right(0));
}

TEST_CASE("Learning: its picture has a box for each launch of the step that is shown") {
  const LearningExhibit learning = sample::learning();
  const Canvas canvas = svg_canvas(700, english());
  const LearningPlane plane(learning, nullptr, canvas);
  const auto boxes = [&](std::size_t shown) {
    const Drawing drawing = drawing_of(learning, plane, shown, std::nullopt, canvas);
    return std::ranges::count_if(
        drawing.items, [](const DrawnItem& item) { return item.id && item.id->part == "launch"; });
  };
  CHECK(boxes(0) == 3);
  CHECK(boxes(1) == 0);  // that step was not observed
}

TEST_CASE("Learning: its text has the losses, and the launches of the first step") {
  const std::string text = to_text(exhibit(sample::learning()), english(), 100);
  CHECK(holds(text, "rate 0.2"));
  CHECK(holds(text, "sgd_momentum"));
  CHECK(holds(to_text(exhibit(losing({1, 0.5})), english(), 100), "0.5"));
}

TEST_CASE("Learning: of many launches, the text leaves out the shortest") {
  LearningExhibit learning = sample::learning();
  auto& launches = learning.runs.front().points.front().launches;
  launches.resize(30, launches[0]);
  launches[20].operation = "the_shortest";
  launches[20].seconds = 1e-7;
  const std::string text = to_text(exhibit(learning), english(), 120);
  CHECK(holds(text, "18 shorter launches are left out."));
  CHECK_FALSE(holds(text, "the_shortest"));
}

TEST_CASE("Learning: a row of its table for each point of each run") {
  const Table table = table_of(sample::learning(), english());
  REQUIRE(table.rows.size() == 4);
  CHECK(table.rows[2] == std::vector<std::string>{"rate 0.2", "20", "0.01", "0.75", "3"});
}

TEST_CASE("Learning: steps that go back, and losses that are no number, are not valid") {
  CHECK(valid(sample::learning()));
  LearningExhibit learning = losing({1, 2});
  std::swap(learning.runs[0].points[0], learning.runs[0].points[1]);
  CHECK_FALSE(valid(learning));
  learning = losing({1, std::numeric_limits<double>::infinity()});
  CHECK_FALSE(valid(learning));
}

TEST_CASE("Learning: without a point there is a sentence and no picture") {
  const LearningExhibit none;
  CHECK(html_body(none, nullptr, english(), "").empty());
  CHECK(sentence(exhibit(none), sample::keys()) == "learning.nothing");
}

}  // namespace warpbook::lab::learning_test
