// What a run in progress has published is on screen before it ends.
#include <algorithm>
#include <atomic>
#include <chrono>
#include <thread>

#include <catch2/catch_test_macros.hpp>

#include "tests/gui/book/open_book.hpp"
#include "tests/gui/made_up.hpp"

namespace warpbook::gui::unfinished_test {
namespace {

std::string text_of(const lab::Exhibit* exhibit) {
  const auto* text = exhibit ? std::get_if<lab::TextExhibit>(&exhibit->value) : nullptr;
  return text ? text->text.text : "";
}

lab::Exhibit said(const std::string& text) {
  return {
      "said", lab::Message::plain("said"), {}, lab::TextExhibit{lab::Message::plain(text), false}};
}

}  // namespace

TEST_CASE("what a run publishes takes the place of the last run's, until the run ends") {
  std::atomic<bool> hold{false};
  lab::Lesson lesson = made_up::lesson();
  lesson.experiment = [&](lab::Lab& lab) {
    made_up::run(lab);
    lab.show(said("half"));
    lab.publish();
    while (hold && !lab.cancelled()) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    lab.show(said("whole"));
  };
  OpenBook open;
  open.book.open(lesson, made_up::document());
  open.settle();
  CHECK(text_of(open.book.shown_exhibit("said").exhibit) == "whole");
  hold = true;
  open.book.set_value("n", lab::Value(std::int64_t{7}));
  for (int wait = 0; wait < 2000; ++wait) {
    open.book.poll();
    if (text_of(open.book.shown_exhibit("said").exhibit) == "half") break;
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  CHECK(text_of(open.book.shown_exhibit("said").exhibit) == "half");
  CHECK_FALSE(open.book.shown_exhibit("said").stale);
  CHECK(text_of(open.book.report()->find("said")) == "whole");  // figures are still the last run's
  const auto shown = open.book.shown_exhibits();
  CHECK(std::ranges::count_if(
            shown, [](const ShownExhibit& one) { return one.exhibit->id == "said"; }) == 1);
  hold = false;
  open.settle();
  CHECK(text_of(open.book.shown_exhibit("said").exhibit) == "whole");
}

}  // namespace warpbook::gui::unfinished_test
