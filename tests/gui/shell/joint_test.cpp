// The lab follows what is read, and a pin holds it.
#include <catch2/catch_test_macros.hpp>

#include "gui/document/topics.hpp"
#include "tests/gui/made_up.hpp"
#include "tests/gui/stage.hpp"

namespace warpbook::gui::joint_test {
namespace {
constexpr float kTop = measure::kTopBar, kHeight = 400, kBottom = kHeight - measure::kStatusBar;

float top_of(Stage& stage, const std::string& panel) {
  const LabView::Place* place = stage.shell().lab().place_of(panel);
  REQUIRE(place);
  return place->min.y;
}

/// A low window, in which the lab cannot show two panels at once.
void open(Stage& stage) {
  stage.open_made_up();
  stage.book().answer("threads", "12");
  stage.settle();
}

void read_on(Stage& stage, std::string_view step) {
  stage.shell().document().go_to_step(step);
  stage.settle();
}
}  // namespace

TEST_CASE("the lab scrolls to the panel that is read about, and the two are joined") {
  Stage stage(1440, kHeight);
  open(stage);
  read_on(stage, "explain");
  REQUIRE(stage.shell().document().joint());
  CHECK(stage.shell().document().joint()->topics == std::vector<std::string>{"accesses"});
  CHECK(top_of(stage, "accesses") >= kTop);
  CHECK(top_of(stage, "accesses") + 200 <= kBottom);
  CHECK(top_of(stage, "parameters") < kTop);
  read_on(stage, "change");
  CHECK(stage.shell().document().joint()->topics == std::vector<std::string>{"parameters"});
  CHECK(top_of(stage, "parameters") >= kTop);
}

TEST_CASE("a pin holds the lab while the reader reads on, and lets it follow again") {
  Stage stage(1440, kHeight);
  open(stage);
  read_on(stage, "explain");
  const float held = top_of(stage, "accesses");
  stage.act([](ImGuiTestContext& t) { t.ItemClick("**/hold the lab"); });
  REQUIRE(stage.shell().lab_held());
  read_on(stage, "change");
  CHECK(top_of(stage, "accesses") == held);
  stage.act([](ImGuiTestContext& t) { t.KeyPress(ImGuiMod_Ctrl | ImGuiKey_L); });
  stage.settle();
  CHECK_FALSE(stage.shell().lab_held());
  CHECK(top_of(stage, "parameters") >= kTop);
}

TEST_CASE("of several exercises in view, the one in the lab is joined to it") {
  Stage stage(1440, 2200);
  stage.open("grids");
  read_on(stage, "make");
  const auto& document = stage.shell().document();
  REQUIRE(document.joint());
  REQUIRE(document.joint()->topics == std::vector<std::string>{"exercise"});
  const auto& block = stage.book().document().blocks[document.joint()->block];
  CHECK(std::get<lab::ExerciseDirective>(block).id == document.exercise_in_view());
}

TEST_CASE("a question is about what it veils, a case about what it changes") {
  const lab::Lesson& lesson = made_up::lesson();
  lab::PredictDirective predict;
  predict.veils = {"=threads", "wires", "add"};
  CHECK(topics_of(predict, lesson) == std::vector<std::string>{"wires", "code"});
  lab::TryDirective attempt;
  CHECK(topics_of(attempt, lesson) == std::vector<std::string>{"parameters"});
  attempt.source = "kernels/other.cu";
  CHECK(topics_of(attempt, lesson) == std::vector<std::string>{"code"});
  CHECK(topics_of(lab::Heading{}, lesson).empty());
}

}  // namespace warpbook::gui::joint_test
