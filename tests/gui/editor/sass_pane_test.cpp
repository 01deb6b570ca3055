// A source with its machine code: linked three ways by mouse and by key, its marks and opcodes explained, and asked for only
// while it is shown.
#include <imgui_internal.h>
#include <catch2/catch_test_macros.hpp>

#include "tests/gui/stage.hpp"

namespace warpbook::gui::sass_pane_test {
namespace {
/// The made-up chapter with its machine code shown: rows 1 and 2 stem from the PTX lines 4 and 5, both of line 3; row 3 from none.
struct Shown {
  Stage stage;
  explicit Shown(float width = 1440, bool with_ptx = true) : stage(width, 1700) {
    stage.open_made_up();
    stage.book().answer("threads", "12");
    stage.settle();
    if (with_ptx) stage.act([](ImGuiTestContext& t) { t.ItemClick("**/ptx"); });
    stage.act([](ImGuiTestContext& t) { t.ItemClick("**/sass"); });
    stage.settle();
  }
  [[nodiscard]] const Link& linked() { return stage.book().link.current(); }
  [[nodiscard]] const Link& pinned() { return stage.book().link.pinned(); }
  CodeEditor& editor() { return stage.shell().lab().code().editor("add"); }
  ImRect place(const char* item) {
    ImRect rect;
    stage.act([&](ImGuiTestContext& t) { rect = t.ItemInfo(item).RectFull; });
    return rect;
  }
};

bool card_is_shown() {
  const ImGuiWindow* card = ImGui::FindWindowByName("##Tooltip_00");
  return card && card->WasActive;
}

const lab::SourceExhibit* source_of(Stage& stage) {
  return stage.book().report()->find_as<lab::SourceExhibit>("add");
}
}  // namespace

TEST_CASE("the machine code is asked for when it is shown, and no longer when it is hidden") {
  Stage stage(1440, 1700);
  stage.open_made_up();
  CHECK_FALSE(source_of(stage)->sass);
  stage.act([](ImGuiTestContext& t) { t.KeyPress(ImGuiMod_Alt | ImGuiKey_S); });
  stage.settle();
  CHECK(stage.book().sass_wanted());
  CHECK(source_of(stage)->sass);
  CHECK_FALSE(stage.book().stale());
  stage.act([](ImGuiTestContext& t) { t.KeyPress(ImGuiMod_Alt | ImGuiKey_S); });
  stage.settle();
  CHECK_FALSE(stage.book().sass_wanted());
  stage.book().run_now();
  stage.settle();
  CHECK_FALSE(source_of(stage)->sass);
}

TEST_CASE("an edit that was not run is not run for the machine code either") {
  Stage stage(1440, 1700);
  stage.open_made_up();
  Book& book = stage.book();
  book.set_live(false);
  book.set_source("add", "// a line more\n" + book.source("add"));
  stage.settle();
  REQUIRE(book.stale());
  stage.act([](ImGuiTestContext& t) { t.ItemClick("**/sass"); });
  stage.settle();
  CHECK(book.stale());
  CHECK_FALSE(source_of(stage)->sass);
}

TEST_CASE(
    "an instruction leads to its PTX and its source while it is pointed at; a press keeps that") {
  Shown shown;
  shown.stage.act([](ImGuiTestContext& t) { t.MouseMove("**/sass 2"); });
  CHECK(shown.linked().line == 3u);
  CHECK(shown.linked().ptx_line == 5u);
  CHECK(shown.pinned().empty());
  shown.stage.act([](ImGuiTestContext& t) { t.ItemClick("**/sass 1"); });
  CHECK(shown.pinned().line == 3u);
  CHECK(shown.pinned().ptx_line == 4u);
  shown.stage.act([](ImGuiTestContext& t) {
    t.KeyPress(ImGuiKey_Escape);
    t.MouseMove("**/sass 3");  // stems from nothing
  });
  CHECK(shown.linked().empty());
}

TEST_CASE("PTX and source lead to the machine code: the link that they set is the one it marks") {
  Shown shown;
  shown.stage.act([](ImGuiTestContext& t) { t.MouseMove("**/ptx 5"); });
  CHECK(shown.linked().ptx_line == 5u);
  const TextEditor& widget = shown.editor().widget();
  shown.stage.act([&](ImGuiTestContext& t) {
    t.MouseMoveToPos({widget.GetTextLeft() + 40, widget.GetLineTop(2) + 10});
    t.Yield(2);
  });
  CHECK(shown.linked().line == 3u);
  CHECK_FALSE(shown.linked().ptx_line);
}

TEST_CASE("the machine code is walked by key, and a row's card explains its opcode") {
  Shown shown;
  bool card = false;
  shown.stage.act([&](ImGuiTestContext& t) {
    t.NavMoveTo("**/sass 1");
    t.KeyPress(ImGuiKey_DownArrow);
    t.Yield(3);
    CHECK(shown.linked().ptx_line == 5u);
    card = card_is_shown();
    t.NavActivate();
  });
  CHECK(card);
  CHECK(shown.pinned().ptx_line == 5u);
}

TEST_CASE("the card of an opcode shows over the opcode, not over the rest of its row") {
  Shown shown;
  const ImRect row = shown.place("**/sass 1");
  const auto card_at = [&](float x) {
    bool card = false;
    shown.stage.act([&](ImGuiTestContext& t) {
      t.MouseMoveToPos({row.Min.x + x, (row.Min.y + row.Max.y) / 2});
      t.Yield(3);
      card = card_is_shown();
    });
    return card;
  };
  CHECK(card_at(76));
  CHECK_FALSE(card_at(20));
}

TEST_CASE("each mark of the head has a card, by mouse and by key") {
  Shown shown(1440, false);
  for (const char* mark : {"**/sass stall", "**/sass waits", "**/sass sets", "**/sass ran"}) {
    CAPTURE(mark);
    bool by_mouse = false, by_key = false, gone = false;
    shown.stage.act([&](ImGuiTestContext& t) {
      t.MouseMove(mark);
      t.Yield(3);
      by_mouse = card_is_shown();
      t.MouseMove("**/sass 3");
      t.Yield(3);
      gone = !card_is_shown();
      t.NavMoveTo(mark);
      t.Yield(3);
      by_key = card_is_shown();
    });
    CHECK(by_mouse);
    CHECK(gone);
    CHECK(by_key);
  }
}

TEST_CASE("a narrow pane leaves the scheduler's marks to the cards") {
  Shown shown(1440, false);
  shown.stage.shell().set_stop(Shell::Stop::lab);
  bool left_out = false;
  // From below the source to a narrow column beside it, and on to a wide one.
  for (int width = 1440; width <= 1800; width += 30) {
    CAPTURE(width);
    shown.stage.context().set_display(static_cast<float>(width), 1700, 1);
    shown.stage.settle();
    shown.stage.act([&](ImGuiTestContext& t) {
      CHECK(t.ItemExists("**/sass ran"));
      left_out |= !t.ItemExists("**/sass stall");
      if (width == 1440 || width == 1800) CHECK(t.ItemExists("**/sass stall"));
    });
  }
  CHECK(left_out);
}

TEST_CASE(
    "source, PTX and machine code stand side by side where there is room, else below each other") {
  {
    Shown narrow(1440);
    narrow.stage.shell().set_stop(Shell::Stop::read);
    narrow.stage.settle();
    CHECK(narrow.place("**/sass 1").Min.y > narrow.place("**/ptx 1").Min.y + 20);
  }
  // The lab's other panels have a column of their own, so all three need a window wider than the source and one of them.
  for (const float width : {1600.0f, 1800.0f, 2100.0f}) {
    CAPTURE(width);
    Shown wide(width);
    wide.stage.shell().set_stop(Shell::Stop::lab_only);
    wide.stage.settle();
    const ImRect ptx = wide.place("**/ptx 1"), sass = wide.place("**/sass 1");
    CHECK(ptx.Min.x > wide.editor().widget().GetTextLeft() + 300);
    if (width < 2000) {
      CHECK(sass.Min.y > ptx.Min.y + 20);
      continue;
    }
    CHECK(sass.Min.x > ptx.Min.x + 200);
    CHECK(sass.Min.y < ptx.Max.y + 20);
  }
}

TEST_CASE("the machine code of an earlier version links no line") {
  Shown shown;
  Book& book = shown.stage.book();
  book.set_live(false);
  book.set_source("add", "// a line more\n" + book.source("add"));
  shown.stage.settle();
  shown.stage.act([](ImGuiTestContext& t) { t.ItemClick("**/sass 1"); });
  CHECK(shown.pinned().empty());
}

}  // namespace warpbook::gui::sass_pane_test
