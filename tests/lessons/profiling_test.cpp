// Profiling: what its runs count and estimate is what its page works out, and each version's bottleneck is the one that it names.
#include <algorithm>
#include <string>

#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>

#include "lab/exhibits/exhibit.hpp"
#include "lab/exhibits/source/line_heat.hpp"
#include "lessons/catalogue.hpp"
#include "lessons/common.hpp"
#include "tests/lessons/chapter.hpp"

namespace warpbook::profiling_test {
namespace {

using tests::chapter::answer;
using tests::chapter::exhibit;
using tests::chapter::figure;
using tests::chapter::Values;
using tests::chapter::values_of;
using Int = std::int64_t;

lab::Report run(const Values& values, const std::string& slot = {},
                const std::string& source = {}) {
  return tests::chapter::run("profiling", values, {slot, source});
}

void check_clean(const lab::Report& report) {
  CHECK(report.errors.empty());
  for (const char* slot : {"thread", "turns", "wide", "kept"}) {
    CAPTURE(slot);
    CHECK(exhibit<lab::CheckExhibit>(report, std::string(slot) + "-check").passed());
  }
}

const lab::TimingsExhibit::Row& row(const lab::Report& report, const std::string& version) {
  const auto& times = exhibit<lab::TimingsExhibit>(report, "versions");
  const auto found = std::ranges::find(times.rows, lab::Message{"profiling.version." + version},
                                       &lab::TimingsExhibit::Row::label);
  REQUIRE(found != times.rows.end());
  return *found;
}

std::string limiter(const lab::Report& report, const std::string& version) {
  const std::string& key = row(report, version).bottleneck.key;
  return key.substr(key.rfind("because.") + 8);
}

}  // namespace

TEST_CASE("Profiling: the year's answers are those that the page works out") {
  const lab::Report report = run({});
  check_clean(report);
  CHECK(answer(report, "busy") == "32");
  CHECK(answer(report, "gain-by-hour") == "no");
  CHECK(answer(report, "slowest-line") == "12");
  CHECK(answer(report, "flight") == "8 KiB");
  CHECK(figure(report, "flight-wide") == "32 KiB");
  CHECK(answer(report, "kept-blocks") == "4");
  CHECK(answer(report, "day-before") == "dram");
  // The page says what holds each version up...
  CHECK(limiter(report, "thread") == "l1");
  CHECK(limiter(report, "turns") == "latency");
  CHECK(limiter(report, "wide") == "dram");
  CHECK(limiter(report, "kept") == "dram");
  // ...and that each is faster than the one before, but for the shuffles.
  CHECK(row(report, "turns").seconds < row(report, "thread").low);
  CHECK(answer(report, "gain-shuffles") == "no");
  CHECK(row(report, "wide").seconds < row(report, "turns").seconds);
  CHECK(row(report, "kept").seconds < row(report, "wide").seconds);
}

TEST_CASE("Profiling: thread 0's loop, and the waiting for it, has a few hundredths of the time") {
  const double share = std::stod(figure(run({}), "loop-share"));
  CHECK(share > 1);
  CHECK(share < 5);
}

TEST_CASE("Profiling: blocks of 32 threads give nearly every multiprocessor one, and save time") {
  const lab::Report small = run({{"block", std::string("32")}});
  check_clean(small);
  CHECK(answer(small, "busy") == "128");
  CHECK(limiter(small, "thread") == "latency-few-blocks");
  CHECK(row(small, "thread").seconds * 2 < row(run({}), "thread").seconds);
}

TEST_CASE("Profiling: with pentads, the shuffles pay and a warp for each row is the fastest") {
  const lab::Report report = run({{"over", std::string("pentad")}});
  check_clean(report);
  CHECK(answer(report, "gain-shuffles") == "some");
  const auto& times = exhibit<lab::TimingsExhibit>(report, "versions");
  const auto fastest = std::ranges::min_element(times.rows, {}, &lab::TimingsExhibit::Row::seconds);
  CHECK(fastest->label == lab::Message{"profiling.version.warp"});
}

TEST_CASE("Profiling: a hundred stations are too few, and every preset and period is right") {
  CHECK(limiter(run({{"stations", Int{100}}}), "kept") == "launch");
  check_clean(run({{"over", std::string("day")}, {"stations", Int{64}}}));
  for (const lab::Preset& preset : lessons::find("profiling")->presets) {
    if (preset.name != "few") continue;
    check_clean(run(values_of(preset)));
  }
}

TEST_CASE("Profiling: a version that forgets a barrier is found wrong or unsafe") {
  std::string source = tests::chapter::variant("profiling", "turns");
  const std::size_t at = source.find("__syncthreads();");
  REQUIRE(at != std::string::npos);
  const lab::Report report = run({}, "turns", source.erase(at, 16));
  CHECK_FALSE(exhibit<lab::CheckExhibit>(report, "turns-check").passed());
}

TEST_CASE(
    "Profiling: a version that forgets a barrier shows that at its lines of the whole table") {
  std::string source = tests::chapter::variant("profiling", "turns");
  source.erase(source.find("__syncthreads();"), 16);
  const lab::Report report = run({}, "turns", source);
  CHECK_FALSE(exhibit<lab::SourceExhibit>(report, "turns").marks.empty());
}

TEST_CASE("Profiling: the kernels that run for their times alone are free of findings") {
  const std::string name = GENERATE("shuffles", "warp", "by_hour", "day_before");
  CAPTURE(name);
  constexpr Int kRows = 3, kHours = 600;
  lab::Lesson lesson;
  lesson.slug = "trial";
  std::uint64_t findings = 1;
  lesson.experiment = [&](lab::Lab& lab) {
    const std::vector<float> x(kRows * kHours, 1.0f);
    const device::Buffer d_x = lab.upload<float>("x", x),
                         d_out = lab.allocate("out", device::ElementType::f32, x.size());
    device::Launch launch = lessons::launch_of(
        lab.compile_source(name + ".cu", tests::chapter::variant("profiling", name)), "", 3 * 256,
        256, {lessons::pointer_argument(d_x), lessons::pointer_argument(d_out)});
    if (name == "day_before")
      launch.grid.y = kRows;
    else
      launch.arguments.push_back(lessons::number_argument(kRows));
    launch.arguments.push_back(lessons::number_argument(kHours));
    findings = lab.launch(std::move(launch))->findings_total;
  };
  const lab::Report report = lab::run(lesson, {}, tests::chapter::compiler(), WARPBOOK_SOURCE_DIR);
  CHECK(report.errors.empty());
  CHECK(findings == 0);
}

TEST_CASE("Profiling: a source's times are those of the whole table alone") {
  const lab::Report report = run({});
  double seconds = 0;
  for (const auto& line : exhibit<lab::SourceExhibit>(report, "turns").lines)
    for (const auto& part : line.estimated) seconds += part.seconds;
  CHECK(seconds < row(report, "turns").seconds);
  CHECK(seconds > 0.95 * row(report, "turns").seconds);
}

}  // namespace warpbook::profiling_test
