// A network's layers: summed up, drawn and written.
#include <algorithm>

#include <catch2/catch_approx.hpp>
#include <catch2/catch_test_macros.hpp>

#include "lab/exhibits/exhibit.hpp"
#include "lab/exhibits/layers/layers_picture.hpp"
#include "lab/markup/svg_pen.hpp"
#include "lab/render/render.hpp"
#include "tests/lab/report/sample_report.hpp"
#include "tests/lab/text/texts.hpp"

namespace warpbook::lab::layers_test {
namespace {

using sample::english;
using sample::exhibit;
using tests::holds;
using Work = LayersExhibit::Work;
using Catch::Approx;

TensorExhibit map_of(std::vector<std::uint64_t> shape, const std::vector<float>& values) {
  TensorExhibit made;
  made.name = "map";
  made.shape = std::move(shape);
  const auto bytes = std::as_bytes(std::span(values));
  made.data.assign(bytes.begin(), bytes.end());
  return made;
}

}  // namespace

TEST_CASE("Layers: times add up by layer and by work") {
  const LayersExhibit layers = sample::layers();
  CHECK(seconds_of(layers) == Approx(12e-6));
  CHECK(seconds_of(layers.layers[1]) == Approx(9e-6));
  CHECK(seconds_of(layers, Work::weights) == Approx(6e-6));
  CHECK(time_of(layers.layers[1], Work::forward).high == 3e-6);
  CHECK(time_of(layers.layers[1], Work::data).seconds == 0);
}

TEST_CASE("Layers: a coarse map has the means of its squares, and of what is left at its edges") {
  const CoarseMap map = coarse(map_of({3, 3}, {1, 3, 10, 5, 7, 20, 2, 4, 8}), 2);
  REQUIRE(map.rows == 2);
  REQUIRE(map.columns == 2);
  std::vector<double> means;
  for (const auto& cell : map.cells) means.push_back(cell[0]);
  CHECK(means == std::vector<double>{4, 15, 3, 8});
  CHECK(map.low == 3);
  CHECK(map.high == 15);
  const CoarseMap colours = coarse(map_of({3, 1, 1}, {1, 2, 3}), 16);
  CHECK(colours.cells == std::vector<std::array<double, 3>>{{1, 2, 3}});
  CHECK(coarse(TensorExhibit{}, 16).cells.empty());
}

TEST_CASE(
    "Layers: the picture has a bar for each work that takes time, the longest as long as fits") {
  const LayersExhibit layers = sample::layers();
  const LayersPlane plane(layers, 768);
  const Drawing drawing = drawing_of(layers, plane, std::nullopt, svg_canvas(768, english()));
  std::vector<double> bars;
  for (const DrawnItem& item : drawing.items) {
    if (!item.title.empty()) bars.push_back(bounds_of(item).width);
  }
  REQUIRE(bars.size() == 4);
  CHECK(std::ranges::max(bars) == Approx(plane.bar(1, 2).width));
  CHECK(bars[0] == Approx(plane.bar(1, 0).width / 3));
  for (std::size_t layer = 0; layer < layers.layers.size(); ++layer) {
    CHECK(plane.row_at(plane.map(layer).middle()) == layer);
    CHECK(plane.row(layer).holds(plane.bar(layer, 3).middle()));
  }
  CHECK_FALSE(plane.row_at({5, 2}));
}

TEST_CASE("Layers: text and page have a line a layer; a work that was not done has no time") {
  const std::string text = to_text(exhibit(sample::layers()), english(), 120);
  CHECK(holds(text, "conv1"));
  CHECK(holds(text, "8 × 2 × 2"));
  CHECK(holds(text, "6 µs"));
  const std::string words = layer_text(sample::layers(), 1, english());
  CHECK(holds(words, "224 parameters"));
  CHECK(holds(words,
              "6 µs (5 µs – 7 µs) gradient of the weights, by "
              "kernels/convolution_backward_filter/03_split_k_gemm.cu."));
  CHECK_FALSE(holds(words, "gradient of the data"));
}

TEST_CASE("Layers: the table has a row for each kernel, and one for a layer without") {
  const Table table = table_of(sample::layers(), english());
  REQUIRE(table.rows.size() == 5);
  CHECK(table.rows[0][0] == "image");
  CHECK(table.rows[2][5] == "kernels/convolution_backward_filter/03_split_k_gemm.cu");
  for (const auto& row : table.rows) CHECK(row.size() == table.head.size());
}

TEST_CASE(
    "Layers: a gradient of another shape than its map's, or a map without rows, is not valid") {
  LayersExhibit layers = sample::layers();
  CHECK(valid(layers));
  layers.layers[1].gradient.shape = {4, 1};
  CHECK_FALSE(valid(layers));
  layers = sample::layers();
  layers.layers[1].map.shape = {4};
  CHECK_FALSE(valid(layers));
}

}  // namespace warpbook::lab::layers_test
