// A slider under the mouse: pictures follow it as far as they can be had at once, and all of them once it is let go.
#include <atomic>
#include <chrono>
#include <string>
#include <thread>

#include <catch2/catch_test_macros.hpp>

#include "tests/gui/made_up.hpp"
#include "tests/gui/stage.hpp"

namespace warpbook::gui::slider_drag_test {
namespace {

lab::Exhibit said(const std::string& id, lab::Lab& lab) {
  const std::string n = std::to_string(lab.integer("n"));
  return {id, lab::Message::plain(id), {}, lab::TextExhibit{lab::Message::plain(n), false}};
}

/// What stands on the page under that id: the number that it says, and the note beside its title.
struct Said {
  std::string number, note;
  bool dimmed = false;
};
Said said_on(const Book& book, std::string_view id) {
  const auto [exhibit, stale] = book.shown_exhibit(id);
  REQUIRE(exhibit);
  return {std::get<lab::TextExhibit>(exhibit->value).text.text, book.note_on(*exhibit, stale),
          stale};
}

}  // namespace

TEST_CASE("while a slider is held, what takes long stays as it was, dimmed; let go, all is new") {
  std::atomic<bool> held{false};
  lab::Lesson lesson = made_up::lesson();
  lesson.experiment = [&](lab::Lab& lab) {
    lab.show(said("soon", lab));
    if (lab.leaves_out()) return;
    while (held && !lab.cancelled()) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    lab.show(said("late", lab));
  };
  Stage stage;
  Book& book = stage.book();
  book.open(lesson, made_up::document());
  stage.settle();
  held = true;
  std::string now;
  Said soon, late;
  stage.act([&](ImGuiTestContext& t) {
    const ImVec2 middle = t.ItemInfo("**/n/slider").RectFull.GetCenter();
    t.MouseMoveToPos(middle);
    t.MouseDown(0);
    t.MouseMoveToPos({middle.x + 30, middle.y});
    now = std::to_string(book.inputs().values.integer("n"));
    for (int wait = 0; wait < 5000 && said_on(book, "soon").number != now; ++wait) {
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
      t.Yield();
    }
    soon = said_on(book, "soon");
    late = said_on(book, "late");
    t.MouseUp(0);
  });
  CHECK(now != "10");
  CHECK(soon.number == now);
  CHECK_FALSE(soon.dimmed);
  CHECK(soon.note == book.strings()("gui.draft"));
  CHECK(late.number == "10");
  CHECK(late.dimmed);
  CHECK(late.note == book.strings()("gui.stale-values", {{"values", "n = 10"}}));

  held = false;
  stage.settle();
  for (const char* id : {"soon", "late"}) {
    CAPTURE(id);
    const Said after = said_on(book, id);
    CHECK(after.number == now);
    CHECK_FALSE(after.dimmed);
    CHECK(after.note.empty());
  }
}

}  // namespace warpbook::gui::slider_drag_test
