#include "gui/editor/editor.hpp"

#include <catch2/catch_test_macros.hpp>

#include "tests/gui/stage.hpp"

namespace warpbook::gui::editor_test {
namespace {
/// A made-up chapter whose kernel has an error in line 3.
struct Broken {
  Stage stage;
  CodeEditor* editor = nullptr;
  Broken() {
    stage.open_made_up();
    std::string text = stage.book().source("add");
    text.insert(text.find("if (i < n)"), "zz; ");
    editor = &stage.shell().lab().code().editor("add");
    stage.act([this, &text](ImGuiTestContext& t) {  // by hand, so that there is something to undo
      t.KeyPress(ImGuiMod_Ctrl | ImGuiKey_E);
      t.Yield(3);
      editor->widget().SelectAll();
      editor->widget().ReplaceTextInAllCursors(text);
    });
    stage.settle();
  }
  [[nodiscard]] float step(std::size_t line) const {
    return editor->widget().GetLineTop(line) - editor->widget().GetLineTop(line - 1);
  }
};
}  // namespace

TEST_CASE("an error stands below its own line, and the lines after it make room") {
  Broken broken;
  const auto* found = broken.stage.book().report()->find_as<lab::SourceExhibit>("add");
  REQUIRE(found);
  REQUIRE(found->marks.size() == 1);
  const std::size_t line = found->marks[0].line;
  REQUIRE(line >= 2);
  CHECK(broken.step(line) > CodeEditor::kRow + 20);
  CHECK(broken.step(line - 1) == CodeEditor::kRow);
}

TEST_CASE(
    "a click below an error's words lands in the line that is seen there, one on the words in the "
    "error's line") {
  Broken broken;
  const auto* found = broken.stage.book().report()->find_as<lab::SourceExhibit>("add");
  const std::size_t line = found->marks[0].line;
  TextEditor& widget = broken.editor->widget();
  REQUIRE(widget.GetLineCount() > line);
  const auto click = [&](float y) {
    broken.stage.act([&](ImGuiTestContext& t) {
      t.Yield(60);  // so that it is no double click
      t.MouseMoveToPos({widget.GetTextLeft() + 8, y});
      t.MouseClick(0);
    });
    return widget.GetMainCursorPosition().line;
  };
  CHECK(click(widget.GetLineTop(line) + 10) == line);
  CHECK(click(widget.GetLineTop(line) - 8) == line - 1);
  CHECK(click(widget.GetLineTop(line - 1) + 10) == line - 1);
}

TEST_CASE("undo is offered beside the error, and takes back what was written") {
  Broken broken;
  REQUIRE(broken.stage.book().edited("add"));
  broken.stage.act([](ImGuiTestContext& t) { t.ItemClick("**/undo"); });
  broken.stage.settle();
  CHECK_FALSE(broken.stage.book().edited("add"));
  CHECK(broken.stage.book().report()->find_as<lab::SourceExhibit>("add")->marks.empty());
  CHECK(broken.step(3) == CodeEditor::kRow);
}

TEST_CASE("while the next run is on its way, an error goes with its line") {
  Broken broken;
  Book& book = broken.stage.book();
  const std::size_t line = book.report()->find_as<lab::SourceExhibit>("add")->marks[0].line;
  book.set_live(false);
  book.set_source("add", "// a line more\n" + book.source("add"));
  broken.stage.settle();
  REQUIRE(book.stale());
  CHECK(broken.step(line + 1) > CodeEditor::kRow + 20);
  CHECK(broken.step(line) == CodeEditor::kRow);
}

}  // namespace warpbook::gui::editor_test
