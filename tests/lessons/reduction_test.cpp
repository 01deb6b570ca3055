// Reduction: what its trees, its country and its sums are, and what its page works out by hand.
#include <algorithm>
#include <string>

#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>

#include "lab/exhibits/curve/curve_summary.hpp"
#include "lab/exhibits/exhibit.hpp"
#include "lab/exhibits/tree/tree_summary.hpp"
#include "lessons/catalogue.hpp"
#include "lessons/common.hpp"
#include "tests/lessons/chapter.hpp"

namespace warpbook::reduction_test {
namespace {

using tests::chapter::answer;
using tests::chapter::exhibit;
using tests::chapter::figure;
using tests::chapter::Values;
using tests::chapter::values_of;
using tests::chapter::variant;
using Int = std::int64_t;

/// Few ones, so that a run that is about something else is quick.
constexpr Int kFewMeters = 4096;

lab::Report run(Values values, const std::string& name = {}) {
  if (std::ranges::find(values, std::string("meters"), &Values::value_type::first) == values.end())
    values.emplace_back("meters", kFewMeters);
  if (name.empty()) return tests::chapter::run("reduction", values);
  return tests::chapter::run("reduction", values, {"sum", variant("reduction", name)});
}

bool passed(const lab::Report& report) {
  return exhibit<lab::CheckExhibit>(report, "check").passed();
}

const lab::TreeExhibit& tree_of(const lab::Report& report) {
  return exhibit<lab::TreeExhibit>(report, "tree");
}

}  // namespace

TEST_CASE("Reduction: each tree is right, with the rounds, joins and passes that the page says") {
  struct Expected {
    std::string name;
    Int block;
    std::uint64_t rounds, joins, most_passes;
  };
  // The most passes that a request of a round takes.
  const auto [name, block, rounds, joins, most_passes] =
      GENERATE(values<Expected>({{"interleaved", 64, 6, 11, 2},
                                 {"interleaved", 256, 8, 47, 4},
                                 {"together", 64, 6, 6, 2},
                                 {"together", 256, 8, 12, 8},
                                 {"sequential", 64, 6, 6, 1},
                                 {"sequential", 256, 8, 12, 1},
                                 {"waiting", 64, 6, 6, 1}}));
  CAPTURE(name, block);
  const lab::Report report = run({{"block", block}}, name);
  CHECK(report.errors.empty());
  CHECK(passed(report));
  const lab::TreeFigures figures = lab::figures_of(tree_of(report));
  CHECK(figures.loaded == static_cast<std::uint64_t>(block));
  CHECK(figures.rounds == rounds);
  CHECK(figures.warp_joins == joins);
  std::uint64_t most = 0;
  for (const auto& round : tree_of(report).rounds)
    most = std::max(most, (round.passes + round.requests - 1) / round.requests);
  if (name != "interleaved") CHECK(most == most_passes);
  CHECK(answer(report, "verdict") == "all");
}

TEST_CASE("Reduction: 96 threads fold only 64 of their values into the sum") {
  const lab::Report report = run({{"block", Int{96}}, {"n", Int{96}}}, "sequential");
  CHECK(answer(report, "values-summed") == "64");
  CHECK_FALSE(passed(report));
  CHECK(answer(run({}), "values-summed") == "64");  // all of a block of 64
}

TEST_CASE(
    "Reduction: a warp that is trusted to go in step is right under some schedules, the usual one "
    "among them") {
  const lab::Report report = run({}, "trusting");
  CHECK(answer(report, "verdict") == "some");
  CHECK(passed(report));
  CHECK(answer(run({}, "half_waiting"), "verdict") == "some");
}

TEST_CASE("Reduction: shuffles leave one barrier") {
  const lab::Report report = run({{"block", Int{256}}}, "shuffles");
  CHECK(passed(report));
  CHECK(answer(report, "barriers") == "1");
  CHECK(answer(run({{"block", Int{256}}}, "sequential"), "barriers") == "9");
}

TEST_CASE("Reduction: values handed down end in lane 0, values exchanged in all lanes") {
  const lab::Report report = run({});
  CHECK(figure(report, "lanes-down") == "1");
  CHECK(figure(report, "lanes-exchanged") == "32");
}

TEST_CASE(
    "Reduction: what limits the versions is what the page says, and each is no slower than the one "
    "before") {
  const lab::Report report = run({});
  CHECK(answer(report, "atomics-against-reading") == "hundreds");
  CHECK(answer(report, "shuffles-limiter") == "atomics");
  const auto limiter = [&](const std::string& rung) {
    return lessons::text_argument(report, "ladder", rung + "_limiter");
  };
  CHECK(limiter("atomics") == "atomics");
  CHECK(limiter("interleaved") == "issue");
  CHECK(limiter("sequential") == "atomics");
  CHECK(limiter("two_loads") == "atomics");
  CHECK(limiter("grid_stride") == "dram");
  const auto seconds = [&](const std::string& rung) {
    return std::stod(lessons::text_argument(report, "ladder", rung + "_seconds"));
  };
  double before = 1;
  for (const char* rung : {"atomics", "interleaved", "together", "sequential", "two_loads",
                           "shuffles", "grid_stride"}) {
    CAPTURE(rung);
    CHECK(seconds(rung) <= before * 1.001);
    before = seconds(rung);
  }
}

TEST_CASE(
    "Reduction: ones are counted as far as the type's bits go in line, and by a tree as far as its "
    "range goes") {
  const auto [type, meters, expected] =
      GENERATE(table<std::string, Int, std::string>({{"float", 1 << 25, "16,777,216; 33,554,432"},
                                                     {"float", 5000, "5,000; 5,000"},
                                                     {"half", 1 << 15, "2,048; 32,768"},
                                                     {"half", 1 << 20, "2,048; inf"},
                                                     {"bfloat16", 4096, "256; 4,096"}}));
  CAPTURE(type, meters);
  CHECK(answer(run({{"type", type}, {"meters", meters}}), "counts") == expected);
}

TEST_CASE("Reduction: in line the error grows with the values, in a tree it does not") {
  const auto type = GENERATE(as<std::string>{}, "float", "half");
  const lab::Report report = run({{"type", type}});
  const auto& errors = exhibit<lab::CurveExhibit>(report, "errors");
  const std::uint64_t last = lab::points_of(errors) - 1;
  CHECK(lab::x_at(errors, last) == 18);
  CHECK(lab::y_at(errors, 0, last) > 10 * lab::y_at(errors, 1, last));
  CHECK(lab::y_at(errors, 0, last) > 1000);
  CHECK(lab::y_at(errors, 0, 0) == lab::y_at(errors, 1, 0));
}

TEST_CASE("Reduction: products that are not rounded give another sum of squares") {
  const lab::Report report = run({});
  const auto& table = exhibit<lab::TextExhibit>(report, "squares");
  const auto of = [&](const char* name) {
    return device::argument_of(table.text.arguments, name)->text;
  };
  CHECK(of("twice") != of("once"));
  CHECK(std::stod(of("twice")) - std::stod(of("exact")) < 0.01);
}

TEST_CASE("Reduction: atomic additions give several sums, a fixed tree one") {
  const lab::Report report = run({});
  CHECK(answer(report, "sums") == "several");
  CHECK(figure(report, "fixed-sums") == "1");
}

TEST_CASE("Reduction: every preset runs without an error") {
  for (const lab::Preset& preset : lessons::find("reduction")->presets) {
    CAPTURE(preset.name);
    const lab::Report report = run(values_of(preset));
    CHECK(report.errors.empty());
    CHECK(passed(report));
  }
}

}  // namespace warpbook::reduction_test
