// Counters of small kernels are what one counts by hand, and the same however they are run.
#include <cmath>

#include <catch2/generators/catch_generators.hpp>

#include "tests/device/kernels/kernel_bench.hpp"

namespace warpbook::tests::counters_test {

using namespace warpbook::device;

TEST_CASE("A stride moves as many sectors as it touches") {
  KernelBench bench("counters.cu");
  const int stride = GENERATE(1, 2, 3, 4, 8, 9);
  CAPTURE(stride);
  const Pointer x = bench.zeros<float>("x", 9 * 96), y = bench.space<float>("y", 96);
  const auto record = bench.run("copy_strided", {{2}, {48}},
                                {Argument::pointer(x), Argument::pointer(y), Argument::of(stride)});
  // Buffers begin on 256 bytes; each block is a full warp and half a warp.
  std::uint64_t sectors = 0;
  for (int block = 0; block < 2; ++block) {
    for (const auto& [first, lanes] : {std::pair{0, 32}, std::pair{32, 16}}) {
      std::ptrdiff_t last = -1;
      for (int i = 0; i < lanes; ++i) {
        const std::ptrdiff_t sector = (block * 48 + first + i) * stride * 4 / 32;
        sectors += sector != last;
        last = sector;
      }
    }
  }
  CHECK(record->total.global_load_sectors == sectors);
  CHECK(record->total.global_store_sectors == 96 * 4 / 32);
  CHECK(record->total.global_requests == 8);
  CHECK(record->total.global_bytes_asked == 2 * 96 * 4);
  CHECK(record->blocks_writing == 2);
}

TEST_CASE("Stores that are off by one element take one sector more a warp") {
  KernelBench bench("counters.cu");
  const int offset = GENERATE(0, 1, 7, 8);
  CAPTURE(offset);
  const Pointer x = bench.zeros<float>("x", 64), y = bench.space<float>("y", 72);
  const auto record = bench.run("copy_offset", {{2}, {32}},
                                {Argument::pointer(x), Argument::pointer(y), Argument::of(offset)});
  CHECK(record->total.global_load_sectors == 8);
  CHECK(record->total.global_store_sectors == (offset % 8 == 0 ? 8u : 10u));
}

TEST_CASE("Four floats at once are one request of sixteen sectors") {
  KernelBench bench("counters.cu");
  const Pointer x = bench.zeros<float>("x", 128), y = bench.space<float>("y", 128);
  const auto record =
      bench.run("copy_wide", {{1}, {32}}, {Argument::pointer(x), Argument::pointer(y)});
  CHECK(record->total.global_requests == 2);
  CHECK(record->total.global_load_sectors == 16);
  CHECK(record->total.global_store_sectors == 16);
  CHECK(record->total.global_bytes_asked == 2 * 512);
}

TEST_CASE("Shared memory takes as many passes as words of one bank are asked for") {
  KernelBench bench("counters.cu");
  const auto [stride, passes] =
      GENERATE(std::pair{0, 1}, std::pair{1, 1}, std::pair{2, 2}, std::pair{3, 1}, std::pair{4, 4},
               std::pair{8, 8}, std::pair{32, 32}, std::pair{33, 1});
  CAPTURE(stride);
  const Pointer y = bench.space<float>("y", 32);
  const auto record =
      bench.run("shared_strided", {{1}, {32}}, {Argument::pointer(y), Argument::of(stride)});
  // 33 stores of a pass each fill it.
  CHECK(record->total.shared_requests == 34);
  CHECK(record->total.shared_wavefronts == 33 + static_cast<std::uint64_t>(passes));
  CHECK(record->total.shared_wavefronts_ideal == 34);
  CHECK(record->total.barriers == 1);
}

TEST_CASE(
    "A branch counts as divergent where it parts a warp, and an atomic's lanes that meet as "
    "collisions") {
  KernelBench bench("counters.cu");
  const int lanes = GENERATE(0, 5, 32);
  CAPTURE(lanes);
  const Pointer y = bench.zeros<int>("y", 65);
  const auto record = bench.run("part", {{1}, {32}}, {Argument::pointer(y), Argument::of(lanes)});
  CHECK(record->total.divergent_branches == (lanes == 5 ? 1u : 0u));
  CHECK(record->total.atomics == 3 * static_cast<std::uint64_t>(lanes));
  CHECK(bench.get<int>(y, 65)[64] == 3 * lanes);

  const Pointer cells = bench.zeros<std::uint32_t>("cells", 32);
  const auto spread =
      bench.run("collide", {{1}, {32}}, {Argument::pointer(cells), Argument::of(1)});
  CHECK(spread->total.atomic_collisions == 0);
  const auto pairs = bench.run("collide", {{1}, {32}}, {Argument::pointer(cells), Argument::of(2)});
  CHECK(pairs->total.atomics == 32);
  CHECK(pairs->total.atomic_collisions == 16);
  const auto together =
      bench.run("collide", {{1}, {32}}, {Argument::pointer(cells), Argument::of(32)});
  CHECK(together->total.atomic_collisions == 31);
}

TEST_CASE("How evenly threads share instructions, and warps the loads") {
  // `workers` of 64 threads count to `rounds`, and warp 0 alone or both warps load.
  KernelBench bench("counters.cu");
  const Pointer x = bench.put("x", std::vector<int>(64, 1)), y = bench.space<int>("y", 64);
  const auto run = [&](int workers, int rounds, int loaders) {
    return *bench.run("share", {{1}, {64}},
                      {Argument::pointer(x), Argument::pointer(y), Argument::of(workers),
                       Argument::of(rounds), Argument::of(loaders)});
  };
  const auto even = run(64, 2000, 64), half = run(32, 2000, 32), one = run(1, 20000, 64);
  CHECK(even.thread_evenness > 0.999);
  CHECK(even.fetch_evenness == 1);
  // k of n workers: k/n, but for what all of them do.
  CHECK(std::abs(half.thread_evenness - 0.5) < 0.01);
  CHECK(half.fetch_evenness == 0.5);
  CHECK(one.thread_evenness < 0.02);
}

TEST_CASE("The fewest and the most barriers of a warp are kept beside their sum") {
  // Block b waits 2 b + 1 times.
  KernelBench bench("counters.cu");
  const Pointer y = bench.space<int>("y", 3 * 64);
  const auto record = bench.run("meet", {{3}, {64}}, {Argument::pointer(y)});
  CHECK(record->total.barriers == 2 * (1 + 3 + 5));
  CHECK(record->warp_barriers == Extremes{1, 5});
}

TEST_CASE("Counters, traces and results are the same with one worker, with two, and again") {
  KernelBench bench("algorithms.cu");
  const auto a = numbers<float>(70 * 90, -1, 1, 1), b = numbers<float>(90 * 50, -1, 1, 2);
  const Pointer pa = bench.put("a", a), pb = bench.put("b", b),
                c = bench.space<float>("c", 70 * 50);
  const auto run = [&](std::uint32_t host_threads) {
    auto record = *bench.run("gemm_tiled<16>", {{4, 5}, {16, 16}, 0, false, host_threads},
                             {Argument::pointer(pa), Argument::pointer(pb), Argument::pointer(c),
                              Argument::of(70), Argument::of(50), Argument::of(90)});
    record.seconds = 0;
    record.host_threads = 0;
    return std::pair{record, bench.get<float>(c, 70 * 50)};
  };
  const auto first = run(1), second = run(2), third = run(1);
  CHECK(first.first.total == second.first.total);
  CHECK(first.first.instructions == second.first.instructions);
  CHECK(first.first.lines == second.first.lines);
  CHECK(first.first.longest_lane == second.first.longest_lane);
  CHECK(first.first.thread_evenness == second.first.thread_evenness);
  CHECK(first.first.trace == second.first.trace);
  CHECK(first.second == second.second);
  CHECK(first.first.total == third.first.total);
  CHECK(first.first.trace == third.first.trace);
  CHECK(first.second == third.second);
}

}  // namespace warpbook::tests::counters_test
