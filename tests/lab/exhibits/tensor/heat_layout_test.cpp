// Where the cells of a heat map stand: that all have room, and that a place leads back to its cell.
#include "lab/exhibits/tensor/heat_layout.hpp"

#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>

namespace warpbook::lab::heat_layout_test {
namespace {
using View = TensorExhibit::View;

TensorExhibit bytes(std::vector<std::uint64_t> shape) {
  TensorExhibit made{"t", device::ElementType::u8, std::move(shape), {}, {}};
  std::uint64_t elements = 1;
  for (const std::uint64_t extent : made.shape) elements *= extent;
  made.data.resize(elements);
  return made;
}
}  // namespace

TEST_CASE("a tensor whose elements have room as cells is cells, any other one a texture") {
  CHECK_FALSE(heat_layout(bytes({60, 60}), View::heat, 600).texture);
  CHECK(heat_layout(bytes({61, 60}), View::heat, 600).texture);
  CHECK(heat_layout(bytes({200}), View::heat, 600).texture);  // cells of 3 points are too narrow
  const HeatLayout picture = heat_layout(bytes({500, 512}), View::image, 600);
  CHECK(picture.texture);
  CHECK(picture.cells.whole());
  CHECK(picture.cell.x == 1);
}

TEST_CASE("a texture shows every plane and element where they have a point each") {
  const HeatLayout maps = heat_layout(bytes({64, 56, 56}), View::heat, 600);
  CHECK(maps.cells.whole());
  CHECK(maps.cells.planes == 64);
  const HeatLayout batch = heat_layout(bytes({10, 1000, 1000}), View::heat, 600);
  CHECK(batch.cells.planes == 10);
  CHECK(batch.cells.step > 1);
}

TEST_CASE("a single row or column is a strip that can be seen") {
  CHECK(heat_layout(bytes({100'000}), View::heat, 600).height() >= 20);
  CHECK(heat_layout(bytes({100'000, 1}), View::heat, 600).plane_width() >= 20);
}

TEST_CASE("whatever the shape, a picture keeps to its width, and a place leads to its cell") {
  const auto shape =
      GENERATE(std::vector<std::uint64_t>{7}, std::vector<std::uint64_t>{100'000},
               std::vector<std::uint64_t>{100'000, 1}, std::vector<std::uint64_t>{30, 40},
               std::vector<std::uint64_t>{317, 311}, std::vector<std::uint64_t>{64, 40, 39},
               std::vector<std::uint64_t>{5000, 3, 3}, std::vector<std::uint64_t>{2, 600, 500});
  const auto width = GENERATE(double{40}, double{333}, double{760});
  const TensorExhibit tensor = bytes(shape);
  const HeatLayout layout = heat_layout(tensor, View::heat, width);
  CAPTURE(shape, width, layout.texture, layout.across, layout.cell.x, layout.cells.step);
  const std::uint64_t each = layout.cells.plane_rows * layout.cells.plane_columns;
  const TensorPlanes planes = planes_of(tensor);
  std::size_t astray = 0, outside = 0, away = 0;
  for (std::size_t cell = 0; cell < layout.cells.planes * each; ++cell) {
    const Point corner = layout.corner_of_cell(cell);
    const Point middle{corner.x + layout.cell.x / 2, corner.y + layout.cell.y / 2};
    astray += layout.cell_at(middle) == cell ? 0 : 1;
    outside += corner.x + layout.cell.x > width || corner.y + layout.cell.y > layout.height() + 0.5;
    const std::uint64_t element =
        (cell / each * planes.rows +
         cell / layout.cells.plane_columns % layout.cells.plane_rows * layout.cells.step) *
            planes.columns +
        cell % layout.cells.plane_columns * layout.cells.step;
    away += layout.cell_of(planes, element) == cell ? 0 : 1;
  }
  CHECK(astray == 0);
  CHECK(away == 0);
  if (width > 100) CHECK(outside == 0);
}

TEST_CASE("between planes and outside of all there is no cell") {
  const HeatLayout layout = heat_layout(bytes({2, 100, 100}), View::heat, 600);
  REQUIRE(layout.across == 2);
  CHECK_FALSE(layout.cell_at({layout.plane_width() + layout.gap / 2, layout.height() / 2}));
  CHECK_FALSE(layout.cell_at({-1, layout.height() / 2}));
  CHECK_FALSE(layout.cell_at({layout.plane_width() / 2, layout.height() + 1}));
  CHECK_FALSE(layout.cell_at({layout.plane_width() / 2, layout.title / 2}));  // its name
}

TEST_CASE("rows and columns that are looked at closer take the place of all, with larger cells") {
  for (const auto& shape :
       {std::vector<std::uint64_t>{30, 40}, std::vector<std::uint64_t>{600, 800},
        std::vector<std::uint64_t>{6, 100, 100}}) {
    const HeatLayout whole = heat_layout(bytes(shape), View::heat, 600);
    std::vector<std::uint64_t> half = shape;
    half[half.size() - 1] /= 2;
    half[half.size() - 2] /= 2;
    const HeatLayout close = closer_layout(bytes(half), whole);
    CAPTURE(shape, close.texture, close.cell.x, whole.cell.x);
    CHECK(close.height() <= whole.height() + 0.5);
    CHECK(close.height() >= 0.8 * whole.height());
    CHECK(close.cell.x / static_cast<double>(close.cells.step) >
          1.5 * whole.cell.x / static_cast<double>(whole.cells.step));
  }
}

}  // namespace warpbook::lab::heat_layout_test
