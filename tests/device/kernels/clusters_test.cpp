// Clusters, grids that meet, groups of threads and libcu++'s atomics give what plain C++ gives, in any schedule.
#include <algorithm>
#include <catch2/generators/catch_generators.hpp>
#include <numeric>

#include "tests/device/kernels/kernel_bench.hpp"

namespace warpbook::tests::clusters_test {

using namespace warpbook::device;

namespace {

KernelBench& bench() {
  static KernelBench bench("clusters.cu");
  bench.racecheck = true;
  return bench;
}

KernelBench::Shape clusters_of(std::uint32_t blocks, std::uint32_t grid, std::uint32_t threads,
                               std::uint64_t seed = 0) {
  KernelBench::Shape shape{{grid}, {threads}};
  shape.cluster = {blocks, 1, 1};
  shape.seed = seed;
  return shape;
}

}  // namespace

TEST_CASE("Clusters add up what their blocks hold in shared memory", "[ci]") {
  const std::uint64_t seed = GENERATE(0u, 1u, 2u, 3u, 4u);
  const int n = GENERATE(1, 1000, 5003);
  CAPTURE(seed, n);
  const auto x = numbers<int>(static_cast<std::size_t>(n), -1000, 1000);
  const Pointer sums = bench().space<std::int64_t>("sums", 3);
  // The size of the clusters is the kernel's own.
  bench().run("cluster_sum", clusters_of(1, 12, 64, seed),
              {Argument::pointer(bench().put("x", x)), Argument::pointer(sums), Argument::of(n)});
  std::vector<std::int64_t> want(3);
  for (std::size_t i = 0; i < x.size(); ++i) want[i / 64 % 12 / 4] += x[i];
  CHECK(bench().get<std::int64_t>(sums, 3) == want);
}

TEST_CASE("A histogram over distributed shared memory counts every value", "[ci]") {
  const std::uint32_t blocks = GENERATE(1u, 2u, 8u);
  const int count = GENERATE(10, 1000);
  CAPTURE(blocks, count);
  const std::uint64_t seed = GENERATE(0u, 1u, 2u, 3u, 4u);
  constexpr int kValues = 1001;
  const auto x = numbers<int>(kValues, 0, count - 1);
  std::vector<int> want(static_cast<std::size_t>(count));
  for (const int v : x) ++want[static_cast<std::size_t>(v)];
  const Pointer bins = bench().zeros<int>("bins", want.size());
  auto shape = clusters_of(blocks, 16, 96, seed);
  shape.shared = 4 * ((static_cast<std::uint32_t>(count) + blocks - 1) / blocks);
  bench().run("cluster_histogram", shape,
              {Argument::pointer(bench().put("x", x)), Argument::of(kValues),
               Argument::pointer(bins), Argument::of(count)});
  CHECK(first_difference(bench().get<int>(bins, want.size()), want) == -1);
}

TEST_CASE("Blocks of a cluster hand values around in a ring", "[ci]") {
  const std::uint32_t blocks = GENERATE(1u, 2u, 7u);
  const std::uint64_t seed = GENERATE(0u, 1u, 2u, 3u, 4u);
  CAPTURE(blocks, seed);
  const Pointer y = bench().space<int>("y", 2 * blocks);
  bench().run("ring", clusters_of(blocks, 2 * blocks, 40, seed), {Argument::pointer(y)});
  const auto got = bench().get<int>(y, 2 * blocks);
  for (std::uint32_t b = 0; b < 2 * blocks; ++b) {
    int want = static_cast<int>(b / blocks * blocks + (b + 1) % blocks);
    for (std::uint32_t r = 1; r < blocks; ++r) want = 2 * want + 1;
    CHECK(got[b] == want);
  }
}

TEST_CASE("Every thread knows its place in its cluster", "[ci]") {
  const Pointer y = bench().space<std::uint32_t>("y", 8 * 6 * 40);
  bench().run("whereabouts", clusters_of(3, 6, 40), {Argument::pointer(y)});
  const auto got = bench().get<std::uint32_t>(y, 8 * 6 * 40);
  std::size_t wrong = 0, at = 0;
  for (std::uint32_t b = 0; b < 6; ++b) {
    for (std::uint32_t t = 0; t < 40; ++t) {
      const std::uint32_t rank = b % 3;
      for (const std::uint32_t want : {rank, 3u, rank * 40 + t, 120u, rank, 3u, 0u, 3u})
        wrong += got[at++] != want;
    }
  }
  CHECK(wrong == 0);
}

TEST_CASE("Shared memory of a block that has ended is a finding", "[ci]") {
  const Pointer y = bench().space<int>("y", 1);
  const auto record =
      bench().run_anyhow("left_too_early", clusters_of(1, 2, 1), {Argument::pointer(y)});
  REQUIRE(!record->findings.empty());
  CHECK(record->findings[0].error.code == ErrorCode::block_has_ended);
  CHECK(record->findings[0].by.place.line != 0);
}

TEST_CASE("A grid that meets after each step iterates as one thread would", "[ci]") {
  const std::uint32_t blocks = GENERATE(1u, 5u);
  const std::uint64_t seed = GENERATE(0u, 1u, 2u, 3u, 4u);
  CAPTURE(blocks, seed);
  constexpr int kCount = 501, kSteps = 6;
  auto a = numbers<float>(kCount, -1, 1);
  KernelBench::Shape shape{{blocks}, {64}};
  shape.cooperative = true;
  shape.seed = seed;
  const Pointer from = bench().put("a", a), to = bench().space<float>("b", kCount);
  bench().run(
      "jacobi", shape,
      {Argument::pointer(from), Argument::pointer(to), Argument::of(kCount), Argument::of(kSteps)});
  auto b = a;
  for (int s = 0; s < kSteps; ++s) {
    for (std::size_t i = 1; i + 1 < a.size(); ++i) b[i] = 0.5f * (a[i - 1] + a[i + 1]);
    std::swap(a, b);
  }
  CHECK(first_difference(bench().get<float>(from, kCount), a) == -1);
}

TEST_CASE("Groups of threads reduce and scan among themselves", "[ci]") {
  const std::uint64_t seed = GENERATE(0u, 1u, 2u, 3u, 4u);
  constexpr std::size_t n = 96;
  const auto x = numbers<int>(n, 0, 99);
  const Pointer y = bench().space<int>("y", 8 * n);
  KernelBench::Shape shape{{1}, {static_cast<std::uint32_t>(n)}};
  shape.seed = seed;
  bench().run("groups", shape, {Argument::pointer(bench().put("x", x)), Argument::pointer(y)});
  const auto got = bench().get<int>(y, 8 * n);
  for (std::size_t i = 0; i < n; ++i) {
    CAPTURE(i);
    const std::size_t warp = i / 32 * 32, four = i / 4 * 4;
    int sum = 0, most = 0, before = 0, before4 = 0, thirds = 0, rank3 = 0, same = 0, half = 0,
        rank2 = 0;
    for (std::size_t k = warp; k < warp + 32; ++k) {
      sum += x[k];
      if (k <= i) before += x[k];
      if (x[k] % 3 == 0) {
        thirds += x[k];
        rank3 += k < i;
      }
      same += x[k] % 4 == x[i] % 4;
      if (x[k] % 2 == x[i] % 2) {
        ++half;
        rank2 += k < i;
      }
    }
    for (std::size_t k = four; k < four + 4; ++k) {
      most = std::max(most, x[k]);
      if (k < i) before4 += x[k];
    }
    CHECK(got[i] == sum);
    CHECK(got[n + i] == most);
    CHECK(got[2 * n + i] == before);
    CHECK(got[3 * n + i] == before4);
    // Which lanes stand together is the schedule's to choose.
    if (seed == 0) {
      CHECK(got[4 * n + i] == (x[i] % 3 == 0 ? thirds * 100 + rank3 : -1));
      CHECK(got[5 * n + i] == same);
    }
    CHECK(got[6 * n + i] == half * 100 + rank2);
    CHECK(got[7 * n + i] == x[0]);
  }
}

TEST_CASE("cuda::atomic and cuda::atomic_ref count right across blocks", "[ci]") {
  const std::uint64_t seed = GENERATE(0u, 1u, 2u, 3u, 4u);
  constexpr int kCount = 3001;
  const auto x = numbers<int>(kCount, -1000, 1000);
  const Pointer total = bench().zeros<int>("total", 1), most = bench().zeros<int>("most", 1);
  const Pointer tickets = bench().zeros<std::uint64_t>("tickets", 1);
  KernelBench::Shape shape{{7}, {128}};
  shape.seed = seed;
  bench().run("atomics", shape,
              {Argument::pointer(bench().put("x", x)), Argument::of(kCount),
               Argument::pointer(total), Argument::pointer(most), Argument::pointer(tickets)});
  CHECK(bench().get<int>(total, 1)[0] == std::accumulate(x.begin(), x.end(), 0));
  CHECK(bench().get<int>(most, 1)[0] == *std::max_element(x.begin(), x.end()));
  CHECK(bench().get<std::uint64_t>(tickets, 1)[0] == 7);
}

TEST_CASE("A latch opens after its last thread, a semaphore lets so many in and no more", "[ci]") {
  const int permits = GENERATE(1, 3);
  const std::uint64_t seed = GENERATE(0u, 1u, 2u, 3u, 4u);
  CAPTURE(permits, seed);
  const Pointer y = bench().space<int>("y", 64);
  KernelBench::Shape shape{{1}, {64}};
  shape.seed = seed;
  bench().run("latch_and_semaphore", shape, {Argument::pointer(y), Argument::of(permits)});
  CHECK(first_difference(bench().get<int>(y, 64), std::vector<int>(64, 64001)) == -1);
}

TEST_CASE("A cuda::barrier in global memory holds threads of all blocks", "[ci]") {
  const std::uint64_t seed = GENERATE(0u, 1u, 2u, 3u, 4u);
  const Pointer bar = bench().put("bar", std::vector<std::uint64_t>(16));
  bench().run("make_barrier", {{1}, {1}}, {Argument::pointer(bar), Argument::of(3 * 50)});
  const Pointer x = bench().space<int>("x", 150), y = bench().space<int>("y", 150);
  KernelBench::Shape shape{{3}, {50}};
  shape.seed = seed;
  bench().run("across_blocks", shape,
              {Argument::pointer(bar), Argument::pointer(x), Argument::pointer(y)});
  const auto got = bench().get<int>(y, 150);
  for (int i = 0; i < 150; ++i) CHECK(got[static_cast<std::size_t>(i)] == (149 - i) * (149 - i));
}

}  // namespace warpbook::tests::clusters_test
