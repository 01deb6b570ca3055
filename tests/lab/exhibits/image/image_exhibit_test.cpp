// A picture by who wrote it: what its sentence says and what its renderers show, of empty, huge and broken data too.
#include <algorithm>
#include <limits>

#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>
#include <nlohmann/json.hpp>

#include "lab/exhibits/exhibit.hpp"
#include "lab/exhibits/image/image_picture.hpp"
#include "lab/markup/table.hpp"
#include "lab/render/render.hpp"
#include "tests/lab/markup/drawings.hpp"
#include "tests/lab/report/sample_report.hpp"
#include "tests/lab/text/texts.hpp"
#include "tests/says.hpp"

namespace warpbook::lab::image_exhibit_test {
namespace {

using sample::english;
using sample::exhibit;
using sample::tiles;
using tests::holds;

std::string said(const ImageExhibit& image) { return sentence(exhibit(image), sample::keys()); }

}  // namespace

TEST_CASE("Image: tiles are told by their size, with what the edges cut off") {
  CHECK(said(tiles(4, 4, {2, 2, 1})) ==
        "image.written(count=4, name=out, size=4 × 4, pixels=16, block=2 × 2); image.tiles(tile=2 "
        "× 2)");
  CHECK(holds(said(tiles(5, 3, {2, 2, 1})), "image.tiles-at-most(tile=2 × 2)"));
  CHECK(holds(said(tiles(4, 1, {4, 1, 1})),
              "image.written(count=1, name=out, size=4 × 1, pixels=4, block=4)"));
}

TEST_CASE(
    "Image: what nobody wrote, what was written twice and what is wrong is counted and placed") {
  ImageExhibit image = tiles(4, 4, {2, 2, 1});
  image.writes[6] = image.writes[7] = 0;
  image.writer[6] = image.writer[7] = -1;
  image.writes[1] = 2;
  image.pixels.wrong = {9, 3};
  const std::string text = said(image);
  CHECK(text ==
        "image.written(count=4, name=out, size=4 × 4, pixels=14, block=2 × 2); "
        "image.tiles-at-most(tile=2 × 2); image.unwritten(count=2, first=(2, 1)); "
        "image.repeated(count=1, first=(1, 0)); image.wrong(count=2, first=(3, 0))");
  CHECK(holds(text, "image.unwritten(count=2, first=(2, 1))"));
  CHECK(holds(text, "image.repeated(count=1, first=(1, 0))"));
  CHECK(holds(text, "image.wrong(count=2, first=(3, 0))"));
}

TEST_CASE("Image: a block whose pixels are no rectangle is named") {
  ImageExhibit image = tiles(4, 4, {2, 2, 1});
  std::swap(image.writer[0], image.writer[15]);
  CHECK(holds(said(image), "image.scattered(block=0, pixels=4)"));
}

TEST_CASE("Image: text shows a letter a block, a warp or a thread, and marks") {
  ImageExhibit image = tiles(4, 2, {2, 2, 1});
  CHECK(holds(to_text(exhibit(image), english(), 80), "  A A B B\n  A A B B\n"));
  image.by = ImageExhibit::By::thread;
  CHECK(holds(to_text(exhibit(image), english(), 80), "  A B A B\n  C D C D\n"));
  image.by = ImageExhibit::By::warp;  // four threads are one warp
  image.writes[1] = 0;
  image.writes[2] = 2;
  image.pixels.wrong = {3};
  CHECK(holds(to_text(exhibit(image), english(), 80), "  A · * B!\n  A A B B\n"));
}

TEST_CASE("Image: neighbouring blocks have other colours, in three dimensions") {
  ImageExhibit image;
  image.grid = {5, 4, 3};
  image.block = {8, 8, 1};
  const auto colour = [&](std::uint64_t x, std::uint64_t y, std::uint64_t z) {
    return colour_of(image, {(z * 4 + y) * 5 + x, 0});
  };
  for (std::uint64_t z = 0; z < 2; ++z) {
    for (std::uint64_t y = 0; y < 3; ++y) {
      for (std::uint64_t x = 0; x < 4; ++x) {
        CHECK(colour(x, y, z) != colour(x + 1, y, z));
        CHECK(colour(x, y, z) != colour(x, y + 1, z));
        CHECK(colour(x, y, z) != colour(x, y, z + 1));
        CHECK(colour(x, y, z) < kBlockColours);
      }
    }
  }
}

TEST_CASE("Image: ten million pixels are shown by fewer, and it says so") {
  const ImageExhibit huge = tiles(4000, 2500, {32, 8, 1});
  const std::string text = to_text(exhibit(huge), english(), 80);
  CHECK_THAT(text, tests::Says("image.written",
                               {{"count", "39,125"}, {"pixels", "10,000,000"}, {"block", "32 × 8"}},
                               tests::patterns_of(english())));
  CHECK_THAT(text, tests::Says("image.step", {}, tests::patterns_of(english())));
  CHECK(text.size() < 20'000);
  CHECK(to_html(exhibit(huge), english()).size() < 2'000'000);
  const auto value = to_json(exhibit(huge), english())["value"];
  CHECK(value["writes"].size() == 65536);
  CHECK(value["writer"].size() == 65536);
  CHECK(value["pixels"]["count"] == 10'000'000);
}

TEST_CASE("Image: slices stand one under another, and those without room are counted") {
  ImageExhibit image = tiles(4, 2, {2, 2, 1});
  image.pixels = sample::tensor(
      "out", std::vector<float>(24, std::numeric_limits<float>::quiet_NaN()), {3, 2, 4});
  image.writes.resize(24, 0);
  image.writer.resize(24, -1);
  const ImageRaster all = raster_of(image, 80, 48), two = raster_of(image, 80, 5);
  CHECK(all.rows == 8);
  CHECK(all.pixels[3 * 4] == 8);
  CHECK(two.slices == 2);
  CHECK(two.more_slices == 1);
  CHECK(holds(to_text(exhibit(image), english(), 80), "z = 2"));
  CHECK(said(image) ==
        "image.written(count=2, name=out, size=4 × 2 × 3, pixels=8, block=2 × 2); "
        "image.tiles(tile=2 × 2); image.unwritten(count=16, first=(0, 0, 1))");
}

TEST_CASE("Image: nothing, nobody and broken data are said, never a crash") {
  CHECK(said(ImageExhibit{}) == "image.empty(name=)");
  ImageExhibit image = tiles(4, 4, {2, 2, 1});
  image.writes.assign(16, 0);
  CHECK(said(image) == "image.nobody(name=out, size=4 × 4)");
  image.writes.assign(3, 1);              // too few
  image.writer = {-7, 1'000'000'000, 2};  // nobody, and a thread that is not there
  image.grid = image.block = {};
  image.pixels.wrong = {15};
  const auto strings = sample::strings(GENERATE(as<std::string>{}, "en", "zh"));
  CHECK_FALSE(to_text(exhibit(image), *strings, 24).empty());
  CHECK(holds(to_html(exhibit(image), *strings), "</svg>"));
  CHECK(to_json(exhibit(image), english())["kind"] == "image");
  CHECK(table_of(exhibit(image), *strings).rows.size() == 3);
  CHECK(to_html(exhibit(ImageExhibit{}), *strings).find("<svg") == std::string::npos);
}

TEST_CASE("Image: it is made from the write map of the record, by the name of its array") {
  device::LaunchRecord record;
  record.grid = {2, 1, 1};
  record.block = {2, 1, 1};
  record.written = {{"in", {9}, {9}}, {"out", {1, 0, 3}, {3, -1, 0}}};
  const auto pixels = sample::tensor("out", std::vector<int>{1, 2, 3});
  const ImageExhibit image = image_of(record, pixels, ImageExhibit::By::block);
  CHECK(image.writes == std::vector<std::uint32_t>{1, 0, 3});
  CHECK(image.writer == std::vector<std::int64_t>{3, -1, 0});
  CHECK(
      image_of(record, sample::tensor("x", std::vector<int>{1}), ImageExhibit::By::block).writer ==
      std::vector<std::int64_t>{-1});
}

TEST_CASE(
    "Image: threads beyond the edges are shown where each thread is for the pixel of its "
    "coordinates") {
  CHECK(overhang_of(tiles(10, 6, {4, 4, 1})) == ImageOverhang{2, 2});
  CHECK(overhang_of(tiles(8, 8, {4, 4, 1})) == ImageOverhang{});
  CHECK(overhang_text(tiles(10, 6, {4, 4, 1}), {2, 2}, sample::keys()) == "image.beyond(count=36)");
  CHECK(overhang_text(tiles(8, 8, {4, 4, 1}), {}, sample::keys()).empty());
  ImageExhibit exchanged = tiles(10, 6, {4, 4, 1});
  std::swap(exchanged.writer[0], exchanged.writer[1]);
  CHECK(overhang_of(exchanged) == ImageOverhang{});
  ImageExhibit twice = tiles(10, 6, {4, 4, 1});
  twice.writes[3] = 2;  // perhaps by a thread beyond the edge
  CHECK(overhang_of(twice) == ImageOverhang{});
}

TEST_CASE("Image: the picture hatches what is beyond the edges, in the window and in HTML") {
  const ImageExhibit image = tiles(10, 6, {4, 4, 1});
  ImageLayout layout{raster_of(image, 64, 64), 12, overhang_of(image)};
  const Drawing drawing = drawing_of(image, layout, {});
  CHECK(drawing.width == 12 * 12);
  CHECK(drawing.height == 8 * 12);
  CHECK(tests::count_of(drawing, "beyond") == 2);
  CHECK(tests::count_outside(drawing) == 0);
  CHECK(holds(to_html(exhibit(image), english()), "36 threads beyond the edges"));
}

TEST_CASE("Image: a part has the writers of its own pixels") {
  const ImageExhibit image = tiles(10, 6, {4, 4, 1});
  const TensorRegion region{{}, 2, 3, 3, 4};
  const ImageExhibit part = cut(image, region);
  CHECK(valid(part));
  REQUIRE(count(part.pixels) == 12);
  const TensorPlanes planes = planes_of(image.pixels);
  for (std::uint64_t i = 0; i < 12; ++i)
    CHECK(part.writer[i] == image.writer[element_of_whole(planes, region, i)]);
}

}  // namespace warpbook::lab::image_exhibit_test
