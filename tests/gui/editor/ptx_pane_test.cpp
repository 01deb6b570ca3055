// A source with its PTX: lines linked both ways by mouse and by key, and the counter that colours them.
#include <imgui_internal.h>
#include <catch2/catch_test_macros.hpp>

#include "lab/exhibits/source/line_heat.hpp"
#include "tests/gui/stage.hpp"

namespace warpbook::gui::ptx_pane_test {
namespace {
/// The made-up chapter, whose line 3 became the PTX lines 4 and 5, with its PTX shown.
struct Shown {
  Stage stage;
  explicit Shown(float width = 1440) : stage(width, 1400) {
    stage.open_made_up();
    stage.book().answer("threads", "12");
    stage.settle();
    stage.act([](ImGuiTestContext& t) { t.ItemClick("**/ptx"); });
    stage.settle();
  }
  [[nodiscard]] std::optional<std::uint32_t> linked() { return stage.book().link.current().line; }
  [[nodiscard]] std::optional<std::uint32_t> pinned() { return stage.book().link.pinned().line; }
  CodeEditor& editor() { return stage.shell().lab().code().editor("add"); }
  ImRect place(const char* item) {
    ImRect rect;
    stage.act([&](ImGuiTestContext& t) { rect = t.ItemInfo(item).RectFull; });
    return rect;
  }
};
}  // namespace

TEST_CASE(
    "a line of PTX leads to its line of source while it is pointed at, and a press keeps that") {
  Shown shown;
  shown.stage.act([](ImGuiTestContext& t) { t.MouseMove("**/ptx 5"); });
  CHECK(shown.linked() == 3u);
  CHECK_FALSE(shown.pinned());
  shown.stage.act([](ImGuiTestContext& t) { t.MouseMove("**/ptx 3"); });
  CHECK(shown.linked() == 2u);
  shown.stage.act([](ImGuiTestContext& t) { t.ItemClick("**/ptx 4"); });
  CHECK(shown.pinned() == 3u);
  shown.stage.act([](ImGuiTestContext& t) {
    t.KeyPress(ImGuiKey_Escape);
    t.MouseMove("**/ptx 1");  // stems from no line
  });
  CHECK_FALSE(shown.linked());
}

TEST_CASE(
    "a line of source leads to its PTX while it is pointed at; a press on its number keeps that") {
  Shown shown;
  const TextEditor& widget = shown.editor().widget();
  const auto move_to = [&](float x, std::size_t line, bool press) {
    shown.stage.act([&](ImGuiTestContext& t) {
      t.MouseMoveToPos({x, widget.GetLineTop(line - 1) + 10});
      if (press) t.MouseClick();
      t.Yield(2);
    });
  };
  move_to(widget.GetTextLeft() + 40, 2, false);
  CHECK(shown.linked() == 2u);
  CHECK_FALSE(shown.pinned());
  move_to(widget.GetTextLeft() + 40, 1, false);  // no instruction stems from it
  CHECK_FALSE(shown.linked());
  move_to(widget.GetTextLeft() - 30, 3, true);
  CHECK(shown.pinned() == 3u);
}

TEST_CASE("the PTX is walked by key, and a line is pinned by key in either text") {
  Shown shown;
  shown.stage.act([&](ImGuiTestContext& t) {
    t.KeyPress(ImGuiMod_Alt | ImGuiKey_P);
    t.Yield(3);
    CHECK_FALSE(t.ItemExists("**/ptx 3"));
    t.KeyPress(ImGuiMod_Alt | ImGuiKey_P);
    t.Yield(3);
    t.NavMoveTo("**/ptx 3");
    t.KeyPress(ImGuiKey_DownArrow);
    t.Yield(2);
    CHECK(shown.linked() == 3u);
    CHECK_FALSE(shown.pinned());
    t.NavActivate();
  });
  CHECK(shown.pinned() == 3u);
  shown.stage.act([&](ImGuiTestContext& t) {
    t.KeyPress(ImGuiMod_Ctrl | ImGuiKey_E);
    t.Yield(3);
    shown.editor().widget().SetCursor({1, 0});
    t.Yield(3);
    t.KeyPress(ImGuiMod_Alt | ImGuiKey_L);
    t.Yield(2);
  });
  CHECK(shown.pinned() == 2u);
  shown.stage.act([](ImGuiTestContext& t) { t.KeyPress(ImGuiMod_Alt | ImGuiKey_L); });
  CHECK_FALSE(shown.pinned());
}

TEST_CASE("the counter is chosen by key; only those that a line has are offered") {
  Shown shown;
  const auto choose = [&](const char* name) {
    shown.stage.act([&](ImGuiTestContext& t) {
      t.NavMoveTo("**/heat");
      t.NavActivate();
      t.Yield(3);
      CHECK_FALSE(t.ItemExists("**/divergent branches"));
      CHECK_FALSE(t.ItemExists("**/bank-conflict wavefronts"));
      t.NavMoveTo(name);
      t.NavActivate();
    });
    shown.stage.settle();
    return shown.stage.book().choice("source/heat");
  };
  CHECK(choose("**/sectors moved") == static_cast<int>(lab::Heat::sectors));
  CHECK(choose("**/warp instructions") == static_cast<int>(lab::Heat::instructions));
  CHECK(choose("**/threads") == static_cast<int>(lab::Heat::threads));
}

TEST_CASE("while a question is open, no counter is offered that might answer it") {
  Stage stage(1440, 1400);
  stage.open_made_up();
  stage.act([](ImGuiTestContext& t) { CHECK_FALSE(t.ItemExists("**/heat")); });
  stage.book().answer("threads", "12");
  stage.settle();
  stage.act([](ImGuiTestContext& t) { CHECK(t.ItemExists("**/heat")); });
}

TEST_CASE("PTX that would answer an open question is covered by that question") {
  Stage stage(1440, 1400);
  stage.open("races");
  stage.act([](ImGuiTestContext& t) { t.ItemClick("**/ptx"); });
  stage.settle();
  const auto in_pane = [&](std::string_view name) {
    std::vector<ImVec2> found;
    stage.act([&](ImGuiTestContext& t) {
      const auto& pane = stage.shell().lab().code().ptx_at();
      REQUIRE(pane);
      ImGuiTestItemList items;
      t.GatherItems(&items, "//book");
      for (const ImGuiTestItemInfo& item : items) {
        const ImVec2 at = item.RectFull.GetCenter();
        if (std::string_view(item.DebugLabel).starts_with(name) &&
            ImRect(pane->min, pane->max).Contains(at))
          found.push_back(at);
      }
    });
    return found;
  };
  const lab::PredictDirective* veil = stage.book().veil("kernel");
  REQUIRE(veil);
  const auto show = in_pane("show me");
  REQUIRE(show.size() == 1);
  CHECK(in_pane("ptx ").empty());
  stage.act([&](ImGuiTestContext& t) {
    t.MouseMoveToPos(show[0]);
    t.MouseClick();
    t.Yield(3);
  });
  CHECK(stage.book().answered(veil->id));
}

TEST_CASE("the PTX stands beside the source where there is room, else below it") {
  const auto left_of_text = [](Shown& shown) { return shown.editor().widget().GetTextLeft(); };
  {
    Shown narrow(1440);
    narrow.stage.shell().set_stop(Shell::Stop::read);
    narrow.stage.settle();
    CHECK(narrow.place("**/ptx 1").Min.x < left_of_text(narrow));
    CHECK(narrow.place("**/ptx 1").Min.y > narrow.editor().widget().GetLineTop(2));
  }
  Shown wide(1440);
  wide.stage.shell().set_stop(Shell::Stop::lab_only);
  wide.stage.settle();
  CHECK(wide.place("**/ptx 1").Min.x > left_of_text(wide) + 300);
  CHECK(wide.place("**/ptx 1").Min.y < wide.editor().widget().GetLineTop(1));
}

TEST_CASE("the PTX of an earlier version links no line") {
  Stage stage(1440, 1400);
  stage.open_made_up();
  Book& book = stage.book();
  book.set_live(false);
  book.set_source("add", "// a line more\n" + book.source("add"));
  stage.settle();
  stage.act([](ImGuiTestContext& t) {
    t.ItemClick("**/ptx");
    t.ItemClick("**/ptx 4");  // of the version before
  });
  CHECK_FALSE(book.link.pinned().line);
}

}  // namespace warpbook::gui::ptx_pane_test
