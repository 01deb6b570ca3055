// The memory spaces as a panel: the whole chapter with every question answered.
#include <catch2/catch_test_macros.hpp>

#include "tests/gui/stage.hpp"

namespace warpbook::gui::spaces_test {
namespace {
void answer_all(Stage& stage) {
  const lab::Inputs opened = stage.book().inputs();
  for (const lab::Block& block : stage.book().document().blocks) {
    if (const auto* predict = std::get_if<lab::PredictDirective>(&block))
      stage.book().answer(predict->id, predict->choices.front().value);
  }
  stage.book().set_inputs(opened);  // an answer shows its own case
  stage.settle();
}
}  // namespace

TEST_CASE("the memory spaces of a run are drawn, and the page keeps to its share of vertices") {
  Stage stage(1440, 900);
  stage.open("memory-spaces");
  answer_all(stage);
  stage.act([&](ImGuiTestContext& t) { t.Yield(60); });
  REQUIRE(stage.book().report());
  CHECK(stage.book().report()->find_as<lab::SpacesExhibit>("spaces"));
  CHECK(Stage::vertices() > 1000);
  CHECK(Stage::vertices() < 40'000);
}

TEST_CASE("more coefficients make the local array of the page's kernel larger") {
  Stage stage(1440, 900);
  stage.open("memory-spaces");
  answer_all(stage);
  const auto local_bytes = [&] {
    const auto* spaces = stage.book().report()->find_as<lab::SpacesExhibit>("spaces");
    return spaces ? spaces->local_bytes : 0;
  };
  CHECK(local_bytes() == 32);
  stage.book().set_value("taps", lab::Value(std::int64_t{16}));
  stage.settle();
  CHECK(local_bytes() == 64);
}

}  // namespace warpbook::gui::spaces_test
