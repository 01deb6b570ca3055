// What a sample of blocks asks of the memory system: the accesses as the hardware would issue them, in lines of 128 bytes and
// sectors of 32. Recorded while the blocks run, one sampler a worker; caches.hpp plays them back.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "device/launch_record.hpp"
#include "device/simulator/cubin/machine_code.hpp"
#include "device/simulator/isa/code.hpp"

namespace warpbook::device {

inline constexpr std::uint32_t kLineBytes = 128;

/// Which blocks are sampled: as many as are resident at once on a few multiprocessors, side by side in the grid.
struct TrafficPlan {
  std::uint64_t first = 0;  ///< block
  std::uint64_t blocks = 0;
  std::uint32_t multiprocessors = 1;  ///< of the sample; blocks go round them
  std::uint64_t warps = 0;            ///< of all these blocks

  [[nodiscard]] bool has(std::uint64_t block) const {
    return block >= first && block - first < blocks;
  }
};

/// Of a grid of `blocks` whose first `run` are executed: on each multiprocessor as many of `warps` as the GPU would have, up to
/// `resident`; from the middle of the grid where all of it runs.
TrafficPlan plan_traffic(std::uint64_t blocks, std::uint64_t run, std::uint32_t multiprocessors,
                         std::uint32_t resident, std::uint32_t warps);

/// What all sampled blocks did at one instruction, which stands for those that join it.
struct InstructionTraffic {
  std::uint64_t global_requests = 0, global_lines = 0, global_sectors = 0, global_bytes = 0;
  std::uint64_t shared_requests = 0, shared_wavefronts = 0;
  std::uint64_t local_requests = 0;
  std::uint64_t atomic_lanes = 0;
  std::uint64_t shared_retries =
      0;  ///< of atomic operations: lanes that share a word, the most of each request

  InstructionTraffic& operator+=(const InstructionTraffic& other);
};

/// One request to global memory: `touches` of the warp's list from `first` on.
struct TrafficRequest {
  std::uint32_t instruction = 0;
  std::uint32_t first = 0;
  std::uint8_t touches = 0;
  AccessKind kind = AccessKind::load;
};

/// The kept requests of one warp, in its order. A touch is a line's number times 16, and its sectors as four bits.
struct WarpTraffic {
  std::uint64_t block = 0;
  std::uint32_t warp = 0;
  std::vector<TrafficRequest> requests;
  std::vector<std::uint64_t> touches;
  std::vector<std::uint32_t> kept;  ///< touches, by memory operation
};

class TrafficSampler {
 public:
  /// `machine` may be nullptr; it tells where ptxas lets one lane do what all of a warp ask for.
  TrafficSampler(TrafficPlan plan, const isa::Code& code, const MachineCode* machine);

  [[nodiscard]] bool has(std::uint64_t block) const { return plan_.has(block); }
  /// A warp's access: one address a lane of `mask`, `bytes` each.
  void access(std::uint32_t instruction, std::uint64_t block, std::uint32_t warp,
              const std::uint64_t* address, std::uint32_t mask, Space space, AccessKind kind,
              std::uint32_t bytes);

  [[nodiscard]] const TrafficPlan& plan() const { return plan_; }
  [[nodiscard]] const std::vector<InstructionTraffic>& instructions() const {
    return instructions_;
  }
  /// Atomic operations of the sampled blocks on global memory, by a hash of their addresses; empty where there were none.
  [[nodiscard]] const std::vector<std::uint64_t>& atomics() const { return atomics_; }
  std::vector<WarpTraffic> take_warps() { return std::move(warps_); }

 private:
  void count_atomic(std::uint64_t address);
  WarpTraffic& warp_of(std::uint64_t block, std::uint32_t warp);

  TrafficPlan plan_;
  const isa::Code& code_;
  // Touches that are kept of one warp, and of it at one memory operation; more are counted and not kept.
  std::uint64_t kept_of_warp_ = 0, kept_of_operation_ = 0;
  std::vector<InstructionTraffic> instructions_;  ///< as Code::instructions
  std::vector<WarpTraffic> warps_;
  std::unordered_map<std::uint64_t, std::uint32_t> index_;  ///< block x 32 + warp -> warps_
  std::uint64_t last_key_ = ~std::uint64_t{0};
  std::uint32_t last_warp_ = 0;
  std::vector<std::uint64_t> atomics_;
  std::vector<bool> joined_;  ///< atomic operations, by instruction: a warp's lanes are one
};

/// All workers' samples as one, warps by block and number.
struct Traffic {
  TrafficPlan plan;
  std::vector<InstructionTraffic> instructions;
  std::vector<WarpTraffic> warps;
  std::uint64_t hottest_atomics = 0;  ///< operations on the address that got the most
};
Traffic merge_traffic(const std::vector<TrafficSampler*>& samplers);

/// Passes over the banks that a warp's access takes, where lanes that ask for one word share it, also across the quarters of a
/// wide access.
std::uint32_t shared_passes(const std::uint64_t* offset, std::uint32_t mask, std::uint32_t bytes);

/// The same of an atomic operation, whose lanes share nothing: each takes its word by itself. `retries`: the most lanes of one word.
struct AtomicPasses {
  std::uint32_t passes = 0, retries = 0;
};
AtomicPasses atomic_passes(const std::uint64_t* offset, std::uint32_t mask, std::uint32_t bytes);

}  // namespace warpbook::device
