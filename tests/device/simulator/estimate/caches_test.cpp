// The caches, on accesses that are written by hand.
#include <catch2/catch_test_macros.hpp>

#include "device/simulator/estimate/caches.hpp"

namespace warpbook::device::caches_test {
namespace {

constexpr std::uint8_t kWhole = 0xf;

/// One warp's loads, each of some sectors of a line, all by instruction 0.
WarpTraffic warp_of(std::uint64_t block, std::uint32_t warp,
                    const std::vector<std::pair<std::uint64_t, std::uint8_t>>& touches,
                    AccessKind kind = AccessKind::load) {
  WarpTraffic w;
  w.block = block;
  w.warp = warp;
  for (const auto& [line, sectors] : touches) {
    w.requests.push_back({0, static_cast<std::uint32_t>(w.touches.size()), 1, kind});
    w.touches.push_back(line << 4 | sectors);
  }
  return w;
}

Traffic traffic_of(std::vector<WarpTraffic> warps, std::uint32_t multiprocessors = 1) {
  Traffic t;
  t.plan.multiprocessors = multiprocessors;
  t.plan.blocks = 64;
  t.instructions.resize(1);
  t.warps = std::move(warps);
  return t;
}

}  // namespace

TEST_CASE("a cache keeps the lines that were used last") {
  SectoredCache cache(2 * kLineBytes);
  CHECK(cache.touch(1, kWhole, 0).missing == kWhole);
  CHECK(cache.touch(2, kWhole, 1).missing == kWhole);
  CHECK(cache.touch(1, kWhole, 2).missing == 0);
  CHECK(cache.touch(3, kWhole, 3).missing == kWhole);  // 2 goes
  CHECK(cache.touch(1, kWhole, 4).missing == 0);
  CHECK(cache.touch(2, kWhole, 5).missing == kWhole);
}

TEST_CASE("only the requested sectors of a line are fetched") {
  SectoredCache cache(4 * kLineBytes);
  CHECK(cache.touch(7, 0b0001, 0).missing == 0b0001);
  CHECK(cache.touch(7, 0b0011, 1).missing == 0b0010);
  CHECK(cache.touch(7, 0b0011, 2).missing == 0);
}

TEST_CASE("what was written leaves once, when its line goes") {
  SectoredCache cache(1 * kLineBytes);
  cache.touch(1, 0b0011, 0, true);
  cache.touch(1, 0b0001, 1, true);
  CHECK(cache.dirty() == 2);
  CHECK(cache.evicted_dirty() == 0);
  cache.touch(2, kWhole, 2);
  CHECK(cache.dirty() == 0);
  CHECK(cache.evicted_dirty() == 2);
}

TEST_CASE("a stream misses everywhere, and goes to DRAM once") {
  std::vector<std::pair<std::uint64_t, std::uint8_t>> touches;
  for (std::uint64_t line = 0; line < 100; ++line) touches.emplace_back(line, kWhole);
  const CacheTotals totals = replay(traffic_of({warp_of(0, 0, touches)}), 1u << 14, 1u << 20, 1);
  CHECK(totals.sectors[0].requested == 400);
  CHECK(totals.sectors[0].l1_missed == 400);
  CHECK(totals.sectors[0].l2_missed == 400);
  CHECK(totals.reached[0].dram == 100);
}

TEST_CASE("two multiprocessors that read one line: the second finds it in L2") {
  // Blocks 0 and 1 are on different multiprocessors, and the second one is a round behind.
  const CacheTotals totals = replay(
      traffic_of({warp_of(0, 0, {{5, kWhole}}), warp_of(1, 0, {{9, kWhole}, {5, kWhole}})}, 2),
      1u << 14, 1u << 20, 2);
  CHECK(totals.sectors[0].l1_missed == 12);
  CHECK(totals.sectors[0].l2_missed == 8);
  CHECK(totals.reached[0].dram == 2);
  CHECK(totals.reached[0].l2 == 1);
}

TEST_CASE(
    "a line that another warp requested in the same round takes as long as if it were not cached") {
  const auto same = replay(traffic_of({warp_of(0, 0, {{5, kWhole}}), warp_of(0, 1, {{5, kWhole}})}),
                           1u << 14, 1u << 20, 1);
  CHECK(same.sectors[0].l1_missed == 4);
  CHECK(same.reached[0].dram == 2);
  const auto later =
      replay(traffic_of({warp_of(0, 0, {{5, kWhole}}), warp_of(0, 1, {{5, kWhole}, {5, kWhole}})}),
             1u << 14, 1u << 20, 1);
  CHECK(later.reached[0].requests == 3);
  CHECK(later.reached[0].dram == 2);
}

TEST_CASE("stores go to L2, and to DRAM as often as their lines leave it") {
  const auto once =
      replay(traffic_of({warp_of(0, 0, {{1, 1}, {1, 2}, {1, 4}, {1, 8}}, AccessKind::store)}),
             1u << 14, 1u << 20, 1);
  CHECK(once.sectors[0].written == 4);
  CHECK(once.written_back == 1);
  const auto again =
      replay(traffic_of({warp_of(0, 0, {{1, 1}, {1, 1}, {1, 1}, {1, 1}}, AccessKind::store)}),
             1u << 14, 1u << 20, 1);
  CHECK(again.written_back == 0.25);
}

TEST_CASE("DRAM moves runs of neighbouring lines, those of a round at a time") {
  const auto together =
      replay(traffic_of({warp_of(0, 0, {{5, kWhole}}), warp_of(0, 1, {{6, kWhole}})}), 1u << 14,
             1u << 20, 1);
  CHECK(together.runs_per_sector_read == 1.0 / 8);
  const auto apart =
      replay(traffic_of({warp_of(0, 0, {{5, kWhole}}), warp_of(0, 1, {{7, kWhole}})}), 1u << 14,
             1u << 20, 1);
  CHECK(apart.runs_per_sector_read == 2.0 / 8);
  CHECK(apart.runs_per_sector_written == 0);
  // In two rounds they are two runs, although the lines are neighbours.
  const auto later =
      replay(traffic_of({warp_of(0, 0, {{5, kWhole}, {6, kWhole}})}), 1u << 14, 1u << 20, 1);
  CHECK(later.runs_per_sector_read == 2.0 / 8);
  const auto stored = replay(
      traffic_of({warp_of(0, 0, {{5, kWhole}, {9, kWhole}, {9, kWhole}}, AccessKind::store)}),
      1u << 14, 1u << 20, 1);
  CHECK(stored.runs_per_sector_written == 2.0 / 8);  // what is there already is not moved again
}

TEST_CASE("parts of a line are parts of a run, whether they come together or not") {
  const auto at_once =
      replay(traffic_of({warp_of(0, 0, {{5, 1}}), warp_of(0, 1, {{5, 2}})}), 1u << 14, 1u << 20, 1);
  CHECK(at_once.runs_per_sector_read == 0.5 / 2);
  const auto in_turn = replay(traffic_of({warp_of(0, 0, {{5, 1}, {5, 2}})}), 1u << 14, 1u << 20, 1);
  CHECK(in_turn.runs_per_sector_read == 0.5 / 2);
}

TEST_CASE("L2 gets a request for each line that L1 has not, and for each that is written") {
  const auto loads =
      replay(traffic_of({warp_of(0, 0, {{5, 1}, {5, 1}, {5, 2}})}), 1u << 14, 1u << 20, 1);
  CHECK(loads.sectors[0].l2_lines == 2);
  const auto stores =
      replay(traffic_of({warp_of(0, 0, {{5, 1}, {5, 1}, {6, 2}}, AccessKind::store)}), 1u << 14,
             1u << 20, 1);
  CHECK(stores.sectors[0].l2_lines == 3);
}

TEST_CASE("L2 has the share of the multiprocessors that are sampled") {
  std::vector<std::pair<std::uint64_t, std::uint8_t>> touches;
  for (int pass = 0; pass < 2; ++pass) {
    for (std::uint64_t line = 0; line < 64; ++line) touches.emplace_back(line, kWhole);
  }
  // 64 lines of 128 bytes: with L2 to itself they stay; with a quarter of it they do not, and L1 is too small for them.
  const auto own = replay(traffic_of({warp_of(0, 0, touches)}), 1024, 64 * kLineBytes, 1);
  CHECK(own.sectors[0].l2_missed == 256);
  const auto shared = replay(traffic_of({warp_of(0, 0, touches)}), 1024, 64 * kLineBytes, 4);
  CHECK(shared.sectors[0].l2_missed == 512);
}

TEST_CASE(
    "the sample is as many blocks as some multiprocessors have at once, and no more than run") {
  // Blocks of 8 warps, 8 at once: 64 warps on each, 16 multiprocessors for 1,024.
  const TrafficPlan whole = plan_traffic(100'000, 100'000, 108, 8, 8);
  CHECK(whole.multiprocessors == 16);
  CHECK(whole.blocks == 128);
  CHECK(whole.first == (100'000 - 128) / 2);
  CHECK(plan_traffic(100'000, 16, 108, 8, 8).multiprocessors == 2);
  CHECK(plan_traffic(100'000, 16, 108, 8, 8).first == 0);
  // 54 blocks on 108 multiprocessors: one on each.
  const TrafficPlan few = plan_traffic(54, 54, 108, 8, 8);
  CHECK(few.blocks == 54);
  CHECK(few.multiprocessors == 54);
  CHECK(plan_traffic(1, 1, 108, 0, 0).blocks == 1);
}

TEST_CASE("lanes of an atomic operation share nothing: a bank takes them one after another") {
  std::uint64_t at[kLanes];
  const auto of = [&](std::uint64_t stride) {
    for (std::uint64_t lane = 0; lane < kLanes; ++lane) at[lane] = lane / 2 * stride;
    return atomic_passes(at, ~0u, 4);
  };
  CHECK(of(4).passes == 2);
  CHECK(of(4).retries == 2);
  CHECK(of(128).passes == 32);
  CHECK(of(128).retries == 2);
  CHECK(of(0).passes == 32);
  CHECK(of(0).retries == 32);
  CHECK(atomic_passes(at, 0b1, 4).passes == 1);
  CHECK(atomic_passes(at, 0, 4).passes == 0);
}

TEST_CASE("L2 changes the words of a sector in one turn, and lanes on one word take turns") {
  std::uint64_t at[kLanes];
  const auto sectors_and_turns = [&](std::uint64_t lanes_on_a_word, std::uint64_t stride) {
    for (std::uint64_t lane = 0; lane < kLanes; ++lane)
      at[lane] = 4096 + lane / lanes_on_a_word * stride;
    const auto sectors = atomic_sectors(at, ~0u);
    std::uint32_t turns = 0;
    for (const AtomicSector& s : sectors) turns += s.turns;
    return std::pair(sectors.size(), turns);
  };
  CHECK(sectors_and_turns(1, 4) == std::pair(std::size_t{4}, 4U));
  CHECK(sectors_and_turns(2, 4) == std::pair(std::size_t{2}, 4U));
  CHECK(sectors_and_turns(32, 4) == std::pair(std::size_t{1}, 32U));
  CHECK(sectors_and_turns(1, 128) == std::pair(std::size_t{32}, 32U));
  CHECK(atomic_sectors(at, 0).empty());
  CHECK(atomic_sectors(at, 0b10).front().number == (4096 + 128) / kSectorBytes);
}

}  // namespace warpbook::device::caches_test
