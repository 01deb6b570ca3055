// A reader's earlier kernels: which are remembered, and which a chart shows.
#include "lab/book/earlier_runs.hpp"

#include <catch2/catch_test_macros.hpp>

namespace warpbook::lab::earlier_runs_test {
namespace {

using Origin = ParetoExhibit::Origin;

/// A run whose chart has a kernel of ours, and the reader's with these sectors, or none.
Report report(const std::string& source, double sectors, const std::string& setting = "H200") {
  ParetoExhibit chart;
  chart.slot = "layer";
  chart.setting = setting;
  chart.points = {{Message::plain("ours"), Origin::ours, 0, 1, 1, 1, 100, 10, 1}};
  if (sectors > 0)
    chart.points.push_back({Message::plain("yours"), Origin::yours, 0, 2, 1, 3, sectors, 20, 1});
  Report made;
  made.inputs.sources["layer"] = source;
  made.exhibits.push_back({"pareto", Message::plain("Pareto"), {}, std::move(chart)});
  return made;
}

std::vector<std::uint64_t> shown(const Report& of, const EarlierRuns& runs) {
  const auto whole = with_earlier_runs(std::make_shared<const Report>(of), runs);
  std::vector<std::uint64_t> numbers;
  for (const auto& point : whole->find_as<ParetoExhibit>("pareto")->points) {
    if (point.origin == Origin::earlier) numbers.push_back(point.run);
  }
  return numbers;
}

}  // namespace

TEST_CASE("a kernel with new figures is remembered with its source") {
  EarlierRuns runs;
  CHECK(remember(runs, report("first", 50)));
  CHECK(remember(runs, report("second", 40)));
  REQUIRE(runs.size() == 2);
  CHECK(runs[1].source == "second");
  CHECK(runs[1].sectors == 40);
  CHECK(runs[1].slot == "layer");
}

TEST_CASE("a change that changes no figure renews the source, and the same run is no news") {
  EarlierRuns runs;
  remember(runs, report("first", 50));
  CHECK(remember(runs, report("first, with a comment", 50)));
  CHECK_FALSE(remember(runs, report("first, with a comment", 50)));
  REQUIRE(runs.size() == 1);
  CHECK(runs[0].source == "first, with a comment");
}

TEST_CASE("a kernel that is not in the chart, because it is wrong, is not remembered") {
  EarlierRuns runs;
  CHECK_FALSE(remember(runs, report("wrong", 0)));
  CHECK(runs.empty());
}

TEST_CASE("of many kernels the oldest is forgotten") {
  EarlierRuns runs;
  for (std::size_t i = 0; i <= kMostEarlierRuns; ++i)
    remember(runs, report("kernel", static_cast<double>(i + 1)));
  CHECK(runs.size() == kMostEarlierRuns);
  CHECK(runs.front().sectors == 2);
}

TEST_CASE("a chart shows the earlier kernels of its own setting, but the one of now only once") {
  EarlierRuns runs;
  remember(runs, report("first", 50));
  remember(runs, report("elsewhere", 50, "T4"));
  remember(runs, report("now", 40));
  CHECK(shown(report("now", 40), runs) == std::vector<std::uint64_t>{1});
  CHECK(shown(report("wrong", 0), runs) == std::vector<std::uint64_t>{1, 3});
  CHECK(shown(report("elsewhere", 30, "T4"), runs) == std::vector<std::uint64_t>{2});
}

}  // namespace warpbook::lab::earlier_runs_test
