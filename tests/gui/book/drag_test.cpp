// Values that change as long as a slider is dragged.
#include <chrono>
#include <thread>

#include <catch2/catch_test_macros.hpp>

#include "tests/gui/book/open_book.hpp"

namespace warpbook::gui::drag_test {

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

}  // namespace warpbook::gui::drag_test
