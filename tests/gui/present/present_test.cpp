// A lecture in the window, held with the keys of a clicker and of the table of actions.
#include <array>

#include <catch2/catch_test_macros.hpp>

#include "device/platform.hpp"
#include "gui/present/monitors.hpp"
#include "gui/present/scale.hpp"
#include "gui/shell/actions.hpp"
#include "tests/gui/made_up.hpp"
#include "tests/gui/stage.hpp"
#include "tests/gui/words_on_stage.hpp"
#include "tests/temporary_folder.hpp"

namespace warpbook::gui::present_test {
namespace {
void press(Stage& stage, ImGuiKeyChord chord) {
  stage.act([chord](ImGuiTestContext& t) { t.KeyPress(chord); });
  stage.settle();
}

/// The made-up chapter in front of a class.
struct Lecture {
  explicit Lecture(float width = 1280, float height = 720) : stage(width, height) {
    stage.open_made_up();
    press(stage, ImGuiKey_F5);
    REQUIRE(lecture().on());
  }
  Presentation& lecture() { return stage.shell().lecture(); }
  void key(ImGuiKeyChord chord) { press(stage, chord); }
  Stage stage;
};

bool drawn(Stage& stage, std::string_view words) {
  for (const SetParagraph& set : stage.shell().document().paragraphs()) {
    if (set.paragraph->text().find(words) != std::string::npos) return true;
  }
  return false;
}
}  // namespace

TEST_CASE("the keys of common clickers hold a whole lecture") {
  Lecture at;
  CHECK(drawn(at.stage, "how many threads start"));
  CHECK_FALSE(drawn(at.stage, "A kernel is called once"));
  CHECK(at.stage.book().veil("wires") != nullptr);
  at.key(ImGuiKey_PageDown);
  CHECK(at.stage.book().answered("threads"));
  at.key(ImGuiKey_PageDown);
  CHECK(at.lecture().at() == 1);
  CHECK(drawn(at.stage, "A kernel is called once"));
  at.key(ImGuiKey_PageUp);
  CHECK(at.lecture().at() == 0);
  for (const ImGuiKey blank : {ImGuiKey_B, ImGuiKey_Period}) {
    at.key(blank);
    CHECK(at.lecture().blank());
    at.key(blank);
    CHECK_FALSE(at.lecture().blank());
  }
  at.key(ImGuiKey_RightArrow);
  CHECK(at.lecture().at() == 1);
  at.key(ImGuiKey_F5);  // pressed again by a clicker that is out of step
  CHECK(at.lecture().on());
  at.key(ImGuiKey_Escape);
  CHECK_FALSE(at.lecture().on());
  CHECK_FALSE(at.stage.book().answered("threads"));
  CHECK(drawn(at.stage, "A kernel is called once"));
}

TEST_CASE("F11 begins a lecture and ends it, and the reader's zoom comes back") {
  Stage stage;
  stage.open_made_up();
  stage.shell().set_zoom(1.3f);
  press(stage, ImGuiKey_F11);
  CHECK(stage.shell().lecture().on());
  CHECK(stage.shell().zoom() == 1);
  press(stage, ImGuiMod_Ctrl | ImGuiKey_Equal);
  press(stage, ImGuiKey_F11);
  CHECK_FALSE(stage.shell().lecture().on());
  CHECK(stage.shell().zoom() == 1.3f);
}

TEST_CASE("keys of a lecture mean nothing to a reader") {
  Stage stage;
  stage.open_made_up();
  for (const ImGuiKey key : {ImGuiKey_B, ImGuiKey_R, ImGuiKey_V, ImGuiKey_PageDown})
    press(stage, key);
  CHECK_FALSE(stage.shell().lecture().on());
  CHECK_FALSE(stage.book().answered("threads"));
}

TEST_CASE(
    "digits answer nothing in a lecture: the class votes with letters, and the lecturer counts") {
  Lecture at;
  at.key(ImGuiKey_2);
  CHECK_FALSE(at.stage.book().answered("threads"));
  at.key(ImGuiKey_V);
  at.key(ImGuiKey_B);
  CHECK_FALSE(at.lecture().blank());
  at.key(ImGuiKey_1);
  at.key(ImGuiKey_7);
  CHECK(at.lecture().poll()->hands(Vote::first, 1) == 17);
  at.key(ImGuiKey_Backspace);
  CHECK(at.lecture().poll()->hands(Vote::first, 1) == 1);
  at.key(ImGuiKey_Period);
  CHECK(at.lecture().blank());
  at.key(ImGuiKey_Period);
  at.key(ImGuiKey_V);
  CHECK(at.lecture().poll()->vote() == Vote::second);
  at.stage.act([](ImGuiTestContext& t) { t.ItemClick("**/choice C"); });
  at.key(ImGuiKey_5);
  CHECK(at.lecture().poll()->hands(Vote::second, 2) == 5);
  at.key(ImGuiKey_Escape);
  CHECK_FALSE(at.lecture().voting());
  CHECK(at.lecture().on());
}

TEST_CASE("a screen that a demo made for a question begins with it") {
  const tests::TemporaryFolder folder;
  lab::DemoScreen screen;
  screen.question =
      "barrier-and-grid";  // in its chapter, the picture of another question stands before it
  Stage stage(1280, 720);
  stage.open("races");
  stage.shell().begin_lecture(
      stage.book(), lab::Demo{(folder.path() / "demo.toml").string(), "races", 1, {screen}});
  stage.settle();
  (void)where(stage, "three blocks of 96 threads, 288 results");
}

TEST_CASE("keys that come faster than frames are drawn all count") {
  Lecture at;
  ImGuiIO& io = ImGui::GetIO();
  for (const ImGuiKey key : {ImGuiKey_V, ImGuiKey_A, ImGuiKey_4, ImGuiKey_2}) {
    io.AddKeyEvent(key, true);
    io.AddKeyEvent(key, false);
  }
  at.stage.settle();
  REQUIRE(at.lecture().poll() != nullptr);
  CHECK(at.lecture().poll()->hands(Vote::first, 0) == 42);
}

TEST_CASE("the votes are kept when the lecturer asks for it, and only then") {
  const tests::TemporaryFolder folder;
  Lecture at;
  at.stage.shell().set_votes_file(folder.path() / "votes.csv");
  at.key(ImGuiKey_S);
  CHECK(at.stage.book().toasts().back().text == at.stage.book().strings()("gui.vote.none"));
  at.key(ImGuiKey_V);
  at.key(ImGuiKey_A);
  at.key(ImGuiKey_9);
  CHECK(std::filesystem::is_empty(folder.path()));
  at.key(ImGuiKey_S);
  // The class sees it, and where the lecturer keeps files is none of its business.
  CHECK(at.stage.book().toasts().back().text.find(folder.path().string()) == std::string::npos);
  const auto text = device::read_file(folder.path() / "votes.csv");
  REQUIRE(text.has_value());
  CHECK(text->find("made-up,threads,1,A,10,no,9\n") != std::string::npos);
}

TEST_CASE(
    "one exhibit fills the screen, larger where it leaves room, and the next press gives it back") {
  Lecture at;
  at.key(ImGuiKey_R);
  at.key(ImGuiKey_E);
  CHECK_FALSE(at.lecture().enlarged().empty());
  const std::string first = at.lecture().enlarged();
  at.key(ImGuiKey_DownArrow);
  CHECK(at.lecture().enlarged() != first);
  at.key(ImGuiKey_UpArrow);
  CHECK(at.lecture().enlarged() == first);
  at.lecture().enlarge("time");
  at.stage.settle();
  CHECK(at.stage.shell().present_view().enlargement() > 1);
  at.key(ImGuiKey_PageDown);
  CHECK(at.lecture().enlarged().empty());
  CHECK(at.stage.shell().present_view().enlargement() == 1);
  CHECK(at.lecture().at() == 0);
}

TEST_CASE("an exhibit that fills the screen keeps its size from frame to frame, on any projector",
          "[ci]") {
  constexpr float kWide = 1280;
  Lecture at;
  at.key(ImGuiKey_R);
  const PresentView& view = at.stage.shell().present_view();
  // The room grows with what is drawn in it, so a projector of this height would show two sizes by turns if one called for the other.
  const auto frame = [&](float high) {
    const float scale = view.enlargement();
    at.stage.context().set_display(kWide / scale, high / scale, scale);
    at.stage.frame();
  };
  for (int high = 480; high <= 800; high += 6) {
    for (const char* exhibit : {"wires", "out", "time"}) {
      CAPTURE(high, exhibit);
      at.lecture().enlarge(exhibit);
      for (int i = 0; i < 3; ++i) frame(high);
      const float settled = view.enlargement();
      for (int i = 0; i < 2; ++i) {
        frame(high);
        CHECK(view.enlargement() == settled);
      }
    }
  }
}

TEST_CASE("the pen draws on the panel below it, and the stroke goes where the panel goes") {
  Lecture at;
  at.key(ImGuiKey_R);
  const auto* panel = at.stage.shell().lab().place_of("code");
  REQUIRE(panel != nullptr);
  const ImVec2 from{panel->min.x + 40, panel->min.y + 20}, to{from.x + 60, from.y + 10};
  at.key(ImGuiKey_D);
  drag(at.stage, from, to);
  const Strokes& strokes = at.stage.shell().present_view().strokes();
  REQUIRE(strokes.of("0 ").size() == 1);
  const Stroke& stroke = strokes.of("0 ").front();
  CHECK(stroke.panel == at.stage.shell().lab().panel_at(from));
  CHECK(stroke.points.size() >= 2);
  drag(at.stage, to, from);
  at.key(ImGuiKey_Z);
  CHECK(strokes.of("0 ").size() == 1);
  at.key(ImGuiKey_C);
  CHECK(strokes.of("0 ").empty());
  at.key(ImGuiKey_Escape);
  CHECK_FALSE(at.stage.shell().present_view().pen());
  CHECK(at.lecture().on());
}

TEST_CASE("freezing and the clocks are the lecturer's, by one key each") {
  Lecture at;
  at.key(ImGuiKey_F);
  CHECK(at.lecture().frozen());
  at.key(ImGuiKey_F);
  at.key(ImGuiKey_T);
  const double now = at.stage.book().now();
  CHECK(at.lecture().countdown(now).value_or(0) > Presentation::kFirstCountdown - 5);
  CHECK(at.stage.shell().seconds_to_change(at.stage.book()) <= 1);
  at.key(ImGuiKey_X);
  CHECK_FALSE(at.lecture().countdown(now).has_value());
  at.key(ImGuiKey_P);
  CHECK(at.stage.shell().present_view().pointer());
  at.key(ImGuiKey_N);
  CHECK(at.stage.shell().notes_wanted());
  at.key(ImGuiKey_N);
  at.stage.shell().allow_notes(false);
  at.key(ImGuiKey_N);
  CHECK_FALSE(at.stage.shell().notes_wanted());
}

TEST_CASE(
    "text that is longer than the screen is turned page by page before the next screen comes") {
  Lecture at(1280, 300);
  at.key(ImGuiKey_R);
  std::size_t presses = 0;
  while (at.lecture().at() == 0 && presses < 20) {
    at.key(ImGuiKey_PageDown);
    ++presses;
  }
  CHECK(presses > 1);
  CHECK(at.lecture().at() == 1);
  CHECK(at.stage.shell().document().scroll() == 0);
}

TEST_CASE("parameters stay live in a lecture, and an editor keeps the letters for itself") {
  Lecture at;
  at.key(ImGuiKey_R);
  at.stage.book().set_value("n", lab::Value(std::int64_t{7}));
  at.stage.settle();
  CHECK(lab::count(*at.stage.book().report()->find_as<lab::TensorExhibit>("out")) == 7);
  at.stage.act([](ImGuiTestContext& t) {
    t.KeyPress(ImGuiMod_Ctrl | ImGuiKey_E);
    t.Yield(3);
    t.KeyChars("bvr");
    t.Yield(3);
  });
  at.stage.settle();
  CHECK(at.stage.book().source("add").find("bvr") != std::string::npos);
  CHECK_FALSE(at.lecture().blank());
  CHECK(at.stage.book().answered("threads"));
}

TEST_CASE("the reader's answers are not touched on the disk by a lecture") {
  const tests::TemporaryFolder folder;
  OpenOptions options;
  options.root = WARPBOOK_SOURCE_DIR;
  options.chapter = "first-kernel";
  options.state_folder = (folder.path() / "state").string();
  options.work_folder = (folder.path() / "work").string();
  const auto kept = [&](Stage& stage) {
    return stage.session().store().state().chapters.at("first-kernel").answers;
  };
  {
    Stage stage(options);
    stage.settle();
    stage.book().answer("what-is-out", "6 8 10 12");
    stage.settle();
    stage.session().save_now();
    press(stage, ImGuiKey_F11);
    press(stage, ImGuiKey_R);
    CHECK(stage.book().answers().at("what-is-out").empty());
    CHECK(kept(stage).at("what-is-out") == "6 8 10 12");
    stage.session().save_now();  // the window was closed in the middle of the lecture
    CHECK(kept(stage).at("what-is-out") == "6 8 10 12");
  }
  options.lecture.emplace();
  Stage again(options);
  CHECK(again.until([&] { return again.shell().lecture().on(); }));
  CHECK(again.book().answers().empty());
}

TEST_CASE("a page is 720 units high on any projector, less where it would be too narrow") {
  CHECK(presentation_scale(1920, 1080) == 1.5f);
  CHECK(presentation_scale(3840, 2160) == 3);
  CHECK(presentation_scale(1024, 768) == 768.0f / 720);
  CHECK(presentation_scale(800, 1280) == 800.0f / 900);
  CHECK(presentation_scale(1, 1) == 0.5f);
}

TEST_CASE("the class sees the second monitor, or the one that the window was moved to") {
  const std::array<Rectangle, 3> three{Rectangle{0, 0, 1440, 900}, Rectangle{1440, 0, 1920, 1080},
                                       Rectangle{3360, 0, 1024, 768}};
  const std::span<const Rectangle> all(three);
  CHECK_FALSE(lecture_monitors(all.first(1), {100, 100, 800, 600}).notes.has_value());
  CHECK(lecture_monitors(all.first(1), {100, 100, 800, 600}).audience == 0);
  const LectureMonitors at_desk = lecture_monitors(all, {100, 100, 800, 600});
  CHECK(at_desk.audience == 1);
  CHECK(at_desk.notes == 0);
  CHECK(lecture_monitors(all, {3400, 50, 800, 600}).audience == 2);
  CHECK(lecture_monitors(all, {3400, 50, 800, 600}).notes == 0);
}

}  // namespace warpbook::gui::present_test
