// The lab follows what is read, and a pin holds it.
#include <catch2/catch_test_macros.hpp>

#include "gui/document/topics.hpp"
#include "tests/gui/made_up.hpp"
#include "tests/gui/stage.hpp"

namespace warpbook::gui::connector_test {
namespace {
constexpr float kHeight = 400, kBottom = kHeight - measure::kStatusBar;

float top_of(Stage& stage, const std::string& panel) {
  const LabView::Place* place = stage.shell().lab().place_of(panel);
  REQUIRE(place);
  return place->min.y;
}

/// A text that speaks of the threads' picture, then of the source, each in a step of its own.
std::string text() {
  std::string filling;
  for (int i = 0; i < 30; ++i) filling += "A paragraph of its own, to fill the page.\n\n";
  const auto step = [](const std::string& name) {
    return "```step\nname = \"" + name + "\"\n```\n\n";
  };
  return "# Made up\n\n" + step("ask") + filling + step("explain") +
         "```index\nformula = \"i = blockIdx.x * blockDim.x + threadIdx.x\"\n```\n\n" + filling +
         step("change") +
         "```try\ntext = \"Another source\"\nsource = \"tests/gui/data/add.cu\"\n" + "```\n\n" +
         filling;
}

/// In a low window, in which the lab cannot show two panels at once.
void open(Stage& stage) {
  auto document = lab::parse_document(text(), "en.md", "en");
  REQUIRE(document);
  stage.book().open(made_up::lesson(), std::move(*document));
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
  const float begin = stage.shell().lab().scroll_top();
  CHECK(top_of(stage, "code") + 100 > kBottom);
  read_on(stage, "change");
  REQUIRE(stage.shell().document().connected());
  CHECK(stage.shell().document().connected()->topics == std::vector<std::string>{"code"});
  CHECK(top_of(stage, "code") >= begin);
  CHECK(top_of(stage, "code") + 180 <= kBottom);
  CHECK(top_of(stage, "accesses") < begin);
  read_on(stage, "explain");
  CHECK(stage.shell().document().connected()->topics == std::vector<std::string>{"accesses"});
  CHECK(top_of(stage, "accesses") >= begin);
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
  CHECK(top_of(stage, "accesses") < held);
  CHECK(top_of(stage, "code") >= stage.shell().lab().scroll_top());
}

TEST_CASE("of several exercises in view, the one in the lab is joined to it") {
  Stage stage(1440, 2200);
  stage.open("grids");
  read_on(stage, "make");
  const auto& document = stage.shell().document();
  REQUIRE(document.connected());
  REQUIRE(document.connected()->topics == std::vector<std::string>{"exercise"});
  const auto& node = stage.book().document().nodes[document.connected()->node];
  CHECK(std::get<lab::ExerciseDirective>(node).id == document.exercise_in_view());
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

}  // namespace warpbook::gui::connector_test
