// What a chapter shows while a slider is dragged: less, or coarser, but always of the value under the mouse.
#include <algorithm>
#include <cmath>
#include <map>
#include <string>
#include <utility>

#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>

#include "lab/exhibits/exhibit.hpp"
#include "lessons/catalogue.hpp"
#include "tests/lessons/chapter.hpp"

namespace warpbook::drafts_test {
namespace {

lab::Report draft_of(const lab::Lesson& lesson, const tests::chapter::Values& values) {
  lab::Inputs inputs;
  for (const auto& [name, value] : values) inputs.values.set(name, value);
  lab::Draft draft;
  return lab::run(lesson, inputs, tests::chapter::compiler(), WARPBOOK_SOURCE_DIR, {}, {},
                  device::kLessonChecks, false, {}, &draft);
}

/// The first parameter that is a number, at a value above or below its own.
std::pair<std::string, lab::Value> dragged(const lab::Lesson& lesson) {
  for (const lab::Parameter& p : lesson.parameters) {
    const double more = 1.5, less = 0.5;
    if (const auto* whole = std::get_if<std::int64_t>(&p.initial)) {
      const double up = std::ceil(more * static_cast<double>(*whole));
      return {p.name, up <= p.maximum ? std::llround(up)
                                      : std::llround(less * static_cast<double>(*whole))};
    }
    if (const double* real = std::get_if<double>(&p.initial))
      return {p.name, *real + p.step <= p.maximum ? *real + p.step : *real - p.step};
  }
  return {};
}

}  // namespace

TEST_CASE("in every chapter a draft has a picture that follows the slider", "[ci]") {
  for (const lab::Lesson& lesson : lessons::catalogue()) {
    const auto [name, value] = dragged(lesson);
    if (name.empty()) continue;
    CAPTURE(lesson.slug, name);
    const lab::Report before = draft_of(lesson, {}), after = draft_of(lesson, {{name, value}});
    CHECK(before.errors.empty() == after.errors.empty());
    CHECK(std::ranges::any_of(after.exhibits, [&](const lab::Exhibit& exhibit) {
      const lab::Exhibit* was = before.find(exhibit.id);
      return was && !(*was == exhibit);
    }));
  }
}

TEST_CASE("a draft of A network learns trains the first steps of the training that follows",
          "[ci]") {
  const tests::chapter::Values faster{{"rate", 0.3}};
  const lab::Report draft = draft_of(*lessons::find("mlp"), faster);
  const auto& curve = tests::chapter::exhibit<lab::LearningExhibit>(draft, "curve");
  const auto& points = curve.runs.front().points;
  REQUIRE(points.size() > 1);
  tests::chapter::Values short_run = faster;
  short_run.emplace_back("steps", static_cast<std::int64_t>(points.size()));
  const lab::Report whole = tests::chapter::run("mlp", short_run);
  const auto& same = tests::chapter::exhibit<lab::LearningExhibit>(whole, "curve");
  REQUIRE(same.runs.front().points.size() == points.size());
  for (std::size_t i = 0; i < points.size(); ++i) {
    CHECK(points[i].step == same.runs.front().points[i].step);
    CHECK(points[i].loss == same.runs.front().points[i].loss);
  }
  CHECK(curve.steps == 40);  // the axis is that of the whole training
}

TEST_CASE("a draft of A convolutional network has all pictures of another image of the step") {
  const lab::Lesson& cnn = *lessons::find("cnn");
  const tests::chapter::Values third{{"image", std::int64_t{3}}};
  const lab::Report first = tests::chapter::run("cnn", {});
  const lab::Report draft = draft_of(cnn, third), whole = tests::chapter::run("cnn", third);
  REQUIRE(draft.exhibits.size() == whole.exhibits.size());
  for (const lab::Exhibit& exhibit : whole.exhibits) {
    CAPTURE(exhibit.id);
    CHECK(exhibit.id.find('@') == std::string::npos);
    const lab::Exhibit* drafted = draft.find(exhibit.id);
    REQUIRE(drafted);
    CHECK((*drafted == exhibit));
  }
  for (const char* of_image : {"layers", "maps", "deep-maps", "answer"}) {
    CAPTURE(of_image);
    CHECK_FALSE((first.find(of_image)->value == whole.find(of_image)->value));
  }
}

TEST_CASE("a draft of A convolutional network shows what another network makes of the image") {
  const tests::chapter::Values fewer{{"filters", std::int64_t{2}}, {"image", std::int64_t{2}}};
  const lab::Report draft = draft_of(*lessons::find("cnn"), fewer),
                    whole = tests::chapter::run("cnn", fewer);
  CHECK(draft.errors.empty());
  CHECK(draft.find("layers") == nullptr);
  for (const char* same : {"filters", "maps", "deep-maps"}) {
    CAPTURE(same);
    REQUIRE(draft.find(same));
    CHECK((draft.find(same)->value == whole.find(same)->value));
  }
  CHECK((draft.find("answer")->title == whole.find("answer")->title));
}

TEST_CASE("what a draft leaves out is there in the whole run that follows it") {
  // More chunks than a draft of Streams checks.
  const tests::chapter::Values many{{"chunks", std::int64_t{22}}};
  CHECK(draft_of(*lessons::find("streams"), many).find("check") == nullptr);
  CHECK(tests::chapter::run("streams", many).find("check") != nullptr);
}

namespace {

using Times = std::map<std::string, double>;

/// The estimated times in a chapter's picture, by the name of what takes them.
Times times_in(const lab::Report& report) {
  Times times;
  if (const auto* chart = report.find_as<lab::ParetoExhibit>("pareto")) {
    for (const auto& point : chart->points) times[point.name.text + point.name.key] = point.seconds;
  }
  if (const auto* algorithms = report.find_as<lab::AlgorithmsExhibit>("algorithms")) {
    for (const auto& row : algorithms->groups.front().rows) {
      if (row.time) times[row.name] = row.time->seconds;
    }
  }
  if (const auto* versions = report.find_as<lab::TimingsExhibit>("versions")) {
    for (const auto& row : versions->rows) times[row.label.key] = row.seconds;
  }
  return times;
}

}  // namespace

TEST_CASE("what a draft estimates from few blocks is close to the whole run's estimate", "[ci]") {
  constexpr double kApart = 1.5;
  const auto [slug, parameter, value] = GENERATE(
      table<const char*, const char*, std::int64_t>({{"capstone", "images", 20},
                                                     {"convolution-algorithms", "side", 12},
                                                     {"profiling", "stations", 3000}}));
  CAPTURE(slug);
  const Times draft = times_in(draft_of(*lessons::find(slug), {{parameter, value}})),
              whole = times_in(tests::chapter::run(slug, {{parameter, value}}));
  REQUIRE_FALSE(whole.empty());
  REQUIRE(draft.size() == whole.size());
  for (const auto& [name, seconds] : whole) {
    CAPTURE(name, seconds);
    REQUIRE(draft.contains(name));
    CHECK(draft.at(name) < kApart * seconds);
    CHECK(draft.at(name) > seconds / kApart);
  }
}

}  // namespace warpbook::drafts_test
