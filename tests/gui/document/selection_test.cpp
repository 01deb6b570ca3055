#include "gui/document/selection.hpp"

#include <imgui_internal.h>
#include <imgui_te_engine.h>
#include <imgui_te_internal.h>
#include <catch2/catch_test_macros.hpp>

#include "tests/gui/made_up.hpp"
#include "tests/gui/words_on_stage.hpp"

namespace warpbook::gui::selection_test {
namespace {
std::string selected(Stage& stage) { return stage.shell().document().selected_text(); }
}  // namespace

TEST_CASE("a drag selects from one character to another, across blocks, forwards and backwards") {
  Stage stage;
  stage.open_made_up();
  const std::string expected =
      "threads run at once. Its guard if (i < n) keeps the extra ones away; see the docs. With n = "
      "10 and block = 4 there are";
  const ImVec2 from = where(stage, "threads run"), to = behind(stage, "there are");
  drag(stage, from, to);
  CHECK(selected(stage) == expected);
  drag(stage, to, from);
  CHECK(selected(stage) == expected);
  drag(stage, where(stage, "Made up"), behind(stage, "A kernel"));
  CHECK(selected(stage) == "Made up\n\nA kernel");
}

TEST_CASE("code, lists and cards are copied as text, with a blank line between blocks") {
  Stage stage(1440, 2600);
  stage.open_made_up();
  drag(stage, where(stage, "two, with"), behind(stage, "// one\n}"));
  const std::string expected =
      "- two, with code\n\n__global__ void add(const int* x) {\n  atomicAdd(x, 1);  // one\n}";
  CHECK(selected(stage) == expected);
  CHECK(copied(stage) == expected);
  drag(stage, where(stage, "With n = 10 and blocks"), behind(stage, "16"));
  CHECK(selected(stage) == "With n = 10 and blocks of 4, how many threads start?\n10\n12\n16");
}

TEST_CASE("two clicks take a word, three a paragraph, and a drag after them whole words") {
  Stage stage;
  stage.open_made_up();
  const ImVec2 inside = where(stage, "function", 3);
  const auto click = [&](int count) {
    stage.act([&](ImGuiTestContext& t) {
      t.MouseMoveToPos(inside);
      t.MouseClickMulti(0, count);
    });
  };
  click(2);
  CHECK(selected(stage) == "function");
  click(3);
  CHECK(selected(stage).starts_with("A kernel is one function"));
  CHECK(selected(stage).ends_with("threads."));
  stage.act([&](ImGuiTestContext& t) {
    t.MouseMoveToPos(inside);
    for (const int buttons : {1, 0, 1}) {  // the engine's own clicks are never two in one
      t.Inputs->MouseButtonsValue = buttons;
      t.Yield(2);
    }
    t.MouseMoveToPos(where(stage, "threads run", 2));
    t.MouseUp(0);
  });
  CHECK(selected(stage) == "function that many threads");
}

TEST_CASE("Shift with a click or an arrow moves the selection's end") {
  Stage stage;
  stage.open_made_up();
  drag(stage, where(stage, "kernel is"), behind(stage, "kernel"));
  stage.act([&](ImGuiTestContext& t) {
    t.MouseMoveToPos(behind(stage, "kernel is one"));
    t.KeyDown(ImGuiMod_Shift);
    t.MouseClick(0);
    t.KeyUp(ImGuiMod_Shift);
  });
  CHECK(selected(stage) == "kernel is one");
  const auto press = [&](ImGuiKey key) {
    stage.act([key](ImGuiTestContext& t) { t.KeyPress(ImGuiMod_Shift | key); });
  };
  press(ImGuiKey_LeftArrow);
  CHECK(selected(stage) == "kernel is on");
  press(ImGuiKey_RightArrow);
  press(ImGuiKey_RightArrow);
  CHECK(selected(stage) == "kernel is one ");
  const std::size_t before = selected(stage).size();
  press(ImGuiKey_DownArrow);
  CHECK(selected(stage).size() > before + 20);
  press(ImGuiKey_UpArrow);
  CHECK(selected(stage) == "kernel is one ");
  press(ImGuiKey_UpArrow);  // into the title: the end is now in front of where it began
  CHECK(selected(stage).ends_with("\n\nA "));
}

TEST_CASE("Ctrl+A takes the whole text and Ctrl+C copies it; Escape and a click let it go") {
  Stage stage;
  stage.open_made_up();
  stage.act([](ImGuiTestContext& t) { t.KeyPress(ImGuiMod_Ctrl | ImGuiKey_A); });
  const std::string all = copied(stage);
  CHECK(all.starts_with("Made up\n\nA kernel is one function"));
  CHECK(all.find("\n\n- one\n- two, with code\n\n__global__") != std::string::npos);
  CHECK(all.find("Blocks of 4") < all.find("Blocks of 8"));
  CHECK(all.ends_with("the same, element by element."));  // the comparison's caption
  stage.act([](ImGuiTestContext& t) { t.KeyPress(ImGuiKey_Escape); });
  CHECK(selected(stage).empty());
  CHECK(copied(stage).empty());
  drag(stage, where(stage, "kernel"), behind(stage, "kernel is"));
  CHECK_FALSE(selected(stage).empty());
  stage.act([&](ImGuiTestContext& t) {
    t.MouseMoveToPos(where(stage, "function"));
    t.MouseClick(0);
  });
  CHECK(selected(stage).empty());
}

TEST_CASE("what an open question covers cannot be copied") {
  Stage stage;
  stage.open_made_up();
  stage.shell().document().select_all();
  CHECK(selected(stage).find("rounds up to 3 blocks") == std::string::npos);
  CHECK(selected(stage).find("12 threads") == std::string::npos);
  stage.book().answer("threads", "12");
  stage.settle();
  stage.shell().document().select_all();
  CHECK(selected(stage).find("rounds up to 3 blocks") != std::string::npos);
  CHECK(selected(stage).find("12 threads") != std::string::npos);
}

TEST_CASE("a drag that begins on a choice or a case selects and presses nothing") {
  Stage stage(1440, 2600);
  stage.open_made_up();
  drag(stage, where(stage, "16"), behind(stage, "16"));  // too short to be a drag
  drag(stage, where(stage, "Ten elements"), behind(stage, "Ten elements in blocks"));
  CHECK(selected(stage) == "Ten elements in blocks");
  const std::uint64_t edits = stage.book().edits();
  drag(stage, where(stage, "Ten elements"), behind(stage, "Ten elements in blocks"));
  stage.frame();
  CHECK(stage.book().edits() == edits);
}

TEST_CASE("a link is followed by a click, and a drag over it selects") {
  Stage stage(1440, 900);
  lab::Document document = made_up::document();
  std::get<lab::Paragraph>(document.nodes[1]).spans = {
      {lab::Span::Kind::text, "see ", "", false, false},
      {lab::Span::Kind::link, "the chapter on grids", "grids", false, false}};
  stage.book().open(made_up::lesson(), std::move(document));
  stage.settle();
  drag(stage, where(stage, "the chapter"), behind(stage, "the chapter on"));
  CHECK(selected(stage) == "the chapter on");
  CHECK(stage.book().lesson()->slug == "made-up");
  stage.act([&](ImGuiTestContext& t) {
    t.MouseMoveToPos(where(stage, "chapter on", 2));
    t.MouseClick(0);
  });
  stage.frame();
  CHECK(stage.book().lesson()->slug == "grids");
  CHECK(selected(stage).empty());
}

TEST_CASE("a link out of the book is copied, and said to be") {
  Stage stage;
  stage.open_made_up();
  std::string text;
  const ImVec2 link = where(stage, "the docs", 2);
  stage.act([&](ImGuiTestContext& t) {
    t.MouseMoveToPos(link);
    t.MouseClick(0);
    t.Yield(2);
    if (const char* held = ImGui::GetClipboardText()) text = held;
  });
  CHECK(text == "https://docs.nvidia.com");
  REQUIRE(stage.book().toasts().size() == 1);
  CHECK(stage.book().toasts()[0].text.ends_with(text));
}

TEST_CASE("a selection survives scrolling, and goes with the page and the language") {
  Stage stage(1440, 500);
  stage.open_made_up();
  drag(stage, where(stage, "kernel"), behind(stage, "kernel is one"));
  stage.shell().document().scroll_to(600);
  stage.settle();
  CHECK(selected(stage) == "kernel is one");
  CHECK(copied(stage) == "kernel is one");
  SECTION("the language") { stage.book().set_language("zh"); }
  SECTION("the page") { stage.book().open(made_up::lesson(), made_up::document()); }
  stage.settle();
  CHECK(selected(stage).empty());
}

TEST_CASE("a drag beyond the view's edge scrolls and goes on selecting") {
  Stage stage(1440, 500);
  stage.open_made_up();
  const ImVec2 from = where(stage, "kernel");
  stage.act([&](ImGuiTestContext& t) {
    t.MouseMoveToPos(from);
    t.MouseDown(0);
    t.MouseMoveToPos({from.x + 60, 480});
    t.SleepNoSkip(1.0f, 1.0f / 60);
    t.MouseUp(0);
  });
  CHECK(stage.shell().document().scroll() > 60);
  CHECK(selected(stage).size() > 300);
}

TEST_CASE("Chinese is selected by the character and by the run") {
  Stage stage(1440, 900, "zh");
  lab::Document document = made_up::document("zh");
  std::get<lab::Paragraph>(document.nodes[1]).spans = {
      {lab::Span::Kind::text, "核函数由许多线程同时执行，每个线程自己算出索引。", "", false,
       false}};
  stage.book().open(made_up::lesson(), std::move(document));
  stage.settle();
  drag(stage, where(stage, "许多"), behind(stage, "许多线程"));
  CHECK(selected(stage) == "许多线程");
  stage.act([&](ImGuiTestContext& t) {
    t.MouseMoveToPos(where(stage, "自己", 1));
    t.MouseClickMulti(0, 2);
  });
  CHECK(selected(stage) == "每个线程自己算出索引");
}

TEST_CASE("a whole page that is selected costs no more than what of it is in view") {
  Stage stage;
  stage.open_made_up();
  const int before = Stage::vertices();
  stage.shell().document().select_all();
  stage.frame();
  CHECK(Stage::vertices() > before);
  CHECK(Stage::vertices() < before + 1000);
}

}  // namespace warpbook::gui::selection_test
