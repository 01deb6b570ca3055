#include <catch2/catch_test_macros.hpp>

#include "lab/document/document.hpp"
#include "tests/gui/stage.hpp"

namespace warpbook::gui {
namespace {

bool covered_errors(Stage& stage) {
  bool found = false;
  stage.act([&](ImGuiTestContext& t) { found = t.ItemExists("**/errors/show me"); });
  return found;
}

}  // namespace

TEST_CASE("what a run complains of is covered while it would answer an open question", "[ci]") {
  Stage stage;
  stage.open("races");
  REQUIRE_FALSE(stage.book().report()->errors.empty());
  CHECK(covered_errors(stage));
  while (const lab::PredictDirective* question = stage.book().veil(lab::kVeiledErrors))
    stage.book().answer(question->id, "");
  stage.settle();
  CHECK_FALSE(covered_errors(stage));
}

}  // namespace warpbook::gui
