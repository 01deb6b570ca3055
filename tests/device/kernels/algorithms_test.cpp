// Textbook algorithms give what plain C++ gives, at odd sizes and in several shapes.
#include <algorithm>
#include <array>
#include <catch2/generators/catch_generators.hpp>
#include <cmath>
#include <cstring>
#include <numeric>

#include "tests/device/kernels/kernel_bench.hpp"

namespace warpbook::tests::algorithms_test {

using namespace warpbook::device;

namespace {

std::uint32_t blocks_for(std::uint32_t n, std::uint32_t threads) {
  return (n + threads - 1) / threads;
}

template <class T>
double worst_error(const std::vector<T>& got, const std::vector<double>& expected) {
  REQUIRE(got.size() == expected.size());
  double worst = 0;
  for (std::size_t i = 0; i < got.size(); ++i) {
    const double error =
        std::abs(static_cast<double>(got[i]) - expected[i]) / std::max(1.0, std::abs(expected[i]));
    if (!(error <= worst)) worst = std::isnan(error) ? INFINITY : error;
  }
  return worst;
}

}  // namespace

TEST_CASE("A sum by the last block to finish is right for every type and shape") {
  KernelBench bench("algorithms.cu");
  const std::uint32_t threads = GENERATE(32u, 64u, 512u), blocks = GENERATE(1u, 7u, 33u);
  const int n = GENERATE(1, 1000, 12345);
  CAPTURE(threads, blocks, n);
  const auto x = numbers<int>(static_cast<std::size_t>(n), -1000, 1000);
  const Pointer total = bench.space<int>("total", 1);
  // Twice: the counter of finished blocks wraps around to where it began.
  for (int round = 0; round < 2; ++round) {
    bench.run("sum_last_block<int>", {{blocks}, {threads}, 4 * threads},
              {Argument::pointer(bench.put("x", x)),
               Argument::pointer(bench.space<int>("partial", blocks)), Argument::pointer(total),
               Argument::of(n)});
    CHECK(bench.get<int>(total, 1)[0] == std::accumulate(x.begin(), x.end(), 0));
  }
  const std::vector<double> halves(x.begin(), x.end());
  const Pointer exact = bench.space<double>("exact", 1);
  bench.run("sum_last_block<double>", {{blocks}, {threads}, 8 * threads},
            {Argument::pointer(bench.put("halves", halves)),
             Argument::pointer(bench.space<double>("parts", blocks)), Argument::pointer(exact),
             Argument::of(n)});
  CHECK(bench.get<double>(exact, 1)[0] == std::accumulate(x.begin(), x.end(), 0));
}

TEST_CASE("Scans in one block agree with a running sum") {
  KernelBench bench("algorithms.cu");
  const int n = GENERATE(1, 31, 33, 500, 1024);
  CAPTURE(n);
  const auto x = numbers<int>(static_cast<std::size_t>(n), -50, 1000);
  std::vector<int> inclusive(x.size()), exclusive(x.size());
  std::inclusive_scan(x.begin(), x.end(), inclusive.begin());
  std::exclusive_scan(x.begin(), x.end(), exclusive.begin(), 0);
  const Pointer from = bench.put("x", x), to = bench.space<int>("y", x.size());
  bench.run("scan_hillis_steele", {{1}, {1024}, 8192},
            {Argument::pointer(from), Argument::pointer(to), Argument::of(n)});
  CHECK(first_difference(bench.get<int>(to, x.size()), inclusive) == -1);
  bench.run("scan_blelloch", {{1}, {512}, 4 * (1024 + 32)},
            {Argument::pointer(from), Argument::pointer(to), Argument::of(n)});
  CHECK(first_difference(bench.get<int>(to, x.size()), exclusive) == -1);
}

TEST_CASE("A scan whose blocks spin for the blocks before them ends, in any schedule") {
  KernelBench bench("algorithms.cu");
  const std::uint64_t seed = GENERATE(0u, 1u, 77u);
  const std::uint32_t threads = GENERATE(32u, 96u, 256u);
  CAPTURE(seed, threads);
  constexpr int kCount = 9973;
  const auto x = numbers<int>(kCount, -50, 1000);
  std::vector<int> expected(x.size());
  std::inclusive_scan(x.begin(), x.end(), expected.begin());
  const std::uint32_t blocks = blocks_for(kCount, threads);
  const Pointer y = bench.space<int>("y", x.size());
  bench.run("scan_look_back", {{blocks}, {threads}, 0, false, 0, seed},
            {Argument::pointer(bench.put("x", x)), Argument::pointer(y),
             Argument::pointer(bench.zeros<std::uint64_t>("status", blocks)),
             Argument::pointer(bench.zeros<std::uint32_t>("ticket", 1)), Argument::of(kCount)});
  CHECK(first_difference(bench.get<int>(y, x.size()), expected) == -1);
}

TEST_CASE("A bitonic sort sorts") {
  KernelBench bench("algorithms.cu");
  const std::uint32_t threads = GENERATE(2u, 64u, 1024u);
  const std::uint32_t n = threads - GENERATE(0u, 1u);
  CAPTURE(threads, n);
  auto keys = numbers<std::uint32_t>(n, 0, 0xfffffffe);
  const Pointer held = bench.put("keys", keys);
  bench.run("sort_bitonic", {{1}, {threads}, 4 * threads},
            {Argument::pointer(held), Argument::of(static_cast<int>(n))});
  std::sort(keys.begin(), keys.end());
  CHECK(first_difference(bench.get<std::uint32_t>(held, n), keys) == -1);
}

TEST_CASE("A tiled transpose turns any matrix, and only padding takes its bank conflicts") {
  KernelBench bench("algorithms.cu");
  const int width = GENERATE(32, 65, 100), height = GENERATE(32, 33, 71);
  const std::uint32_t rows = GENERATE(8u, 5u);
  CAPTURE(width, height, rows);
  const auto in = numbers<float>(static_cast<std::size_t>(width * height), -1, 1);
  std::vector<float> expected(in.size());
  for (int y = 0; y < height; ++y) {
    for (int x = 0; x < width; ++x)
      expected[static_cast<std::size_t>(x * height + y)] =
          in[static_cast<std::size_t>(y * width + x)];
  }
  const Pointer from = bench.put("in", in), to = bench.space<float>("out", in.size());
  const KernelBench::Shape shape{{blocks_for(static_cast<std::uint32_t>(width), 32),
                                  blocks_for(static_cast<std::uint32_t>(height), 32)},
                                 {32, rows}};
  const std::vector<Argument> arguments{Argument::pointer(from), Argument::pointer(to),
                                        Argument::of(width), Argument::of(height)};
  const auto plain = bench.run("transpose_tiled<0>", shape, arguments);
  CHECK(first_difference(bench.get<float>(to, in.size()), expected) == -1);
  const auto padded = bench.run("transpose_tiled<1>", shape, arguments);
  CHECK(first_difference(bench.get<float>(to, in.size()), expected) == -1);
  CHECK(padded->total.shared_wavefronts == padded->total.shared_wavefronts_ideal);
  if (width == 32 && height == 32) {
    // 32 rows stored in one pass each, 32 columns loaded in 32 passes each.
    CHECK(plain->total.shared_wavefronts == 32 + 32 * 32);
    CHECK(padded->total.shared_wavefronts == 64);
  }
}

TEST_CASE("A tiled matrix product is right at odd sizes, and bit by bit in the order it adds") {
  KernelBench bench("algorithms.cu");
  const auto [m, n, k] = GENERATE(std::array{1, 1, 1}, std::array{16, 16, 16},
                                  std::array{33, 47, 65}, std::array{50, 7, 129});
  const std::uint32_t tile = GENERATE(16u, 7u);
  CAPTURE(m, n, k, tile);
  const auto a = numbers<float>(static_cast<std::size_t>(m * k), -1, 1, 1);
  const auto b = numbers<float>(static_cast<std::size_t>(k * n), -1, 1, 2);
  std::vector<float> expected;
  for (int row = 0; row < m; ++row) {
    for (int column = 0; column < n; ++column) {
      float sum = 0;
      for (int i = 0; i < k; ++i)
        sum = std::fma(a[static_cast<std::size_t>(row * k + i)],
                       b[static_cast<std::size_t>(i * n + column)], sum);
      expected.push_back(sum);
    }
  }
  const Pointer c = bench.space<float>("c", expected.size());
  bench.run(tile == 16 ? "gemm_tiled<16>" : "gemm_tiled<7>",
            {{blocks_for(static_cast<std::uint32_t>(n), tile),
              blocks_for(static_cast<std::uint32_t>(m), tile)},
             {tile, tile}},
            {Argument::pointer(bench.put("a", a)), Argument::pointer(bench.put("b", b)),
             Argument::pointer(c), Argument::of(m), Argument::of(n), Argument::of(k)});
  CHECK(first_difference(bench.get<float>(c, expected.size()), expected) == -1);
}

TEST_CASE("A histogram counts every byte once") {
  KernelBench bench("algorithms.cu");
  const std::uint32_t threads = GENERATE(17u, 256u, 1000u), blocks = GENERATE(1u, 6u);
  CAPTURE(threads, blocks);
  const auto x = numbers<std::uint8_t>(30011, 0, 255);
  std::vector<std::uint32_t> expected(256);
  for (const std::uint8_t v : x) ++expected[v];
  const Pointer bins = bench.zeros<std::uint32_t>("bins", 256);
  bench.run("histogram", {{blocks}, {threads}},
            {Argument::pointer(bench.put("x", x)), Argument::pointer(bins),
             Argument::of(static_cast<int>(x.size()))});
  CHECK(first_difference(bench.get<std::uint32_t>(bins, 256), expected) == -1);
}

TEST_CASE(
    "A stencil in three dimensions takes its weights by value and its border from constants") {
  KernelBench bench("algorithms.cu");
  struct Weights {
    float centre, side;
    short dimensions[3];
  };
  const Weights w{0.4f, 0.1f, {19, 7, 11}};
  const Dim3 block = GENERATE(Dim3{8, 4, 2}, Dim3{5, 3, 7}, Dim3{32, 1, 1});
  CAPTURE(block.x, block.y, block.z);
  const std::uint32_t nx = 19, ny = 7, nz = 11;
  const auto in = numbers<float>(nx * ny * nz, -1, 1);
  const auto at = [&](int x, int y, int z) {
    if (x < 0 || y < 0 || z < 0 || x >= 19 || y >= 7 || z >= 11)
      return ((x + y + z) & 1) != 0 ? -1.5 : 0.25;
    return static_cast<double>(in[static_cast<std::size_t>((z * 7 + y) * 19 + x)]);
  };
  std::vector<double> expected;
  for (int z = 0; z < 11; ++z) {
    for (int y = 0; y < 7; ++y) {
      for (int x = 0; x < 19; ++x) {
        expected.push_back(0.4f * at(x, y, z) +
                           0.1f * (at(x - 1, y, z) + at(x + 1, y, z) + at(x, y - 1, z) +
                                   at(x, y + 1, z) + at(x, y, z - 1) + at(x, y, z + 1)));
      }
    }
  }
  std::vector<std::byte> bytes(sizeof w);
  std::memcpy(bytes.data(), &w, sizeof w);
  const Pointer out = bench.space<float>("out", in.size());
  bench.run(
      "stencil",
      {{blocks_for(nx, block.x), blocks_for(ny, block.y), blocks_for(nz, block.z)}, block},
      {Argument::pointer(bench.put("in", in)), Argument::pointer(out), Argument::structure(bytes)});
  CHECK(worst_error(bench.get<float>(out, in.size()), expected) < 1e-6);
}

TEST_CASE("The Mandelbrot set's lanes each leave their loop in their own time") {
  KernelBench bench("algorithms.cu", false);
  constexpr int kWidth = 61, kHeight = 43, kMost = 200;
  std::vector<std::uint16_t> expected;
  for (int y = 0; y < kHeight; ++y) {
    for (int x = 0; x < kWidth; ++x) {
      const double cx = -2.0 + 3.0 * x / kWidth, cy = -1.2 + 2.4 * y / kHeight;
      double a = 0, b = 0;
      std::uint16_t k = 0;
      while (k < kMost && a * a + b * b <= 4) {
        const double next = a * a - b * b + cx;
        b = 2 * a * b + cy;
        a = next;
        ++k;
      }
      expected.push_back(k);
    }
  }
  const Pointer image = bench.space<std::uint16_t>("image", expected.size());
  bench.run(
      "mandelbrot", {{blocks_for(kWidth, 16), blocks_for(kHeight, 8)}, {16, 8}},
      {Argument::pointer(image), Argument::of(kWidth), Argument::of(kHeight), Argument::of(kMost)});
  CHECK(first_difference(bench.get<std::uint16_t>(image, expected.size()), expected) == -1);
}

TEST_CASE("A softmax in one pass keeps rows of any length near 1 in sum") {
  KernelBench bench("algorithms.cu");
  const std::size_t columns = GENERATE(1u, 31u, 100u);
  CAPTURE(columns);
  constexpr std::size_t kRows = 5;
  const auto x = numbers<float>(kRows * columns, -30, 80);
  std::vector<double> expected(x.size());
  for (std::size_t r = 0; r < kRows; ++r) {
    double most = -INFINITY, sum = 0;
    for (std::size_t i = 0; i < columns; ++i) most = std::max<double>(most, x[r * columns + i]);
    for (std::size_t i = 0; i < columns; ++i) sum += std::exp(x[r * columns + i] - most);
    for (std::size_t i = 0; i < columns; ++i)
      expected[r * columns + i] = std::exp(x[r * columns + i] - most) / sum;
  }
  const Pointer y = bench.space<float>("y", x.size());
  bench.run("softmax_online", {{kRows}, {32}},
            {Argument::pointer(bench.put("x", x)), Argument::pointer(y),
             Argument::of(static_cast<int>(columns))});
  CHECK(worst_error(bench.get<float>(y, x.size()), expected) < 1e-5);
}

TEST_CASE("A breadth-first search finds each node's distance, whoever claims it first") {
  KernelBench bench("algorithms.cu");
  constexpr int kNodes = 701;
  const auto targets = numbers<int>(3 * kNodes, 0, kNodes - 1);
  std::vector<int> begin(kNodes + 1), distance(kNodes, -1);
  for (int i = 0; i <= kNodes; ++i) begin[static_cast<std::size_t>(i)] = 3 * i;
  std::vector<int> queue{0};
  distance[0] = 0;
  for (std::size_t at = 0; at < queue.size(); ++at) {
    for (int e = 0; e < 3; ++e) {
      const int to = targets[static_cast<std::size_t>(3 * queue[at] + e)];
      int& d = distance[static_cast<std::size_t>(to)];
      if (d == -1) d = distance[static_cast<std::size_t>(queue[at])] + 1, queue.push_back(to);
    }
  }
  std::vector<int> start(kNodes, -1);
  start[0] = 0;
  const Pointer rows = bench.put("begin", begin), edges = bench.put("edges", targets),
                found = bench.put("distance", start);
  Pointer frontier = bench.zeros<int>("frontier", kNodes), next = bench.zeros<int>("next", kNodes);
  int size = 1;
  for (int level = 1; size > 0; ++level) {
    REQUIRE(level < kNodes);
    const Pointer grown = bench.zeros<int>("size", 1);
    bench.run("bfs_level", {{blocks_for(static_cast<std::uint32_t>(size), 64)}, {64}},
              {Argument::pointer(rows), Argument::pointer(edges), Argument::pointer(found),
               Argument::pointer(frontier), Argument::of(size), Argument::pointer(next),
               Argument::pointer(grown), Argument::of(level)});
    size = bench.get<int>(grown, 1)[0];
    std::swap(frontier, next);
  }
  CHECK(first_difference(bench.get<int>(found, kNodes), distance) == -1);
}

TEST_CASE("A spin lock lets every thread through, lanes and blocks, in both its forms") {
  KernelBench bench("algorithms.cu");
  const char* const kernel = GENERATE("count_under_lock", "count_under_plain_lock");
  const std::uint32_t threads = GENERATE(1u, 37u, 128u), blocks = GENERATE(1u, 9u);
  const std::uint64_t seed = GENERATE(0u, 5u);
  CAPTURE(kernel, threads, blocks, seed);
  const Pointer count = bench.zeros<std::int64_t>("count", 1);
  bench.run(kernel, {{blocks}, {threads}, 0, false, 0, seed},
            {Argument::pointer(bench.zeros<int>("lock", 1)), Argument::pointer(count)});
  CHECK(bench.get<std::int64_t>(count, 1)[0] == std::int64_t{blocks} * threads * (threads + 1) / 2);
}

}  // namespace warpbook::tests::algorithms_test
