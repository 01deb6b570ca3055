// A tensor as plot, heat map and image: which view, which cells, what is kept where there is no room, in text and HTML.
#include "lab/exhibits/tensor/tensor_picture.hpp"
#include "lab/render/render.hpp"

#include <cmath>
#include <limits>
#include <numeric>

#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>

#include "lab/exhibits/tensor/heat_picture.hpp"
#include "lab/exhibits/tensor/plot_picture.hpp"
#include "lab/markup/svg_pen.hpp"
#include "tests/lab/markup/drawings.hpp"
#include "tests/lab/report/sample_report.hpp"
#include "tests/lab/text/texts.hpp"

namespace warpbook::lab::tensor_picture_test {
namespace {

using View = TensorExhibit::View;
using sample::english;
using sample::exhibit;
using sample::tensor;
using tests::count_of;
using tests::holds;
using tests::widest_line;

const float kNan = std::numeric_limits<float>::quiet_NaN();
const float kInf = std::numeric_limits<float>::infinity();

TensorExhibit ramp(std::uint64_t n, std::vector<std::uint64_t> shape = {}) {
  std::vector<float> values(n);
  std::iota(values.begin(), values.end(), 0.0f);
  return tensor("t", values, std::move(shape));
}
TensorExhibit seen_as(TensorExhibit shown, View view) {
  shown.view = view;
  return shown;
}

}  // namespace

TEST_CASE(
    "View of a tensor: few elements are numbers, many a plot or a heat map, or what is asked") {
  CHECK(view_of(ramp(0)) == View::table);
  CHECK(view_of(ramp(256)) == View::table);
  CHECK(view_of(ramp(257)) == View::plot);
  CHECK(view_of(ramp(1024, {32, 32})) == View::heat);
  CHECK(view_of(ramp(1024, {1, 1024})) == View::plot);
  CHECK(view_of(ramp(1024, {1024, 1, 1})) == View::heat);
  CHECK(view_of(seen_as(ramp(4), View::image)) == View::image);
  CHECK(views_of(ramp(8)) == std::vector{View::table, View::plot, View::heat});
  CHECK(views_of(ramp(8, {2, 4})).back() == View::image);
}

TEST_CASE("Planes of a tensor: the last two dimensions, all others folded, each with its indices") {
  const TensorExhibit batch = ramp(2 * 3 * 4 * 5, {2, 3, 4, 5});
  const TensorPlanes planes = planes_of(batch);
  CHECK(planes.planes == 6);
  CHECK(planes.rows == 4);
  CHECK(planes.columns == 5);
  CHECK(plane_name(batch, 0) == "[0][0]");
  CHECK(plane_name(batch, 5) == "[1][2]");
  CHECK(place_name(batch, 119) == "t[1][2][3][4]");
  CHECK(plane_name(ramp(4, {2, 2}), 0).empty());
  CHECK(planes_of(ramp(0, {0, 3})).planes == 0);
}

TEST_CASE("Heat map: with room each element is a cell of its own") {
  const TensorRaster raster = raster_of(ramp(12, {3, 4}), View::heat, {64, 4096});
  CHECK(raster.step == 1);
  REQUIRE(raster.cells.size() == 12);
  for (std::uint64_t i = 0; i < 12; ++i) {
    CHECK(raster.cells[i].index == i);
    CHECK(raster.cells[i].value == static_cast<double>(i));
  }
  CHECK(raster.at(0, 2, 1).index == 9);
}

TEST_CASE("Heat map: thinned, every extreme, NaN, infinity and wrong element still shows") {
  std::vector<float> values(1000 * 1000, 1.0f);
  values[123'456] = -50;
  values[654'321] = 80;
  values[777'777] = kNan;
  values[888'888] = -kInf;
  TensorExhibit large = tensor("large", values, {1000, 1000});
  large.wrong = {999'999, 5};
  const TensorRaster raster = raster_of(large, View::heat, {100, 2000});
  CHECK(raster.step > 1);
  CHECK(raster.cells.size() <= 2000);
  const auto cell_of = [&](std::uint64_t index) -> const TensorCell& {
    return raster.at(0, index / 1000 / raster.step, index % 1000 / raster.step);
  };
  CHECK(cell_of(123'456).value == -50);
  CHECK(cell_of(123'456).index == 123'456);
  CHECK(cell_of(654'321).value == 80);
  CHECK(cell_of(777'777).marks.nan);
  CHECK(cell_of(888'888).marks.infinite);
  CHECK(cell_of(999'999).marks.wrong);
  CHECK(cell_of(5).marks.wrong);
  std::size_t marked = 0;
  for (const TensorCell& cell : raster.cells) marked += cell.marks != TensorMarks{};
  CHECK(marked == 4);
  // An image shows means: one pixel of many does not change a cell's much.
  const TensorRaster image = raster_of(large, View::image, {100, 2000});
  CHECK(std::fabs(image.at(0, 123 / image.step, 456 / image.step).value - 1) < 1);
}

TEST_CASE("Heat map: whatever the shape, it keeps to its columns and cells") {
  const auto shape = GENERATE(
      std::vector<std::uint64_t>{7}, std::vector<std::uint64_t>{100'000},
      std::vector<std::uint64_t>{1, 100'000}, std::vector<std::uint64_t>{100'000, 1},
      std::vector<std::uint64_t>{317, 311}, std::vector<std::uint64_t>{1, 64, 40, 39},
      std::vector<std::uint64_t>{5000, 3, 3}, std::vector<std::uint64_t>{2, 2, 2, 2, 2, 2, 2},
      std::vector<std::uint64_t>{64, 3, 3, 3});
  const auto most = GENERATE(std::uint64_t{1}, std::uint64_t{60}, std::uint64_t{3000});
  std::uint64_t n = 1;
  for (const std::uint64_t extent : shape) n *= extent;
  const TensorExhibit shown = ramp(n, shape);
  const std::uint64_t columns = most == 1 ? 1 : 90;
  const TensorRaster raster = raster_of(shown, View::heat, {columns, most});
  CAPTURE(shape, most, raster.step, raster.planes, raster.plane_rows, raster.plane_columns);
  CHECK(raster.planes >= 1);
  CHECK(raster.planes + raster.more_planes == planes_of(shown).planes);
  CHECK(raster.cells.size() == raster.planes * raster.plane_rows * raster.plane_columns);
  CHECK(raster.cells.size() <= most);
  CHECK(raster.across * (raster.plane_columns + 1) - 1 <= columns);
  CHECK(raster.step * raster.plane_rows >= planes_of(shown).rows);
}

TEST_CASE("Heat map: feature maps stand beside each other, several of them where there are many") {
  const TensorRaster maps = raster_of(ramp(64 * 56 * 56, {1, 64, 56, 56}), View::heat, {100, 3000});
  CHECK(maps.planes >= 9);
  CHECK(maps.across >= 2);
  CHECK(maps.more_planes == 64 - maps.planes);
  CHECK(remarks_of(maps, View::heat, english()).size() == 2);
}

TEST_CASE("Heat map: in a room for rows, all planes are shown as long as they can be") {
  const TensorExhibit batch = ramp(10 * 100 * 100, {10, 100, 100});
  TensorRoom room{600, 600 * 520, 520, 4, 10};
  const TensorLayout whole = layout_of(batch, room);
  CHECK(whole.whole());
  CHECK(whole.across == 5);
  room.rows = 200;  // two rows of planes have no room any more
  const TensorLayout low = layout_of(batch, room);
  CHECK(low.planes == 10);
  CHECK(low.step == 2);
  room.planes = 5;
  CHECK(layout_of(batch, room).step == 1);
  CHECK(layout_of(batch, room).more_planes == 5);
}

TEST_CASE("Heat map: a cell of several elements says which, and what it shows of them") {
  std::vector<float> values(200 * 100, 1.0f);
  values[3 * 100 + 2] = -50;
  values[199 * 100 + 98] = kNan;
  const TensorExhibit large = tensor("t", values, {200, 100});
  const TensorRaster raster = raster_of(large, View::heat, {34, 5000});
  REQUIRE(raster.step == 3);
  CHECK(cell_text(large, View::heat, raster, 34, english()) ==
        "t[3][0] to t[5][2]: t[3][2] = \u221250");
  const std::size_t last = 66 * 34 + 32;
  CHECK(holds(cell_text(large, View::heat, raster, last, english()), "t[198][96] to t[199][98]"));
  CHECK(holds(cell_text(large, View::heat, raster, last, english()), english()("tensor.mark.nan")));
  const TensorRaster image = raster_of(large, View::image, {34, 5000});
  CHECK(cell_text(large, View::image, image, 0, english()) == "t[0][0] to t[2][2]: mean 1");
}

TEST_CASE("Heat map: data that ends before its shape leaves cells free, and costs no time") {
  TensorExhibit shorter = ramp(3, {2, 2});
  const TensorRaster raster = raster_of(shorter, View::heat, {10, 10});
  CHECK(std::isnan(raster.at(0, 1, 1).value));
  CHECK(raster.at(0, 1, 1).marks == TensorMarks{});
  shorter.shape = {std::uint64_t{1} << 62, 2};
  CHECK(raster_of(shorter, View::heat, {80, 3000}).cells.size() <= 3000);
  CHECK_FALSE(to_text(exhibit(seen_as(shorter, View::heat)), english()).empty());
}

TEST_CASE("Plot: columns keep the least and the greatest, and what is not finite is marked") {
  std::vector<float> values(10'000);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<float>(i % 2);
  values[5000] = 9;
  values[5001] = -9;
  values[77] = kNan;
  values[9999] = kInf;
  TensorExhibit list = tensor("t", values);
  list.wrong = {1234};
  const auto columns = plot_of(list, 100);
  REQUIRE(columns.size() == 100);
  CHECK(columns[50].low == -9);
  CHECK(columns[50].high == 9);
  CHECK(columns[0].marks.nan);
  CHECK(columns[99].marks.infinite);
  CHECK(columns[12].marks.wrong);
  CHECK(columns[1].marks == TensorMarks{});
  CHECK(plot_of(ramp(0), 100).empty());
  CHECK(plot_of(ramp(3), 100).size() == 3);
  CHECK(plot_of(tensor("t", std::vector<float>(3, kNan)), 2)[0].any_finite == false);
}

TEST_CASE("Scale: of the finite elements; bytes and fractions as images have their own ends") {
  CHECK(scale_of(tensor<float>("t", {1, kNan, 3, kInf}), View::heat).low == 1);
  CHECK(scale_of(tensor<float>("t", {1, kNan, 3, kInf}), View::heat).high == 3);
  CHECK(scale_of(tensor<std::uint8_t>("t", {7, 9}), View::image).high == 255);
  CHECK(scale_of(tensor<float>("t", {0.25f, 0.5f}), View::image).high == 1);
  CHECK(scale_of(tensor<float>("t", {-1, 0.5f}), View::image).low == -1);
  const double most = std::numeric_limits<double>::max();
  const TensorScale whole = scale_of(tensor<double>("t", {-most, most}), View::heat);
  CHECK(whole.share(0) == 0.5);
  CHECK(whole.share(most) == 1);
  CHECK(TensorScale{2, 2}.share(2) == 0.5);
}

TEST_CASE("Scale of two side by side: it holds both, whichever stands first") {
  const auto narrow = tensor<float>("a", {1, 3, kInf}), wide = tensor<float>("b", {-2, 2, kNan}),
             none = tensor<float>("c", {kNan, kInf});
  for (const auto& [a, b] : {std::pair(narrow, wide), std::pair(wide, narrow)}) {
    for (const View view : {View::heat, View::plot}) {
      CHECK(scale_of_both(a, b, view).low == -2);
      CHECK(scale_of_both(a, b, view).high == 3);
    }
  }
  CHECK(scale_of_both(none, narrow, View::heat).low == 1);  // not 0, which is in neither
  CHECK(scale_of_both(narrow, none, View::heat).low == 1);
  CHECK(scale_of_both(tensor<std::uint8_t>("d", {7}), narrow, View::image).high == 255);
}

TEST_CASE("Text of a tensor as plot and heat map: marks by sign, keeps to the width") {
  const auto language = GENERATE(as<std::string>{}, "en", "zh");
  const auto strings = sample::strings(language);
  std::vector<float> values(30 * 40, 1);
  values[3] = kNan;
  values[7] = kInf;
  values[600] = 100;
  TensorExhibit odd = tensor("odd", values, {30, 40});
  odd.wrong = {11};
  for (const View view : {View::plot, View::heat, View::image}) {
    for (const int width : {24, 60, 100}) {
      const std::string text = to_text(exhibit(seen_as(odd, view)), *strings, width);
      CAPTURE(width, text);
      for (const char* sign : {"×", "∞", "!", "odd[11] = 1"}) CHECK(holds(text, sign));
      CHECK(widest_line(text) <= width);
    }
  }
  CHECK_FALSE(
      to_text(exhibit(seen_as(tensor("none", std::vector<float>(300, kNan)), View::plot)), *strings)
          .empty());
}

namespace {
Drawing heat(const TensorExhibit& tensor, View view) {
  const HeatLayout layout = cell_layout(tensor, view, 768);
  const HeatCells cells = heat_cells(tensor, view, layout.cells);
  const TensorScale scale = scale_of(tensor, view);
  return drawing_of({tensor, view, layout, cells, scale, std::nullopt}, svg_canvas(768, english()));
}
Drawing plot(const TensorExhibit& tensor) {
  const Canvas canvas = svg_canvas(768, english());
  const auto columns = plot_of(tensor, plot_columns(canvas.width));
  const TensorScale scale = scale_of(tensor, View::plot);
  const PlotLayout layout(columns, scale, canvas);
  return drawing_of(columns, scale, layout, std::nullopt, canvas);
}
/// Rectangles above the scale.
std::int64_t rectangles(const Drawing& drawing) {
  return std::ranges::count_if(drawing.items, [](const DrawnItem& item) {
    return std::holds_alternative<Rectangle>(item.shape) && !item.id;
  });
}
}  // namespace

TEST_CASE("Heat map: one rectangle a cell or run, marks, a scale with its ends") {
  const Drawing nine = heat(ramp(9, {3, 3}), View::heat);
  CHECK(rectangles(nine) == 9);
  CHECK(tests::count_of(nine, "scale") > 0);
  CHECK(tests::count_of_text(nine, "8") == 2);  // in its cell and at the scale's end
  CHECK(tests::count_outside(nine) == 0);
  CHECK(rectangles(heat(tensor("t", std::vector<int>(12, 5), {3, 4}), View::heat)) == 3);
  TensorExhibit odd = tensor<float>("odd", {1, kNan, kInf, 2}, {2, 2});
  odd.wrong = {3};
  const Drawing marked = heat(odd, View::heat);
  CHECK(tests::count_of_text(marked, "×") == 1);
  CHECK(tests::count_of_text(marked, "∞") == 1);
  CHECK(tests::count_of_text(marked, "!") == 1);
  CHECK(tests::count_of(marked, "wrong") == 1);
  const std::string image = to_html(
      exhibit(seen_as(tensor<std::uint8_t>("i", {0, 255}, {1, 2}), View::image)), english());
  CHECK(holds(image, "#000000"));
  CHECK(holds(image, "#ffffff"));
}

TEST_CASE("Plot: a line, which breaks where nothing is finite, and marks") {
  const auto lines = [](const Drawing& drawing) {
    return std::ranges::count_if(drawing.items, [](const DrawnItem& item) {
      return std::holds_alternative<Polyline>(item.shape);
    });
  };
  CHECK(lines(plot(ramp(300))) == 1);
  CHECK(lines(plot(tensor<float>("broken", {1, 2, kNan, 3, 4}))) == 2);
  CHECK(tests::count_of(plot(tensor<float>("broken", {1, 2, kNan, 3, 4})), "nan") == 1);
  CHECK(lines(plot(tensor("n", std::vector<float>(4, kNan)))) == 0);
  CHECK(holds(to_html(exhibit(seen_as(ramp(300), View::plot)), english()), "</svg>"));
}

TEST_CASE("Pictures of ten million elements take a moment") {
  std::vector<float> values(10'000'000);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<float>(i % 1000);
  TensorExhibit large = tensor("large", values, {10, 1000, 1000});
  CHECK(raster_of(large, View::heat, {100, 3000}).cells.size() <= 3000);
  CHECK(plot_of(large, 400).size() == 400);
}

}  // namespace warpbook::lab::tensor_picture_test
