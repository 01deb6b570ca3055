#include "gui/editor/editor.hpp"

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

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
/// Tips and cards that are on the screen.
std::ptrdiff_t cards() {
  return std::ranges::count_if(ImGui::GetCurrentContext()->Windows, [](const ImGuiWindow* w) {
    return w->WasActive && !w->Hidden && (w->Flags & ImGuiWindowFlags_Tooltip) != 0;
  });
}
}  // namespace

TEST_CASE("the editor takes for blanks what Unicode does, and no letter behind the last of them") {
  std::vector<ImWchar> blanks;
  for (ImWchar letter = 1; letter < 0xFFFF; ++letter)
    if (TextEditor::CodePoint::isWhiteSpace(letter)) blanks.push_back(letter);
  CHECK(blanks == std::vector<ImWchar>{9,      10,     11,     12,     13,     32,     0x85,
                                       0xA0,   0x1680, 0x2000, 0x2001, 0x2002, 0x2003, 0x2004,
                                       0x2005, 0x2006, 0x2007, 0x2008, 0x2009, 0x200A, 0x2028,
                                       0x2029, 0x202F, 0x205F, 0x3000});
}

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

TEST_CASE("undo takes back words, not letters, and redo brings them again") {
  Stage stage;
  stage.open_made_up();
  const Book& book = stage.book();
  const std::string source = book.source("add");
  std::vector<std::string> seen;
  stage.act([&](ImGuiTestContext& t) {
    const auto press = [&](ImGuiKeyChord chord) {
      t.KeyPress(chord);
      t.Yield(3);
      seen.push_back(book.source("add").substr(0, book.source("add").size() - source.size()));
    };
    t.KeyPress(ImGuiMod_Ctrl | ImGuiKey_E);
    t.Yield(3);
    for (const char letter : std::string_view("int one; int two;")) {
      t.KeyChars(std::string(1, letter).c_str());
      t.Yield(2);
    }
    for (int i = 0; i < 4; ++i) press(ImGuiMod_Ctrl | ImGuiKey_Z);
    for (int i = 0; i < 2; ++i) press(ImGuiMod_Ctrl | ImGuiKey_Y);
    t.KeyChars("x");
    t.Yield(3);
    press(ImGuiMod_Ctrl | ImGuiKey_Z);
  });
  CHECK(seen == std::vector<std::string>{"int one; int ", "int one; ", "int ", "", "int ",
                                         "int one; ", "int one; "});
}

TEST_CASE("Enter before a line's indentation leaves the line as it is, and the caret at its text") {
  Stage stage;
  stage.open_made_up();
  Book& book = stage.book();
  const std::string source = "    indented;\n";
  book.set_source("add", source);
  stage.settle();
  stage.act([&](ImGuiTestContext& t) {
    t.KeyPress(ImGuiMod_Ctrl | ImGuiKey_E);
    t.Yield(3);
    t.KeyPress(ImGuiMod_Ctrl | ImGuiKey_Home);
    t.KeyPress(ImGuiKey_Enter);
    t.Yield(3);
    t.KeyChars("x");
    t.Yield(3);
  });
  CHECK(book.source("add") == "\n    xindented;\n");
}

TEST_CASE(
    "the undo beside an error goes back to the text that ran last, and leaves the keyboard "
    "with the editor") {
  Stage stage;
  stage.open_answered("first-kernel");
  Book& book = stage.book();
  const std::string ran = "// mine\n" + book.source("add");
  book.set_source("add", ran);
  stage.settle();
  stage.act([&](ImGuiTestContext& t) {
    t.KeyPress(ImGuiMod_Ctrl | ImGuiKey_E);
    t.Yield(3);
    for (const char* word : {"zz ", "zz ", "zz "}) {
      t.KeyChars(word);
      t.Yield(3);
    }
  });
  stage.settle();
  REQUIRE(book.source("add") == "zz zz zz " + ran);
  stage.act([&](ImGuiTestContext& t) {
    t.ItemClick("**/undo");
    t.Yield(4);
    CHECK(stage.shell().lab().code().editor("add").has_keyboard());
  });
  CHECK(book.source("add") == ran);
}

TEST_CASE("what the mouse explains gives way to what is typed") {
  Stage stage;
  stage.open_made_up();
  CodeEditor& editor = stage.shell().lab().code().editor("add");
  stage.act([&](ImGuiTestContext& t) {
    t.KeyPress(ImGuiMod_Ctrl | ImGuiKey_E);
    t.Yield(3);
    const std::string text = stage.book().source("add");
    const std::size_t word = text.find("threadIdx");
    REQUIRE(word != std::string::npos);
    const auto line = static_cast<std::size_t>(
        std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(word), '\n'));
    const auto column = static_cast<float>(word - (text.rfind('\n', word) + 1) + 2);
    const float letter = editor.widget().GetGlyphWidth();
    t.MouseMoveToPos({editor.widget().GetTextLeft() + column * letter,
                      editor.widget().GetLineTop(line) + CodeEditor::kRow / 2});
    t.Yield(60);
    CHECK(cards() == 1);
    t.KeyChars("x");
    t.Yield(60);
    CHECK(cards() == 0);
    t.MouseMoveToPos({editor.widget().GetTextLeft() + (column + 1) * letter,
                      editor.widget().GetLineTop(line) + CodeEditor::kRow / 2});
    t.Yield(60);
    CHECK(cards() == 1);
  });
}

TEST_CASE("the mouse has a term explained in a comment, and not where a name looks like one") {
  Stage stage;
  stage.open_made_up();
  REQUIRE(stage.book().glossary().words().in("warp").size() == 1);
  Book& book = stage.book();
  book.set_source("add", "int warp = 0;  // a warp\n/* of a\nwarp */ " + book.source("add"));
  stage.settle();
  TextEditor& text = stage.shell().lab().code().editor("add").widget();
  const auto explained = [&](std::size_t line, float letter) {
    stage.act([&](ImGuiTestContext& t) {
      t.MouseMoveToPos({text.GetTextLeft() + letter * text.GetGlyphWidth(),
                        text.GetLineTop(line) + CodeEditor::kRow / 2});
      t.Yield(60);
    });
    return cards() == 1;
  };
  CHECK_FALSE(explained(0, 5.5f));
  CHECK(explained(0, 21.5f));
  CHECK(explained(2, 1.5f));
}

}  // namespace warpbook::gui::editor_test
