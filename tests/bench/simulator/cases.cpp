#include "tests/bench/simulator/cases.hpp"

#include <cmath>
#include <random>

#include "tests/bench/simulator/plain.hpp"

namespace warpbook::bench {
namespace {

constexpr double kWide = 2e9, kNarrow = 1e9;  ///< the bars
constexpr std::int32_t kCount = 1 << 20;

/// Small whole numbers: every sum of products of them is exact, in any order, fused or not.
std::vector<float> whole_numbers(std::size_t count, int least, int most, std::uint32_t seed) {
  std::mt19937 engine(seed);
  std::vector<float> values(count);
  for (float& v : values)
    v = static_cast<float>(least +
                           static_cast<int>(engine() % static_cast<unsigned>(most - least + 1)));
  return values;
}

std::size_t squared(std::int32_t n) {
  return static_cast<std::size_t>(n) * static_cast<std::size_t>(n);
}

Array floats(std::size_t count) { return Array::of("result", std::vector<float>(count)); }

Case vector_add() {
  Case c{"vector add", "vector_add", {kCount / 256, 1, 1}, {256, 1, 1}};
  c.inputs = {Array::of("a", whole_numbers(kCount, -99, 99, 1)),
              Array::of("b", whole_numbers(kCount, -99, 99, 2))};
  c.output = floats(kCount);
  c.size = kCount;
  c.bar = kWide;
  c.plain = [](const std::vector<Array>& in, Array& out) {
    plain_add(in[0].data<float>(), in[1].data<float>(), out.data<float>(), kCount);
  };
  return c;
}

Case sgemm(std::string name, std::string kernel, std::int32_t n, std::uint32_t tile,
           device::Dim3 block) {
  const std::uint32_t tiles = static_cast<std::uint32_t>(n) / tile;
  Case c{std::move(name), std::move(kernel), {tiles, tiles, 1}, block};
  c.inputs = {Array::of("a", whole_numbers(squared(n), -7, 7, 1)),
              Array::of("b", whole_numbers(squared(n), -7, 7, 2))};
  c.output = floats(squared(n));
  c.size = n;
  c.bar = kWide;
  c.plain = [n](const std::vector<Array>& in, Array& out) {
    plain_sgemm(in[0].data<float>(), in[1].data<float>(), out.data<float>(), n);
  };
  return c;
}

Case transpose() {
  const std::int32_t n = 1024;
  Case c{"transpose", "transpose", {n / 32, n / 32, 1}, {32, 8, 1}};
  c.inputs = {Array::of("from", whole_numbers(squared(n), -99, 99, 1))};
  c.output = floats(squared(n));
  c.size = n;
  c.bar = kNarrow;
  c.plain = [](const std::vector<Array>& in, Array& out) {
    plain_transpose(in[0].data<float>(), out.data<float>(), n);
  };
  return c;
}

Case reduction() {
  Case c{"shuffle reduction", "reduction", {kCount / 256, 1, 1}, {256, 1, 1}};
  c.inputs = {Array::of("from", whole_numbers(kCount, -99, 99, 1))};
  c.output = floats(kCount / 256);
  c.size = kCount;
  c.bar = kNarrow;
  c.plain = [](const std::vector<Array>& in, Array& out) {
    plain_reduction(in[0].data<float>(), out.data<float>(), kCount);
  };
  return c;
}

Case histogram() {
  std::mt19937 engine(1);
  std::vector<std::uint32_t> values(kCount);
  for (std::uint32_t& v : values) v = static_cast<std::uint32_t>(engine());
  Case c{"histogram", "histogram", {128, 1, 1}, {256, 1, 1}};
  c.inputs = {Array::of("values", values)};
  c.output = Array::of("bins", std::vector<std::uint32_t>(256));
  c.size = kCount;
  c.bar = kNarrow;
  c.plain = [](const std::vector<Array>& in, Array& out) {
    plain_histogram(in[0].data<std::uint32_t>(), out.data<std::uint32_t>(), kCount);
  };
  return c;
}

Case convolution() {
  const std::int32_t n = 125;  // so that the last blocks are partly empty
  Case c{"direct convolution", "convolution", {(n + 31) / 32, (n + 7) / 8, 16}, {32, 8, 1}};
  c.inputs = {Array::of("from", whole_numbers(8 * squared(n), -7, 7, 1)),
              Array::of("weights", whole_numbers(16 * 8 * 9, -7, 7, 2))};
  c.output = floats(16 * squared(n));
  c.size = n;
  c.bar = kNarrow;
  c.plain = [](const std::vector<Array>& in, Array& out) {
    plain_convolution(in[0].data<float>(), in[1].data<float>(), out.data<float>(), n);
  };
  return c;
}

Case softmax() {
  const std::int32_t rows = 1024, columns = 1024;
  std::vector<float> values = whole_numbers(squared(columns), -4000, 4000, 1);
  for (float& v : values) v /= 1000;
  Case c{"softmax", "softmax", {rows, 1, 1}, {256, 1, 1}};
  c.inputs = {Array::of("from", values)};
  c.output = floats(squared(columns));
  c.size = columns;
  c.bar = kNarrow;
  c.tolerance =
      1e-5f;  // the three ways have exponential functions of their own, and orders of adding
  c.plain = [](const std::vector<Array>& in, Array& out) {
    plain_softmax(in[0].data<float>(), out.data<float>(), rows, columns);
  };
  return c;
}

}  // namespace

std::vector<Case> cases() {
  return {vector_add(),
          sgemm("SGEMM, tiles 32x32", "sgemm_tiled", 512, 32, {32, 32, 1}),
          sgemm("SGEMM, registers", "sgemm_registers", 1024, 128, {256, 1, 1}),
          transpose(),
          reduction(),
          histogram(),
          convolution(),
          softmax()};
}

std::ptrdiff_t first_difference(const Case& c, const Array& expected, const Array& got) {
  const auto count = static_cast<std::ptrdiff_t>(expected.bytes.size() / 4);
  for (std::ptrdiff_t i = 0; i < count; ++i) {
    if (c.tolerance == 0) {
      if (std::memcmp(&expected.bytes[static_cast<std::size_t>(4 * i)],
                      &got.bytes[static_cast<std::size_t>(4 * i)], 4) != 0)
        return i;
    } else {
      const float a = expected.data<float>()[i], b = got.data<float>()[i];
      if (!(std::abs(a - b) <= c.tolerance * std::abs(a))) return i;
    }
  }
  return -1;
}

}  // namespace warpbook::bench
