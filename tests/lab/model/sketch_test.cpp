// The reader's own drawing: a stroke, and a picture that becomes a drawing whatever its size and colours.
#include "lab/model/sketch.hpp"

#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>

#include "tests/temporary_folder.hpp"

namespace warpbook::lab::sketch_test {
namespace {

std::size_t points_of(const Sketch& sketch) {
  std::size_t count = 0;
  for (std::size_t i = 0; i < Sketch::kSide * Sketch::kSide; ++i)
    count += sketch.at(i % Sketch::kSide, i / Sketch::kSide) ? 1 : 0;
  return count;
}

/// Two strokes, so that neither half of the pad is like the other.
Sketch drawn() {
  Sketch sketch;
  sketch.stroke({6, 4}, {6, 27}, 3, true);
  sketch.stroke({6, 27}, {25, 20}, 3, true);
  return sketch;
}

Picture grey(std::uint64_t width, std::uint64_t height, std::uint8_t value) {
  Picture picture;
  picture.width = picture.full_width = width;
  picture.height = picture.full_height = height;
  picture.pixels.assign(width * height, value);
  return picture;
}

}  // namespace

TEST_CASE("sketch: a stroke has the width that it is asked for, also where it leaves the pad") {
  Sketch sketch;
  sketch.stroke({-10, 16}, {50, 16}, 4, true);
  CHECK(points_of(sketch) == 4 * Sketch::kSide);
  CHECK(sketch.at(0, 14));
  CHECK(sketch.at(31, 17));
  CHECK_FALSE(sketch.at(0, 13));
  sketch.stroke({-10, 16}, {50, 16}, 4, false);
  CHECK(sketch.empty());
}

TEST_CASE("sketch: a press without a movement leaves a dot") {
  Sketch sketch;
  sketch.stroke({10.5, 10.5}, {10.5, 10.5}, 1, true);
  CHECK(points_of(sketch) == 1);
  CHECK(sketch.at(10, 10));
}

TEST_CASE("sketch: a drawing is the same after it was a picture of any scale") {
  const std::uint64_t scale = GENERATE(1u, 3u, 8u);
  CAPTURE(scale);
  CHECK(sketch_of(picture_of(drawn(), scale)) == drawn());
}

TEST_CASE("sketch: dark ink on bright paper is ink, too") {
  Picture picture = picture_of(drawn(), 4);
  for (std::uint8_t& pixel : picture.pixels) pixel = pixel ? 40 : 230;
  CHECK(sketch_of(picture) == drawn());
}

TEST_CASE("sketch: a picture that is not square fills the pad with its longer side") {
  Picture picture = grey(64, 32, 0);
  for (std::uint64_t x = 2; x < 62; ++x)
    picture.pixels[16 * 64 + x] = picture.pixels[17 * 64 + x] = 200;
  const Sketch sketch = sketch_of(picture);
  CHECK(points_of(sketch) == 30);
  CHECK(sketch.at(1, 16));
  CHECK(sketch.at(30, 16));
}

TEST_CASE("sketch: an even picture has no ink, whatever its grey and its noise") {
  Picture picture = grey(40, 40, 128);
  for (std::size_t i = 0; i < picture.pixels.size(); i += 7) picture.pixels[i] = 138;
  CHECK(sketch_of(picture).empty());
}

TEST_CASE("sketch: a file that is no picture is refused") {
  const tests::TemporaryFolder folder;
  const auto read = read_sketch(folder.write("a.png", "no picture"));
  REQUIRE_FALSE(read);
  CHECK(read.error().code == device::ErrorCode::file_unreadable);
}

}  // namespace warpbook::lab::sketch_test
