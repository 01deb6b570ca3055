#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>

#include "lab/document/markdown.hpp"
#include "tests/gui/made_up.hpp"
#include "tests/gui/stage.hpp"
#include "tests/gui/words_on_stage.hpp"

namespace warpbook::gui::document_test {

TEST_CASE("every kind of block is drawn, in both languages and themes, at every width") {
  for (const std::string language : {"en", "zh"}) {
    for (const char* theme : {"dark", "light"}) {
      for (const float width : {1024.0f, 1280.0f, 1440.0f, 1920.0f}) {
        CAPTURE(language, theme, width);
        Stage stage(width, 900, language, theme);
        stage.open_made_up();
        CHECK(Stage::vertices() > 1000);
        for (std::size_t step = 0; step < stage.shell().document().steps().size(); ++step) {
          stage.shell().document().go_to_step(step);
          stage.settle();
        }
        CHECK(stage.shell().document().current_step() ==
              stage.shell().document().steps().size() - 1);
      }
    }
  }
}

TEST_CASE("blocks out of view cost nothing") {
  Stage stage(1440, 500);
  stage.open_made_up();
  CHECK(stage.shell().document().nodes_drawn() < stage.book().document().nodes.size() / 2);
}

TEST_CASE("a frame of the book stays within its share of vertices and draw calls") {
  Stage stage;
  stage.open_made_up();
  stage.book().answer("threads", "12");
  stage.settle();
  CHECK(Stage::vertices() < 40'000);
  CHECK(Stage::draw_calls() < 60);
}

TEST_CASE("a question is answered by the keyboard, its veil lifts, and the answer is held") {
  Stage stage;
  stage.open_made_up();
  CHECK(stage.book().veil("wires") != nullptr);
  stage.act([](ImGuiTestContext& t) { t.KeyPress(ImGuiKey_2); });
  REQUIRE(stage.book().answered("threads"));
  CHECK(stage.book().answers().find("threads")->second == "12");
  CHECK(stage.book().veil("wires") == nullptr);
  stage.act([](ImGuiTestContext& t) { t.KeyPress(ImGuiKey_1); });
  CHECK(stage.book().answers().find("threads")->second == "12");
}

TEST_CASE("a digit that was meant for the lab answers no question") {
  const bool in_a_box = GENERATE(true, false), back_by_mouse = GENERATE(true, false);
  CAPTURE(in_a_box, back_by_mouse);
  Stage stage;
  stage.open_made_up();
  const auto press = [&](ImGuiKeyChord key) {
    stage.act([key](ImGuiTestContext& t) { t.KeyPress(key); });
    stage.settle();
  };
  const auto click = [&](ImVec2 at) {
    stage.act([at](ImGuiTestContext& t) {
      t.MouseMoveToPos(at);
      t.MouseClick();
    });
    stage.settle();
  };
  if (in_a_box) {
    press(ImGuiMod_Ctrl | ImGuiKey_P);
    press(ImGuiKey_Escape);
  } else {
    click({1100, 400});
  }
  press(ImGuiKey_2);
  CHECK_FALSE(stage.book().answered("threads"));
  back_by_mouse ? click(where(stage, "many threads")) : press(ImGuiMod_Ctrl | ImGuiKey_Q);
  press(ImGuiKey_2);
  CHECK(stage.book().answered("threads"));
}

TEST_CASE("the answer to a question is what the run says") {
  Stage stage;
  stage.open_made_up();
  const auto& predict = std::get<lab::PredictDirective>(stage.book().document().nodes[2]);
  CHECK(stage.book().right_value(predict) == "12");
}

TEST_CASE("an answer by mouse commits, and show me commits nothing but shows") {
  Stage stage;
  stage.open_made_up();
  SECTION("a choice") {
    stage.act([](ImGuiTestContext& t) { t.ItemClick("**/choice"); });
    CHECK(stage.book().answers().find("threads")->second == "10");
  }
  SECTION("show me") {
    stage.act([](ImGuiTestContext& t) { t.ItemClick("**/threads/show me"); });
    CHECK(stage.book().answers().find("threads")->second.empty());
  }
}

TEST_CASE("the wheel over any point of the document scrolls the document") {
  Stage stage(1440, 600);
  stage.open_made_up();
  for (const float x : {400.0f, 520.0f, 700.0f}) {
    stage.shell().document().scroll_to(0);
    stage.settle();
    stage.act([x](ImGuiTestContext& t) {
      t.MouseMoveToPos({x, 320});
      t.MouseWheelY(-5);
    });
    CAPTURE(x);
    CHECK(stage.shell().document().scroll() > 50);
  }
}

TEST_CASE("text is selected across blocks with the mouse and copied") {
  Stage stage;
  stage.open_made_up();
  stage.act([](ImGuiTestContext& t) {
    t.MouseMoveToPos({270, 175});
    t.MouseDown(0);
    t.MouseMoveToPos({700, 330});
    t.MouseUp(0);
  });
  const std::string selected = stage.shell().document().selected_text();
  CHECK(selected.find("many threads") != std::string::npos);
  CHECK(selected.find("With n = 10") != std::string::npos);
  std::string copied;  // while the Test Engine acts, the clipboard is its own
  stage.act([&copied](ImGuiTestContext& t) {
    t.KeyPress(ImGuiMod_Ctrl | ImGuiKey_C);
    if (const char* text = ImGui::GetClipboardText()) copied = text;
  });
  CHECK(copied == selected);
}

TEST_CASE("a live figure is covered while its question is open, and then shown") {
  Stage stage;
  stage.open_made_up();
  CHECK(stage.book().veil("=threads") != nullptr);
  stage.book().answer("threads", "12");
  stage.settle();
  CHECK(stage.book().veil("=threads") == nullptr);
  CHECK(stage.book().figure("threads", stage.book().report().get()) == "12");
}

TEST_CASE(
    "where the run is not the chapter's own, a step with live figures says which runs its "
    "sentences are about") {
  Stage stage;
  stage.open_made_up();
  const auto saying = [&](const char* words) {
    stage.settle();
    std::size_t found = 0;
    for (const SetParagraph& set : stage.shell().document().paragraphs())
      found += set.paragraph->text().find(words) != std::string::npos ? 1 : 0;
    return found;
  };
  const auto notes = [&] { return saying("on H200"); };
  CHECK(notes() == 0);
  stage.book().set_value("n", lab::Value(std::int64_t{7}));
  CHECK(notes() == 1);  // of the steps in the made-up chapter one has a figure
  stage.book().reset_values();
  CHECK(notes() == 0);
  CHECK(saying("question is about the H200") == 0);
  stage.book().set_gpu("t4");
  CHECK(notes() == 1);
  CHECK(saying("question is about the H200") == 1);
  stage.open("first-kernel");  // where no answer rests on a GPU
  CHECK(device::find_gpu(stage.book().inputs().gpu)->name == "T4");
  CHECK(saying("question is about the H200") == 0);
}

TEST_CASE("the text follows the language at once") {
  Stage stage;
  stage.open_made_up();
  CHECK(stage.book().strings()("gui.run") == "Run");
  stage.act([](ImGuiTestContext& t) { t.KeyPress(ImGuiMod_Ctrl | ImGuiMod_Shift | ImGuiKey_L); });
  CHECK(stage.book().strings()("gui.run") == "运行");
}

TEST_CASE("an answer scrolls until its explanation is in view, and the question stays there") {
  Stage stage(1440, 900);
  stage.open("first-kernel");
  const lab::PredictDirective* last = nullptr;
  for (const lab::DocumentNode& node : stage.book().document().nodes) {
    const auto* asked = std::get_if<lab::PredictDirective>(&node);
    if (!asked) continue;
    if (last) stage.book().answer(last->id, "");  // so that digits answer the last one
    last = asked;
  }
  REQUIRE(last);
  stage.settle();
  const std::string ask_again = "**/" + last->id + "/ask again";
  const float bottom = 900 - measure::kStatusBar;
  stage.shell().document().go_to_question(last->id);
  stage.settle();
  const auto foot =
      [&](const std::string& item) {  // without Stage::rectangle(), which scrolls there
        float y = 0;
        stage.act([&](ImGuiTestContext& t) { y = t.ItemInfo(item.c_str()).RectFull.Max.y; });
        return y;
      };
  const auto question_at = [&] {
    return where(stage, lab::plain_text(last->question).substr(0, 20)).y;
  };
  SECTION("the question is low") {
    stage.shell().document().scroll_on(foot("**/show me") - bottom);
    stage.settle();
    stage.act([](ImGuiTestContext& t) { t.KeyPress(ImGuiKey_2); });
    stage.settle();
    REQUIRE(stage.book().answered(last->id));
    CHECK(foot(ask_again) < bottom);
    CHECK(foot(ask_again) > bottom - 90);  // no further than that
  }
  SECTION("there is room for it, so that nothing moves") {
    stage.context().set_display(1440, 1300, 1);
    stage.shell().document().go_to_question(last->id);
    stage.settle();
    const float before = question_at();
    stage.act([](ImGuiTestContext& t) { t.KeyPress(ImGuiKey_2); });
    stage.settle();
    CHECK(question_at() == before);
  }
}

}  // namespace warpbook::gui::document_test
