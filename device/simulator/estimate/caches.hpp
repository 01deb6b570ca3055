// A sectored L1 a multiprocessor and one L2 behind them, on the accesses of sampled blocks.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "device/simulator/estimate/traffic.hpp"

namespace warpbook::device {

/// Lines of 128 bytes with four sectors each, the least recently used one leaving first.
class SectoredCache {
 public:
  explicit SectoredCache(std::uint64_t bytes);

  struct Found {
    std::uint8_t missing = 0;  ///< sectors that were not there; they are now
    std::uint32_t filled = 0;  ///< the round in which the line's last sector came
    std::uint8_t level = 0;    ///< where it came from: as given when it was filled
  };
  /// Looks for `sectors` of a line, and brings those that are missing. `dirty`: they are written.
  Found touch(std::uint64_t line, std::uint8_t sectors, std::uint32_t round, bool dirty = false);
  /// Where the sectors that the last touch brought came from.
  void came_from(std::uint64_t line, std::uint8_t level);
  [[nodiscard]] std::uint64_t evicted_dirty() const { return evicted_dirty_; }
  /// Sectors that were written and are still there.
  [[nodiscard]] std::uint64_t dirty() const;

 private:
  struct Line {
    std::uint64_t number = 0;
    std::uint32_t newer = 0, older = 0;
    std::uint32_t filled = 0;
    std::uint8_t sectors = 0, dirty = 0, level = 0;
  };
  static constexpr std::uint32_t kNobody = 0xffffffff;

  void to_front(std::uint32_t at);
  void unlink(std::uint32_t at);

  std::uint64_t capacity_;  ///< lines
  std::vector<Line> lines_;
  std::unordered_map<std::uint64_t, std::uint32_t> where_;
  std::uint32_t newest_ = kNobody, oldest_ = kNobody;
  std::uint64_t evicted_dirty_ = 0;
};

/// How far requests of one instruction had to go. A request goes as far as the farthest of its lines.
struct Farthest {
  std::uint64_t requests = 0, l2 = 0, dram = 0;  ///< the rest was answered by L1
};

struct CacheTotals {
  std::vector<Farthest> reached;  ///< by instruction; loads and atomics
  // Of the requests that were kept, by instruction: 32-byte sectors.
  struct Sectors {
    std::uint64_t requests = 0;
    std::uint64_t asked = 0, l1_missed = 0, l2_missed = 0;  ///< of loads
    std::uint64_t written = 0;                              ///< stores and atomics, at L2
    std::uint64_t l2_lines = 0;                             ///< requests to L2, one a line
  };
  std::vector<Sectors> sectors;
  double written_back = 1;  ///< sectors that go to DRAM for each sector written at L2
  /// Runs of neighbouring lines that one round moves, for each sector that is read from DRAM, and for each that is written for the
  /// first time.
  double read_pieces = 0, write_pieces = 0;
};

/// Plays the sample back: every warp its next request, round by round, as if all went at one speed. A line that was asked for in
/// the same round is still on its way, so that its latency counts again. L2 has the share of the sampled multiprocessors.
CacheTotals play(const Traffic& traffic, std::uint64_t l1_bytes, std::uint64_t l2_bytes,
                 std::uint32_t multiprocessors);

}  // namespace warpbook::device
