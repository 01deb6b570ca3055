// Issue slots: the model against arithmetic by hand, and what the renderers say.
#include <array>

#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>
#include <nlohmann/json.hpp>

#include "lab/exhibits/issue_slots/issue_slots_picture.hpp"
#include "lab/markup/svg_pen.hpp"
#include "lab/markup/table.hpp"
#include "lab/render/render.hpp"
#include "tests/lab/report/sample_report.hpp"

namespace warpbook::lab::issue_slots_test {
namespace {

using sample::english;
using sample::exhibit;
using Case = IssueSlotsExhibit::Case;

/// On one scheduler.
Case run(std::uint32_t warps, std::uint32_t latency, std::uint32_t work, std::uint32_t rounds) {
  const std::array counts{warps};
  return issue_slots_of(1, latency, work, rounds, counts).cases.front();
}

}  // namespace

TEST_CASE("Issue slots: a warp alone waits out every load") {
  CHECK(run(1, 400, 30, 4).clocks == 4 * (1 + 400 + 30));
  CHECK(filled_of(run(1, 400, 30, 4)) == 4 * 31);
  CHECK(run(1, 0, 3, 2).clocks == 2 * 4);
}

TEST_CASE("Issue slots: further warps fill empty slots, and delay the end by their work alone") {
  for (const std::uint32_t warps : {2u, 4u, 12u}) {
    CAPTURE(warps);
    const Case made = run(warps, 400, 30, 4);
    CHECK(made.clocks == 4 * 431 + (warps - 1) * 31);
    CHECK(filled_of(made) == warps * 4 * 31);
  }
}

TEST_CASE("Issue slots: once the latency is hidden, the time grows with the work") {
  const Case made = run(32, 400, 30, 8);
  CHECK(filled_of(made) == 32 * 8 * 31);
  CHECK(made.clocks >= filled_of(made));
  CHECK(made.clocks > 2 * run(12, 400, 30, 8).clocks);
}

TEST_CASE("Issue slots: warps are dealt out to the schedulers") {
  constexpr std::array<std::uint32_t, 4> kWarps{0, 1, 4, 5};
  const IssueSlotsExhibit made = issue_slots_of(4, 10, 1, 1, kWarps);
  const std::array<std::uint32_t, 4> own{0, 1, 1, 2};
  for (std::size_t i = 0; i < own.size(); ++i) CHECK(made.cases[i].own == own[i]);
  CHECK(made.cases[0].clocks == 0);
  CHECK(made.cases[1].clocks == made.cases[2].clocks);
  CHECK(valid(made));
}

TEST_CASE("Issue slots: each slot has one warp at most, in order") {
  const auto [warps, latency, work] = GENERATE(table<std::uint32_t, std::uint32_t, std::uint32_t>(
      {{1, 5, 0}, {3, 7, 2}, {16, 400, 30}, {20, 1, 1}}));
  CAPTURE(warps, latency, work);
  const std::array counts{warps};
  const IssueSlotsExhibit made = issue_slots_of(1, latency, work, 3, counts);
  CHECK(valid(made));
  CHECK(filled_of(made.cases[0]) == std::uint64_t{warps} * 3 * (1 + work));
}

TEST_CASE("Issue slots: the picture finds the strip under a point") {
  const IssueSlotsExhibit made = sample::issue_slots();
  const auto strings = sample::strings("en");
  const Canvas canvas = svg_canvas(768, *strings);
  const IssueSlotsPlane plane(made, nullptr, canvas);
  for (std::size_t i = 0; i < made.cases.size(); ++i)
    CHECK(plane.case_at(plane.strip(i).middle()) == i);
  CHECK_FALSE(plane.case_at({0, 0}));
  CHECK(plane.axis_end() == made.cases[1].clocks);
}

TEST_CASE("Issue slots: every renderer says what it shows, of nothing, too") {
  for (const IssueSlotsExhibit& made : {sample::issue_slots(), IssueSlotsExhibit{}}) {
    for (const char* language : {"en", "zh"}) {
      const auto strings = sample::strings(language);
      for (const int width : {24, 80, 200})
        CHECK_FALSE(to_text(exhibit(made), *strings, width).empty());
      CHECK_FALSE(to_html(exhibit(made), *strings).empty());
    }
  }
  const auto json = to_json(exhibit(sample::issue_slots()), english());
  CHECK(json["kind"] == "issue_slots");
  CHECK(json["value"]["cases"][1]["filled"] == 4 * 2 * 4);
  IssueSlotsExhibit broken = sample::issue_slots();
  broken.cases[0].spans.back().clocks = 1000;
  CHECK_FALSE(valid(broken));
}

}  // namespace warpbook::lab::issue_slots_test
