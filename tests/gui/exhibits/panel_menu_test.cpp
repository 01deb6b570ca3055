#include "gui/exhibits/panel_menu.hpp"

#include <string>
#include <vector>

#include <catch2/catch_test_macros.hpp>

#include "tests/gui/stage.hpp"

namespace warpbook::gui::panel_menu_test {
namespace {
/// What the reader wants after choosing from the menu of a panel.
std::vector<Export> chosen(Stage& stage, const std::string& panel, const std::string& choice) {
  stage.act([&](ImGuiTestContext& t) {
    t.ItemClick(("**/" + panel + "/menu").c_str());
    t.Yield(2);
    t.ItemClick(("**/" + choice).c_str());
  });
  stage.frame();
  return stage.book().take_exports();
}
}  // namespace

TEST_CASE("every panel has a menu that copies and saves what it shows") {
  Stage stage(1440, 2000);
  stage.open_made_up();
  stage.book().answer("threads", "12");
  stage.settle();
  for (const std::string panel : {"wires", "time", "check"}) {
    CAPTURE(panel);
    const auto wanted = chosen(stage, panel, "copy-csv");
    REQUIRE(wanted.size() == 1);
    CHECK(wanted[0].exhibit == *stage.book().report()->find(panel));
    CHECK(wanted[0].what == Export::What::csv);
    CHECK(wanted[0].to == Export::To::clipboard);
  }
  const auto code = chosen(stage, "code", "copy-markdown");
  REQUIRE(code.size() == 1);
  CHECK(code[0].what == Export::What::markdown);
}

TEST_CASE("nothing stale is copied, and nothing that a question still covers") {
  Stage stage;
  stage.open_made_up();
  bool menu = true;
  stage.act([&menu](ImGuiTestContext& t) { menu = t.ItemExists("**/wires/menu"); });
  CHECK_FALSE(menu);
  stage.book().answer("threads", "12");
  stage.settle();
  stage.book().set_live(false);
  stage.book().set_value("n", lab::Value(std::int64_t{7}));
  stage.settle();
  REQUIRE(stage.book().stale());
  bool possible = true;
  stage.act([&possible](ImGuiTestContext& t) {
    t.ItemClick("**/wires/menu");
    t.Yield(2);
    possible = (t.ItemInfo("**/copy-csv").ItemFlags & ImGuiItemFlags_Disabled) == 0;
  });
  CHECK_FALSE(possible);
  CHECK(stage.book().take_exports().empty());
}

}  // namespace warpbook::gui::panel_menu_test
