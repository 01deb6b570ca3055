// The picture of threads and elements: what is drawn of right kernels, of wrong ones and of traces that were cut.
#include "lab/exhibits/accesses/wire_picture.hpp"

#include <algorithm>

#include <catch2/catch_test_macros.hpp>

#include "lab/markup/svg_pen.hpp"
#include "tests/lab/markup/drawings.hpp"
#include "tests/lab/report/sample_report.hpp"
#include "tests/lab/text/texts.hpp"

namespace warpbook::lab::wire_picture_test {
namespace {

using sample::english;
using tests::count_of;

Drawing drawn(const AccessesExhibit& accesses, const WireState& state = {}) {
  const Canvas canvas = svg_canvas(768, english());
  const WireLayout layout(accesses, canvas.width, 38);
  return drawing_of(accesses, layout, state, canvas);
}

}  // namespace

TEST_CASE("Wires: a wire for each thread that stored, a bar for each idle one") {
  const Drawing drawing = drawn(sample::guarded(10, 3, 4));
  CHECK(count_of(drawing, "store") == 10);
  CHECK(count_of(drawing, "bar") == 2);
  CHECK(count_of(drawing, "unwritten") == 0);
  CHECK(count_of(drawing, "thread") == 12);
  CHECK(count_of(drawing, "element") == 30);
  CHECK(tests::count_outside(drawing) == 0);
}

TEST_CASE("Wires: a wrong kernel looks wrong") {
  const Drawing unguarded = drawn(sample::wires(10, 3, 4, [](std::int64_t i) { return i; }));
  CHECK(count_of(unguarded, "stray") == 2);
  CHECK(count_of(unguarded, "outside") == 6);
  const Drawing even = drawn(sample::wires(
      10, 3, 4, [](std::int64_t i) { return i < 10 && i % 2 == 0 ? i : sample::kNothing; }));
  CHECK(count_of(even, "unwritten") == 5);
  CHECK(count_of(even, "bar") == 7);
  const Drawing reversed = drawn(
      sample::wires(10, 3, 4, [](std::int64_t i) { return i < 10 ? 9 - i : sample::kNothing; }));
  CHECK(count_of(reversed, "load") == 10);
  CHECK(std::ranges::count(reversed.items, "thread 0 of block 0 → out[9]", &DrawnItem::title) == 1);
}

TEST_CASE("Wires: of a cut trace nothing is drawn as idle or unwritten") {
  AccessesExhibit cut =
      sample::wires(10, 3, 4, [](std::int64_t i) { return i < 5 ? i : sample::kNothing; });
  cut.cut = true;
  const Drawing drawing = drawn(cut);
  CHECK(count_of(drawing, "bar") == 0);
  CHECK(count_of(drawing, "unwritten") == 0);
}

TEST_CASE("Wires: what is linked is drawn last, thick and in one colour") {
  WireState state;
  state.thread = 3;
  const Drawing drawing = drawn(sample::guarded(10, 3, 4), state);
  const DrawnItem* last = nullptr;
  for (const DrawnItem& item : drawing.items) {
    if (item.id && item.id->part == "store") last = &item;
  }
  REQUIRE(last);
  CHECK(last->stroke.paint == Paint(Role::accent));
  CHECK(last->stroke.width == 3);
  CHECK(tests::holds(last->title, "thread 3 of block 0 → out[3]"));
}

TEST_CASE("Wires: the number of an element leads back to its array and index") {
  CHECK(array_of_number(element_number(5, 123'456'789'012)) == 5);
  CHECK(element_of_number(element_number(5, 123'456'789'012)) == 123'456'789'012);
}

}  // namespace warpbook::lab::wire_picture_test
