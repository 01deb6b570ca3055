// Schedules: outcomes out of outputs, the two lines out of a checker's finding, and what the renderers say and draw.
#include <optional>
#include <string>
#include <vector>

#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>
#include <nlohmann/json.hpp>

#include "lab/exhibits/schedules/schedules_of.hpp"
#include "lab/exhibits/schedules/schedules_picture.hpp"
#include "lab/exhibits/schedules/schedules_summary.hpp"
#include "lab/markup/svg_pen.hpp"
#include "lab/render/render.hpp"
#include "tests/lab/markup/drawings.hpp"
#include "tests/lab/report/sample_report.hpp"
#include "tests/lab/text/texts.hpp"

namespace warpbook::lab::schedules_exhibit_test {
namespace {

using sample::english;
using sample::exhibit;
using sample::tensor;
using tests::count_of;
using tests::count_of_text;
using tests::count_outside;
using tests::holds;
using Outputs = std::vector<std::optional<TensorExhibit>>;

std::string said(const SchedulesExhibit& schedules) {
  return sentence(exhibit(schedules), sample::keys());
}

TensorExhibit out(const std::vector<int>& values) { return tensor<int>("out", values); }

/// A finding of two accesses in the kernel's file.
device::Finding race(std::uint32_t writes, std::uint32_t reads,
                     device::ErrorCode code = device::ErrorCode::race_in_block) {
  device::Finding found;
  found.error.code = code;
  found.by = {0, 31, 0, {"a.cu", writes, 0}, device::AccessKind::store};
  found.other = device::Party{0, 32, 1, {"a.cu", reads, 0}, device::AccessKind::load};
  return found;
}

constexpr const char* kSource = "one\ntwo\nthree\nfour\nfive\nsix\n";

SchedulesExhibit with_races(const std::vector<device::Finding>& findings, std::uint64_t total) {
  device::LaunchRecord record;
  record.findings = findings;
  record.findings_total = total;
  SchedulesExhibit made = schedules_of(out({1}), {out({1})});
  add_races(made, record, "a.cu", kSource);
  return made;
}

Drawing picture(const SchedulesExhibit& schedules, std::size_t shown, double width = 768,
                const std::string& language = "en") {
  const auto strings = sample::strings(language);
  const Canvas canvas = svg_canvas(width, *strings);
  return drawing_of(schedules, SchedulesPlane(schedules, canvas), shown, canvas);
}

}  // namespace

TEST_CASE("Schedules: outputs that are alike are one outcome, in the order of the schedules") {
  const SchedulesExhibit made =
      schedules_of(out({1, 2, 3}), Outputs{out({1, 2, 3}), out({1, 0, 3}), out({1, 2, 3}),
                                           std::nullopt, out({0, 0, 3}), out({1, 0, 3})});
  CHECK(made.array == "out");
  CHECK(made.elements == 3);
  CHECK(made.runs == std::vector<std::uint32_t>{0, 1, 0, 2, 3, 1});
  REQUIRE(made.outcomes.size() == 4);
  CHECK(is_right(made.outcomes[0]));
  CHECK(made.outcomes[1].places == std::vector<std::uint64_t>{1});
  CHECK(made.outcomes[1].differences == std::vector<SchedulesExhibit::Difference>{{1, "2", "0"}});
  CHECK_FALSE(made.outcomes[2].ended);
  CHECK_FALSE(is_right(made.outcomes[2]));
  CHECK(made.outcomes[3].wrong == 2);
  CHECK(right_runs(made) == 2);
  CHECK(wrong_outcomes(made) == 3);
  CHECK(valid(made));
}

TEST_CASE(
    "Schedules: outcomes that first differ late are still two, and few differences are kept") {
  const std::vector<int> truth(10, 1), early(10, 0);
  std::vector<int> late = early;
  late.back() = 7;
  const SchedulesExhibit made = schedules_of(out(truth), {out(early), out(late)});
  REQUIRE(made.outcomes.size() == 2);
  for (const auto& outcome : made.outcomes) {
    CHECK(outcome.wrong == 10);
    CHECK(outcome.differences.size() == SchedulesExhibit::kMostDifferences);
  }
}

TEST_CASE(
    "Schedules: a race's two lines come in the order of the source, with a line around them") {
  for (const bool turned : {false, true}) {
    const SchedulesExhibit made = with_races({turned ? race(5, 3) : race(3, 5)}, 95);
    REQUIRE(made.collision);
    CHECK(made.races == 95);
    CHECK(made.collision->first.line == 3);
    CHECK(made.collision->second.line == 5);
    CHECK(made.collision->first.kind ==
          (turned ? device::AccessKind::load : device::AccessKind::store));
    CHECK(made.collision->barrier);
    CHECK(made.collision->first_line == 2);
    CHECK(made.collision->code == std::vector<std::string>{"two", "three", "four", "five", "six"});
  }
}

TEST_CASE("Schedules: at the ends of a source there is no line around") {
  const SchedulesExhibit made = with_races({race(1, 6)}, 1);
  REQUIRE(made.collision);
  CHECK(made.collision->first_line == 1);
  CHECK(made.collision->code.size() == 6);
}

TEST_CASE("Schedules: the barrier is drawn where all threads come by, not in the later line's if") {
  const auto below = [](std::vector<std::string> code, std::uint32_t first, std::uint32_t second) {
    SchedulesExhibit::Collision collision;
    collision.first.line = first;
    collision.second.line = second;
    collision.first_line = first - 1;
    collision.code = std::move(code);
    return line_below_barrier(collision);
  };
  // Lines 7 to 11 of the chapter on races.
  CHECK(below({"int i;", "if (i < n) m[t] = x[i];", "if (i < n) {", "y[i] = m[t - 1];", "}"}, 8,
              10) == 9);
  CHECK(below({"for (;;) {", "m[t] = x[i];", "}", "int k = 0;", "y[i] = m[k];"}, 8, 11) == 11);
  CHECK(below({"{", "m[t] = x[i];", "y[i] = m[t - 1];", "}"}, 8, 9) == 9);
}

TEST_CASE("Schedules: no barrier is drawn where none would help") {
  using enum device::ErrorCode;
  CHECK_FALSE(with_races({race(3, 5, race_between_blocks)}, 1).collision->barrier);
  CHECK_FALSE(with_races({race(4, 4, race_in_line)}, 1).collision->barrier);
  CHECK(with_races({race(3, 5, race_in_warp)}, 1).collision->barrier);
}

TEST_CASE("Schedules: what is no race, or of another file, makes no collision and counts as none") {
  device::Finding unwritten;
  unwritten.error.code = device::ErrorCode::uninitialised_read;
  CHECK_FALSE(with_races({unwritten}, 1).collision);
  CHECK(with_races({unwritten}, 1).races == 0);
  CHECK(with_races({unwritten, race(3, 5)}, 96).races == 95);
  device::Finding elsewhere = race(3, 5);
  elsewhere.by.place.file = "b.cu";
  CHECK_FALSE(with_races({elsewhere}, 1).collision);
}

TEST_CASE("Schedules: its sentence counts, tells the shown schedule and the two lines") {
  CHECK(said(sample::schedules()) ==
        "schedules.unseeded.some-right(right=3, runs=8); schedules.results(count=3); "
        "schedules.wrong-run(count=2, name=schedules.run(number=4), elements=96, "
        "first=schedules.difference(array=used, index=32, got=2062, expected=62)); "
        "schedules.race(first=8, first_kind=schedules.kind.store, second=10, "
        "second_kind=schedules.kind.load)");
  SchedulesExhibit right = schedules_of(out({1}), {out({1}), out({1})});
  CHECK(said(right) == "schedules.all-right(runs=2); schedules.no-race");
  // On a GPU, which had its own schedules, no checker looked for races.
  right.seeded = false;
  CHECK(said(right) == "schedules.unseeded.all-right(runs=2)");
  CHECK(said(SchedulesExhibit{}) == "schedules.nothing");
}

TEST_CASE("Schedules: every renderer shows each schedule, each result and both lines") {
  const auto language = GENERATE(as<std::string>{}, "en", "zh");
  const auto strings = sample::strings(language);
  const SchedulesExhibit made = sample::schedules();
  const std::string text = to_text(exhibit(made), *strings, 100);
  CHECK(holds(text, "✓aa✓bcb✓"));
  CHECK(holds(text, "m[t] = x[i];"));
  CHECK(holds(text, "put __syncthreads() between"));
  const std::string html = to_html(exhibit(made), *strings);
  CHECK(holds(html, "<svg"));
  CHECK(holds(html, "put __syncthreads() between"));
  CHECK(table_of(exhibit(made), *strings).rows.size() == 4);
  for (const int width : {24, 80, 200})
    CHECK_FALSE(to_text(exhibit(made), *strings, width).empty());
  CHECK(to_json(exhibit(made), english())["value"]["runs"].size() == 8);
}

TEST_CASE("Schedules: the picture has a cell for each, and the shown one's wrong elements") {
  for (const std::string language : {"en", "zh"}) {
    const SchedulesExhibit made = sample::schedules();
    for (const double width : {300.0, 560.0, 768.0}) {
      CAPTURE(language, width);
      const Drawing right = picture(made, 0, width, language),
                    wrong = picture(made, 4, width, language),
                    stopped = picture(made, 5, width, language);
      CHECK(count_of(right, "schedule") == 8);
      CHECK(count_of_text(right, "b") == 2);
      CHECK(count_of(right, "wrong") == 0);
      CHECK(count_of(wrong, "wrong") == 2);
      CHECK(count_of(stopped, "wrong") == 0);
      CHECK(count_of(wrong, "collides") == 2);
      CHECK(count_of(wrong, "barrier") == 1);
      CHECK(right.height == wrong.height);
      CHECK(stopped.height == wrong.height);
      for (const Drawing* drawing : {&right, &wrong, &stopped}) CHECK(count_outside(*drawing) == 0);
    }
  }
}

TEST_CASE("Schedules: a cell is found under the mouse, and none beside the strip") {
  SchedulesExhibit made = sample::schedules();
  made.runs.assign(40, 0);
  const Canvas canvas = svg_canvas(768, english());
  const SchedulesPlane plane(made, canvas);
  for (const std::size_t run : {0u, 31u, 32u, 39u})
    CHECK(plane.run_at(plane.cell(run).middle()) == run);
  const Area last = plane.cell(39);
  CHECK_FALSE(plane.run_at({last.right() + 20, last.middle().y}));
  CHECK_FALSE(plane.run_at({last.middle().x, last.bottom() + 20}));
}

TEST_CASE("Schedules: with more wrong results than letters, the last have a star") {
  SchedulesExhibit made;
  for (std::uint32_t i = 0; i < 60; ++i) {
    made.outcomes.push_back({false, 0, {}, {}});
    made.runs.push_back(i);
  }
  CHECK(outcome_sign(made, 0) == "a");
  CHECK(outcome_sign(made, 25) == "z");
  CHECK(outcome_sign(made, 26) == "A");
  CHECK(outcome_sign(made, 51) == "Z");
  CHECK(outcome_sign(made, 52) == "*");
}

TEST_CASE("Schedules: numbers that lead nowhere are not valid") {
  SchedulesExhibit made = sample::schedules();
  REQUIRE(valid(made));
  made.runs[0] = 4;
  CHECK_FALSE(valid(made));
  made = sample::schedules();
  made.outcomes[1].places[0] = 96;
  CHECK_FALSE(valid(made));
  made = sample::schedules();
  made.chosen = 8;
  CHECK_FALSE(valid(made));
}

}  // namespace warpbook::lab::schedules_exhibit_test
