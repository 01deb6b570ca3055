// Where a tile's picture has its places, and what it marks.
#include <algorithm>

#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>

#include "lab/exhibits/tile/tile_picture.hpp"
#include "lab/markup/svg_pen.hpp"
#include "tests/lab/report/sample_report.hpp"

namespace warpbook::lab::tile_picture_test {
namespace {

Drawing drawn(const TileExhibit& tile, const TileLayout& layout, const TileMarks& marks) {
  return drawing_of(tile, layout, marks, svg_canvas(layout.width(), sample::english()));
}

/// Outlines in the accent's colour.
std::size_t marked(const Drawing& drawing) {
  return static_cast<std::size_t>(std::ranges::count_if(drawing.items, [](const DrawnItem& item) {
    return item.stroke.paint.role() == Role::accent;
  }));
}

}  // namespace

TEST_CASE("Tile's picture: every place lies in its step's grid and is found where it lies") {
  const TileExhibit tile = sample::tile();
  const double width = GENERATE(60.0, 300.0, 768.0);
  const TileLayout layout(tile, {0, 2}, width);
  CAPTURE(width);
  for (std::size_t step = 0; step < 2; ++step) {
    const Area grid = layout.grid(step);
    CHECK(grid.right() <= width + 0.5);
    CHECK(grid.bottom() <= layout.height() + 0.5);
    for (std::uint32_t place = 0; place < 64; ++place) {
      const Area at = layout.at(step, place);
      REQUIRE(layout.place_at(step, at.middle()) == place);
    }
    CHECK_FALSE(layout.place_at(step, {grid.right() + 1, grid.y}));
  }
}

TEST_CASE("Tile's picture: steps stand beside each other where they have room, else below") {
  const TileExhibit tile = sample::tile();
  const TileLayout wide(tile, {0, 2}, 768), narrow(tile, {0, 2}, 140);
  CHECK(wide.grid(0).y == wide.grid(1).y);
  CHECK(wide.grid(1).x > wide.grid(0).right());
  CHECK(narrow.grid(0).x == narrow.grid(1).x);
  CHECK(narrow.grid(1).y > narrow.grid(0).bottom());
}

TEST_CASE("Tile's picture: the places that the followed thread touched are outlined") {
  const TileExhibit tile = sample::tile();
  const TileLayout filling(tile, {0, 1}, 600), reading(tile, {1, 1}, 600);
  CHECK(marked(drawn(tile, filling, {20, {}})) == 1);
  CHECK(marked(drawn(tile, reading, {20, {}})) == 2);
  CHECK(marked(drawn(tile, reading, {63, {}})) == 1);
  CHECK(marked(drawn(tile, reading, {})) == 0);
}

TEST_CASE("Tile's picture: a place that is read although empty looks like no other") {
  TileExhibit tile = sample::tile();
  const TileLayout layout(tile, {1, 1}, 600);
  const auto bad = [&] {
    const Drawing drawing = drawn(tile, layout, {});
    return std::ranges::any_of(
        drawing.items, [](const DrawnItem& item) { return item.fill.role() == Role::bad_tint; });
  };
  CHECK_FALSE(bad());
  tile.steps[0].cells.pop_back();
  CHECK(bad());
}

}  // namespace warpbook::lab::tile_picture_test
