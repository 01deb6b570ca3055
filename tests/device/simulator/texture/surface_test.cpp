// suld, sust and sured against plain arrays: every geometry, width, vector and way to treat what lies outside.
#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>

#include <algorithm>
#include <numeric>

#include "tests/device/simulator/texture/texture_bench.hpp"
#include "tests/says.hpp"

namespace warpbook::tests::surface_test {

using namespace warpbook::device;
using namespace warpbook::device::tests;

namespace {

struct Geometry {
  const char* name;
  std::uint32_t height, depth;
  bool layered;
  const char* place;  ///< the coordinate vector, x in %r0, y in %r1, z or layer in %r2
};
constexpr Geometry kGeometries[] = {{"1d", 0, 0, false, "{%r0}"},
                                    {"2d", 3, 0, false, "{%r0, %r1}"},
                                    {"3d", 3, 2, false, "{%r0, %r1, %r2, %r2}"},
                                    {"a1d", 0, 2, true, "{%r2, %r0}"},
                                    {"a2d", 3, 2, true, "{%r2, %r0, %r1, %r1}"}};
constexpr std::uint32_t kRow = 32;  ///< bytes of a row: 8 texels of 4

ArrayDescription description(const Geometry& g, ChannelFormat format = {ElementType::u8, 4}) {
  ArrayDescription d{"canvas", format, kRow / format.bytes(), g.height, g.depth};
  d.layered = g.layered;
  d.surface = true;
  return d;
}
std::size_t bytes_of(const Geometry& g) {
  return std::size_t{kRow} * std::max(g.height, 1u) * std::max(g.depth, 1u);
}

std::vector<std::uint8_t> pattern(std::size_t bytes) {
  std::vector<std::uint8_t> values(bytes);
  for (std::size_t i = 0; i < bytes; ++i) values[i] = static_cast<std::uint8_t>(i * 37 + 11);
  return values;
}

/// Where an access of `bytes` lands: -1 where it is dropped.
long landing(const Geometry& g, long x, long y, long z, long bytes, bool clamps) {
  const long height = std::max(g.height, 1u), depth = std::max(g.depth, 1u);
  if (g.height == 0) y = 0;
  if (g.depth == 0) z = 0;
  const bool inside = x >= 0 && x + bytes <= kRow && y >= 0 && y < height && z >= 0 && z < depth;
  if (!inside && !clamps) return -1;
  x = std::clamp(x, 0L, kRow - bytes);
  return x + kRow * (std::clamp(y, 0L, height - 1) + height * std::clamp(z, 0L, depth - 1));
}

std::vector<Row> places(const Geometry& g, long bytes) {
  std::vector<Row> rows;
  for (long z = g.depth == 0 ? 0 : -1; z <= static_cast<long>(g.depth); ++z) {
    for (long y = g.height == 0 ? 0 : -1; y <= static_cast<long>(g.height); ++y) {
      for (long x = -2 * bytes; x < kRow + 2 * bytes; x += bytes) {
        // A layer is unsigned: -1 is far beyond the last, so that one is kept out here.
        if (g.layered && z < 0) continue;
        rows.push_back(
            {word(static_cast<int>(x)), word(static_cast<int>(y)), word(static_cast<int>(z))});
      }
    }
  }
  return rows;
}

struct Width {
  const char* vector;
  const char* type;
  std::uint32_t bytes, elements;
};
constexpr Width kWidths[] = {{"", "b8", 1, 1},     {"", "b16", 2, 1},    {"", "b32", 4, 1},
                             {"", "b64", 8, 1},    {".v2", "b8", 1, 2},  {".v2", "b16", 2, 2},
                             {".v2", "b32", 4, 2}, {".v2", "b64", 8, 2}, {".v4", "b8", 1, 4},
                             {".v4", "b16", 2, 4}, {".v4", "b32", 4, 4}};

/// Registers of a vector: %h for up to 2 bytes, %d or %r for 4, %x or %rd for 8.
std::string registers(const Width& w, bool load) {
  std::string list;
  for (std::uint32_t k = 0; k < w.elements; ++k) {
    if (k != 0) list += ", ";
    list += w.bytes <= 2   ? fmt::format("%h{}", k)
            : w.bytes == 4 ? fmt::format("%{}{}", load ? "d" : "r", load ? k : 4 + k)
                           : fmt::format("%{}{}", load ? "x" : "rd", load ? k + 2 : k);
  }
  return "{" + list + "}";
}

}  // namespace

TEST_CASE("A surface load gives the bytes at its place; outside it gives 0 or the nearest ones") {
  const bool clamps = GENERATE(false, true);
  for (const Geometry& g : kGeometries) {
    TextureBench bench;
    const std::vector<std::uint8_t> bytes = pattern(bytes_of(g));
    const std::uint64_t handle = bench.surface(bench.array(description(g), bytes));
    for (const Width& w : kWidths) {
      const long size = w.bytes * w.elements;
      std::string text =
          fmt::format("suld.b.{}{}.{}.{} {}, [%rd9, {}];\n", g.name, w.vector, w.type,
                      clamps ? "clamp" : "zero", registers(w, true), g.place);
      if (w.bytes <= 2) text += "mov.b32 %d0, {%h0, %h1};\nmov.b32 %d1, {%h2, %h3};\n";
      if (w.bytes == 8)
        text += w.elements == 2 ? "mov.b64 {%d0, %d1}, %x2;\nmov.b64 {%d2, %d3}, %x3;\n"
                                : "mov.b64 {%d0, %d1}, %x2;\n";
      const std::vector<Row> rows = places(g, size);
      const auto results = bench.run(text, handle, rows);
      for (std::size_t i = 0; i < rows.size(); ++i) {
        const auto at = [&](std::size_t k) {
          return static_cast<long>(static_cast<std::int32_t>(rows[i][k]));
        };
        const long from = landing(g, at(0), at(1), at(2), size, clamps);
        std::array<std::uint8_t, 16> want{};
        for (long k = 0; from >= 0 && k < size; ++k) {
          // Elements of one byte come in registers of two.
          const long to = w.bytes == 1 ? 2 * k : k;
          want[static_cast<std::size_t>(to)] = bytes[static_cast<std::size_t>(from + k)];
        }
        CAPTURE(g.name, w.vector, w.type, at(0), at(1), at(2));
        REQUIRE(std::memcmp(results[i].data(), want.data(), 16) == 0);
      }
    }
  }
}

TEST_CASE(
    "A surface store changes the bytes at its place and no others; outside it is dropped or lands "
    "nearest") {
  const bool clamps = GENERATE(false, true);
  for (const Geometry& g : kGeometries) {
    for (const Width& w : kWidths) {
      TextureBench bench;
      const long size = w.bytes * w.elements;
      std::vector<std::uint8_t> want = pattern(bytes_of(g));
      const Array array = bench.array(description(g), want);
      // One place of each kind, so that no two lanes write the same bytes with different values.
      for (Row row : places(g, size)) {
        if (static_cast<std::int32_t>(row[0]) % (3 * size) == 0) continue;
        for (std::size_t k = 4; k < 8; ++k)
          row[k] = row[0] * 0x01010101u + static_cast<std::uint32_t>(k) * 0x10203u;
        row[8] = row[4], row[9] = row[5], row[10] = row[6], row[11] = row[7];
        std::string text;
        if (w.bytes <= 2) text = "mov.b32 {%h0, %h1}, %r4;\nmov.b32 {%h2, %h3}, %r5;\n";
        text += fmt::format("sust.b.{}{}.{}.{} [%rd9, {}], {};", g.name, w.vector, w.type,
                            clamps ? "clamp" : "zero", g.place, registers(w, false));
        const auto at = [&](std::size_t k) {
          return static_cast<long>(static_cast<std::int32_t>(row[k]));
        };
        const long to = landing(g, at(0), at(1), at(2), size, clamps);
        std::array<std::uint8_t, 16> source{};
        std::memcpy(source.data(), &row[4], 16);
        for (long k = 0; to >= 0 && k < size; ++k)
          want[static_cast<std::size_t>(to + k)] =
              source[static_cast<std::size_t>(w.bytes == 1 ? 2 * k : k)];
        bench.run(text, bench.surface(array), {row});
        if (g.depth != 0 && at(1) == 0) break;  // the larger shapes: a few places suffice
      }
      CAPTURE(g.name, w.vector, w.type);
      REQUIRE(bench.contents<std::uint8_t>(array, want.size()) == want);
    }
  }
}

TEST_CASE("Outside of a surface, .trap is an error that says where, and nothing is touched") {
  TextureBench bench;
  const std::vector<std::uint8_t> bytes = pattern(96);
  const Array array = bench.array(description(kGeometries[1]), bytes);
  const std::uint64_t handle = bench.surface(array);
  const Error read = bench.failure_of("suld.b.2d.b32.trap %d0, [%rd9, {%r0, %r1}];", {handle},
                                      {{28, 2}, {32, 2}, {0, 3}});
  CHECK_THAT(read.english(), warpbook::tests::Says("error.surface_out_of_bounds.long",
                                                   {{"kind", Message{"phrase.kind.read", {}, {}}},
                                                    {"bytes", 4},
                                                    {"object", "canvas"},
                                                    {"place", "(32, 2, 0)"},
                                                    {"extent", "32 x 3 x 1"},
                                                    {"thread", 1},
                                                    {"block", 0}}));
  CHECK(bench.last->findings_total == 2);
  CHECK(bench.results[0][0] == (bytes[92] | bytes[93] << 8 | bytes[94] << 16 |
                                static_cast<std::uint32_t>(bytes[95]) << 24));
  CHECK(bench.results[1][0] == 0);
  CHECK(
      bench.failure_of("sust.b.2d.b32.trap [%rd9, {%r0, %r1}], %r2;", {handle}, {{word(-4), 0, 1}})
          .code == ErrorCode::surface_out_of_bounds);
  CHECK(bench
            .failure_of("sured.b.add.2d.u32.trap [%rd9, {%r0, %r1}], %r2;", {handle},
                        {{0, word(-1), 1}})
            .code == ErrorCode::surface_out_of_bounds);
  CHECK(bench.failure_of("suld.b.2d.b32.zero %d0, [%rd9, {%r0, %r1}];", {handle}, {{2, 0}}).code ==
        ErrorCode::misaligned_access);
  CHECK(bench.failure_of("suld.b.a2d.b32.trap %d0, [%rd9, {%r0, %r1, %r2, %r2}];", {handle}).code ==
        ErrorCode::texture_use);
  CHECK(bench.contents<std::uint8_t>(array, 96) == bytes);
}

TEST_CASE("A formatted store converts to the surface's format, by texels") {
  const auto stored = [](ChannelFormat format, const std::string& vector, const Row& row,
                         std::size_t bytes) {
    TextureBench bench;
    ArrayDescription d{"canvas", format, 4, 2};
    d.surface = true;
    const Array array = bench.array(d, std::vector<std::uint8_t>(std::size_t{format.bytes()} * 8));
    const std::string list = vector == ".v4"   ? "{%r4, %r5, %r6, %r7}"
                             : vector == ".v2" ? "{%r4, %r5}"
                                               : "%r4";
    bench.run(fmt::format("sust.p.2d{}.b32.trap [%rd9, {{%r0, %r1}}], {};", vector, list),
              bench.surface(array), {row});
    const auto all = bench.contents<std::uint8_t>(array, std::size_t{format.bytes()} * 8);
    const std::size_t at = format.bytes() * (4 * row[1] + row[0]);
    std::vector<std::uint8_t> texel(all.begin() + static_cast<std::ptrdiff_t>(at),
                                    all.begin() + static_cast<std::ptrdiff_t>(at + bytes));
    CHECK(std::accumulate(all.begin(), all.end(), 0) ==
          std::accumulate(texel.begin(), texel.end(), 0));
    return texel;
  };
  using Bytes = std::vector<std::uint8_t>;
  CHECK(stored({ElementType::u8, 4}, ".v4", {2, 1, 0, 0, 7, 300, 255, word(-1)}, 4) ==
        Bytes{7, 255, 255, 255});
  CHECK(stored({ElementType::i8, 2}, ".v2", {0, 0, 0, 0, word(-200), word(200)}, 2) ==
        Bytes{0x80, 0x7f});
  CHECK(stored({ElementType::i16, 1}, "", {3, 0, 0, 0, word(-40000)}, 2) == Bytes{0x00, 0x80});
  CHECK(stored({ElementType::f16, 2}, ".v4", {1, 1, 0, 0, word(1.0f), word(-2.0f), word(9.0f)},
               4) == Bytes{0x00, 0x3c, 0x00, 0xc0});
  CHECK(stored({ElementType::f32, 1}, "", {1, 0, 0, 0, word(0.1f)}, 4) ==
        Bytes{0xcd, 0xcc, 0xcc, 0x3d});
}

TEST_CASE("Reductions on surfaces combine every lane's value, in each operation and type") {
  struct Case {
    const char* operation;
    const char* type;
    std::uint64_t first;
    std::uint64_t (*combine)(std::uint64_t, std::uint64_t);
  };
  const Case cases[] = {
      {"add", "u32", 5, [](std::uint64_t a, std::uint64_t b) { return (a + b) & 0xffffffff; }},
      {"add", "s32", 5, [](std::uint64_t a, std::uint64_t b) { return (a + b) & 0xffffffff; }},
      {"add", "u64", ~0ull - 3, [](std::uint64_t a, std::uint64_t b) { return a + b; }},
      {"min", "u32", 0x90000000, [](std::uint64_t a, std::uint64_t b) { return std::min(a, b); }},
      {"max", "u32", 3, [](std::uint64_t a, std::uint64_t b) { return std::max(a, b); }},
      {"min", "s32", 3,
       [](std::uint64_t a, std::uint64_t b) {
         return static_cast<std::int32_t>(a) < static_cast<std::int32_t>(b) ? a : b;
       }},
      {"max", "s32", 0x80000000,
       [](std::uint64_t a, std::uint64_t b) {
         return static_cast<std::int32_t>(a) > static_cast<std::int32_t>(b) ? a : b;
       }},
      {"min", "u64", ~0ull, [](std::uint64_t a, std::uint64_t b) { return std::min(a, b); }},
      {"max", "u64", 0, [](std::uint64_t a, std::uint64_t b) { return std::max(a, b); }},
      {"min", "s64", 3,
       [](std::uint64_t a, std::uint64_t b) {
         return static_cast<std::int64_t>(a) < static_cast<std::int64_t>(b) ? a : b;
       }},
      {"max", "s64", 1ull << 63,
       [](std::uint64_t a, std::uint64_t b) {
         return static_cast<std::int64_t>(a) > static_cast<std::int64_t>(b) ? a : b;
       }},
      {"and", "b32", 0xffffffff, [](std::uint64_t a, std::uint64_t b) { return a & b; }},
      {"or", "b32", 1, [](std::uint64_t a, std::uint64_t b) { return a | b; }}};
  for (const Case& c : cases) {
    const bool is_wide = std::string(c.type).ends_with("64");
    TextureBench bench;
    bench.host_threads = 2;
    ArrayDescription d{"sums", {ElementType::u32, 2}, 4, 2};
    d.surface = true;
    std::vector<std::uint64_t> want(8, c.first);
    const Array array = bench.array(d, want);
    std::vector<Row> rows;
    for (std::uint32_t i = 0; i < 300; ++i) {
      Row w{};
      w[0] = i % 4 * 8;
      w[1] = i / 4 % 2;
      w[4] = i * 0x9e3779b9u;
      w[5] = i * 0x85ebca6bu;
      rows.push_back(w);
      std::uint64_t& to = want[i % 4 + 4 * (i / 4 % 2)];
      const std::uint64_t value = is_wide ? w[4] | std::uint64_t{w[5]} << 32 : w[4];
      to = is_wide ? c.combine(to, value)
                   : (to & ~0xffffffffull) | c.combine(to & 0xffffffff, value);
    }
    bench.run(fmt::format("sured.b.{}.2d.{}.trap [%rd9, {{%r0, %r1}}], {};", c.operation, c.type,
                          is_wide ? "%rd0" : "%r4"),
              bench.surface(array), rows);
    CAPTURE(c.operation, c.type);
    CHECK(bench.contents<std::uint64_t>(array, 8) == want);
    CHECK(bench.last->total.atomics == 300);
  }
}

TEST_CASE("A reduction by texels takes its sign from the surface's format") {
  for (const bool is_signed : {false, true}) {
    TextureBench bench;
    ArrayDescription d{"least", {is_signed ? ElementType::i32 : ElementType::u32, 1}, 4};
    d.surface = true;
    const Array array = bench.array<std::uint32_t>(d, {1, 1, 1, 1});
    const std::uint64_t handle = bench.surface(array);
    bench.run("sured.p.min.1d.b32.trap [%rd9, {%r0}], %r4;", handle, {{2, 0, 0, 0, word(-1)}});
    CHECK(bench.contents<std::uint32_t>(array, 4) ==
          std::vector<std::uint32_t>{1, 1, is_signed ? word(-1) : 1, 1});
    bench.run("sured.p.max.1d.b64.trap [%rd9, {%r0}], %rd0;", handle,
              {{1, 0, 0, 0, 0, 0x80000000u}});
    const std::vector<std::uint32_t> wide = is_signed
                                                ? std::vector<std::uint32_t>{1, 1, word(-1), 1}
                                                : std::vector<std::uint32_t>{1, 1, 0, 0x80000000u};
    CHECK(bench.contents<std::uint32_t>(array, 4) == wide);
  }
  TextureBench bench;
  ArrayDescription d{"floats", {}, 4};
  d.surface = true;
  const Array array = bench.array<float>(d, {1, 1, 1, 1});
  CHECK(bench.failure_of("sured.p.min.1d.b32.trap [%rd9, {%r0}], %r4;", {bench.surface(array)})
            .code == ErrorCode::texture_use);
}

}  // namespace warpbook::tests::surface_test
