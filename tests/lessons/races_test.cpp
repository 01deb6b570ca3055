// The chapter Races without a window: every kernel under its schedules, strips that tell what a run under that schedule gives, and
// races that are the same under every one of them.
#include <algorithm>
#include <chrono>
#include <stop_token>
#include <string>
#include <vector>

#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>

#include "lab/experiment/lesson.hpp"
#include "lessons/catalogue.hpp"
#include "tests/lessons/chapter.hpp"

namespace warpbook::races_test {
namespace {

using tests::chapter::answer;
using tests::chapter::exhibit;
using tests::chapter::figure;
using tests::chapter::Values;
using tests::chapter::values_of;
using tests::chapter::variant;
using Int = std::int64_t;
using Schedules = lab::SchedulesExhibit;

lab::Report run(const Values& values, const std::string& name = {}) {
  if (name.empty()) return tests::chapter::run("races", values);
  return tests::chapter::run("races", values, {"kernel", variant("races", name)});
}

const Schedules& schedules(const lab::Report& report, std::string_view id) {
  return exhibit<Schedules>(report, id);
}

/// "all; no race": what the chapter's answers are made of, from the exhibit itself.
std::string verdict(const Schedules& shown) {
  const auto right = std::ranges::count_if(shown.runs, [&](std::uint32_t outcome) {
    return shown.outcomes[outcome].ended && shown.outcomes[outcome].wrong == 0;
  });
  const auto all = static_cast<std::ptrdiff_t>(shown.runs.size());
  return std::string(right == all ? "all"
                     : right == 0 ? "none"
                                  : "some") +
         (shown.collision ? "; race" : "; no race");
}

}  // namespace

TEST_CASE(
    "Races: each kernel is right under the schedules, and has the races, that its text says") {
  const auto [name, id, expected] = GENERATE(table<std::string, std::string, std::string>(
      {{"used_early", "ways", "some; race"},
       {"used", "ways", "all; no race"},
       {"used_volatile", "ways", "some; no race"},
       {"used_flag", "ways", "all; race"},
       {"used_fences", "ways", "all; no race"},
       {"smooth", "smooth-ways", "all; no race"},
       {"smooth_no_read", "smooth-ways", "none; race"},
       {"smooth_no_written", "smooth-ways", "none; race"},
       {"smooth_double", "smooth-ways", "all; no race"},
       {"smooth_double_bare", "smooth-ways", "none; race"},
       {"peak_exchange", "peak-ways", "some; no race"},
       {"peak", "peak-ways", "all; no race"},
       {"peak_doubling", "peak-ways", "all; race"},
       {"in_place", "in-place-ways", "some; race"}}));
  CAPTURE(name);
  const lab::Report report = run({{"n", Int{192}}}, name);
  const Schedules& shown = schedules(report, id);
  CHECK(shown.seeded);
  CHECK(shown.runs.size() == 64);
  CHECK(verdict(shown) == expected);
  CHECK(shown.collision.has_value() == (shown.races > 0));
}

TEST_CASE("Races: the first kernel is right ten times out of ten in the usual order") {
  for (int time = 0; time < 10; ++time) {
    const lab::Report report = run({});
    const auto& check = exhibit<lab::CheckExhibit>(report, "check");
    CHECK(check.items[0].state == lab::CheckExhibit::State::passed);
    CHECK(check.items[1].state == lab::CheckExhibit::State::failed);
    const Schedules& shown = schedules(report, "ways");
    CHECK(shown.outcomes[shown.runs[0]].wrong == 0);
  }
}

TEST_CASE("Races: a cell of the strip tells what the run under its schedule gives") {
  for (const Int schedule : {0, 1, 2, 3, 17, 40, 63}) {
    CAPTURE(schedule);
    const lab::Report report = run({{"schedule", schedule}});
    const Schedules& shown = schedules(report, "ways");
    CHECK(shown.chosen == schedule);
    const auto& outcome = shown.outcomes[shown.runs[static_cast<std::size_t>(schedule)]];
    const auto& used = exhibit<lab::TensorExhibit>(report, "uses");
    CHECK(used.wrong == outcome.places);
    for (const auto& difference : outcome.differences)
      CHECK(lab::element_figure(used, difference.index) == difference.got);
  }
}

TEST_CASE("Races: the strip is the same whichever schedule is looked at, and so are the races") {
  const lab::Report first = run({});
  for (const Int schedule : {1, 30}) {
    const lab::Report other = run({{"schedule", schedule}});
    for (const char* id : {"ways", "smooth-ways", "peak-ways", "in-place-ways"}) {
      CAPTURE(schedule, id);
      CHECK(schedules(other, id).runs == schedules(first, id).runs);
      CHECK(schedules(other, id).outcomes == schedules(first, id).outcomes);
      CHECK(schedules(other, id).races == schedules(first, id).races);
    }
  }
}

TEST_CASE("Races: the two lines that collide are those of the write and of the read") {
  const lab::Report report = run({});
  const Schedules::Collision& found = *schedules(report, "ways").collision;
  const std::string source = variant("races", "used_early");
  const auto line = [&](const std::string& words) {
    const auto end = source.begin() + static_cast<std::ptrdiff_t>(source.find(words));
    return static_cast<std::uint32_t>(std::count(source.begin(), end, '\n') + 1);
  };
  CHECK(found.first.line == line("m[t] = reading"));
  CHECK(found.first.kind == device::AccessKind::store);
  CHECK(found.second.line == line("m[t - 1]"));
  CHECK(found.second.kind == device::AccessKind::load);
  CHECK(found.second.thread == found.first.thread + 1);
  CHECK(found.barrier);
}

TEST_CASE("Races: the questions have the answers that the page works out") {
  CHECK(answer(run({}), "verdict") == "some");
  CHECK(answer(run({}), "racing-places") == "95");
  CHECK(answer(run({}, "used"), "racing-places") == "0");
  CHECK(answer(run({{"rounds", Int{4}}}, "smooth"), "barriers") == "9");
  CHECK(answer(run({{"rounds", Int{4}}}, "smooth_double"), "barriers") == "5");
  CHECK(answer(run({}, "smooth_double_bare"), "barriers").empty());
  CHECK(answer(run({{"n", Int{2}}, {"day", Int{2}}}), "peaks") == "40; 47");
  CHECK(answer(run({{"days", Int{3}}}), "at-risk") == "2");
  CHECK(answer(run({{"days", Int{4}}}), "at-risk") == "3");
  CHECK(answer(run({}, "peak_doubling"), "peak-verdict") == "all; race");
}

TEST_CASE("Races: every block but the last risks the use at its end, and no other, in place") {
  const auto [days, day] = GENERATE(table<Int, Int>({{1, 96}, {2, 96}, {3, 96}, {3, 20}, {4, 33}}));
  CAPTURE(days, day);
  const lab::Report report = run({{"days", days}, {"day", day}});
  CHECK(answer(report, "at-risk") == std::to_string(days - 1));
  for (const auto& outcome : schedules(report, "in-place-ways").outcomes) {
    for (const std::uint64_t place : outcome.places)
      CHECK(place % static_cast<std::uint64_t>(day) == static_cast<std::uint64_t>(day) - 1);
  }
}

TEST_CASE("Races: threads of one warp race with each other, too") {
  const lab::Report report = run({{"n", Int{24}}, {"day", Int{24}}});
  CHECK(answer(report, "verdict") == "some");
  CHECK(answer(report, "racing-places") == "23");
}

TEST_CASE("Races: a barrier that threads without a reading pass by is found") {
  const lab::Report report = run({{"n", Int{50}}}, "used_inside");
  const auto& check = exhibit<lab::CheckExhibit>(report, "check");
  CHECK(check.items[1].state == lab::CheckExhibit::State::failed);
  CHECK(run({{"n", Int{50}}}, "used").errors.empty());
}

TEST_CASE("Races: right kernels are right at all sizes") {
  const auto [n, day, rounds] = GENERATE(table<Int, Int, Int>(
      {{1, 2, 0}, {2, 2, 1}, {31, 32, 2}, {97, 96, 8}, {768, 288, 3}, {33, 7, 4}}));
  CAPTURE(n, day, rounds);
  const Values values{{"n", n}, {"day", day}, {"rounds", rounds}};
  CHECK(verdict(schedules(run(values, "used"), "ways")) == "all; no race");
  CHECK(verdict(schedules(run(values, "smooth"), "smooth-ways")) == "all; no race");
  CHECK(verdict(schedules(run(values, "smooth_double"), "smooth-ways")) == "all; no race");
  CHECK(verdict(schedules(run(values, "peak"), "peak-ways")) == "all; no race");
}

TEST_CASE("Races: a kernel that waits for ever is said not to end, and does not hold the page up") {
  const std::string waits =
      "__global__ void find_peak(const int* used, int* peak, int n) {\n"
      "  while (atomicAdd(peak, 0) == 0) {\n  }\n}\n";
  const auto begun = std::chrono::steady_clock::now();
  const lab::Report report = tests::chapter::run("races", {}, {"kernel", waits});
  CHECK(std::chrono::steady_clock::now() - begun < std::chrono::seconds(40));
  const Schedules& shown = schedules(report, "peak-ways");
  REQUIRE(shown.outcomes.size() == 1);
  CHECK_FALSE(shown.outcomes[0].ended);
  CHECK(figure(report, "peak-ways-right") == "0");
}

TEST_CASE(
    "Races: only the reader's kernel is reported; a kernel of another name says which there are") {
  for (const char* name : {"used", "smooth", "peak", "in_place"}) {
    CAPTURE(name);
    CHECK(run({{"days", Int{1}}}, name).errors.empty());
  }
  CHECK(run({}, "in_place").errors.size() == 1);
  const lab::Report other =
      tests::chapter::run("races", {}, {"kernel", "__global__ void other(int* x) { *x = 1; }\n"});
  REQUIRE_FALSE(other.errors.empty());
  CHECK(other.errors[0].code == device::ErrorCode::no_such_kernel);
}

TEST_CASE("Races: a run that is cancelled between two schedules ends there") {
  std::stop_source stop;
  const lab::Report report = tests::chapter::run(
      "races", {}, {"", "", "h200", stop.get_token(), [&](double fraction, const lab::Message&) {
                      if (fraction > 0.4) stop.request_stop();
                    }});
  REQUIRE_FALSE(report.errors.empty());
  CHECK(report.errors.back().code == device::ErrorCode::cancelled);
  CHECK_FALSE(report.find("in-place-ways"));
}

TEST_CASE("Races: every preset runs, and shows what its name says") {
  const lab::Lesson& lesson = *lessons::find("races");
  std::vector<std::string> shown;
  for (const lab::Preset& preset : lesson.presets) {
    const lab::Report report = run(values_of(preset));
    const Schedules& ways = schedules(report, "ways");
    shown.push_back(preset.name + " " + answer(report, "racing-places") + " " +
                    std::to_string(ways.outcomes[ways.runs[ways.chosen]].wrong > 0));
  }
  CHECK(shown ==
        std::vector<std::string>{"day 95 0", "one-warp 23 0", "four-days 95 0", "unlucky 95 1"});
}

}  // namespace warpbook::races_test
