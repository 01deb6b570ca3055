// What is sampled of memory traffic: an access that repeats the shape of the one before asks for what it would ask for by itself.
#include <array>
#include <random>
#include <set>
#include <utility>
#include <vector>

#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>
#include <catch2/generators/catch_generators_range.hpp>

#include "device/simulator/estimate/traffic.hpp"

namespace warpbook::device::tests::traffic_test {
namespace {

struct Access {
  std::array<std::uint64_t, kLanes> address{};
  std::uint32_t mask = 0;
};

/// A kernel of one memory operation.
isa::Code one_operation() {
  isa::Code code;
  code.instructions.resize(1);
  code.instructions[0].memo = code.instructions[0].issued_with = 0;
  code.memos = 1;
  return code;
}

struct Sampled {
  InstructionTraffic all;
  std::vector<std::uint64_t> touches;
};
Sampled sampled(const std::vector<Access>& accesses, Space space, std::uint32_t bytes) {
  const isa::Code code = one_operation();
  TrafficPlan plan;
  plan.blocks = plan.warps = 1;
  TrafficSampler sampler(plan, code, nullptr);
  for (const Access& access : accesses)
    sampler.access(0, 0, 0, access.address.data(), access.mask, space, AccessKind::load, bytes);
  Sampled made{sampler.instructions().front(), {}};
  for (const WarpTraffic& warp : sampler.take_warps()) made.touches = warp.touches;
  return made;
}

/// Of each access by a sampler of its own.
Sampled one_by_one(const std::vector<Access>& accesses, Space space, std::uint32_t bytes) {
  Sampled all;
  for (const Access& access : accesses) {
    const Sampled one = sampled({access}, space, bytes);
    all.all += one.all;
    all.touches.insert(all.touches.end(), one.touches.begin(), one.touches.end());
  }
  return all;
}

}  // namespace

TEST_CASE("traffic: accesses that repeat a shape, on or back, are sampled as one by one",
          "[device]") {
  const Space space = GENERATE(Space::shared, Space::global);
  const std::uint32_t bytes = GENERATE(1u, 4u, 16u);
  std::mt19937_64 random(GENERATE(range(1, 9)));
  CAPTURE(space, bytes);
  std::vector<Access> accesses;
  for (int shape = 0; shape < 8; ++shape) {
    Access access;
    access.mask = shape % 2 == 0 ? ~0u : static_cast<std::uint32_t>(random()) | 1u;
    // Anywhere, and in a row, with and without sectors between them that no lane touches.
    const std::uint64_t apart = std::array<std::uint64_t, 5>{0, bytes, 31, 32, 33}[random() % 5];
    std::uint64_t next = 4096 + random() % 512;
    for (std::uint64_t& address : access.address)
      address = shape < 4 ? 4096 + random() % 512 * bytes : std::exchange(next, next + apart);
    accesses.push_back(access);
    for (int step = 0; step < 6; ++step) {
      // By whole lines, by words, by single bytes, and backwards.
      const std::uint64_t by = std::array<std::uint64_t, 4>{128, 4, 1, 128}[random() % 4];
      const std::uint64_t far = random() % 9 * by;
      for (std::uint64_t& address : access.address) address += far;
      accesses.push_back(access);
      for (std::uint64_t& address : access.address) address -= far;
      accesses.push_back(access);
    }
  }
  const Sampled together = sampled(accesses, space, bytes),
                expected = one_by_one(accesses, space, bytes);
  CHECK(together.touches == expected.touches);
  CHECK(together.all.shared_requests == expected.all.shared_requests);
  CHECK(together.all.shared_wavefronts == expected.all.shared_wavefronts);
  CHECK(together.all.global_requests == expected.all.global_requests);
  CHECK(together.all.global_lines == expected.all.global_lines);
  CHECK(together.all.global_sectors == expected.all.global_sectors);
  CHECK(together.all.global_bytes == expected.all.global_bytes);
}

TEST_CASE("traffic: an access touches the lines and sectors in which its lanes' bytes lie",
          "[device]") {
  const std::uint32_t bytes = GENERATE(1u, 2u, 4u, 8u, 16u);
  // Neighbours share a sector; with a stride, some do; and in any order, backwards or at random, lanes come back to earlier ones.
  const std::int64_t stride = GENERATE(1, 0, 3, -1, 64);
  const bool scattered = GENERATE(false, true);
  CAPTURE(bytes, stride, scattered);
  std::mt19937_64 random(1);
  Access access;
  access.mask = 0xfff7ffff;
  std::set<std::uint64_t> lines, sectors;
  for (std::uint32_t lane = 0; lane < kLanes; ++lane) {
    const std::int64_t at =
        8192 + 13 + (scattered ? static_cast<std::int64_t>(random() % 999) : stride * lane * bytes);
    access.address[lane] = static_cast<std::uint64_t>(at);
    if ((access.mask >> lane & 1) == 0) continue;
    for (std::uint64_t byte = 0; byte < bytes; ++byte) {
      lines.insert((access.address[lane] + byte) / 128);
      sectors.insert((access.address[lane] + byte) / 32);
    }
  }
  const Sampled one = sampled({access}, Space::global, bytes);
  CHECK(one.all.global_lines == lines.size());
  CHECK(one.all.global_sectors == sectors.size());
  std::set<std::uint64_t> touched;
  for (const std::uint64_t touch : one.touches) {
    for (std::uint64_t sector = 0; sector < 4; ++sector)
      if ((touch >> sector & 1) != 0) touched.insert(4 * (touch >> 4) + sector);
  }
  CHECK(touched == sectors);
}

}  // namespace warpbook::device::tests::traffic_test
