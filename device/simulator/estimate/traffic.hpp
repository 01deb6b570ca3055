// What a sample of blocks asks of the memory system: their accesses as the hardware would issue them, in lines of 128 bytes and sectors of
// 32. One sampler per block runner records them while the blocks run, and caches.hpp replays them.
#pragma once

#include <array>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "device/launch_record.hpp"
#include "device/sectors.hpp"
#include "device/simulator/cubin/machine_code.hpp"
#include "device/simulator/estimate/intervals.hpp"
#include "device/simulator/isa/code.hpp"

namespace warpbook::device {

/// Which blocks are sampled: as many as are resident at once on a few multiprocessors, with neighbouring numbers.
struct TrafficPlan {
  std::uint64_t first = 0;  ///< block
  std::uint64_t blocks = 0;
  std::uint32_t multiprocessors = 1;  ///< that the sampled blocks go to in turn
  std::uint64_t warps = 0;            ///< of all sampled blocks

  [[nodiscard]] bool has(std::uint64_t block) const {
    return block >= first && block - first < blocks;
  }
};

/// The plan for a grid of `blocks` blocks, of which the first `run` are executed: each sampled multiprocessor gets as many blocks of `warps`
/// warps as the GPU would give it, at most `resident`. The sample is the middle of the grid, if all of it is executed.
TrafficPlan plan_traffic(std::uint64_t blocks, std::uint64_t run, std::uint32_t multiprocessors,
                         std::uint32_t resident, std::uint32_t warps);

/// What all sampled blocks did at one instruction, and at those that the hardware issues together with it.
struct InstructionTraffic {
  std::uint64_t global_requests = 0, global_lines = 0, global_sectors = 0, global_bytes = 0;
  std::uint64_t shared_requests = 0, shared_wavefronts = 0;
  std::uint64_t local_requests = 0;
  std::uint64_t constant_requests = 0;
  /// Words that the constant cache reads one after the other: those of requests that ask for more than one. A warp that asks for a single
  /// word gets it as an operand, like a register.
  std::uint64_t constant_words = 0;
  std::uint64_t atomic_lanes = 0;
  /// Of atomic operations on shared memory: the most lanes that share a word in each request, summed.
  std::uint64_t shared_retries = 0;

  InstructionTraffic& operator+=(const InstructionTraffic& other);
};

/// One request to global memory: `touches` entries of WarpTraffic::touches, from `first` on.
struct TrafficRequest {
  std::uint32_t instruction = 0;
  std::uint32_t first = 0;
  std::uint8_t touches = 0;
  AccessKind kind = AccessKind::load;
};

/// The requests of one warp that were kept, in program order. A touch is a line's number times 16 plus a bit for each sector.
struct WarpTraffic {
  std::uint64_t block = 0;
  std::uint32_t warp = 0;
  std::vector<TrafficRequest> requests;
  std::vector<std::uint64_t> touches;
  std::vector<std::uint32_t> kept;  ///< number of touches, by memory operation
};

/// An instruction's last access, and what it asked for. Most accesses have their lanes as far apart as the one before had, and then they ask
/// for the same, further on.
struct TrafficShape {
  struct Access {
    std::uint32_t instruction = 0, mask = 0;  ///< of lanes; 0: there has been none yet
    Space space = Space::none;
    std::uint32_t bytes = 0;
    friend bool operator==(const Access&, const Access&) = default;
  };
  Access access;
  std::uint64_t base = 0;                        ///< address of the lowest lane
  std::array<std::uint64_t, kLanes> distance{};  ///< from it, by lane
  std::uint32_t passes = 0;                      ///< of shared memory
  std::uint32_t lines = 0, sectors = 0;          ///< of global memory
  std::array<std::uint64_t, 2 * kLanes> touches{};
  /// Of global memory, where lanes leave no sector out between the lowest one's address and the highest one's end, wherever the
  /// lowest one lies: the bytes between them. Else 0.
  std::uint64_t reach = 0;

  /// Whether an access is the same but for a distance that all lanes have moved.
  [[nodiscard]] bool moves(const Access& now, const std::uint64_t* address) const;
  void learn(const Access& now, const std::uint64_t* address);
};

class TrafficSampler {
 public:
  /// `machine` may be nullptr; it tells which atomic operations ptxas aggregates over a warp.
  TrafficSampler(TrafficPlan plan, const isa::Code& code, const MachineCode* machine);

  [[nodiscard]] bool has(std::uint64_t block) const { return plan_.has(block); }
  /// A warp's access of `bytes` per lane, with one address for each lane of `mask`.
  void access(std::uint32_t instruction, std::uint64_t block, std::uint32_t warp,
              const std::uint64_t* address, std::uint32_t mask, Space space, AccessKind kind,
              std::uint32_t bytes);

  [[nodiscard]] const TrafficPlan& plan() const { return plan_; }
  [[nodiscard]] const std::vector<InstructionTraffic>& instructions() const {
    return instructions_;
  }
  /// Turns of the sampled blocks' atomic operations on global memory (AtomicSector), by a hash of the line; empty if there were none.
  [[nodiscard]] const std::vector<std::uint64_t>& atomic_turns() const { return atomic_turns_; }
  std::vector<WarpTraffic> take_warps() { return std::move(warps_); }
  /// What the sampled blocks do between their barriers.
  [[nodiscard]] IntervalSampler& intervals() { return intervals_; }

 private:
  /// What a request to global memory touches, `further` on than the shape does.
  void keep(const TrafficShape& shape, std::uint64_t further, std::uint64_t block,
            std::uint32_t warp, AccessKind kind);
  void count_atomics(const std::uint64_t* address, std::uint32_t mask);
  WarpTraffic& warp_of(std::uint64_t block, std::uint32_t warp);

  TrafficPlan plan_;
  const isa::Code& code_;
  // The most touches that are kept of one warp, and of one memory operation of it. More are counted, but not kept.
  std::uint64_t kept_of_warp_ = 0, kept_of_operation_ = 0;
  std::vector<InstructionTraffic> instructions_;  ///< as Code::instructions
  std::vector<TrafficShape> shapes_;              ///< by memory operation
  std::vector<WarpTraffic> warps_;
  std::unordered_map<std::uint64_t, std::uint32_t> index_;  ///< block x 32 + warp -> warps_
  std::uint64_t last_key_ = ~std::uint64_t{0};
  std::uint32_t last_warp_ = 0;
  std::vector<std::uint64_t> atomic_turns_;
  /// By instruction: an atomic operation that one lane does for all.
  std::vector<bool> aggregated_;
  IntervalSampler intervals_;
};

/// The samples of all block runners together, with warps ordered by block and number.
struct Traffic {
  TrafficPlan plan;
  std::vector<InstructionTraffic> instructions;
  std::vector<WarpTraffic> warps;
  /// Turns of the sampled atomic operations on the line that has the most.
  std::uint64_t most_atomic_turns = 0;
  Intervals intervals;
};
Traffic merge_traffic(const std::vector<TrafficSampler*>& samplers);

/// Passes over the 32 banks that a warp's atomic operation on shared memory takes. Its lanes share nothing, because each of them changes
/// its word. `retries`: the most lanes that access one word, each of which takes a turn of its own.
struct AtomicPasses {
  std::uint32_t passes = 0, retries = 0;
};
AtomicPasses atomic_passes(const std::uint64_t* offset, std::uint32_t mask, std::uint32_t bytes);

/// What a warp's atomic operation asks of a sector of L2. The sector's words are changed in one turn, however many of them there are;
/// lanes that change one word take turns.
struct AtomicSector {
  std::uint64_t number = 0;  ///< address / 32
  std::uint32_t turns = 0;
};
std::vector<AtomicSector> atomic_sectors(const std::uint64_t* address, std::uint32_t mask);

/// Addresses that a warp's access has; the constant cache serves one after the other.
std::uint32_t distinct_addresses(const std::uint64_t* address, std::uint32_t mask);

}  // namespace warpbook::device
