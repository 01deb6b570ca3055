// Nothing on the desk moves that the reader did not move: pictures of a broken source, panels while a run is under way, the
// place in the text, and the keys.
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
