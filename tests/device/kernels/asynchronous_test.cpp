// Kernels with asynchronous copies, barriers and pipelines from CUDA's own headers give what plain C++ gives, in any
// schedule; where a wait is missing, that is said.
#include <algorithm>
#include <catch2/generators/catch_generators.hpp>
#include <cmath>

#include "tests/device/kernels/kernel_bench.hpp"

namespace warpbook::tests::asynchronous_test {

using namespace warpbook::device;

namespace {

KernelBench& bench() {
  static KernelBench bench("asynchronous.cu");
  bench.racecheck = true;
  return bench;
}

}  // namespace

TEST_CASE("A double-buffered SGEMM with cp.async is right at odd sizes", "[ci]") {
  const int n = GENERATE(1, 16, 37, 64);
  const std::uint64_t seed = GENERATE(0u, 1u, 2u, 3u, 4u);
  CAPTURE(n, seed);
  const auto count = static_cast<std::size_t>(n) * static_cast<std::size_t>(n);
  const auto a = numbers<float>(count, -1, 1, 1), b = numbers<float>(count, -1, 1, 2);
  const Pointer c = bench().space<float>("c", count);
  const auto blocks = static_cast<std::uint32_t>((n + 15) / 16);
  KernelBench::Shape shape{{blocks, blocks}, {16, 16}};
  shape.seed = seed;
  bench().run("sgemm_double_buffered", shape,
              {Argument::pointer(bench().put("a", a)), Argument::pointer(bench().put("b", b)),
               Argument::pointer(c), Argument::of(n)});
  const auto got = bench().get<float>(c, count);
  double worst = 0;
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < n; ++j) {
      double sum = 0;
      for (int k = 0; k < n; ++k)
        sum += static_cast<double>(a[static_cast<std::size_t>(i * n + k)]) *
               static_cast<double>(b[static_cast<std::size_t>(k * n + j)]);
      worst = std::max(
          worst, std::abs(sum - static_cast<double>(got[static_cast<std::size_t>(i * n + j)])));
    }
  }
  CHECK(worst < 1e-5);
}

TEST_CASE("Pipelines of several stages hand over every tile, whole", "[ci]") {
  const int stages = GENERATE(1, 2, 4);
  const std::uint32_t threads = GENERATE(32u, 96u);
  const std::uint64_t seed = GENERATE(0u, 1u, 2u, 3u, 4u);
  CAPTURE(stages, threads, seed);
  constexpr int kTiles = 7;
  constexpr std::uint32_t kBlocks = 3;
  const auto x = numbers<int>(kBlocks * kTiles * threads, -1000, 1000);
  std::vector<int> want(x.size());
  for (std::size_t i = 0; i < x.size(); ++i) {
    const std::size_t tile = i / threads * threads;
    want[i] = x[i] + x[tile + threads - 1 - (i - tile)];
  }
  const Pointer y = bench().space<int>("y", x.size());
  KernelBench::Shape shape{{kBlocks}, {threads}, static_cast<std::uint32_t>(stages) * threads * 4};
  shape.seed = seed;
  bench().run("pipelined<" + std::to_string(stages) + ">", shape,
              {Argument::pointer(bench().put("x", x)), Argument::pointer(y), Argument::of(kTiles)});
  CHECK(first_difference(bench().get<int>(y, x.size()), want) == -1);
}

TEST_CASE("A pipeline whose first warp produces and whose others consume hands over every tile",
          "[ci]") {
  const std::uint64_t seed = GENERATE(0u, 1u, 2u, 3u, 4u);
  CAPTURE(seed);
  constexpr int kTiles = 11;
  const auto x = numbers<int>(kTiles * 64, -1000, 1000);
  std::vector<int> want(x.size());
  for (std::size_t i = 0; i < x.size(); ++i) want[i] = 2 * x[i] + x[i / 64 * 64 + 63 - i % 64];
  const Pointer y = bench().space<int>("y", x.size());
  KernelBench::Shape shape{{1}, {96}};
  shape.seed = seed;
  bench().run("specialised", shape,
              {Argument::pointer(bench().put("x", x)), Argument::pointer(y), Argument::of(kTiles)});
  CHECK(first_difference(bench().get<int>(y, x.size()), want) == -1);
}

TEST_CASE("Bulk copies in and out of shared memory move every element", "[ci]") {
  const std::uint64_t seed = GENERATE(0u, 1u, 2u, 3u, 4u);
  const std::uint32_t threads = GENERATE(32u, 100u);
  const char* kernel = GENERATE("bulk_reversed<true>", "bulk_reversed<false>");
  CAPTURE(seed, threads, kernel);
  const auto x = numbers<int>(5 * 256, -1000, 1000);
  std::vector<int> want(x.size());
  for (std::size_t i = 0; i < x.size(); ++i) want[i] = x[i / 256 * 256 + 255 - i % 256];
  const Pointer y = bench().space<int>("y", x.size());
  KernelBench::Shape shape{{5}, {threads}};
  shape.seed = seed;
  bench().run(kernel, shape, {Argument::pointer(bench().put("x", x)), Argument::pointer(y)});
  CHECK(first_difference(bench().get<int>(y, x.size()), want) == -1);
}

TEST_CASE("Producers and consumers that meet at cuda::barrier lose no element", "[ci]") {
  const std::uint64_t seed = GENERATE(0u, 1u, 2u, 3u, 4u);
  CAPTURE(seed);
  constexpr int kRounds = 9;
  const auto x = numbers<int>(kRounds * 32, -1000, 1000);
  long long want = 0;
  for (std::size_t i = 0; i < x.size(); ++i) want += x[i] * (static_cast<long long>(i) % 32 + 1);
  const Pointer sums = bench().space<std::int64_t>("sums", 64);
  KernelBench::Shape shape{{1}, {96}};
  shape.seed = seed;
  bench().run(
      "producer_consumer", shape,
      {Argument::pointer(bench().put("x", x)), Argument::pointer(sums), Argument::of(kRounds)});
  CHECK(first_difference(bench().get<std::int64_t>(sums, 64),
                         std::vector<std::int64_t>(64, want)) == -1);
}

TEST_CASE("Threads that drop out of a cuda::barrier are not waited for any more", "[ci]") {
  const Pointer y = bench().space<int>("y", 64);
  KernelBench::Shape shape{{1}, {64}};
  shape.seed = GENERATE(0u, 1u, 2u, 3u, 4u);
  bench().run("dropping", shape, {Argument::pointer(y)});
  const auto got = bench().get<int>(y, 64);
  for (std::size_t i = 0; i < 64; ++i) CHECK(got[i] == static_cast<int>(i));
}

TEST_CASE("cooperative_groups::memcpy_async fills shared memory for blocks and for tiles", "[ci]") {
  const int n = GENERATE(8, 100, 256);
  CAPTURE(n);
  const auto size = static_cast<std::size_t>(n);
  const auto x = numbers<int>(size, -1000, 1000);
  const Pointer y = bench().put("y", std::vector<int>(2 * size));
  KernelBench::Shape shape{{1}, {256}, static_cast<std::uint32_t>(n) * 4};
  shape.seed = GENERATE(0u, 1u, 2u, 3u, 4u);
  bench().run("group_copy", shape,
              {Argument::pointer(bench().put("x", x)), Argument::pointer(y), Argument::of(n)});
  std::vector<int> want(2 * size);
  for (std::size_t i = 0; i < size; ++i) {
    want[i] = x[size - 1 - i];
    if (i / 8 * 8 + 8 <= size) want[size + i] = x[i / 8 * 8 + 7 - i % 8];
  }
  CHECK(first_difference(bench().get<int>(y, 2 * size), want) == -1);
}

TEST_CASE("A copy that is read without a wait is a finding at the reader's line", "[ci]") {
  const auto x = numbers<int>(32, 1, 1000);
  const Pointer y = bench().space<int>("y", 32);
  const auto record =
      bench().run_anyhow("forgotten_wait", {{1}, {32}},
                         {Argument::pointer(bench().put("x", x)), Argument::pointer(y)});
  REQUIRE(record->findings.size() == 32);
  CHECK(record->findings[0].error.code == ErrorCode::async_not_waited);
  CHECK(record->findings[0].by.place.line != 0);
  REQUIRE(record->findings[0].other);
}

TEST_CASE("A barrier that expects one thread too many is a deadlock that says so", "[ci]") {
  const Pointer y = bench().space<int>("y", 64);
  KernelBench::Shape shape{{1}, {64}};
  shape.seed = GENERATE(0u, 1u, 2u, 3u, 4u);
  shape.observe.racecheck = GENERATE(false, true);
  const auto record = bench().run_anyhow("missing_arrival", shape, {Argument::pointer(y)});
  REQUIRE(record->error);
  CHECK(record->error->code == ErrorCode::deadlock);
  CAPTURE(record->error->english());
  CHECK(record->error->english().find("misses 1 of 65 arrivals") != std::string::npos);
}

}  // namespace warpbook::tests::asynchronous_test
