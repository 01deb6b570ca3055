// Nothing on the desk moves that the reader did not move: pictures of a broken source, panels while a run is under way, the
// place in the text, and the keys.
#include <algorithm>
#include <cmath>
#include <filesystem>

#include <catch2/catch_test_macros.hpp>

#include "device/sanitized.hpp"
#include "gui/shell/actions.hpp"
#include "tests/gui/made_up.hpp"
#include "tests/gui/stage.hpp"
#include "tests/temporary_folder.hpp"

namespace warpbook::gui::desk_test {
namespace {
float top_of(Stage& stage, const std::string& panel) {
  const LabView::Place* place = stage.shell().lab().place_of(panel);
  REQUIRE(place);
  return place->min.y;
}

std::string without(std::string text, const std::string& words) {
  const std::size_t at = text.find(words);
  REQUIRE(at != std::string::npos);
  return text.erase(at, words.size());
}

/// The made-up chapter with a run that lasts until it is let go or cancelled.
struct Slow {
  std::atomic<bool> hold = false;
  lab::Lesson lesson = made_up::lesson();
  Slow() {
    lesson.experiment = [this](lab::Lab& lab) {
      while (hold && !lab.cancelled()) std::this_thread::sleep_for(std::chrono::milliseconds(1));
      made_up::run(lab);
    };
  }
};

/// All events of a chord come between two frames, as from a clicker or over a slow line.
void press_at_once(Stage& stage, ImGuiKey modifier, ImGuiKey mod, ImGuiKey key) {
  ImGuiIO& io = ImGui::GetIO();
  io.AddKeyEvent(mod, true);
  io.AddKeyEvent(modifier, true);
  io.AddKeyEvent(key, true);
  io.AddKeyEvent(key, false);
  io.AddKeyEvent(mod, false);
  io.AddKeyEvent(modifier, false);
  for (int i = 0; i < 4; ++i) stage.frame();
}

/// Chords in a row, faster than the window draws: the first frame sees the modifier alone, and of each chord the modifier is let
/// go first.
void press_in_a_burst(Stage& stage, ImGuiKey modifier, ImGuiKey mod, ImGuiKey key, int times) {
  ImGuiIO& io = ImGui::GetIO();
  for (int i = 0; i < times; ++i) {
    io.AddKeyEvent(mod, true);
    io.AddKeyEvent(modifier, true);
    if (i == 0) stage.frame();
    io.AddKeyEvent(key, true);
    io.AddKeyEvent(mod, false);
    io.AddKeyEvent(modifier, false);
    io.AddKeyEvent(key, false);
  }
  for (int i = 0; i < 4 * times; ++i) stage.frame();
}

/// A press of the mouse in the text, where there is nothing to press.
void press_in_text(ImGuiTestContext& t) {
  t.MouseMoveToPos({262, 130});
  t.MouseClick();
  t.Yield(3);
}

/// The height that lies over the lab's lower edge.
float foot_of_lab() {
  float height = 0;
  for (const ImGuiWindow* window : ImGui::GetCurrentContext()->Windows) {
    if ((window->Active || window->WasActive) &&
        std::string_view(window->Name).find("/lab foot_") != std::string::npos)
      height = window->Size.y;
  }
  return height;
}
}  // namespace

TEST_CASE("a source that no longer compiles keeps its pictures, dimmed, and the editor stays",
          "[ci]") {
  Stage stage;
  stage.open_answered("first-kernel");
  const Book& book = stage.book();
  const float before = top_of(stage, "code"), picture = top_of(stage, "wires");
  const std::string good = book.source("add");
  stage.book().set_source("add", without(good, ";"));
  stage.settle();
  REQUIRE_FALSE(book.report()->errors.empty());
  CHECK_FALSE(book.stale());  // the run is of this source, but brought no picture
  CHECK(book.pictures_stale());
  CHECK(book.shown_exhibit("wires").stale);
  CHECK(top_of(stage, "wires") == picture);
  CHECK(top_of(stage, "code") == before);
  // What is found in the new source stands in the editor all the same.
  CHECK_FALSE(book.report()->find_as<lab::SourceExhibit>("add")->marks.empty());
  stage.book().set_source("add", good);
  stage.settle();
  CHECK_FALSE(book.pictures_stale());
  CHECK(top_of(stage, "code") == before);
}

TEST_CASE("a run under way and what stopped one lie over the lab's edge, and move nothing") {
  Slow slow;
  Stage stage(1440, 600);
  stage.book().open(slow.lesson, made_up::document());
  stage.book().answer("threads", "12");  // so that no veil comes or goes with the value
  stage.settle();
  stage.act([](ImGuiTestContext& t) {
    t.MouseMoveToPos({1100, 400});
    t.MouseWheelY(-4);
    t.Yield(4);
  });
  stage.settle();
  const float scrolled = stage.shell().lab().scroll(), before = top_of(stage, "code");
  REQUIRE(scrolled > 0);
  slow.hold = true;
  stage.book().set_value("n", lab::Value(std::int64_t{7}));
  REQUIRE(stage.until([&] { return stage.book().progress().seconds > 0.25; }));
  for (int i = 0; i < 4; ++i) stage.frame();
  CHECK(top_of(stage, "code") == before);
  CHECK(stage.shell().lab().scroll() == scrolled);
  ImRect cancel;
  stage.act([&](ImGuiTestContext& t) { cancel = t.ItemInfo("**/cancel").RectFull; });
  CHECK(cancel.Min.y > 400);
  CHECK(cancel.Max.y < 600 - measure::kStatusBar);
  slow.hold = false;
  stage.settle();
  CHECK(top_of(stage, "code") == before);
}

TEST_CASE(
    "of a run that counts its own steps the bar says how much of the whole is done, no number") {
  for (const bool counts : {true, false}) {
    CAPTURE(counts);
    Slow slow;
    slow.lesson.experiment = [&](lab::Lab& lab) {
      lab.progress(0.76, counts ? lab::Message{"mlp.progress", {{"step", 12}, {"steps", 40}}, {}}
                                : lab::Message{"gui.progress.running"});
      while (slow.hold && !lab.cancelled())
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
      made_up::run(lab);
    };
    Stage stage;
    stage.book().open(slow.lesson, made_up::document());
    stage.settle();
    slow.hold = true;
    stage.book().set_value("n", lab::Value(std::int64_t{7}));
    REQUIRE(stage.until([&] { return stage.book().progress().seconds > 0.25; }));
    std::string said;
    stage.context().fonts().set_watch(
        {[&](std::string_view text) { said += std::string(text) + "\n"; }, {}});
    stage.frame();
    stage.context().fonts().set_watch({});
    CHECK((said.find("12 of 40") != std::string::npos) == counts);
    CHECK((said.find("76 %") != std::string::npos) != counts);
    slow.hold = false;
    stage.settle();
  }
}

TEST_CASE("a chapter opens at its start, whatever was read before") {
  Stage stage(1440, 600);
  stage.open("first-kernel");
  stage.shell().document().go_to_step("change");
  stage.settle();
  REQUIRE(stage.shell().document().scroll() > 500);
  stage.open("grids");
  CHECK(stage.shell().document().scroll() == 0);
}

TEST_CASE("results that come stay above what is read: the text does not move under the reader") {
  Stage stage(1440, 600);
  stage.open("grids");
  stage.shell().document().scroll_to(1500);
  stage.settle();
  const DocumentView::Place before = stage.shell().document().place();
  stage.shell().document().scroll_to(1517);
  stage.settle();
  const DocumentView::Place read = stage.shell().document().place();
  REQUIRE(read != before);
  stage.book().answer(
      std::get<lab::PredictDirective>(
          *std::ranges::find_if(stage.book().document().nodes,
                                [](const lab::DocumentNode& node) {
                                  return std::holds_alternative<lab::PredictDirective>(node);
                                }))
          .id,
      "");  // the first question, far above, grows by its explanation
  stage.settle();
  CHECK(stage.shell().document().place().node == read.node);
  CHECK(std::abs(stage.shell().document().place().below_top - read.below_top) < 1);
}

TEST_CASE("the book opens again exactly where it was left: text, lab, tabs and desk", "[ci]") {
  const tests::TemporaryFolder folder;
  const OpenOptions options{"", WARPBOOK_SOURCE_DIR, folder.path().string()};
  lab::PlaceState place;
  lab::DeskState desk;
  float lab = 0;
  {
    Stage stage(options);
    stage.book().open("coalescing");
    stage.settle();
    stage.shell().document().scroll_to(1234);
    stage.shell().set_zoom(1.2f);
    stage.shell().set_list_open(false);
    stage.settle();
    stage.act([](ImGuiTestContext& t) {
      t.ItemClick("**/move/slot");
      t.KeyPress(ImGuiMod_Alt | ImGuiKey_P);
      t.MouseMoveToPos({1100, 700});
      t.MouseWheelY(-3);
      t.Yield(4);
    });
    stage.settle();
    place = stage.shell().place();
    desk = stage.shell().desk();
    lab = stage.shell().lab().scroll();
    REQUIRE(place.node > 0);
    REQUIRE(lab > 0);
    stage.session().save_now();
  }
  Stage stage(options);
  stage.settle();
  stage.settle();
  CHECK(stage.book().lesson()->slug == "coalescing");
  CHECK(stage.shell().desk() == desk);
  CHECK(stage.shell().place().node == place.node);
  CHECK(std::abs(stage.shell().place().below_top - place.below_top) < 1);
  CHECK(stage.shell().place().slot == "move");
  CHECK(std::abs(stage.shell().lab().scroll() - lab) < 1);
}

TEST_CASE(
    "keys go where the focus is seen: from the editor to a question, from a box to the editor") {
  Stage stage;
  stage.open_made_up();
  const std::string source = stage.book().source("add");
  stage.act([](ImGuiTestContext& t) {
    t.KeyPress(ImGuiMod_Ctrl | ImGuiKey_E);
    t.Yield(3);
    t.KeyPress(ImGuiMod_Ctrl | ImGuiKey_Q);
    t.Yield(3);
    t.KeyPress(ImGuiKey_2);
    t.KeyChars("2");
    t.Yield(3);
  });
  stage.settle();
  CHECK(stage.book().source("add") == source);
  CHECK(stage.book().answered("threads"));
  stage.act([&](ImGuiTestContext& t) {
    t.KeyPress(ImGuiMod_Ctrl | ImGuiKey_P);
    t.Yield(3);
    t.KeyPress(ImGuiMod_Ctrl | ImGuiKey_E);
    t.Yield(3);
    t.KeyChars("4");
    t.Yield(3);
    CHECK(stage.shell().lab().code().editor("add").has_keyboard());
  });
  stage.settle();
  CHECK(stage.book().inputs().values.integer("n") == 10);
  CHECK(stage.book().source("add") == "4" + source);
}

TEST_CASE("chords hold when all their events come in one frame") {
  Stage stage(1440, 600);
  stage.open_made_up();
  stage.book().set_live(false);
  const std::string source = stage.book().source("add");
  stage.act([](ImGuiTestContext& t) {
    t.KeyPress(ImGuiMod_Ctrl | ImGuiKey_E);
    t.Yield(3);
  });
  stage.shell().lab().code().editor("add").focus();
  for (int i = 0; i < 4; ++i) stage.frame();
  stage.book().set_value("n", lab::Value(std::int64_t{7}));
  press_at_once(stage, ImGuiKey_LeftCtrl, ImGuiMod_Ctrl, ImGuiKey_Enter);
  stage.settle();
  CHECK(stage.book().source("add") == source);
  CHECK_FALSE(stage.book().stale());
  const std::size_t step = stage.shell().document().current_step();
  press_at_once(stage, ImGuiKey_LeftAlt, ImGuiMod_Alt, ImGuiKey_RightArrow);
  stage.settle();
  CHECK(stage.shell().document().current_step() == step + 1);
}

TEST_CASE("chords hold when more of them come than the window draws frames", "[ci]") {
  Stage stage(1440, 600);
  stage.open("first-kernel");
  stage.book().set_live(false);
  stage.act([](ImGuiTestContext& t) { press_in_text(t); });
  const lab::Inputs before = stage.book().inputs();
  for (int i = 0; i < 5; ++i) {
    stage.act([](ImGuiTestContext& t) { t.KeyPress(ImGuiMod_Alt | ImGuiKey_RightArrow); });
    stage.settle();
  }
  const std::size_t slowly = stage.shell().document().current_step();
  REQUIRE(slowly >= 5);
  stage.shell().document().go_to_step(0);
  stage.settle();
  press_in_a_burst(stage, ImGuiKey_LeftAlt, ImGuiMod_Alt, ImGuiKey_RightArrow, 5);
  stage.settle();
  CHECK(stage.shell().document().current_step() == slowly);
  CHECK(stage.book().inputs() == before);

  const std::string source = stage.book().source("add");
  CodeEditor& editor = stage.shell().lab().code().editor("add");
  stage.act([&](ImGuiTestContext& t) {
    t.KeyPress(ImGuiMod_Ctrl | ImGuiKey_E);
    t.Yield(3);
    for (const char* word : {"one ", "two ", "three "}) {
      t.KeyChars(word);
      t.Yield(2);
    }
  });
  REQUIRE(stage.book().source("add") == "one two three " + source);
  editor.focus();
  for (int i = 0; i < 4; ++i) stage.frame();
  press_in_a_burst(stage, ImGuiKey_LeftCtrl, ImGuiMod_Ctrl, ImGuiKey_Z, 3);
  CHECK(stage.book().source("add") == source);
}

TEST_CASE("keys scroll the text that is read, and Esc gives them back to it", "[ci]") {
  Stage stage;
  stage.book().set_reduced_motion(true);
  stage.open_answered("first-kernel");
  const auto scroll = [&] { return stage.shell().document().scroll(); };
  const auto press = [&](ImGuiKeyChord chord) {
    stage.act([chord](ImGuiTestContext& t) {
      t.KeyPress(chord);
      t.Yield(4);
    });
    return scroll();
  };
  stage.act([](ImGuiTestContext& t) { press_in_text(t); });
  const lab::Inputs before = stage.book().inputs();
  const float page = press(ImGuiKey_PageDown);
  CHECK(page > 400);
  CHECK(press(ImGuiKey_Space) > page + 400);
  CHECK(press(ImGuiMod_Shift | ImGuiKey_Space) == page);
  CHECK(press(ImGuiKey_DownArrow) > page);
  CHECK(press(ImGuiKey_UpArrow) == page);
  CHECK(press(ImGuiKey_PageUp) == 0);
  CHECK(press(ImGuiKey_End) > 2000);
  CHECK(press(ImGuiKey_Home) == 0);
  CHECK(stage.book().inputs() == before);
  CHECK(stage.book().lesson()->slug == "first-kernel");
  // A slider that was pressed has its keys until Esc.
  stage.act([&](ImGuiTestContext& t) {
    t.ItemClick("**/n/slider");
    t.Yield(2);
    const lab::Inputs set = stage.book().inputs();
    t.KeyPress(ImGuiKey_PageDown);
    t.Yield(4);
    CHECK(scroll() == 0);
    const lab::Inputs later = stage.book().inputs();
    CHECK_FALSE(later == set);
    t.KeyPress(ImGuiKey_Escape);
    t.Yield(2);
    t.KeyPress(ImGuiKey_PageDown);
    t.Yield(4);
    CHECK(scroll() == page);
    CHECK(stage.book().inputs() == later);
  });
  press(ImGuiKey_Home);
  // From the editor, a key leads back to the text.
  stage.act([](ImGuiTestContext& t) {
    t.KeyPress(ImGuiMod_Ctrl | ImGuiKey_E);
    t.Yield(4);
    t.KeyPress(ImGuiKey_F6);
    t.Yield(4);
    t.KeyPress(ImGuiKey_PageDown);
    t.Yield(4);
  });
  CHECK(scroll() == page);
  CHECK(stage.book().lesson()->slug == "first-kernel");
}

TEST_CASE("what lies over the lab's edge hides neither the row that is written nor its error",
          "[ci]") {
  Stage stage;
  stage.book().set_reduced_motion(true);
  stage.open_answered("first-kernel");
  stage.book().set_value("n", lab::Value(std::int64_t{10}));
  stage.settle();
  const std::string source = stage.book().source("add");
  CodeEditor& editor = stage.shell().lab().code().editor("add");
  const std::size_t at = source.find(';');
  const auto line = static_cast<std::size_t>(
      std::count(source.begin(), source.begin() + static_cast<std::ptrdiff_t>(at), '\n'));
  const std::size_t column = at - (source.rfind('\n', at) + 1);
  stage.act([&](ImGuiTestContext& t) {
    t.KeyPress(ImGuiMod_Ctrl | ImGuiKey_E);
    t.Yield(3);
    editor.widget().SelectRegion({line, column}, {line, column + 1});
    t.KeyPress(ImGuiKey_Delete);
    const auto failed = [&] {
      return !stage.book().stale() && !stage.book().report()->errors.empty();
    };
    for (int i = 0; i < 4000 && !failed(); ++i) {
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
      t.Yield();
    }
    REQUIRE(failed());
    t.Yield(6);
    // The compiler finds the error in the next line, and warns of this one because of it.
    const auto* found = stage.book().report()->find_as<lab::SourceExhibit>("add");
    const auto error = std::ranges::find(found->marks, device::Severity::error,
                                         &lab::SourceExhibit::Mark::severity);
    REQUIRE(error != found->marks.end());
    REQUIRE(error->line == line + 2);
    REQUIRE(found->marks.size() > 1);
    const float foot = foot_of_lab(), end = 900 - measure::kStatusBar - foot;
    CHECK(foot > 0);
    const auto top = [&](std::size_t row) { return editor.widget().GetLineTop(row); };
    CHECK(top(line + 2) <= end);  // after the error's words
    CHECK(top(line) >= stage.shell().lab().scroll_top());
    CHECK(top(line + 1) - top(line) == CodeEditor::kRow);  // no words of the warning
  });
}

TEST_CASE("what is edited stays in the lab, and the text in its place, when a check says less",
          "[ci]") {
  Stage stage;
  stage.book().set_reduced_motion(true);
  stage.open("first-kernel");
  Book& book = stage.book();
  stage.shell().document().go_to_step("make");
  stage.settle();
  REQUIRE(book.active_attempt());
  REQUIRE(book.active_attempt()->id() == "saxpy");
  const auto solution = lab::load_solution(WARPBOOK_SOURCE_DIR, *book.active_attempt()->text());
  REQUIRE(solution);
  std::string wrong = *solution;
  wrong.erase(wrong.find("a * x[i] + y[i];"), 4);
  book.write_exercise("saxpy", wrong);
  book.run_now();
  stage.settle();
  REQUIRE(book.active_attempt()->result());
  // Down to the button, at the foot of the text.
  const auto button = [&] {
    float y = 0;
    stage.act([&](ImGuiTestContext& t) { y = t.ItemInfo("**/saxpy/check").RectFull.Min.y; });
    return y;
  };
  // What is out of sight is not drawn, and has no place.
  for (int i = 0; i < 40 && (!stage.has("**/saxpy/check") || button() > 700); ++i) {
    stage.act([](ImGuiTestContext& t) {
      t.MouseMoveToPos({300, 500});
      t.MouseWheelY(-1);
      t.Yield(2);
    });
  }
  REQUIRE(book.active_attempt());
  REQUIRE(book.active_attempt()->id() == "saxpy");
  const float before = button();
  CodeEditor& editor = stage.shell().lab().code().editor("exercise:saxpy");
  const std::size_t at = wrong.find(';');
  const auto line = static_cast<std::size_t>(
      std::count(wrong.begin(), wrong.begin() + static_cast<std::ptrdiff_t>(at), '\n'));
  const std::size_t column = at - (wrong.rfind('\n', at) + 1);
  stage.act([&](ImGuiTestContext& t) {
    t.KeyPress(ImGuiMod_Ctrl | ImGuiKey_E);
    t.Yield(3);
    editor.widget().SelectRegion({line, column}, {line, column + 1});
    t.KeyPress(ImGuiKey_Delete);
    t.KeyPress(ImGuiMod_Ctrl | ImGuiKey_Enter);
  });
  stage.settle();
  REQUIRE_FALSE(book.attempt("saxpy")->stale());
  REQUIRE(book.attempt("saxpy")->source() == without(wrong, ";"));
  REQUIRE(book.active_attempt());
  CHECK(book.active_attempt()->id() == "saxpy");
  CHECK(std::abs(button() - before) < 2);
}

TEST_CASE("after a sitting that is gone on with, a chapter that was never read opens at its start",
          "[ci]") {
  const tests::TemporaryFolder folder;
  const OpenOptions options{"", WARPBOOK_SOURCE_DIR, folder.path().string()};
  {
    Stage stage(options);
    stage.book().open("coalescing");
    stage.settle();
    stage.shell().document().scroll_to(2500);
    stage.settle();
    stage.act([](ImGuiTestContext& t) {
      t.MouseMoveToPos({1100, 700});
      t.MouseWheelY(-8);
      t.Yield(4);
    });
    stage.settle();
    stage.session().save_now();
  }
  Stage stage(options);
  stage.settle();
  REQUIRE(stage.shell().document().scroll() > 1000);
  for (const char* chapter : {"**/convolution/chapter", "**/scratch page"}) {
    CAPTURE(chapter);
    stage.act([&](ImGuiTestContext& t) { t.ItemClick(chapter); });
    stage.settle();
    stage.settle();
    CHECK(stage.shell().document().scroll() == 0);
    CHECK(stage.shell().lab().scroll() == 0);
  }
}

TEST_CASE("the text is made larger by the key with the plus, whether that needs Shift or not") {
  Stage stage;
  stage.open_made_up();
  for (const ImGuiKeyChord chord :
       {ImGuiMod_Ctrl | ImGuiKey_Equal, ImGuiMod_Ctrl | ImGuiMod_Shift | ImGuiKey_Equal}) {
    const float before = stage.shell().zoom();
    stage.act([chord](ImGuiTestContext& t) { t.KeyPress(chord); });
    CHECK(stage.shell().zoom() > before);
  }
}

TEST_CASE(
    "the settings stay inside a small window, nothing in them overlaps, and Esc closes them") {
  for (const ImVec2 size : {ImVec2{1024, 768}, ImVec2{960, 600}, ImVec2{1440, 900}}) {
    CAPTURE(size.x);
    Stage stage(size.x, size.y);
    stage.open_made_up();
    stage.act([&](ImGuiTestContext& t) {  // in one act: between two, menus close
      t.ItemClick("**/settings");
      t.Yield(4);
      const auto& open = ImGui::GetCurrentContext()->OpenPopupStack;
      REQUIRE(open.Size == 1);
      const ImRect popup = open.back().Window->Rect();
      CHECK(popup.Max.y <= size.y);
      CHECK(popup.Max.x <= size.x);
      CHECK(popup.Min.x >= 0);
      t.KeyPress(ImGuiKey_Escape);
      t.Yield(2);
      CHECK(open.empty());
    });
  }
}

TEST_CASE(
    "text and lab are side by side at 150 % of an ordinary screen, and take turns below that") {
  for (const auto& [width, beside] :
       {std::pair(960.0f, true), std::pair(1024.0f, true), std::pair(800.0f, false)}) {
    CAPTURE(width);
    Stage stage(width, 600);
    stage.open_made_up();
    CHECK(stage.has("**/text tab") != beside);
    CHECK((stage.shell().lab().place_of("parameters") != nullptr) == beside);
  }
}

TEST_CASE("in a wide window no panel of the lab is too wide to be read across") {
  Stage stage(2560, 1440);
  for (const char* slug : {"coalescing", "memory-spaces"}) {
    CAPTURE(slug);
    stage.open_answered(slug);
    for (const lab::Exhibit& exhibit : stage.book().report()->exhibits) {
      const LabView::Place* place = stage.shell().lab().place_of(exhibit.id);
      if (place) CHECK(place->max.x - place->min.x < 1000);
    }
    CHECK(stage.shell().lab().place_of("code")->max.x -
              stage.shell().lab().place_of("code")->min.x <
          1000);
  }
}

TEST_CASE("PTX that opens below what is in view is scrolled to") {
  Stage stage(1440, 640);
  stage.open_answered("first-kernel");
  stage.act([](ImGuiTestContext& t) { t.KeyPress(ImGuiMod_Alt | ImGuiKey_P); });
  stage.settle();
  for (int i = 0; i < 60; ++i) stage.frame();
  const LabView::Place* pane = stage.shell().lab().place_of(CodePanel::kPtxPane);
  REQUIRE(pane);
  CHECK(pane->min.y >= stage.shell().lab().scroll_top());
  CHECK(pane->min.y + 200 <= 640 - measure::kStatusBar);
}

TEST_CASE("the button onwards keeps its place, and leads to the next chapter at the end") {
  Stage stage;
  stage.book().set_reduced_motion(true);
  stage.open("coalescing");
  const auto place = [&](const char* item) {
    ImRect rect;
    stage.act([&](ImGuiTestContext& t) { rect = t.ItemInfo(item).RectFull; });
    return rect.Min.x;
  };
  const float first = place("**/step after");
  stage.shell().document().go_to_step("compare");
  stage.settle();
  CHECK(place("**/step after") == first);
  stage.shell().document().go_to_step("look-ahead");
  stage.settle();
  CHECK_FALSE(stage.has("**/step after"));
  stage.act([](ImGuiTestContext& t) { t.ItemClick("**/chapter after"); });
  stage.settle();
  CHECK(stage.book().lesson()->slug == "tiles");
  CHECK(stage.shell().document().scroll() == 0);
}

TEST_CASE("a press on the message's button brings back what a question's run took the place of") {
  Stage stage;
  stage.open_made_up();
  const std::string noted = "// MY OWN NOTES\n" + stage.book().source("add");
  stage.book().set_source("add", noted);
  stage.settle();
  stage.book().answer("threads", "12");
  stage.settle();
  REQUIRE(stage.book().source("add") != noted);
  stage.act([](ImGuiTestContext& t) { t.ItemClick("**/act"); });
  stage.settle();
  CHECK(stage.book().source("add") == noted);
  CHECK(stage.book().toasts().empty());
}

TEST_CASE("a question is asked again, and so is a chapter: their answers are covered as before") {
  Stage stage;
  stage.open_made_up();
  stage.act([](ImGuiTestContext& t) { t.KeyPress(ImGuiKey_2); });
  stage.settle();
  REQUIRE(stage.book().veil("wires") == nullptr);
  stage.act([](ImGuiTestContext& t) { t.ItemClick("**/ask again"); });
  stage.settle();
  CHECK_FALSE(stage.book().answered("threads"));
  CHECK(stage.book().veil("wires") != nullptr);
  stage.book().answer("threads", "12");
  stage.settle();
  stage.act([](ImGuiTestContext& t) {
    t.KeyPress(ImGuiMod_Ctrl | ImGuiMod_Shift | ImGuiKey_P);
    t.Yield(3);
    t.KeyChars("of this chapter again");
    t.Yield(2);
    t.KeyPress(ImGuiKey_Enter);
    t.Yield(2);
  });
  stage.settle();
  CHECK_FALSE(stage.book().answered("threads"));
}

TEST_CASE("the palette knows by which words readers look for actions, and leads to chapters") {
  Stage stage;
  stage.open("first-kernel");
  const auto typed = [&](const char* words, ImGuiKey then) {
    std::size_t rows = 0;
    stage.act([&](ImGuiTestContext& t) {
      t.KeyPress(ImGuiMod_Ctrl | ImGuiMod_Shift | ImGuiKey_P);
      t.Yield(3);
      t.KeyChars(words);
      t.Yield(2);
      rows = stage.shell().finder().rows();
      t.KeyPress(then);
      t.Yield(3);
    });
    return rows;
  };
  for (const char* words : {"dark", "dark mode", "text size", "chinese", "export", "save",
                            "save as html", "pdf", "original", "undo"}) {
    CAPTURE(words);
    CHECK(typed(words, ImGuiKey_Escape) > 0);
  }
  CHECK(typed("no such words", ImGuiKey_Escape) == 0);
  CHECK(typed("dark no such word", ImGuiKey_Escape) == 0);
  REQUIRE(stage.book().theme() == "dark");
  typed("dark", ImGuiKey_Enter);
  CHECK(stage.book().theme() == "light");
  typed("language", ImGuiKey_Enter);
  CHECK(stage.book().language() == "zh");
  stage.book().set_language("en");
  CHECK(typed("coalescing", ImGuiKey_Enter) > 0);
  stage.settle();
  CHECK(stage.book().lesson()->slug == "coalescing");
}

TEST_CASE("the palette saves the picture that the reader is at, and says where none can be saved") {
  Stage stage;
  stage.open("first-kernel");
  const auto save = [&] {
    stage.act([&](ImGuiTestContext& t) {
      t.KeyPress(ImGuiMod_Ctrl | ImGuiMod_Shift | ImGuiKey_P);
      t.Yield(3);
      t.KeyChars("screenshot");
      t.Yield(2);
      t.KeyPress(ImGuiKey_Enter);
      t.Yield(3);
    });
    return stage.book().take_exports();
  };
  for (const lab::DocumentNode& node : stage.book().document().nodes) {
    if (const auto* asked = std::get_if<lab::PredictDirective>(&node))
      stage.book().answer(asked->id, asked->choices.front().value);
  }
  stage.settle();
  const auto saved = save();
  REQUIRE(saved.size() == 1);
  CHECK(saved[0].what == Export::What::image);
  CHECK(saved[0].to == Export::To::file);
  stage.book().set_source("add", stage.book().source("add") + "\n// later");
  CHECK(save().empty());
  REQUIRE_FALSE(stage.book().toasts().empty());
}

TEST_CASE("the palette puts the original back, and gives the command that saves the page") {
  Stage stage;
  stage.open("first-kernel");
  std::string held;  // while the Test Engine acts, the clipboard is its own
  const auto act = [&](const char* words) {
    stage.act([&](ImGuiTestContext& t) {
      t.KeyPress(ImGuiMod_Ctrl | ImGuiMod_Shift | ImGuiKey_P);
      t.Yield(3);
      t.KeyChars(words);
      t.Yield(2);
      t.KeyPress(ImGuiKey_Enter);
      t.Yield(3);
      if (const char* text = ImGui::GetClipboardText()) held = text;
    });
  };
  const std::string original = stage.book().source("add");
  stage.book().set_source("add", original + "// mine\n");
  act("put the original back");
  CHECK(stage.book().source("add") == original);
  stage.book().set_value("n", lab::Value(std::int64_t{12}));
  act("save as html");
  CHECK(held ==
        std::string("./warpbook export first-kernel first-kernel.html --set n=12 --lang en"));
}

TEST_CASE("what was typed is marked in a row, whatever its capitals") {
  CHECK(hit_in("Change the Theme", "theme") == std::pair<std::size_t, std::size_t>{11, 5});
  CHECK(hit_in("线程束是一组线程", "一组") == std::pair<std::size_t, std::size_t>{12, 6});
  CHECK(hit_in("Change the theme", "dark").second == 0);
  CHECK(hit_in("Change the theme", "").second == 0);
}

TEST_CASE("the whole book is searched from the top bar, and the place that is chosen is shown") {
  Stage stage;
  stage.open("first-kernel");
  stage.act([](ImGuiTestContext& t) {
    t.ItemClick("**/search");
    t.Yield(3);
    t.KeyChars("coalesc");
    t.Yield(2);
    t.KeyPress(ImGuiKey_DownArrow);
    t.KeyPress(ImGuiKey_UpArrow);
    t.KeyPress(ImGuiKey_Enter);
    t.Yield(2);
  });
  stage.settle();
  CHECK(stage.book().lesson()->slug == "coalescing");
  CHECK_FALSE(stage.shell().finder().is_open());
  stage.act([](ImGuiTestContext& t) {
    t.KeyPress(ImGuiMod_Ctrl | ImGuiMod_Shift | ImGuiKey_F);
    t.Yield(3);
    t.KeyChars("no such words");
    t.Yield(2);
  });
  CHECK(stage.shell().finder().rows() == 0);
  stage.act([](ImGuiTestContext& t) { t.KeyPress(ImGuiKey_Escape); });
  CHECK_FALSE(stage.shell().finder().is_open());
}

TEST_CASE("the list shows of every chapter how much of it is done, whichever one is open", "[ci]") {
  const tests::TemporaryFolder folder;
  const OpenOptions options{"first-kernel", WARPBOOK_SOURCE_DIR, folder.path().string()};
  Stage stage(options);
  stage.settle();
  Book& book = stage.book();
  const ChapterEntry& first = book.chapters().front();
  REQUIRE(first.slug == "first-kernel");
  CHECK(first.tasks > 2);
  CHECK(book.done(first) == 0);
  book.answer("what-is-out", "6 8 10 12");
  lab::ExerciseProgress passed;
  passed.points = 10;
  passed.passed = "2026-11-24T15:00:00Z";
  book.attempt("saxpy")->set_reached(passed);
  book.set_value("n", lab::Value(std::int64_t{6}));  // so that there is something to save
  stage.settle();
  CHECK(book.done(first) == 2);
  stage.act([](ImGuiTestContext& t) { t.ItemClick("**/grids/chapter"); });
  stage.settle();
  REQUIRE(book.lesson()->slug == "grids");
  CHECK(book.done(book.chapters().front()) == 2);
  CHECK(book.done(book.chapters()[3]) == 0);
}

TEST_CASE("a link opens its chapter with its parameters at its step", "[ci]") {
  const tests::TemporaryFolder folder;
  OpenOptions options{"coalescing", WARPBOOK_SOURCE_DIR, folder.path().string()};
  options.link = *lab::place_link_of("coalescing?stride=8&step=compare");
  Stage stage(options);
  stage.settle();
  CHECK(stage.book().inputs().values.integer("stride") == 8);
  const auto& document = stage.shell().document();
  CHECK(document.steps()[document.current_step()].name == "compare");
}

}  // namespace warpbook::gui::desk_test
