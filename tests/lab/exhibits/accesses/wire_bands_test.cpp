#include "lab/exhibits/accesses/wire_bands.hpp"

#include <algorithm>

#include <catch2/catch_test_macros.hpp>

#include "tests/key_strings.hpp"

namespace warpbook::tests::wire_bands_test {
using namespace warpbook::lab;
namespace {
constexpr double kWidth = 560;

/// Thread t stores to element t of n; blocks of `block` threads, as many as n needs. `guarded`: else those past n store, too.
AccessesExhibit one_each(std::uint32_t n, std::uint32_t block, bool guarded = true) {
  AccessesExhibit run;
  const std::uint32_t blocks = (n + block - 1) / block;
  run.grid = {blocks, 1, 1};
  run.block = {block, 1, 1};
  TensorExhibit out{"out", device::ElementType::i32, {n}, {}, {}};
  out.data.resize(n * sizeof(std::int32_t));
  run.arrays = {{out, true}};
  for (std::uint32_t t = 0; t < blocks * block; ++t) {
    if (t < n || !guarded)
      run.wires.push_back({t / block, t % block, 0, t, device::AccessKind::store, 4});
  }
  return run;
}

Drawing drawn(const AccessesExhibit& run, const WireBands& bands, const WireState& state = {}) {
  const auto strings = key_strings();
  const Canvas canvas{kWidth, *strings, [](const Letters& letters, std::string_view text) {
                        return 0.55 * letters.size * static_cast<double>(text.size());
                      }};
  return drawing_of(run, bands, state, canvas);
}

std::vector<Curve> curves(const Drawing& drawing) {
  std::vector<Curve> found;
  for (const DrawnItem& item : drawing.items) {
    if (const auto* curve = std::get_if<Curve>(&item.shape)) found.push_back(*curve);
  }
  return found;
}
}  // namespace

TEST_CASE("threads stand above their elements, and the wires that are drawn can be told apart") {
  for (const std::uint32_t n : {226u, 1000u, 2048u}) {
    CAPTURE(n);
    const AccessesExhibit run = one_each(n, 64);
    const WireBands bands(run, kWidth);
    const std::uint32_t middle = n / 2;
    CHECK(bands.thread_x(middle) == bands.element_x(middle));
    const auto wires = curves(drawn(run, bands));
    REQUIRE(wires.size() > 20);
    CHECK(wires.size() < 100);
    for (std::size_t i = 1; i + 1 < wires.size();
         ++i)  // the last one that works is drawn in any case
      CHECK(wires[i].points[0].x - wires[i - 1].points[0].x >= 6);
    for (const Curve& wire : wires) CHECK(wire.points[0].x == wire.points[3].x);
  }
}

TEST_CASE("no wire crosses the bar of idle threads, and no block is named twice") {
  const AccessesExhibit run = one_each(226, 64);
  const WireBands bands(run, kWidth);
  const Drawing drawing = drawn(run, bands);
  const DrawnItem* idle = item_of(drawing, {"bar", 226});
  REQUIRE(idle);
  for (const Curve& wire : curves(drawing)) CHECK(wire.points[3].x < bounds_of(*idle).x);
  std::vector<std::string> names;
  for (const DrawnItem& item : drawing.items) {
    if (const auto* text = std::get_if<Text>(&item.shape); text && text->at.y < 10)
      names.push_back(text->text);
  }
  CHECK(names.size() == 4);
  std::ranges::sort(names);
  CHECK(std::ranges::adjacent_find(names) == names.end());
}

TEST_CASE(
    "few elements below many threads are cells with values, and no wire crosses what is said") {
  AccessesExhibit run = one_each(14, 256);
  for (std::uint32_t e = 0; e < 14; ++e)
    run.arrays[0].tensor.data[e * sizeof(std::int32_t)] = std::byte{42};
  const WireBands bands(run, kWidth);
  const Drawing drawing = drawn(run, bands);
  for (std::uint32_t e = 0; e < 14; ++e) {
    CAPTURE(e);
    const DrawnItem* value = item_of(drawing, {"value", element_number(0, e)});
    REQUIRE(value);
    CHECK(std::get<Text>(value->shape).text == "42");
    CHECK(bounds_of(*value).x > bands.element_x(e));
    CHECK(std::get<Text>(value->shape).at.x < bands.element_end(e));
  }
  CHECK_FALSE(item_of(drawing, {"bar", 14}));
  bool said = false;
  for (const DrawnItem& item : drawing.items) {
    const auto* text = std::get_if<Text>(&item.shape);
    if (!text || !text->text.starts_with("gui.wires.idle")) continue;
    said = true;
    for (const Curve& wire : curves(drawing)) CHECK(text->at.y + 8 < wire.points[0].y);
  }
  CHECK(said);
}

TEST_CASE("values that have no room in their cells are left out") {
  AccessesExhibit run = one_each(14, 256);
  run.arrays[0].tensor.data[3] = std::byte{127};  // element 0 is 2,130,706,432
  CHECK_FALSE(item_of(drawn(run, WireBands(run, kWidth)), {"value", element_number(0, 0)}));
}

TEST_CASE("what goes astray is drawn in a place of its own beyond the end") {
  const AccessesExhibit run = one_each(1000, 64, false);
  const WireBands bands(run, kWidth);
  REQUIRE(bands.after.size() == 24);
  const double end = bands.element_end(999);
  CHECK(bands.element_x(1000) > end);
  CHECK(bands.element_end(1023) <= kWidth + 1e-9);
  const Drawing drawing = drawn(run, bands);
  CHECK(std::ranges::count_if(drawing.items, [](const DrawnItem& item) {
          return item.id && item.id->part == "stray";
        }) == 24);
}

TEST_CASE("what is at a place of a bar is found, and what is linked is drawn on top") {
  const AccessesExhibit run = one_each(1000, 64);
  const WireBands bands(run, kWidth);
  for (const std::uint32_t number : {0u, 517u, 999u}) {
    CAPTURE(number);
    CHECK(bands.thread_at(bands.thread_x(number + 0.5)) == number);
    CHECK(bands.element_at((bands.element_x(number) + bands.element_end(number)) / 2) == number);
  }
  WireState state;
  state.thread = 517;
  state.element = 517;
  const Drawing linked = drawn(run, bands, state);
  CHECK(std::ranges::any_of(linked.items, [](const DrawnItem& item) {
    return item.id == ItemId{"store", 517} && item.stroke.width == 3;
  }));
}

TEST_CASE("a small launch over a long array has a scale of its own") {
  AccessesExhibit run = one_each(64, 64);
  run.arrays[0].tensor.shape = {100'000};
  run.arrays[0].tensor.data.resize(400'000);
  const WireBands bands(run, kWidth);
  CHECK(bands.thread_x(64) - bands.thread_x(0) > 400);
}

}  // namespace warpbook::tests::wire_bands_test
