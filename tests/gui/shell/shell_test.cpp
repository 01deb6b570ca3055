#include "gui/shell/shell.hpp"

#include <catch2/catch_test_macros.hpp>

#include "gui/shell/actions.hpp"
#include "tests/gui/made_up.hpp"
#include "tests/gui/stage.hpp"

namespace warpbook::gui::shell_test {

TEST_CASE("results of an earlier version are stale until the run has followed") {
  Stage stage;
  stage.open_made_up();
  CHECK_FALSE(stage.book().stale());
  stage.book().set_live(false);
  stage.book().set_value("n", lab::Value(std::int64_t{7}));
  CHECK(stage.book().stale());
  stage.frame();
  CHECK(stage.book().stale());
  stage.act([](ImGuiTestContext& t) { t.KeyPress(ImGuiMod_Ctrl | ImGuiKey_Enter); });
  stage.settle();
  CHECK_FALSE(stage.book().stale());
  CHECK(lab::count(*stage.book().report()->find_as<lab::TensorExhibit>("out")) == 7);
}

TEST_CASE("what is stale says what changed: a value, the GPU, or what the reader wrote") {
  Stage stage;
  stage.open_made_up();
  Book& book = stage.book();
  book.set_live(false);
  book.set_value("n", lab::Value(std::int64_t{7}));
  CHECK(book.stale_reason() == book.strings()("gui.stale-values", {{"values", "n = 10"}}));
  book.set_value("block", lab::Value(std::int64_t{8}));
  CHECK(book.stale_reason() ==
        book.strings()("gui.stale-values", {{"values", "block = 4, n = 10"}}));
  book.set_gpu("T4");
  CHECK(book.stale_reason() == book.strings()("gui.stale-gpu", {{"gpu", "H200"}}));
  book.set_source("add", book.source("add") + "\n// mine\n");
  CHECK(book.stale_reason() == book.strings()("gui.stale"));
  stage.frame();
}

TEST_CASE("a run follows every change while live") {
  Stage stage;
  stage.open_made_up();
  stage.book().set_value("n", lab::Value(std::int64_t{5}));
  stage.settle();
  CHECK_FALSE(stage.book().stale());
  CHECK(stage.book().report()->inputs.values.integer("n") == 5);
}

TEST_CASE("a value out of range changes nothing, and says the range") {
  Stage stage;
  stage.open_made_up();
  const auto refused = stage.book().type_value("n", "5000");
  REQUIRE_FALSE(refused.has_value());
  CHECK(refused.error().english().find("2048") != std::string::npos);
  CHECK(stage.book().inputs().values.integer("n") == 10);
}

TEST_CASE("a value is typed into its box") {
  Stage stage;
  stage.open_made_up();
  stage.act([](ImGuiTestContext& t) {
    t.KeyPress(ImGuiMod_Ctrl | ImGuiKey_P);
    t.Yield(3);
    t.KeyCharsReplaceEnter("6");
  });
  stage.settle();
  CHECK(stage.book().inputs().values.integer("n") == 6);
}

TEST_CASE("editing the source is an edit until it is the original again") {
  Stage stage;
  stage.open_made_up();
  const std::string original = stage.book().source("add");
  REQUIRE(original.find("__global__") == 0);
  stage.book().set_source("add", original + "// mine\n");
  CHECK(stage.book().edited("add"));
  CHECK(stage.book().stale());
  stage.book().set_source("add", original);
  CHECK_FALSE(stage.book().edited("add"));
}

TEST_CASE("a thread is linked while hovered, pinned by a click, and let go by Escape") {
  Stage stage;
  stage.open_made_up();
  stage.book().answer("threads", "12");
  stage.settle();
  stage.act([](ImGuiTestContext& t) { t.ItemClick("**/wires/$$6/thread"); });
  REQUIRE(stage.book().link.pinned().thread);
  CHECK(stage.book().link.pinned().thread->block == 1);
  CHECK(stage.book().link.pinned().thread->thread == 2);
  REQUIRE(stage.book().link.pinned().element);
  CHECK(stage.book().link.pinned().element->index == 6);
  stage.act([](ImGuiTestContext& t) { t.KeyPress(ImGuiKey_Escape); });
  CHECK(stage.book().link.pinned().empty());
}

TEST_CASE("the chapter list folds to a rail by Ctrl+B") {
  Stage stage;
  stage.open_made_up();
  stage.act([](ImGuiTestContext& t) { t.KeyPress(ImGuiMod_Ctrl | ImGuiKey_B); });
  stage.settle();
  CHECK(Stage::vertices() > 1000);
}

TEST_CASE("every action has words in both languages") {
  for (const std::string language : {"en", "zh"}) {
    const auto strings = lab::Strings::load(language, WARPBOOK_SOURCE_DIR);
    REQUIRE(strings);
    for (const Action& action : actions()) {
      CAPTURE(action.id);
      CHECK((*strings)->has("gui.action." + std::string(action.id)));
    }
  }
}

TEST_CASE("the reader moves through the steps by keyboard alone") {
  Stage stage(1440, 600);
  stage.open_made_up();
  const std::size_t first = stage.shell().document().current_step();
  stage.act([](ImGuiTestContext& t) { t.KeyPress(ImGuiMod_Alt | ImGuiKey_RightArrow); });
  stage.settle();
  CHECK(stage.shell().document().current_step() == first + 1);
  stage.act([](ImGuiTestContext& t) { t.KeyPress(ImGuiMod_Alt | ImGuiKey_LeftArrow); });
  stage.settle();
  CHECK(stage.shell().document().current_step() == first);
}

}  // namespace warpbook::gui::shell_test
