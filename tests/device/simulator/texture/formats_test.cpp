// What texels hold and what a fetch makes of it; whole coordinates; buffers; halves; queries.
#include <catch2/catch_test_macros.hpp>

#include <cmath>
#include <map>

#include "tests/device/simulator/texture/texture_bench.hpp"

namespace warpbook::tests::formats_test {

using namespace warpbook::device;
using namespace warpbook::device::tests;

namespace {

constexpr const char* kTexel = "tex.1d.v4.{}.s32 {{%d0, %d1, %d2, %d3}}, [%rd9, {{%r0}}];";
/// For results in registers of another type than b32.
std::string through_floats(const std::string& what) {
  return ".reg .f32 %q<4>;\n" + what +
         "\nmov.b32 %d0, %q0;\nmov.b32 %d1, %q1;\nmov.b32 %d2, %q2;\nmov.b32 %d3, %q3;";
}

std::vector<Row> counting(int from, int to) {
  std::vector<Row> rows;
  for (int i = from; i < to; ++i) rows.push_back({word(i)});
  return rows;
}

/// Every channel of every texel of a 1D array, read with `normalised`, must be expected(value).
template <class T, class Expected>
void check_format(bool normalised, bool floating, const std::vector<T>& values,
                  Expected&& expected) {
  for (const std::uint32_t channels : {1u, 2u, 4u}) {
    CAPTURE(name_of(element_type_of<T>::value), channels, normalised);
    TextureBench bench;
    const auto texels = static_cast<std::uint32_t>(values.size() / channels);
    TextureDescription t;
    t.array = bench.array({"row", {element_type_of<T>::value, channels}, texels},
                          std::vector<T>(values.begin(), values.begin() + texels * channels));
    t.normalised_read = normalised;
    const auto results = bench.run(fmt::format(kTexel, floating ? "f32" : "u32"), bench.texture(t),
                                   counting(0, static_cast<int>(texels)));
    for (std::uint32_t i = 0; i < texels; ++i) {
      for (std::uint32_t k = 0; k < 4; ++k) {
        const std::uint32_t one = floating ? word(1.0f) : 1u;
        const std::uint32_t want =
            k < channels ? expected(values[i * channels + k]) : (k == 3 ? one : 0);
        CAPTURE(i, k);
        REQUIRE(results[i][k] == want);
      }
    }
  }
}

template <class T>
std::vector<T> all_kinds() {
  std::vector<T> values;
  // NOLINTNEXTLINE(bugprone-signed-char-misuse): the number is meant, not a character
  const long least = std::numeric_limits<T>::min(),
             most = static_cast<long>(std::numeric_limits<T>::max());
  for (const long v :
       {least, least + 1, least / 2, 0L, 1L, 2L, 7L, most / 3, most / 2, most - 1, most, 77L})
    values.push_back(static_cast<T>(v));
  return values;
}

template <class T>
std::uint32_t fraction(T value) {
  const double most = static_cast<double>(std::numeric_limits<T>::max());
  return word(static_cast<float>(std::fmax(static_cast<double>(value) / most, -1)));
}

template <class T>
void check_integers() {
  check_format<T>(false, false, all_kinds<T>(),
                  [](T v) { return static_cast<std::uint32_t>(static_cast<std::int64_t>(v)); });
}
template <class T>
void check_fractions() {
  check_format<T>(true, true, all_kinds<T>(), [](T v) { return fraction(v); });
}

}  // namespace

TEST_CASE("Integer texels read as they are, sign-extended, or as fractions of their range") {
  check_integers<std::uint8_t>();
  check_integers<std::int8_t>();
  check_integers<std::uint16_t>();
  check_integers<std::int16_t>();
  check_integers<std::uint32_t>();
  check_integers<std::int32_t>();
  check_fractions<std::uint8_t>();
  check_fractions<std::int8_t>();
  check_fractions<std::uint16_t>();
  check_fractions<std::int16_t>();
  // 32 bits are never promoted.
  check_format<std::uint32_t>(true, false, all_kinds<std::uint32_t>(),
                              [](std::uint32_t v) { return v; });
}

TEST_CASE("Float texels read with all their bits, half texels exactly") {
  check_format<float>(false, true,
                      {0, -0.0f, 1, -1, 1e-45f, 3e38f, INFINITY, -INFINITY, 0.1f, 2, 3, 4},
                      [](float v) { return word(v); });
  TextureBench bench;
  std::vector<std::uint16_t> halves(65536);
  for (std::size_t i = 0; i < halves.size(); ++i) halves[i] = static_cast<std::uint16_t>(i);
  TextureDescription t;
  t.array = bench.array({"halves", {ElementType::f16, 1}, 65536}, halves);
  const auto results = bench.run(fmt::format(kTexel, "f32"), bench.texture(t), counting(0, 65536));
  for (int i = 0; i < 65536; ++i) {
    const int exponent = i >> 10 & 31, fraction = i & 1023;
    const float got = real(results[static_cast<std::size_t>(i)][0]);
    if (exponent == 31 && fraction != 0) {
      REQUIRE(std::isnan(got));
      continue;
    }
    double want = exponent == 31  ? INFINITY
                  : exponent == 0 ? std::ldexp(fraction, -24)
                                  : std::ldexp(1024 + fraction, exponent - 25);
    if (i & 0x8000) want = -want;
    CAPTURE(i);
    REQUIRE(got == static_cast<float>(want));
  }
}

TEST_CASE("sRGB colours become linear before they are filtered; alpha stays as it is") {
  TextureBench bench;
  std::vector<std::uint8_t> colours;
  for (int i = 0; i < 256; ++i) colours.insert(colours.end(), 4, static_cast<std::uint8_t>(i));
  TextureDescription t;
  t.array = bench.array({"colours", {ElementType::u8, 4}, 256}, colours);
  t.normalised_read = t.srgb = true;
  const auto results = bench.run(fmt::format(kTexel, "f32"), bench.texture(t), counting(0, 256));
  const auto linear = [](int i) {
    const double c = i / 255.0;
    return c <= 0.04045 ? c / 12.92 : std::pow((c + 0.055) / 1.055, 2.4);
  };
  for (int i = 0; i < 256; ++i) {
    CAPTURE(i);
    const Results& r = results[static_cast<std::size_t>(i)];
    for (std::size_t k = 0; k < 3; ++k)
      REQUIRE(std::fabs(static_cast<double>(real(r[k])) - linear(i)) < 1e-7);
    REQUIRE(real(r[3]) == static_cast<float>(i) / 255.0f);
  }
  t.linear_filter = true;
  t.address_mode.fill(AddressMode::clamp);
  const auto mixed = bench.run("tex.1d.v4.f32.f32 {%d0, %d1, %d2, %d3}, [%rd9, {%f0}];",
                               bench.texture(t), {{word(11.0f)}});
  CHECK(std::fabs(static_cast<double>(real(mixed[0][0])) - (linear(10) + linear(11)) / 2) < 1e-7);
}

TEST_CASE("A whole coordinate fetches one texel, unfiltered, and 0 where there is none") {
  TextureBench bench;
  std::vector<std::int32_t> values(4 * 3 * 2);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<std::int32_t>(i) + 1;
  TextureDescription t;
  t.array = bench.array({"box", {ElementType::i32, 1}, 4, 3, 2}, values);
  std::vector<Row> rows;
  for (int z = -1; z < 3; ++z) {
    for (int y = -1; y < 4; ++y) {
      for (int x = -1; x < 5; ++x) rows.push_back({word(x), word(y), word(z)});
    }
  }
  rows.push_back({word(std::numeric_limits<std::int32_t>::min()),
                  word(std::numeric_limits<std::int32_t>::max()), 0});
  const auto results =
      bench.run("tex.3d.v4.s32.s32 {%d0, %d1, %d2, %d3}, [%rd9, {%r0, %r1, %r2, %r2}];",
                bench.texture(t), rows);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const auto x = static_cast<std::int32_t>(rows[i][0]), y = static_cast<std::int32_t>(rows[i][1]),
               z = static_cast<std::int32_t>(rows[i][2]);
    const bool inside = x >= 0 && x < 4 && y >= 0 && y < 3 && z >= 0 && z < 2;
    CAPTURE(x, y, z);
    REQUIRE(static_cast<std::int32_t>(results[i][0]) == (inside ? 1 + x + 4 * (y + 3 * z) : 0));
  }
}

TEST_CASE(
    "A whole coordinate may name a level of detail and a layer; those that are not there are 0") {
  TextureBench bench;
  ArrayDescription d{"pyramid", {}, 4, 4, 2};
  d.layered = true;
  d.levels = 2;
  TextureDescription t;
  t.array = bench.array(d, std::vector<float>(32, 1.0f));
  bench.fill(t.array, std::vector<float>{10, 11, 12, 13, 14, 15, 16, 17}, 1);
  t.normalised_coordinates = true;
  const auto results =
      bench.run("tex.level.a2d.v4.f32.s32 {%d0, %d1, %d2, %d3}, [%rd9, {%r0, %r1, %r2, %r2}], %r3;",
                bench.texture(t),
                {{1, 1, 0, 1},
                 {0, 0, 1, 1},
                 {1, 2, 0, 1},
                 {2, 0, 0, 1},
                 {0, 3, 3, 0},
                 {0, 0, 0, 2},
                 {0, 0, 0, word(-1)}});
  const float want[] = {15, 12, 0, 0, 1, 0, 0};
  for (std::size_t i = 0; i < results.size(); ++i) {
    CAPTURE(i);
    CHECK(real(results[i][0]) == want[i]);
  }
}

TEST_CASE("Linear memory is a texture for whole coordinates, without an address mode") {
  TextureBench bench;
  TextureDescription t;
  std::vector<float> values(100);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<float>(i) + 1;
  t.address = bench.buffer(values);
  t.format = {ElementType::f32, 2};
  t.bytes = 392;  // 49 texels
  t.linear_filter = true;
  t.address_mode.fill(AddressMode::clamp);
  const std::uint64_t handle = bench.texture(t);
  const auto results = bench.run(fmt::format(kTexel, "f32"), handle, counting(-2, 52));
  for (int i = -2; i < 52; ++i) {
    const Results& r = results[static_cast<std::size_t>(i + 2)];
    const bool inside = i >= 0 && i < 49;
    CAPTURE(i);
    REQUIRE(real(r[0]) == (inside ? static_cast<float>(2 * i + 1) : 0.0f));
    REQUIRE(real(r[1]) == (inside ? static_cast<float>(2 * i + 2) : 0.0f));
  }
  CHECK(bench.failure_of("tex.1d.v4.f32.f32 {%d0, %d1, %d2, %d3}, [%rd9, {%f0}];", {handle}).code ==
        ErrorCode::texture_use);
}

TEST_CASE("Pitched memory is a texture of two dimensions, its gaps never read") {
  TextureBench bench;
  std::vector<std::uint8_t> bytes(64 * 5, 99);
  for (std::size_t y = 0; y < 5; ++y) {
    for (std::size_t x = 0; x < 7; ++x) bytes[64 * y + x] = static_cast<std::uint8_t>(10 * y + x);
  }
  TextureDescription t;
  t.address = bench.buffer(bytes);
  t.format = {ElementType::u8, 1};
  t.width = 7;
  t.height = 5;
  t.pitch_bytes = 64;
  t.address_mode.fill(AddressMode::clamp);
  std::vector<Row> rows;
  for (int y = -1; y < 7; ++y) {
    for (int x = -1; x < 9; ++x)
      rows.push_back({word(static_cast<float>(x) + 0.5f), word(static_cast<float>(y) + 0.5f),
                      word(x), word(y)});
  }
  const auto results = bench.run("tex.2d.v4.u32.f32 {%d0, %d1, %d2, %d3}, [%rd9, {%f0, %f1}];",
                                 bench.texture(t), rows);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const int x = std::clamp(static_cast<int>(rows[i][2]), 0, 6),
              y = std::clamp(static_cast<int>(rows[i][3]), 0, 4);
    REQUIRE(results[i][0] == static_cast<std::uint32_t>(10 * y + x));
  }
}

TEST_CASE("Borders of integer textures are the integers whose bits were given") {
  TextureBench bench;
  TextureDescription t;
  t.array = bench.array<std::int32_t>({"row", {ElementType::i32, 2}, 2}, {1, 2, 3, 4});
  t.address_mode.fill(AddressMode::border);
  t.border = {real(word(-5)), real(word(77)), real(5), real(6)};
  const auto results = bench.run("tex.1d.v4.s32.f32 {%d0, %d1, %d2, %d3}, [%rd9, {%f0}];",
                                 bench.texture(t), {{word(-1.0f)}, {word(1.0f)}});
  CHECK(results[0] == Results{word(-5), 77, 0, 1});
  CHECK(results[1] == Results{3, 4, 0, 1});
}

TEST_CASE("Results may be halves, and pairs of them, rounded to nearest even") {
  TextureBench bench;
  TextureDescription t;
  t.array = bench.array<float>({"texel", {ElementType::f32, 4}, 2},
                               {1.0f, 2049.0f, -2051.0f, 70000.0f, 1e-8f, 0.1f, NAN, -0.0f});
  const std::uint64_t handle = bench.texture(t);
  const auto each = bench.run(
      "tex.1d.v4.f16.s32 {%h0, %h1, %h2, %h3}, [%rd9, {%r0}];\nmov.b32 %d0, {%h0, %h1};\nmov.b32 "
      "%d1, {%h2, %h3};",
      handle, counting(0, 2));
  const auto pairs =
      bench.run("tex.1d.v2.f16x2.s32 {%d0, %d1}, [%rd9, {%r0}];", handle, counting(0, 2));
  CHECK(each[0][0] == 0x6800'3c00u);
  CHECK(each[0][1] == 0x7c00'e802u);
  CHECK(each[1][0] == 0x2e66'0000u);
  CHECK(each[1][1] >> 16 == 0x8000u);
  CHECK((each[1][1] & 0x7fff) > 0x7c00u);
  CHECK(pairs == each);
}

TEST_CASE(
    "Coordinates and results may be vector registers, immediates, sinks and longer than needed") {
  TextureBench bench;
  TextureDescription t;
  t.array = bench.array<float>({"image", {ElementType::f32, 4}, 2, 1}, {1, 2, 3, 4, 5, 6, 7, 8});
  t.address_mode.fill(AddressMode::clamp);
  const std::uint64_t handle = bench.texture(t);
  const Results want = {word(5.0f), word(6.0f), word(7.0f), word(8.0f)};
  const std::vector<Row> row = {{word(1.5f), word(0.5f)}};
  CHECK(bench.run("tex.2d.v4.f32.f32 {%d0, %d1, %d2, %d3}, [%rd9, {1.5, 0.5}];", handle, row)[0] ==
        want);
  CHECK(bench.run("tex.base.2d.v4.f32.f32 {%d0, %d1, %d2, %d3}, [%rd9, {%f0, %f1, %f2, %f3}];",
                  handle, row)[0] == want);
  CHECK(bench.run("tex.2d.v4.f32.f32 {%d0, _, _, %d3}, [%rd9, {%f0, %f1}];", handle, row)[0] ==
        Results{want[0], 0, 0, want[3]});
  CHECK(
      bench.run("tex.2d.v4.f32.f32 %v, [%rd9, {%f0, %f1}];\nmov.b32 %d0, %v.x;\nmov.b32 %d3, %v.w;",
                handle, row)[0] == Results{want[0], 0, 0, want[3]});
  CHECK(bench.run(through_floats("tex.2d.v4.f32.f32 {%q0, %q1, %q2, %q3}, [%rd9, {%f0, %f1}];"),
                  handle, row)[0] == want);
  CHECK(bench.run("tex.2d.v4.f32.f32 {%d0, %d1, %d2, %d3}|%p1, [%rd9, {%f0, %f1}];\nselp.b32 %d3, "
                  "1, 0, %p1;",
                  handle, row)[0][3] == 1);
  // Guarded: only where the guard holds.
  CHECK(bench.run("setp.eq.u32 %p1, %r2, 1;\n@%p1 tex.2d.v4.f32.f32 {%d0, %d1, %d2, %d3}, [%rd9, "
                  "{%f0, %f1}];",
                  handle, {{word(1.5f), word(0.5f), 0}, {word(1.5f), word(0.5f), 1}}) ==
        std::vector<Results>{{0, 0, 0, 0}, want});
}

TEST_CASE("Queries tell extents, formats and sampling, in PTX's own numbers") {
  TextureBench bench;
  ArrayDescription d{"pyramid", {ElementType::f16, 2}, 12, 8, 4};
  d.layered = true;
  d.levels = 3;
  TextureDescription t;
  t.array = bench.array(d, std::vector<std::uint16_t>());
  t.linear_filter = t.normalised_coordinates = true;
  t.address_mode = {AddressMode::wrap, AddressMode::mirror, AddressMode::border};
  const std::uint64_t handle = bench.texture(t);
  const std::map<std::string, std::uint32_t> want = {
      {"width", 12},        {"height", 8},
      {"depth", 1},         {"channel_data_type", 0x10},
      {"channel_order", 2}, {"normalized_coords", 1},
      {"filter_mode", 1},   {"addr_mode_0", 0},
      {"addr_mode_1", 1},   {"addr_mode_2", 4},
      {"array_size", 4},    {"num_mipmap_levels", 3},
      {"num_samples", 0},   {"force_unnormalized_coords", 0}};
  for (const auto& [query, value] : want) {
    CAPTURE(query);
    CHECK(bench.run("txq." + query + ".b32 %d0, [%rd9];", handle, {Row{}})[0][0] == value);
  }
  const auto level =
      bench.run("txq.level.width.b32 %d0, [%rd9], %r0;\ntxq.level.height.b32 %d1, [%rd9], %r0;",
                handle, counting(-1, 4));
  const std::vector<Results> levels = {
      {0, 0, 0, 0}, {12, 8, 0, 0}, {6, 4, 0, 0}, {3, 2, 0, 0}, {0, 0, 0, 0}};
  CHECK(level == levels);

  ArrayDescription box{"box", {ElementType::i16, 4}, 6, 5, 3};
  box.surface = true;
  const std::uint64_t surface = bench.surface(bench.array(box, std::vector<std::int16_t>()));
  const std::map<std::string, std::uint32_t> of_surface = {
      {"width", 6},         {"height", 5},     {"depth", 3},        {"channel_data_type", 9},
      {"channel_order", 4}, {"array_size", 0}, {"memory_layout", 0}};
  for (const auto& [query, value] : of_surface) {
    CAPTURE(query);
    CHECK(bench.run("suq." + query + ".b32 %d0, [%rd9];", surface, {Row{}})[0][0] == value);
  }
  const char* kinds =
      "istypep.texref %p0, %rd9;\nselp.b32 %d0, 1, 0, %p0;\nistypep.surfref %p0, %rd9;\nselp.b32 "
      "%d1, 1, 0, %p0;\n"
      "istypep.samplerref %p0, %rd9;\nselp.b32 %d2, 1, 0, %p0;";
  CHECK(bench.run(kinds, handle, {Row{}})[0] == Results{1, 0, 0, 0});
  CHECK(bench.run(kinds, surface, {Row{}})[0] == Results{0, 1, 0, 0});
  CHECK(bench.run(kinds, 12345, {Row{}})[0] == Results{0, 0, 0, 0});
}

}  // namespace warpbook::tests::formats_test
