// Matrix products, convolutions, norms and sums as students write them agree with plain loops, at odd sizes.
#include <array>
#include <catch2/generators/catch_generators.hpp>
#include <cmath>
#include <numeric>
#include <tuple>

#include "tests/device/kernels/kernel_bench.hpp"

namespace warpbook::tests::linear_algebra_test {

using namespace warpbook::device;

namespace {
std::uint32_t blocks_for(int n, int each) {
  return static_cast<std::uint32_t>((n + each - 1) / each);
}

/// c = a b, summed in order without fusing.
std::vector<float> product(const std::vector<float>& a, const std::vector<float>& b, int m, int n,
                           int k) {
  std::vector<float> c(static_cast<std::size_t>(m * n));
  for (int r = 0; r < m; ++r) {
    for (int s = 0; s < n; ++s) {
      float sum = 0;
      for (int i = 0; i < k; ++i)
        sum += a[static_cast<std::size_t>(r * k + i)] * b[static_cast<std::size_t>(i * n + s)];
      c[static_cast<std::size_t>(r * n + s)] = sum;
    }
  }
  return c;
}

std::vector<float> convolved(const std::vector<float>& x, const std::vector<float>& w, int outputs,
                             int channels, int height, int width) {
  std::vector<float> y;
  for (int o = 0; o < outputs; ++o) {
    for (int j = 0; j < height - 2; ++j) {
      for (int i = 0; i < width - 2; ++i) {
        float sum = 0;
        for (int c = 0; c < channels; ++c)
          for (int k = 0; k < 9; ++k)
            sum += x[static_cast<std::size_t>((c * height + j + k / 3) * width + i + k % 3)] *
                   w[static_cast<std::size_t>((o * channels + c) * 9 + k)];
        y.push_back(sum);
      }
    }
  }
  return y;
}

double farthest(const std::vector<float>& a, const std::vector<float>& b) {
  double most = 0;
  for (std::size_t i = 0; i < a.size(); ++i) most = std::max(most, std::abs(double{a[i]} - b[i]));
  return most;
}
}  // namespace

TEST_CASE("Each rung of the ladder of matrix products gives the same bits", "[ci]") {
  KernelBench bench("linear_algebra.cu", false);
  const auto [m, n, k] =
      GENERATE(std::array{1, 4, 4}, std::array{67, 36, 20}, std::array{33, 100, 12});
  CAPTURE(m, n, k);
  const auto a = numbers<float>(static_cast<std::size_t>(m * k), -1, 1),
             b = numbers<float>(static_cast<std::size_t>(k * n), -1, 1, 2);
  const auto expected = product(a, b, m, n, k);
  const Pointer pa = bench.put("a", a), pb = bench.put("b", b);
  const auto run = [&](const std::string& kernel, Dim3 grid, Dim3 block) {
    CAPTURE(kernel);
    const Pointer c = bench.space<float>("c", expected.size());
    // NOLINTNEXTLINE(clang-analyzer-core.NullDereference): m, n and k are not captured by a pointer
    bench.run_checked(kernel, {grid, block},
                      {Argument::pointer(pa), Argument::pointer(pb), Argument::pointer(c),
                       Argument::of(m), Argument::of(n), Argument::of(k)});
    CHECK(first_difference(bench.get<float>(c, expected.size()), expected) == -1);
  };
  run("gemm_naive", {blocks_for(m, 8), blocks_for(n, 9)}, {8, 9});
  run("gemm_coalesced", {blocks_for(n, 32), blocks_for(m, 3)}, {32, 3});
  run("gemm_column", {blocks_for(n, 32), blocks_for(m, 32)}, {256});
  run("gemm_registers", {blocks_for(n, 64), blocks_for(m, 64)}, {64});
}

TEST_CASE("A convolution is the same directly, as a matrix product, and by Winograd", "[ci]") {
  KernelBench bench("linear_algebra.cu", false);
  const int height = GENERATE(9, 16), width = GENERATE(11, 20);
  constexpr int kChannels = 3, kOutputs = 2;
  CAPTURE(height, width);
  const auto x = numbers<float>(static_cast<std::size_t>(kChannels * height * width), -1, 1),
             w = numbers<float>(kOutputs * kChannels * 9, -1, 1, 2);
  const auto expected = convolved(x, w, kOutputs, kChannels, height, width);
  const Pointer px = bench.put("x", x), pw = bench.put("w", w),
                y = bench.space<float>("y", expected.size());
  const std::vector<Argument> arguments{Argument::pointer(px), Argument::pointer(pw),
                                        Argument::pointer(y),  Argument::of(kChannels),
                                        Argument::of(height),  Argument::of(width)};
  bench.run_checked("convolve", {{blocks_for(width, 16), blocks_for(height, 5), kOutputs}, {16, 5}},
                    arguments);
  CHECK(first_difference(bench.get<float>(y, expected.size()), expected) == -1);

  const int places = (height - 2) * (width - 2);
  const Pointer columns =
                    bench.space<float>("columns", static_cast<std::size_t>(9 * kChannels * places)),
                z = bench.space<float>("z", expected.size());
  bench.run_checked("image_to_columns", {{3}, {70}},
                    {Argument::pointer(px), Argument::pointer(columns), Argument::of(kChannels),
                     Argument::of(height), Argument::of(width)});
  bench.run_checked("gemm_coalesced", {{blocks_for(places, 32), 1}, {32, 2}},
                    {Argument::pointer(pw), Argument::pointer(columns), Argument::pointer(z),
                     Argument::of(kOutputs), Argument::of(places), Argument::of(9 * kChannels)});
  CHECK(first_difference(bench.get<float>(z, expected.size()), expected) == -1);

  bench.run_checked("convolve_winograd",
                    {{blocks_for(width, 16), blocks_for(height, 10), kOutputs}, {8, 5}}, arguments);
  CHECK(farthest(bench.get<float>(y, expected.size()), expected) < 1e-5);
}

TEST_CASE("A layer norm has mean 0 and variance 1 before gain and bias", "[ci]") {
  KernelBench bench("linear_algebra.cu");
  const int n = GENERATE(1, 33, 257);
  CAPTURE(n);
  constexpr int kRows = 3;
  const auto count = static_cast<std::size_t>(n);
  const auto x = numbers<float>(kRows * count, 3, 9), gain = numbers<float>(count, -1, 1, 2),
             bias = numbers<float>(count, -1, 1, 3);
  std::vector<float> expected;
  for (std::size_t r = 0; r < kRows; ++r) {
    double mean = 0, square = 0;
    for (std::size_t i = 0; i < count; ++i) mean += x[r * count + i] / static_cast<double>(n);
    for (std::size_t i = 0; i < count; ++i) square += std::pow(x[r * count + i] - mean, 2) / n;
    for (std::size_t i = 0; i < count; ++i)
      expected.push_back(static_cast<float>(
          (x[r * count + i] - mean) / std::sqrt(square + 1e-5) * gain[i] + bias[i]));
  }
  const Pointer y = bench.space<float>("y", expected.size());
  bench.run_checked(
      "layer_norm", {{kRows}, {96}},
      {Argument::pointer(bench.put("x", x)), Argument::pointer(bench.put("gain", gain)),
       Argument::pointer(bench.put("bias", bias)), Argument::pointer(y), Argument::of(n),
       Argument::of(1e-5f)});
  CHECK(farthest(bench.get<float>(y, expected.size()), expected) < 1e-4);
}

TEST_CASE("A swizzled transpose has no bank conflict and no padding", "[ci]") {
  KernelBench bench("linear_algebra.cu");
  const int width = GENERATE(64, 45), height = GENERATE(32, 71);
  CAPTURE(width, height);
  const auto in = numbers<float>(static_cast<std::size_t>(width * height), -1, 1);
  std::vector<float> expected(in.size());
  for (int i = 0; i < width * height; ++i)
    expected[static_cast<std::size_t>(i % width * height + i / width)] =
        in[static_cast<std::size_t>(i)];
  const Pointer out = bench.space<float>("out", in.size());
  const auto record = bench.run_checked(
      "transpose_swizzled", {{blocks_for(width, 32), blocks_for(height, 32)}, {32, 5}},
      {Argument::pointer(bench.put("in", in)), Argument::pointer(out), Argument::of(width),
       Argument::of(height)});
  CHECK(first_difference(bench.get<float>(out, in.size()), expected) == -1);
  CHECK(record->total.shared_wavefronts == record->total.shared_wavefronts_ideal);
}

TEST_CASE("A stencil with a halo in shared memory goes round a torus", "[ci]") {
  KernelBench bench("linear_algebra.cu", false);
  constexpr int kWidth = 37, kHeight = 23;
  const auto in = numbers<float>(kWidth * kHeight, -1, 1);
  std::vector<float> expected;
  for (int y = 0; y < kHeight; ++y) {
    for (int x = 0; x < kWidth; ++x) {
      const auto at = [&](int i, int j) {
        return in[static_cast<std::size_t>((j + kHeight) % kHeight * kWidth +
                                           (i + kWidth) % kWidth)];
      };
      expected.push_back(0.5f * at(x, y) + 0.125f * (at(x, y - 1) + at(x, y + 1)) +
                         0.125f * (at(x - 1, y) + at(x + 1, y)));
    }
  }
  for (const auto& [kernel, w, h] :
       {std::tuple{"stencil_halo<16, 8>", 16, 8}, std::tuple{"stencil_halo<7, 5>", 7, 5}}) {
    CAPTURE(kernel);
    const Pointer out = bench.space<float>("out", in.size());
    bench.run_checked(kernel,
                      {{blocks_for(kWidth, w), blocks_for(kHeight, h)},
                       {static_cast<std::uint32_t>(w), static_cast<std::uint32_t>(h)}},
                      {Argument::pointer(bench.put("in", in)), Argument::pointer(out),
                       Argument::of(kWidth), Argument::of(kHeight)});
    CHECK(first_difference(bench.get<float>(out, in.size()), expected) == -1);
  }
}

TEST_CASE("Sums by shuffles, by cooperative groups and by redux agree", "[ci]") {
  KernelBench bench("linear_algebra.cu");
  const int n = GENERATE(1, 95, 3001);
  const auto x = numbers<int>(static_cast<std::size_t>(n), -1000, 1000);
  for (const char* kernel : {"sum_shuffles", "sum_groups", "sum_redux"}) {
    CAPTURE(n, kernel);
    const Pointer total = bench.zeros<int>("total", 1);
    bench.run_checked(
        kernel, {{3}, {96}},
        {Argument::pointer(bench.put("x", x)), Argument::pointer(total), Argument::of(n)});
    CHECK(bench.get<int>(total, 1)[0] == std::accumulate(x.begin(), x.end(), 0));
  }
}

}  // namespace warpbook::tests::linear_algebra_test
