#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>

#include "device/occupancy.hpp"

namespace warpbook::tests::occupancy_test {

using namespace warpbook::device;

namespace {

struct Case {
  const char* gpu;
  BlockDemand demand;
  std::uint32_t blocks;
  const char* limiter;
};

}  // namespace

// Worked out by hand from the Programming Guide's limits and NVIDIA's units of allocation.
TEST_CASE("Occupancy is what NVIDIA's calculator says, with what limits it") {
  const auto c = GENERATE(
      // 2,048 threads of 256: 8 blocks, and nothing else binds.
      Case{"H200", {256, 16, 0}, 8, "threads"},
      // Blocks of one warp: 64 warps would fit, 32 block slots do.
      Case{"H200", {32, 16, 0}, 32, "blocks"},
      // 33 threads are two warps.
      Case{"H200", {33, 16, 0}, 32, "threads"},
      // 65 registers are rounded to 72 (2,304 a warp): 7 warps in each of 4 partitions of 16,384;
      // 28 / 8 warps.
      Case{"H200", {256, 65, 0}, 3, "registers"},
      // 64 registers: 8 warps a partition, 32 / 8.
      Case{"H200", {256, 64, 0}, 4, "registers"},
      // 255 registers are 8,192 a warp: 2 warps a partition, 8 warps, one block of 256.
      Case{"H200", {256, 255, 0}, 1, "registers"}, Case{"H200", {288, 255, 0}, 0, "registers"},
      // 48 KiB + 1 KiB reserved: 228 / 49.
      Case{"H200", {128, 32, 48 * 1024}, 4, "shared"},
      // All that a block may have: 227 + 1 of 228.
      Case{"H200", {128, 32, 227 * 1024}, 1, "shared"},
      Case{"H200", {128, 32, 227 * 1024 + 1}, 0, "shared"},
      // One byte is 1,025 with the reserved part, rounded to 1,152: 233,472 / 1,152 = 202, so
      // threads bind first.
      Case{"H200", {1024, 32, 1}, 2, "threads"},
      // Turing: 1,024 threads, 16 blocks, 64 KiB with nothing reserved, in units of 256.
      Case{"T4", {256, 32, 0}, 4, "threads"}, Case{"T4", {32, 32, 0}, 16, "blocks"},
      Case{"T4", {64, 32, 8 * 1024 + 1}, 7, "shared"},
      // Ada: 1,536 threads do not divide by 1,024.
      Case{"RTX 4090", {1024, 32, 0}, 1, "threads"}, Case{"RTX 4090", {32, 16, 0}, 24, "blocks"},
      Case{"RTX 4090", {32, 16, 3 * 1024}, 24, "blocks"},
      Case{"RTX 3090", {32, 16, 0}, 16, "blocks"},
      Case{"A100 40GB", {64, 32, 16 * 1024}, 9, "shared"});
  const Properties* gpu = find_gpu(c.gpu);
  REQUIRE(gpu);
  CAPTURE(c.gpu, c.demand.threads, c.demand.shared, c.demand.registers.value_or(0));
  const Occupancy o = occupancy_of(*gpu, c.demand);
  CHECK(o.blocks == c.blocks);
  CHECK(o.limiter == c.limiter);
}

TEST_CASE("Occupancy's fraction counts warps") {
  const Properties& gpu = *find_gpu("H200");
  CHECK(occupancy_of(gpu, {256, 32, 0}).fraction == 1.0);
  CHECK(occupancy_of(gpu, {256, 64, 0}).fraction == 0.5);
  CHECK(occupancy_of(gpu, {33, 16, 0}).fraction == 1.0);  // 32 blocks of two warps
  CHECK(occupancy_of(gpu, {32, 16, 0}).fraction == 0.5);
}

TEST_CASE("Registers that nobody knows do not limit") {
  const Occupancy o = occupancy_of(*find_gpu("H200"), {1024, std::nullopt, 0});
  CHECK(o.blocks == 2);
  CHECK(o.limiter == "threads");
}

TEST_CASE("No block fits that has no threads or too many") {
  const auto threads = GENERATE(0u, 1025u, 0xffffffffu);
  const Occupancy o = occupancy_of(*find_gpu("H200"), {threads, 16, 0});
  CHECK(o.blocks == 0);
  CHECK(o.fraction == 0);
}

TEST_CASE("A block's registers are held against the limit in whole groups of four warps") {
  CHECK(registers_of_block(32, 32) == 4u * 1024);
  CHECK(registers_of_block(160, 32) == 8u * 1024);
  CHECK(registers_of_block(1024, 64) == 65536);
  CHECK(registers_of_block(1024, 65) > 65536);
}

}  // namespace warpbook::tests::occupancy_test
