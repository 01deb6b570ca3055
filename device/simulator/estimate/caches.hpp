// How many sectors the sampled blocks find in L1 and in L2. Their recorded requests (traffic.hpp) are replayed through one L1 per sampled
// multiprocessor and one L2 behind them.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "device/simulator/estimate/traffic.hpp"

namespace warpbook::device {

/// A fully associative cache of 128-byte lines, whose four sectors are filled one by one. The least recently used line is evicted first.
class SectoredCache {
 public:
  explicit SectoredCache(std::uint64_t bytes);

  struct Found {
    std::uint8_t missing = 0;  ///< sectors that were not cached; now they are
    std::uint32_t filled = 0;  ///< the round in which the line was last filled
    std::uint8_t level = 0;    ///< where it was filled from, as came_from() was told
  };
  /// Looks up `sectors` of a line and fills in those that are missing. `dirty`: they are written.
  Found touch(std::uint64_t line, std::uint8_t sectors, std::uint32_t round, bool dirty = false);
  /// Says where the sectors were filled from that the last touch of this line missed.
  void came_from(std::uint64_t line, std::uint8_t level);
  [[nodiscard]] std::uint64_t evicted_dirty() const { return evicted_dirty_; }
  /// Written sectors that are still cached.
  [[nodiscard]] std::uint64_t dirty() const;

 private:
  struct Line {
    std::uint64_t number = 0;
    std::uint32_t newer = 0, older = 0;
    std::uint32_t filled = 0;
    std::uint8_t sectors = 0, dirty = 0, level = 0;
  };
  static constexpr std::uint32_t kNoLine = 0xffffffff;

  void to_front(std::uint32_t at);
  void unlink(std::uint32_t at);

  std::uint64_t capacity_;  ///< lines
  std::vector<Line> lines_;
  std::unordered_map<std::uint64_t, std::uint32_t> where_;  ///< line number -> lines_
  std::uint32_t newest_ = kNoLine, oldest_ = kNoLine;
  std::uint64_t evicted_dirty_ = 0;
};

/// How far the requests of one instruction had to go: a request's latency is that of its farthest line.
struct FarthestLevels {
  std::uint64_t requests = 0, l2 = 0, dram = 0;  ///< L1 answered the rest
};

struct CacheTotals {
  std::vector<FarthestLevels> reached;  ///< by instruction; loads and atomics
  // Of the requests that were kept, by instruction: 32-byte sectors.
  struct Sectors {
    std::uint64_t requests = 0;
    std::uint64_t requested = 0, l1_missed = 0, l2_missed = 0;  ///< of loads
    std::uint64_t written = 0;                                  ///< stores and atomics, at L2
    std::uint64_t l2_lines = 0;                                 ///< requests to L2, one per line
  };
  std::vector<Sectors> sectors;
  double written_back = 1;  ///< sectors that go to DRAM for each sector written at L2
  /// Runs of neighbouring lines that one round moves, per sector that is read from DRAM, and per sector that is first written.
  double runs_per_sector_read = 0, runs_per_sector_written = 0;
};

/// Replays the sample round by round: in each round every warp makes its next request, as if all warps went at one speed. A line that was
/// requested in the same round is still on its way, so its latency counts again. L2 has the sampled multiprocessors' share of its size.
CacheTotals replay(const Traffic& traffic, std::uint64_t l1_bytes, std::uint64_t l2_bytes,
                   std::uint32_t multiprocessors);

}  // namespace warpbook::device
