// The chapter Warps without a window: which branches split warps, films, issue slots, sums by shuffles and by memory.
#include <algorithm>

#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>

#include "lab/exhibits/warp_film/warp_film_summary.hpp"
#include "lab/experiment/lesson.hpp"
#include "lessons/catalogue.hpp"
#include "lessons/common.hpp"
#include "tests/lessons/chapter.hpp"

namespace warpbook::warps_test {
namespace {

using lessons::text_argument;
using tests::chapter::answer;
using tests::chapter::exhibit;
using tests::chapter::figure;
using tests::chapter::Values;
using tests::chapter::values_of;
using tests::chapter::variant;

lab::Report run(const Values& values = {}, const std::string& source = {},
                const std::string& slot = "master", const std::string& gpu = "h200") {
  return tests::chapter::run("warps", values, {slot, source, gpu, {}, {}});
}

const lab::WarpFilmExhibit& film(const lab::Report& report) {
  return exhibit<lab::WarpFilmExhibit>(report, "film");
}

bool passed(const lab::Report& report, std::string_view id) {
  return std::ranges::all_of(exhibit<lab::CheckExhibit>(report, id).items, [](const auto& item) {
    return item.state == lab::CheckState::passed;
  });
}

/// Of warp w's 32 lanes, whether some are at the left track and some at the right one.
bool has_both(std::int64_t warp, std::int64_t run) {
  bool left = false, right = false;
  for (std::int64_t i = 32 * warp; i < 32 * (warp + 1); ++i)
    (i / run % 2 == 0 ? left : right) = true;
  return left && right;
}

}  // namespace

TEST_CASE("Warps: a warp splits where it has samples of both tracks, and is right all the same") {
  const int run_length = GENERATE(1, 2, 16, 31, 32, 33, 48, 64);
  CAPTURE(run_length);
  const lab::Report report = run({{"n", 256}, {"run", run_length}});
  CHECK(report.errors.empty());
  CHECK(passed(report, "check"));
  int both = 0;
  for (int warp = 0; warp < 8; ++warp) both += has_both(warp, run_length);
  CHECK(answer(report, "parted") == std::to_string(both));
}

TEST_CASE("Warps: the film shows one side after the other, as long as its instructions") {
  const lab::Report report = run();
  CHECK(answer(report, "both-sides") == "67");  // 34 of one side, 33 of the other
  CHECK(figure(report, "partial") == figure(run({{"watch", 1}}), "partial"));
  const lab::WarpFilmExhibit& made = film(report);
  std::uint32_t together = 0;
  for (const auto& step : made.steps) {
    if (!lab::is_whole(made, step)) together |= step.lanes;
  }
  CHECK(together == ~0u);
  CHECK(made.steps[made.chosen].lanes != ~0u);
  CHECK(figure(run({{"run", 32}}), "partial") == "0");
  CHECK(answer(run({{"run", 32}}), "both-sides") == "34");
}

TEST_CASE("Warps: each further round is four instructions on either side") {
  const int sides = std::stoi(answer(run(), "both-sides"));
  for (const int more : {1, 4, 8})
    CHECK(std::stoi(answer(run({{"rounds", 8 + more}}), "both-sides")) == sides + 2 * 4 * more);
}

TEST_CASE("Warps: three conditions split 32 warps, none of them, and the last one") {
  CHECK(answer(run(), "parted-warps") == "32, 0, 1");
}

TEST_CASE("Warps: a factor is selected, and a long loop goes round for its longest lane") {
  CHECK(answer(run({}, variant("warps", "volume")), "parted") == "0");
  const lab::Report fade = run({}, variant("warps", "fade"));
  CHECK(answer(fade, "both-sides") == "31");
}

TEST_CASE("Warps: 12 times the warps take 1.2 times as long while they wait for loads") {
  const lab::Report report = run();
  const auto& slots = exhibit<lab::IssueSlotsExhibit>(report, "slots");
  REQUIRE(slots.cases.size() == 3);
  CHECK(slots.schedulers == 4);
  CHECK(slots.cases[0].clocks == 1724);
  CHECK(slots.cases[1].clocks == 1724 + 3 * 31);
  CHECK(slots.cases[2].clocks == 1724 + 11 * 31);
  CHECK(answer(report, "slots-ratio") == "1.2");
  CHECK(answer(run({{"latency", 1}}), "slots-ratio") != "1.2");
}

TEST_CASE("Warps: blocks get in whole, 32 of them at most") {
  for (const auto& [block, warps] : std::vector<std::pair<int, const char*>>{
           {32, "32"}, {64, "64"}, {96, "63"}, {256, "64"}, {768, "48"}, {1024, "64"}}) {
    CAPTURE(block);
    CHECK(answer(run({{"block", block}}), "resident") == warps);
  }
}

TEST_CASE("Warps: a sum of 32 takes five shuffles, and a vote counts the loud samples") {
  const lab::Report report = run();
  CHECK(passed(report, "meter-check"));
  CHECK(answer(report, "shuffles") == "5");
  int loud = 0;
  for (int i = 0; i < 32; ++i) loud += std::abs(i * 37 % 101 - 50) > 32;
  CHECK(text_argument(report, "meter-cost", "loud") == std::to_string(loud));
}

TEST_CASE("Warps: sums by memory are right under every schedule with __syncwarp, and only then") {
  const lab::Report report = run();
  CHECK(report.errors.empty());  // the race that the page shows is no error of the page
  CHECK(answer(report, "stable") == "some");
  CHECK(text_argument(report, "schedules", "waiting") == "64");
  CHECK(text_argument(report, "schedules", "races") != "0");
  CHECK(text_argument(report, "schedules", "wrong") !=
        text_argument(report, "schedules", "wanted"));
  const lab::Report mended = run({}, variant("warps", "waiting"), "trusting");
  CHECK(answer(mended, "stable") == "all");
  CHECK(text_argument(mended, "schedules", "races") == "0");
  CHECK(answer(run({}, "__global__ void add_up(float* part) {}", "trusting"), "stable") == "none");
}

TEST_CASE("Warps: where the sum goes wrong, the film shows lanes that have fallen behind") {
  const lab::Report report = run();
  const auto& trusting = exhibit<lab::WarpFilmExhibit>(report, "trusting-film");
  const auto& waiting = exhibit<lab::WarpFilmExhibit>(report, "waiting-film");
  CHECK(lab::totals_of(trusting).partial > 0);
  CHECK(std::ranges::any_of(waiting.rows, [](const auto& row) {
    return row.text.find("__syncwarp") != std::string::npos;
  }));
  CHECK(passed(run({{"schedule", 5}}), "check"));
}

TEST_CASE("Warps: a million samples with long sides take longer where warps split") {
  const lab::Report report = run({{"rounds", 64}});
  const auto& rows = exhibit<lab::TimingsExhibit>(report, "million").rows;
  REQUIRE(rows.size() == 2);
  CHECK(rows[0].seconds > rows[1].seconds);
}

TEST_CASE("Warps: every preset runs on GPUs of other architectures without an error", "[ci]") {
  for (const std::string gpu : {"t4", "a100", "h200"}) {
    for (const lab::Preset& preset : lessons::find("warps")->presets) {
      for (const char* rows : {"source", "ptx"}) {
        Values values = values_of(preset);
        values.emplace_back("rows", std::string(rows));
        const lab::Report report = run(values, {}, "master", gpu);
        CAPTURE(preset.name, gpu, rows);
        CHECK(report.errors.empty());
        CHECK(passed(report, "check"));
        CHECK_FALSE(film(report).steps.empty());
      }
    }
  }
}

}  // namespace warpbook::warps_test
