// Films of warps: made from a record, summed up, drawn and written.
#include <algorithm>

#include <catch2/catch_approx.hpp>
#include <catch2/catch_test_macros.hpp>
#include <nlohmann/json.hpp>

#include "lab/exhibits/warp_film/warp_film_of.hpp"
#include "lab/exhibits/warp_film/warp_film_picture.hpp"
#include "lab/markup/svg_pen.hpp"
#include "lab/markup/table.hpp"
#include "lab/render/render.hpp"
#include "tests/lab/report/sample_report.hpp"

namespace warpbook::lab::warp_film_test {
namespace {

using Catch::Approx;
using sample::english;
using sample::exhibit;

constexpr std::uint32_t kAll = ~0u, kEven = 0x55555555u;
constexpr const char* kSource = "void k() {\n    if (odd)\n      s = f(s);\n    out = s;\n}\n";

device::InstructionCounters instruction(std::uint32_t ptx_line, std::uint32_t line,
                                        const std::string& text) {
  device::InstructionCounters made;
  made.ptx_line = ptx_line;
  made.place = {"k.cu", line, 1};
  made.text = text;
  return made;
}

/// A warp that parts at line 2, does line 3 with its even lanes, and meets at line 4.
device::LaunchRecord record() {
  device::LaunchRecord made;
  made.block = {40, 1, 1};
  made.instructions = {instruction(10, 2, "setp.eq.s32 %p, %r1, 1;"),
                       instruction(11, 2, "@%p bra odd;"),
                       instruction(12, 3, "mul.f32 %f1, %f1, %f2;"),
                       instruction(14, 4, "st.global.f32 [%rd1], %f1;")};
  // The multiplication stands in a function of another file that line 3 calls.
  made.instructions[2].place = {"math.h", 77, 1};
  made.instructions[2].inlined_at = {{"k.cu", 3, 7}};
  made.issues = {{0, kAll}, {1, kAll}, {2, kEven}, {2, kEven}, {3, ~kEven}, {3, kAll}};
  return made;
}

WarpFilmExhibit film(bool ptx) { return warp_film_of(record(), {0, 0, 100}, "k.cu", kSource, ptx); }

}  // namespace

TEST_CASE("Warp film: neighbours of one line and the same lanes are one step") {
  const WarpFilmExhibit made = film(false);
  using Steps = std::vector<WarpFilmExhibit::Step>;
  CHECK(made.steps == Steps{{0, kAll, 2}, {1, kEven, 2}, {2, ~kEven, 1}, {2, kAll, 1}});
  using Rows = std::vector<WarpFilmExhibit::Row>;
  CHECK(made.rows == Rows{{2, "if (odd)"}, {3, "  s = f(s);"}, {4, "out = s;"}});
  CHECK(made.chosen == 1);
  CHECK(made.lanes == kAll);
  CHECK(valid(made));
}

TEST_CASE("Warp film: in PTX each instruction is a row") {
  const WarpFilmExhibit made = film(true);
  REQUIRE(made.rows.size() == 4);
  CHECK(made.rows[1] == WarpFilmExhibit::Row{11, "@%p bra odd;"});
  CHECK(made.steps.size() == 5);
}

TEST_CASE("Warp film: a warp that a block does not fill has the lanes of its threads") {
  CHECK(warp_film_of(record(), {0, 1, 100}, "k.cu", kSource, false).lanes == 0xffu);
  CHECK(warp_film_of(record(), {0, 2, 100}, "k.cu", kSource, false).lanes == 0u);
}

TEST_CASE("Warp film: a lane that waits is at the row that it takes part in next") {
  const WarpFilmExhibit made = sample::warp_film();
  CHECK(row_of(made, 2, 0) == 2u);  // even: active
  CHECK(row_of(made, 2, 1) == 3u);  // odd: waits for its own side
  CHECK(row_of(made, 3, 0) == 4u);  // even: waits where they meet
  CHECK_FALSE(row_of(made, 5, 0));  // past the end
}

TEST_CASE("Warp film: totals, and the step at an instruction") {
  const WarpFilmExhibit made = sample::warp_film();
  CHECK(totals_of(made).issues == 9);
  CHECK(totals_of(made).partial == 5);
  CHECK(issued_before(made, 3) == 6);
  CHECK(step_at(made, 0) == 0);
  CHECK(step_at(made, 2) == 1);
  CHECK(step_at(made, 5) == 2);
  CHECK(step_at(made, 100) == 4);
  CHECK(step_at(WarpFilmExhibit{}, 0) == 0);
}

TEST_CASE("Warp film: the picture places steps by the instructions before them") {
  const WarpFilmExhibit made = sample::warp_film();
  const auto strings = sample::strings("en");
  const Canvas canvas = svg_canvas(768, *strings);
  const WarpFilmPlane plane(made, nullptr, canvas);
  CHECK(plane.axis_end() == 9);
  CHECK(plane.across(9) == Approx(plane.strip().right()));
  for (std::size_t step = 0; step < made.steps.size(); ++step) {
    const double middle = plane.across(issued_before(made, step)) +
                          plane.strip().width * made.steps[step].issues / 18.0;
    CHECK(plane.step_near(made, middle) == step);
  }
  CHECK(plane.step_near(made, -1e9) == 0);
  CHECK(plane.step_near(made, 1e9) == 4);
  // Beside a longer film, both have its axis.
  WarpFilmExhibit longer = made;
  longer.steps.back().issues = 10;
  CHECK(WarpFilmPlane(made, &longer, canvas).axis_end() == 18);
}

TEST_CASE("Warp film: every renderer says what it shows, of nothing, too") {
  for (const WarpFilmExhibit& made : {sample::warp_film(), WarpFilmExhibit{}}) {
    for (const char* language : {"en", "zh"}) {
      const auto strings = sample::strings(language);
      for (const int width : {24, 80, 200})
        CHECK_FALSE(to_text(exhibit(made), *strings, width).empty());
      CHECK_FALSE(to_html(exhibit(made), *strings).empty());
    }
    CHECK(table_of(made, english()).rows.size() == made.steps.size());
  }
  const auto json = to_json(exhibit(sample::warp_film()), english());
  CHECK(json["kind"] == "warp_film");
  CHECK(json["value"]["partial_issues"] == 5);
  CHECK(json["value"]["steps"][2]["active_lanes"] == 16);
}

TEST_CASE("Warp film: a step without its row, or with lanes that no thread has, is not valid") {
  WarpFilmExhibit row = sample::warp_film(), lanes = row, chosen = row;
  row.steps[0].row = 5;
  lanes.lanes = 0xffff;
  chosen.chosen = 5;
  for (const WarpFilmExhibit& broken : {row, lanes, chosen}) CHECK_FALSE(valid(broken));
}

}  // namespace warpbook::lab::warp_film_test
