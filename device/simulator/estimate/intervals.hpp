// What the warps of sampled blocks do between one barrier and the next, where all of them wait for the longest. Their executions are kept
// apart by the barrier at which they then wait, so that the waiting can be charged to it.
#pragma once

#include <cstdint>
#include <map>
#include <unordered_map>
#include <vector>

#include "device/simulator/isa/code.hpp"
#include "device/simulator/state/launch_observer.hpp"

namespace warpbook::device {

/// Executions of each basic block, as Code::blocks, in all intervals that ended at one place.
struct IntervalExecutions {
  std::vector<std::uint64_t> done;  ///< by all warps
  /// As if every warp had done what the longest warp of its block did: the one with the most instructions.
  std::vector<std::uint64_t> awaited;

  IntervalExecutions& operator+=(const IntervalExecutions& other);
};

/// By the basic block that the barrier ends; kNone: the end of the block.
using Intervals = std::map<std::uint32_t, IntervalExecutions>;

/// One for each block runner, which runs one warp at a time and tallies what it executes.
class IntervalSampler {
 public:
  explicit IntervalSampler(const isa::Code& code) : code_(code) {}

  /// A warp of a sampled block goes on. What `tallies` hold so far is not its own.
  void begin_turn(const std::vector<BlockTally>& tallies);
  /// The warp has done what was added to `tallies` since the last call of either function.
  void executed(std::uint64_t block, std::uint32_t warp, const std::vector<BlockTally>& tallies);
  /// The block's warps have all arrived at `barrier`, or have ended.
  void end_interval(std::uint64_t block, std::uint32_t barrier);

  [[nodiscard]] const Intervals& intervals() const { return intervals_; }

 private:
  using Executions = std::vector<std::uint64_t>;  ///< as Code::blocks

  [[nodiscard]] std::uint64_t instructions_of(const Executions& executions) const;

  const isa::Code& code_;
  Executions seen_;
  /// Of the blocks that have begun: what each warp did since the last barrier.
  std::unordered_map<std::uint64_t, std::map<std::uint32_t, Executions>> open_;
  Intervals intervals_;
};

}  // namespace warpbook::device
