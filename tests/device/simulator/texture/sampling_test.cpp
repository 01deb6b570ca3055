// tex with floating coordinates against a plain model: every dimension, filter, address mode and kind of coordinate.
#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>

#include "tests/device/simulator/texture/texture_bench.hpp"
#include "tests/device/simulator/texture/texture_model.hpp"

namespace warpbook::tests::sampling_test {

using namespace warpbook::device;
using namespace warpbook::device::tests;

namespace {

constexpr AddressMode kModes[] = {AddressMode::wrap, AddressMode::clamp, AddressMode::mirror,
                                  AddressMode::border};

std::vector<float> random_texels(std::size_t count, std::uint32_t seed = 3) {
  std::mt19937 random(seed);
  std::vector<float> values(count);
  for (float& v : values) v = static_cast<float>(random() % 20001) / 100.0f - 100.0f;
  return values;
}

/// Rows whose first three words are coordinates.
std::vector<Row> rows_of(const std::vector<float>& values, std::mt19937& random) {
  std::vector<Row> rows;
  for (std::size_t i = 0; i < values.size(); ++i) {
    Row w{};
    w[0] = word(values[i]);
    w[1] = word(values[random() % values.size()]);
    w[2] = word(values[random() % values.size()]);
    rows.push_back(w);
  }
  return rows;
}

/// Filtered sums are rounded once, from a double: the same float, or its neighbour where the doubles' own rounding tips it.
bool close(float got, double want) {
  const auto f = static_cast<float>(want);
  return got == f ||
         std::fabs(static_cast<double>(got) - want) <= 1e-6 * std::fmax(1, std::fabs(want));
}

constexpr const char* kFetch[] = {
    "tex.1d.v4.f32.f32 {%d0, %d1, %d2, %d3}, [%rd9, {%f0}];",
    "tex.2d.v4.f32.f32 {%d0, %d1, %d2, %d3}, [%rd9, {%f0, %f1}];",
    "tex.3d.v4.f32.f32 {%d0, %d1, %d2, %d3}, [%rd9, {%f0, %f1, %f2, %f2}];"};

}  // namespace

TEST_CASE("Every filter, address mode and dimension fetches as the programming guide says") {
  const bool normalised = GENERATE(false, true);
  const bool linear = GENERATE(false, true);
  CAPTURE(normalised, linear);
  std::mt19937 random(11);
  TextureBench bench;
  for (int dimensions = 1; dimensions <= 3; ++dimensions) {
    const std::uint32_t size[3] = {5, dimensions > 1 ? 4u : 0, dimensions > 2 ? 3u : 0};
    ArrayDescription d{"image", {}, size[0], size[1], size[2]};
    const std::size_t count =
        5 * std::max<std::size_t>(size[1], 1) * std::max<std::size_t>(size[2], 1);
    const std::vector<float> texels = random_texels(count);
    const Array array = bench.array(d, texels);
    for (int k = 0; k < 8; ++k) {
      TextureDescription t;
      t.array = array;
      t.linear_filter = linear;
      t.normalised_coordinates = normalised;
      t.border = {7.5f, 1, 2, 3};
      TextureModel model;
      model.dimensions = dimensions;
      model.linear = linear;
      model.normalised = normalised;
      model.border = 7.5;
      for (int axis = 0; axis < 3; ++axis) {
        // All four on each axis, and mixed.
        const AddressMode mode = kModes[(k + (k >= 4 ? axis : 0)) % 4];
        t.address_mode[static_cast<std::size_t>(axis)] = mode;
        const bool repeats = mode == AddressMode::wrap || mode == AddressMode::mirror;
        model.mode[axis] = repeats && !normalised ? AddressMode::clamp : mode;
        model.size[axis] = std::max<long>(size[axis], 1);
      }
      model.texel = [&](long x, long y, long z) {
        return static_cast<double>(
            texels[static_cast<std::size_t>(x + 5 * (y + model.size[1] * z))]);
      };
      const std::uint64_t handle = bench.texture(t);
      const std::vector<Row> rows = rows_of(edge_coordinates(normalised, random, 192), random);
      const auto results = bench.run(kFetch[dimensions - 1], handle, rows);
      for (std::size_t i = 0; i < rows.size(); ++i) {
        const float u[3] = {real(rows[i][0]), real(rows[i][1]), real(rows[i][2])};
        const double want = model.fetch(u);
        const float got = real(results[i][0]);
        if (linear ? close(got, want) : got == static_cast<float>(want)) continue;
        CAPTURE(dimensions, k, u[0], u[1], u[2], got, want);
        FAIL("a fetch differs from the model");
      }
    }
  }
}

TEST_CASE("A filtered fetch has weights of 8 bits, and all four channels") {
  TextureBench bench;
  const Array array =
      bench.array<float>({"pair", {ElementType::f32, 4}, 2}, {0, 0, 1, -8, 256, 512, 3, 8});
  TextureDescription t;
  t.array = array;
  t.linear_filter = true;
  t.address_mode.fill(AddressMode::clamp);
  std::vector<Row> rows;
  for (int i = 0; i <= 1024; ++i) rows.push_back({word(0.5f + static_cast<float>(i) / 1024)});
  const auto results = bench.run(kFetch[0], bench.texture(t), rows);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    // 1/1024 above a step is rounded down, 2/1024 up, 3/1024 up.
    const std::size_t nearest = (i + 2) / 4;
    const auto steps = static_cast<float>(nearest);
    CAPTURE(i);
    REQUIRE(real(results[i][0]) == steps);
    REQUIRE(real(results[i][1]) == 2 * steps);
    REQUIRE(real(results[i][2]) == 1 + steps / 128);
    REQUIRE(real(results[i][3]) == -8 + steps / 16);
  }
}

TEST_CASE(
    "A texel of weight 0 takes no part, so that the middle of a texel is that texel whatever its "
    "neighbours hold") {
  TextureBench bench;
  const Array array = bench.array<float>({"row", {}, 3}, {NAN, 2, INFINITY});
  TextureDescription t;
  t.array = array;
  t.linear_filter = true;
  const auto results =
      bench.run(kFetch[0], bench.texture(t), {{word(1.5f)}, {word(1.25f)}, {word(2.0f)}});
  CHECK(real(results[0][0]) == 2);
  CHECK(std::isnan(real(results[1][0])));
  CHECK(std::isinf(real(results[2][0])));
}

TEST_CASE("Layers are chosen by a whole number, kept within the array, and never mixed") {
  TextureBench bench;
  std::vector<float> texels(4 * 3 * 5);
  for (std::size_t i = 0; i < texels.size(); ++i) texels[i] = static_cast<float>(i);
  ArrayDescription flat{"layers", {}, 4, 3, 5};
  flat.layered = true;
  ArrayDescription rows_only{"rows", {}, 12, 0, 5};
  rows_only.layered = true;
  TextureDescription t;
  t.address_mode.fill(AddressMode::clamp);
  t.linear_filter = true;
  t.array = bench.array(flat, texels);
  std::vector<Row> rows;
  for (const std::uint32_t layer : {0u, 2u, 4u, 5u, 100u, 0xffffffffu})
    rows.push_back({layer, word(1.5f), word(2.5f)});
  auto results = bench.run("tex.a2d.v4.f32.f32 {%d0, %d1, %d2, %d3}, [%rd9, {%r0, %f1, %f2, %f2}];",
                           bench.texture(t), rows);
  const float in_2d[] = {9, 33, 57, 57, 57, 57};
  for (std::size_t i = 0; i < rows.size(); ++i) CHECK(real(results[i][0]) == in_2d[i]);
  t.array = bench.array(rows_only, texels);
  results = bench.run("tex.a1d.v4.f32.f32 {%d0, %d1, %d2, %d3}, [%rd9, {%r0, %f1}];",
                      bench.texture(t), rows);
  const float in_1d[] = {1, 25, 49, 49, 49, 49};
  for (std::size_t i = 0; i < rows.size(); ++i) CHECK(real(results[i][0]) == in_1d[i]);
}

TEST_CASE("The corner of a cubemap is on z's face, and outside of it in the border mode") {
  // As an H100 answered: the guide does not say it. Both coordinates on the face are 1 there, just behind its last texel.
  TextureBench bench;
  constexpr std::size_t kSide = 4, kLast = kSide * kSide * 6 - 1;
  const std::vector<float> texels = random_texels(kSide * kSide * 6);
  ArrayDescription cube{"cube", {}, kSide, kSide, 6};
  cube.cubemap = true;
  TextureDescription t;
  t.array = bench.array(cube, texels);
  t.border = {0.75f, 0, 0, 0};
  const auto corner = [&](AddressMode mode) {
    t.address_mode.fill(mode);
    const Row direction{word(-1.0f), word(-1.0f), word(-1.0f)};
    return real(bench.run("tex.cube.v4.f32.f32 {%d0, %d1, %d2, %d3}, [%rd9, {%f0, %f1, %f2, %f2}];",
                          bench.texture(t), {direction})[0][0]);
  };
  CHECK(corner(AddressMode::clamp) == texels[kLast]);
  CHECK(corner(AddressMode::border) == 0.75f);
}

TEST_CASE(
    "A direction meets the face and the place of a cubemap that the programming guide's table "
    "says") {
  const bool linear = GENERATE(false, true);
  TextureBench bench;
  constexpr long kSide = 4, kCubes = 3;
  const std::vector<float> texels = random_texels(kSide * kSide * 6 * kCubes);
  ArrayDescription one{"cube", {}, kSide, kSide, 6};
  one.cubemap = true;
  ArrayDescription more{"cubes", {}, kSide, kSide, 6 * kCubes};
  more.cubemap = more.layered = true;
  TextureDescription t;
  t.address_mode.fill(AddressMode::clamp);
  t.linear_filter = linear;
  std::mt19937 random(5);
  std::vector<Row> rows;
  for (int i = 0; i < 500; ++i) {
    Row w{};
    for (std::size_t k = 0; k < 3; ++k)
      w[k] = word(static_cast<float>(static_cast<int>(random() % 2001) - 1000) / 250.0f);
    w[3] = static_cast<std::uint32_t>(random() % kCubes);
    rows.push_back(w);
  }
  const auto want = [&](const Row& w, long cube) {
    const double x = static_cast<double>(real(w[0])), y = static_cast<double>(real(w[1])),
                 z = static_cast<double>(real(w[2]));
    const double ax = std::fabs(x), ay = std::fabs(y), az = std::fabs(z);
    long face = 0;
    double m = 0, s = 0, tt = 0;
    if (ax > ay && ax > az) {
      face = x >= 0 ? 0 : 1, m = ax, s = x >= 0 ? -z : z, tt = -y;
    } else if (ay > ax && ay > az) {
      face = y >= 0 ? 2 : 3, m = ay, s = x, tt = y >= 0 ? z : -z;
    } else if (az > ax && az > ay) {
      face = z >= 0 ? 4 : 5, m = az, s = z >= 0 ? x : -x, tt = -y;
    } else {
      return std::nan("");  // on an edge either face will do
    }
    TextureModel model;
    model.size[0] = model.size[1] = kSide;
    model.linear = linear;
    model.normalised = true;
    model.texel = [&](long i, long j, long) {
      return static_cast<double>(
          texels[static_cast<std::size_t>(i + kSide * (j + kSide * (face + 6 * cube)))]);
    };
    const float u[3] = {static_cast<float>((s / m + 1) / 2), static_cast<float>((tt / m + 1) / 2),
                        0};
    // A step of the weights may fall between the float here and the double there.
    const float above[3] = {std::nextafter(u[0], 2.0f), std::nextafter(u[1], 2.0f), 0};
    const float below[3] = {std::nextafter(u[0], -1.0f), std::nextafter(u[1], -1.0f), 0};
    return model.fetch(above) == model.fetch(below) ? model.fetch(u) : std::nan("");
  };
  const auto check = [&](const std::vector<Results>& results, bool layered) {
    int compared = 0;
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const double expected = want(rows[i], layered ? rows[i][3] : 0);
      if (std::isnan(expected)) continue;
      ++compared;
      CAPTURE(i, real(rows[i][0]), real(rows[i][1]), real(rows[i][2]));
      REQUIRE(close(real(results[i][0]), expected));
    }
    CHECK(compared > 400);
  };
  t.array =
      bench.array(one, std::vector<float>(texels.begin(), texels.begin() + kSide * kSide * 6));
  check(bench.run("tex.cube.v4.f32.f32 {%d0, %d1, %d2, %d3}, [%rd9, {%f0, %f1, %f2, %f2}];",
                  bench.texture(t), rows),
        false);
  t.array = bench.array(more, texels);
  check(bench.run("tex.acube.v4.f32.f32 {%d0, %d1, %d2, %d3}, [%rd9, {%r3, %f0, %f1, %f2}];",
                  bench.texture(t), rows),
        true);
  // No direction at all is some texel, not some memory.
  const std::vector<Row> none = {{0, 0, 0},
                                 {word(NAN), word(NAN), word(NAN)},
                                 {word(INFINITY), word(-INFINITY), word(INFINITY)}};
  for (const Results& r :
       bench.run("tex.acube.v4.f32.f32 {%d0, %d1, %d2, %d3}, [%rd9, {%r3, %f0, %f1, %f2}];",
                 bench.texture(t), none))
    CHECK(std::find(texels.begin(), texels.end(), real(r[0])) != texels.end());
}

namespace {

/// Three levels of 8 x 8, 4 x 4 and 2 x 2 texels that hold 100, 200 and 300.
Array pyramid(TextureBench& bench, std::uint32_t levels = 3) {
  ArrayDescription d{"pyramid", {}, 8, 8};
  d.levels = levels;
  const Array array = bench.array(d, std::vector<float>(64, 100.0f));
  bench.fill(array, std::vector<float>(16, 200.0f), 1);
  bench.fill(array, std::vector<float>(4, 300.0f), 2);
  return array;
}

}  // namespace

TEST_CASE("The level of detail is biased, clamped, and rounded or mixed in steps of 1/256") {
  TextureBench bench;
  TextureDescription t;
  t.array = pyramid(bench);
  t.normalised_coordinates = true;
  t.mip_most = 10;
  const char* level = "tex.level.2d.v4.f32.f32 {%d0, %d1, %d2, %d3}, [%rd9, {%f0, %f1}], %f2;";
  std::vector<Row> rows;
  const std::vector<float> lods = {-3,   0, 0.25f, 0.5f,      0.75f,    1,   1.49f,
                                   1.5f, 2, 7,     -INFINITY, INFINITY, NAN, 1.125f};
  for (const float lod : lods) rows.push_back({word(0.3f), word(0.6f), word(lod)});
  const auto values = [&](const TextureDescription& d) {
    std::vector<float> result;
    for (const Results& r : bench.run(level, bench.texture(d), rows)) result.push_back(real(r[0]));
    return result;
  };
  CHECK(values(t) ==
        std::vector<float>{100, 100, 100, 200, 200, 200, 200, 300, 300, 300, 100, 300, 100, 200});
  t.linear_mip_filter = true;
  CHECK(values(t) == std::vector<float>{100, 100, 125, 150, 175, 200, 200 + 100 * 125.0f / 256, 250,
                                        300, 300, 100, 300, 100, 212.5f});
  t.mip_bias = 0.5f;
  t.mip_least = 0.75f;
  t.mip_most = 1.25f;
  CHECK(values(t) ==
        std::vector<float>{175, 175, 175, 200, 225, 225, 225, 225, 225, 225, 175, 225, 175, 225});
  // Without .level it is the base, whatever the clamps say.
  CHECK(real(bench.run(kFetch[1], bench.texture(t), {rows[0]})[0][0]) == 100);
  // A texture that is not mipmapped has one level.
  TextureDescription plain;
  plain.array = bench.array<float>({"plain", {}, 2, 2}, {1, 1, 1, 1});
  for (const float v : values(plain)) CHECK(v == 1);
}

TEST_CASE("Gradients choose the level at which a step is one texel") {
  TextureBench bench;
  TextureDescription t;
  t.array = pyramid(bench);
  t.normalised_coordinates = true;
  t.linear_mip_filter = true;
  t.mip_most = 10;
  const char* grad =
      "tex.grad.2d.v4.f32.f32 {%d0, %d1, %d2, %d3}, [%rd9, {%f0, %f1}], {%f2, %f3}, {%f4, %f5};";
  const auto at = [&](float a, float b, float c, float d) {
    return real(bench.run(grad, bench.texture(t),
                          {{word(0.5f), word(0.5f), word(a), word(b), word(c), word(d)}})[0][0]);
  };
  CHECK(at(0, 0, 0, 0) == 100);
  CHECK(at(0.125f, 0, 0, 0.125f) == 100);  // one texel a step
  CHECK(at(0.25f, 0, 0, 0.125f) == 200);   // two: the longer counts
  CHECK(at(0, 0.125f, -0.5f, 0) == 300);
  CHECK(at(0.15f, 0.2f, 0, 0) == 200);     // two along a diagonal
  CHECK(at(0.17677669f, 0, 0, 0) == 150);  // the square root of two
  CHECK(at(1e30f, 0, 0, 0) == 300);
  CHECK(at(NAN, 0, 0, 0) == 100);
  const char* line = "tex.grad.1d.v4.f32.f32 {%d0, %d1, %d2, %d3}, [%rd9, {%f0}], {%f1}, {%f2};";
  ArrayDescription d{"line", {}, 8};
  d.levels = 2;
  t.array = bench.array(d, std::vector<float>(8, 1.0f));
  bench.fill(t.array, std::vector<float>(4, 2.0f), 1);
  CHECK(real(bench.run(line, bench.texture(t), {{word(0.5f), word(0.1875f), word(0.0f)}})[0][0]) ==
        1 + 150.0f / 256);
}

TEST_CASE("Offsets move a fetch by whole texels, before the address mode") {
  const bool linear = GENERATE(false, true);
  TextureBench bench;
  const std::vector<float> texels = random_texels(5 * 4);
  TextureDescription t;
  t.array = bench.array({"image", {}, 5, 4}, texels);
  t.linear_filter = linear;
  t.normalised_coordinates = true;
  TextureModel model;
  model.size[0] = 5, model.size[1] = 4;
  model.mode[0] = model.mode[1] = AddressMode::wrap;
  model.linear = linear;
  model.normalised = true;
  model.texel = [&](long x, long y, long) {
    return static_cast<double>(texels[static_cast<std::size_t>(x + 5 * y)]);
  };
  std::mt19937 random(9);
  std::vector<Row> rows;
  for (int i = 0; i < 100; ++i) {
    rows.push_back({word(static_cast<float>(random() % 1000) / 500 - 1),
                    word(static_cast<float>(random() % 1000) / 500 - 1),
                    word(static_cast<int>(random() % 16) - 8),
                    word(static_cast<int>(random() % 16) - 8)});
  }
  const auto results =
      bench.run("tex.2d.v4.f32.f32 {%d0, %d1, %d2, %d3}, [%rd9, {%f0, %f1}], {%r2, %r3};",
                bench.texture(t), rows);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const float u[3] = {real(rows[i][0]), real(rows[i][1]), 0};
    const long offset[3] = {static_cast<std::int32_t>(rows[i][2]),
                            static_cast<std::int32_t>(rows[i][3]), 0};
    CAPTURE(i);
    REQUIRE(close(real(results[i][0]), model.fetch(u, offset)));
  }
  const Error far =
      bench.failure_of("tex.2d.v4.f32.f32 {%d0, %d1, %d2, %d3}, [%rd9, {%f0, %f1}], {%r2, %r3};",
                       {bench.texture(t)}, {{0, 0, word(8), 0}});
  CHECK(far.code == ErrorCode::texture_use);
}

TEST_CASE("A depth comparison is made for each texel, and filtered after that") {
  TextureBench bench;
  TextureDescription t;
  t.array = bench.array<float>({"depth", {}, 4}, {0.1f, 0.5f, 0.5f, 0.9f});
  t.linear_filter = true;
  t.address_mode.fill(AddressMode::clamp);
  const auto results =
      bench.run("tex.1d.v4.f32.f32 {%d0, %d1, %d2, %d3}, [%rd9, {%f0}], %f1;", bench.texture(t),
                {{word(0.5f), word(0.1f)},
                 {word(0.5f), word(0.2f)},
                 {word(1.25f), word(0.3f)},
                 {word(3.0f), word(0.7f)},
                 {word(1.5f), word(NAN)}});
  const float want[] = {1, 0, 0.75f, 0.5f, 0};
  for (std::size_t i = 0; i < results.size(); ++i) {
    CAPTURE(i);
    CHECK(real(results[i][0]) == want[i]);
  }
}

TEST_CASE(
    "Gather gives one component of the four texels around, from lower left counter-clockwise") {
  TextureBench bench;
  std::vector<float> texels(4 * 3 * 4);
  for (std::size_t i = 0; i < texels.size(); ++i) {
    const std::size_t row = i / 4;
    texels[i] = static_cast<float>(10 * row + i % 4);
  }
  TextureDescription t;
  t.array = bench.array({"image", {ElementType::f32, 4}, 4, 3}, texels);
  t.address_mode.fill(AddressMode::clamp);
  const std::uint64_t handle = bench.texture(t);
  const char* names[] = {"r", "g", "b", "a"};
  for (int component = 0; component < 4; ++component) {
    const auto results =
        bench.run(fmt::format("tld4.{}.2d.v4.f32.f32 {{%d0, %d1, %d2, %d3}}, [%rd9, {{%f0, %f1}}];",
                              names[component]),
                  handle, {{word(2.0f), word(1.25f)}, {word(0.25f), word(0.0f)}});
    // Columns 1 and 2 of rows 0 and 1; and the corner, twice over.
    const float want[2][4] = {{50, 60, 20, 10}, {0, 0, 0, 0}};
    for (std::size_t i = 0; i < 2; ++i) {
      for (std::size_t k = 0; k < 4; ++k)
        CHECK(real(results[i][k]) == want[i][k] + static_cast<float>(component));
    }
  }
  const auto moved = bench.run(
      "tld4.r.2d.v4.f32.f32 {%d0, %d1, %d2, %d3}|%p0, [%rd9, {%f0, %f1}], {1, -1};\n@!%p0 mov.b32 "
      "%d0, 0;",
      handle, {{word(2.0f), word(1.25f)}});
  CHECK(real(moved[0][0]) == 20);
  CHECK(real(moved[0][1]) == 30);
}

}  // namespace warpbook::tests::sampling_test
