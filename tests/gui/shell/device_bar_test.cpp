// The GPU that is simulated: chosen from a list, saved by the session, and used by everything that runs.
#include <algorithm>
#include <string>

#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>

#include "gui/book/command_line.hpp"
#include "lab/exhibits/comparison/comparison_summary.hpp"
#include "tests/gui/made_up.hpp"
#include "tests/gui/stage.hpp"
#include "tests/temporary_folder.hpp"

namespace warpbook::gui::device_bar_test {
namespace {
void choose(Stage& stage, const char* gpu) {
  stage.act([gpu](ImGuiTestContext& t) {
    t.ItemClick("**/device");
    t.ItemClick((std::string("**/") + gpu).c_str());
  });
}

/// What the estimate of the chapter First kernel says.
struct Told {
  double seconds = 0;
  std::string on, occupancy;
};
Told told(const lab::Report& report) {
  const auto* times = report.find_as<lab::TimingsExhibit>("time");
  REQUIRE(times);
  REQUIRE_FALSE(times->rows.empty());
  const auto& row = times->rows.front();
  const lab::Message* occupancy = device::argument_of(row.bottleneck.arguments, "occupancy");
  REQUIRE(occupancy);
  return {row.seconds, row.evidence.on.text, occupancy->text};
}
}  // namespace

TEST_CASE("the list has every GPU of the table, the chosen one marked") {
  Stage stage;
  stage.open_made_up();
  CHECK(stage.book().gpu().name == "H200");
  stage.act([](ImGuiTestContext& t) {
    t.ItemClick("**/device");
    for (const device::Properties& gpu : device::gpu_table())
      CHECK(t.ItemExists(("**/" + gpu.name).c_str()));
    t.ItemClick("**/L4");
  });
  stage.settle();
  CHECK(stage.book().gpu().name == "L4");
  CHECK(stage.book().inputs().gpu == "L4");
  CHECK(stage.book().report()->inputs.gpu == "L4");
  CHECK_FALSE(stage.book().stale());
  CHECK(command_of(stage.book()) == "./warpbook run made-up --gpu L4");
}

TEST_CASE("the GPU is chosen by keys, in a window that has no room for its control, too") {
  const float width = GENERATE(1440.0f, 420.0f);
  Stage stage(width, 900);
  stage.open_made_up();
  stage.act([](ImGuiTestContext& t) {
    t.KeyPress(ImGuiMod_Ctrl | ImGuiKey_G);
    t.Yield(2);
    t.KeyPress(ImGuiKey_UpArrow);
    t.KeyPress(ImGuiKey_Enter);
  });
  stage.settle();
  CHECK(stage.book().gpu().name == "H100 SXM");  // the row above
}

TEST_CASE("another GPU leaves what is shown stale until it has run, and takes questions with it") {
  Stage stage;
  stage.open_made_up();
  stage.book().set_live(false);
  choose(stage, "T4");
  stage.settle();
  CHECK(stage.book().stale());
  CHECK(stage.book().report()->inputs.gpu == "h200");
  stage.book().run_now();
  stage.settle();
  CHECK_FALSE(stage.book().stale());
  CHECK(stage.book().report()->device.english() == "T4, simulated");
  for (const lab::DocumentNode& block : stage.book().document().nodes) {
    if (const auto* predict = std::get_if<lab::PredictDirective>(&block))
      CHECK(stage.book().right_value(*predict) == "12");
    if (const auto* compare = std::get_if<lab::CompareDirective>(&block))
      CHECK(stage.book().side_report(case_of(compare->variants[0]))->inputs.gpu == "T4");
  }
}

TEST_CASE("two GPUs are held against each other: the estimate, the occupancy and both names",
          "[ci]") {
  Stage stage;
  stage.open_answered("first-kernel");
  stage.book().set_value("block", lab::Value(std::int64_t{1024}));
  stage.settle();
  const Told on_h200 = told(*stage.book().report());
  stage.act([](ImGuiTestContext& t) { t.KeyPress(ImGuiMod_Ctrl | ImGuiKey_K); });
  choose(stage, "RTX 3090");
  stage.settle();
  const Told other = told(*stage.book().report());
  CHECK(on_h200.on == "H200");
  CHECK(other.on == "RTX 3090");
  CHECK(other.seconds != on_h200.seconds);
  CHECK(on_h200.occupancy == "100");
  CHECK(other.occupancy == "66.7");  // one block of 1,024 threads where 1,536 have room

  const auto compared = stage.book().own_comparison();
  REQUIRE(compared);
  CHECK(compared->name_a == "H200: block = 1024");
  CHECK(compared->name_b == "RTX 3090: block = 1024");
  REQUIRE(compared->relation);
  const auto& relation = std::get<lab::ComparisonExhibit>(compared->relation->value);
  REQUIRE(relation.settings.size() == 1);
  CHECK(relation.settings[0].name == "GPU");
  CHECK(relation.settings[0].a == "H200");
  CHECK(relation.settings[0].b == "RTX 3090");
  const auto time = std::ranges::find_if(relation.times, [](const auto& one) {
    return one.evidence == device::EvidenceKind::estimated;
  });
  REQUIRE(time != relation.times.end());
  CHECK(time->a->on.text == "H200");
  CHECK(time->b->on.text == "RTX 3090");
}

TEST_CASE("a session keeps the GPU, whatever chapter it opens next", "[ci]") {
  const tests::TemporaryFolder folder;
  const OpenOptions options{"first-kernel", WARPBOOK_SOURCE_DIR, folder.path().string()};
  {
    Stage stage(options);
    stage.settle();
    choose(stage, "A100 80GB");
    stage.settle();
    stage.session().save_now();
  }
  Stage stage(options);
  stage.settle();
  CHECK(stage.book().gpu().name == "A100 80GB");
  CHECK(stage.book().report()->device.english() == "A100 80GB, simulated");
  CHECK_FALSE(stage.book().stale());
  stage.open("grids");
  CHECK(stage.book().report()->device.english() == "A100 80GB, simulated");
}

TEST_CASE("an exercise is checked on the chosen GPU; on another one the check is one of before",
          "[ci]") {
  Stage stage;
  stage.open("first-kernel");
  stage.shell().hold_lab(true);
  stage.book().set_active_exercise("saxpy");
  ExerciseAttempt& attempt = *stage.book().active_attempt();
  const auto solution = lab::load_solution(WARPBOOK_SOURCE_DIR, *attempt.text());
  REQUIRE(solution);
  attempt.set_source(*solution);
  choose(stage, "T4");
  stage.book().run_now();
  stage.settle();
  REQUIRE(attempt.result());
  CHECK(attempt.result()->passed);
  CHECK(attempt.result()->report.device.english() == "T4, simulated");
  CHECK(command_of(stage.book()).ends_with("./warpbook check saxpy \"$source\" --gpu T4"));
  CHECK_FALSE(attempt.stale());
  stage.book().set_gpu("L4");
  CHECK(attempt.stale());
  CHECK(stage.book().stale_reason() == "old: T4");
  CHECK(attempt.passed());  // it was, and is not taken away
}

}  // namespace warpbook::gui::device_bar_test
