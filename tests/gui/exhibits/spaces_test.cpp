// The memory spaces as a panel: the whole chapter with every question answered.
#include <catch2/catch_test_macros.hpp>

#include "tests/gui/stage.hpp"

namespace warpbook::gui::spaces_test {
TEST_CASE("the memory spaces of a run are drawn, and the page keeps to its share of vertices") {
  Stage stage(1440, 900);
  stage.open_answered("memory-spaces");
  stage.act([&](ImGuiTestContext& t) { t.Yield(60); });
  REQUIRE(stage.book().report());
  CHECK(stage.book().report()->find_as<lab::SpacesExhibit>("spaces"));
  CHECK(Stage::vertices() > 1000);
  CHECK(Stage::vertices() < 40'000);
}

TEST_CASE("more coefficients make the local array of the page's kernel larger") {
  Stage stage(1440, 900);
  stage.open_answered("memory-spaces");
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
