// Values that change as long as a slider is dragged.
#include <atomic>
#include <chrono>
#include <thread>

#include <catch2/catch_test_macros.hpp>

#include "tests/gui/book/open_book.hpp"
#include "tests/gui/made_up.hpp"

namespace warpbook::gui::drag_test {
namespace {

lab::Exhibit said(const std::string& id, lab::Lab& lab) {
  const std::string n = std::to_string(lab.integer("n"));
  return {id, lab::Message::plain(id), {}, lab::TextExhibit{lab::Message::plain(n), false}};
}

/// A lesson that says `n` at once, and once more in what a draft leaves out, which takes until it is released.
struct SlowInPart {
  explicit SlowInPart(const std::string& soon = "soon", const std::string& late = "late") {
    lesson.experiment = [this, soon, late](lab::Lab& lab) {
      lab.show(said(soon, lab));
      if (lab.leaves_out()) return;
      while (held && !lab.cancelled()) std::this_thread::sleep_for(std::chrono::milliseconds(1));
      lab.show(said(late, lab));
    };
  }
  std::atomic<bool> held{false};
  lab::Lesson lesson = made_up::lesson();
};

std::string text_of(const ShownExhibit& shown) {
  return shown.exhibit ? std::get<lab::TextExhibit>(shown.exhibit->value).text.text : "";
}

std::string note_on(const Book& book, std::string_view id) {
  const ShownExhibit shown = book.shown_exhibit(id);
  return book.note_on(*shown.exhibit, shown.stale);
}

template <class Condition>
void wait_until(Book& book, const Condition& holds) {
  for (int wait = 0; wait < 5000 && !holds(); ++wait) {
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
    book.poll();
  }
  REQUIRE(holds());
}

}  // namespace

TEST_CASE("what is dragged is shown as it goes: no run is given up for the next value") {
  OpenBook open;
  const std::uint64_t before = open.book.news();
  int pictures = 0;
  std::uint64_t news = before;
  for (std::int64_t n = 11; n < 60; ++n) {
    open.book.drag_value("n", lab::Value(n));
    for (int wait = 0; wait < 50 && open.book.report()->inputs.values.integer("n") != n; ++wait) {
      std::this_thread::sleep_for(std::chrono::milliseconds(2));
      open.book.poll();
    }
    pictures += open.book.news() != std::exchange(news, open.book.news()) ? 1 : 0;
  }
  open.book.end_drag();
  open.settle();
  CHECK(open.book.report()->inputs.values.integer("n") == 59);
  CHECK_FALSE(open.book.stale());
  CHECK(pictures > 40);
}

TEST_CASE(
    "while a slider is dragged a draft shows what is ready soon, and the rest stays, as of the "
    "last "
    "whole run") {
  SlowInPart slow;
  OpenBook open;
  Book& book = open.book;
  book.open(slow.lesson, made_up::document());
  open.settle();
  const auto old = [&](std::int64_t n) {
    return book.strings()("gui.stale-values", {{"values", "n = " + std::to_string(n)}});
  };
  slow.held = true;
  book.drag_value("n", lab::Value(std::int64_t{20}));
  wait_until(book, [&] { return text_of(book.shown_exhibit("soon")) == "20"; });
  CHECK_FALSE(book.shown_exhibit("soon").stale);
  CHECK(note_on(book, "soon") == book.strings()("gui.draft"));
  CHECK(text_of(book.shown_exhibit("late")) == "10");
  CHECK(book.shown_exhibit("late").stale);
  CHECK(note_on(book, "late") == old(10));
  CHECK(book.stale());  // what is kept, exported or compared is a whole run
  CHECK(book.shown_exhibits().size() == 2);

  SECTION("a picture of the value before is not shown as one of the next value") {
    // Nothing is polled, so this is what the frame shows in which the mouse moves on.
    book.drag_value("n", lab::Value(std::int64_t{30}));
    CHECK(text_of(book.shown_exhibit("soon")) == "20");
    CHECK(book.shown_exhibit("soon").stale);
    CHECK(note_on(book, "soon") == old(20));
    CHECK(note_on(book, "late") == old(10));
  }
  SECTION("back at the last whole run's value, its pictures are the newest") {
    book.drag_value("n", lab::Value(std::int64_t{10}));
    CHECK(text_of(book.shown_exhibit("soon")) == "10");
    CHECK_FALSE(book.shown_exhibit("soon").stale);
    CHECK(note_on(book, "soon").empty());
    CHECK(note_on(book, "late").empty());
  }
  SECTION("once the slider rests, all is of the whole run") {
    slow.held = false;
    book.end_drag();
    open.settle();
    for (const char* id : {"soon", "late"}) {
      CHECK(text_of(book.shown_exhibit(id)) == "20");
      CHECK_FALSE(book.shown_exhibit(id).stale);
      CHECK(note_on(book, id).empty());
    }
    CHECK_FALSE(book.stale());
  }
  slow.held = false;
}

TEST_CASE(
    "a picture that is still of the value before stays covered while that has an open question") {
  SlowInPart slow("geometry", "wires");
  OpenBook open;
  Book& book = open.book;
  book.open(slow.lesson, made_up::document());
  open.settle();
  REQUIRE(book.veil("geometry"));
  REQUIRE(book.veil("wires"));
  slow.held = true;
  book.drag_value("n", lab::Value(std::int64_t{11}));
  wait_until(book, [&] { return text_of(book.shown_exhibit("geometry")) == "11"; });
  CHECK_FALSE(book.veil("geometry"));
  CHECK(text_of(book.shown_exhibit("wires")) == "10");
  CHECK(book.veil("wires"));
  slow.held = false;
  book.end_drag();
  open.settle();
  CHECK_FALSE(book.veil("wires"));
}

}  // namespace warpbook::gui::drag_test
