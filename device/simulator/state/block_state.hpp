// Blocks, warps, fragments and frames of a running launch.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "device/simulator/isa/code.hpp"
#include "device/simulator/state/async_state.hpp"
#include "device/simulator/state/context.hpp"

namespace warpbook::device {

struct BlockRace;
struct RaceGroup;

/// The rows of one activation of a function. The fragments of a warp that are in the same activation share the frame, each
/// with its own lanes. Fragments that enter a function from the same place in the same frame share a frame, too.
struct CallFrame {
  std::uint32_t function = 0;
  std::uint32_t lanes = 0;  ///< that are in it, or in a function that it called
  CallFrame* parent = nullptr;
  std::uint32_t return_block = kNone;
  const isa::CallDetail* call = nullptr;
  std::uint32_t depth = 0;
  std::uint32_t local_base = 0;               ///< bytes of local memory that belong to its callers
  std::array<std::uint32_t, kLanes> stack{};  ///< WarpState::stack when its lanes entered
  bool tainted = false;                       ///< initcheck: some row may be undefined in some lane
  std::unique_ptr<std::byte[], void (*)(std::byte*)> rows;

  explicit CallFrame(std::uint32_t bytes);
};

enum class Waiting : std::uint8_t {
  nothing,
  barrier,  ///< for the block
  lanes,    ///< for lanes of its warp
  phase,    ///< at mbarrier.try_wait
  cluster   ///< at the barrier of its cluster
};

/// Lanes of a warp that are at the same place.
struct Fragment {
  std::uint32_t block = 0;  ///< basic block: the next to run, or the one at whose exit it waits
  std::uint32_t mask = 0;
  CallFrame* frame = nullptr;
  Waiting waiting = Waiting::nothing;
  bool counted = false;     ///< at a barrier: its warp's arrival has been counted
  bool deferred = false;    ///< it has been spinning, so the others go first for a while
  std::uint32_t spins = 0;  ///< backward branches after reading what others may change
  std::uint32_t barrier = 0, barrier_count = 0;  ///< id; threads expected, 0: all
  std::uint32_t votes = 0;    ///< lanes whose predicate held, at a reducing barrier
  std::uint32_t members = 0;  ///< lanes that it waits for
};

struct WarpState {
  std::uint32_t index = 0;
  std::uint32_t lanes = 0;  ///< that it began with
  std::uint32_t live = 0;   ///< that have not exited
  std::vector<Fragment>
      fragments;  ///< at most one per lane; capacity is reserved, so that references stay valid
  std::uint32_t turn = 0;                   ///< basic blocks until deferred fragments may run again
  std::array<std::uint32_t, 16> arrived{};  ///< lanes that did bar.arrive, by barrier
  std::uint64_t issued = 0;                 ///< instructions
  std::uint64_t fetched = 0;                ///< bytes that its lanes loaded from global memory
  std::uint64_t barriers = 0;               ///< of its block at which it waited
  std::array<std::uint32_t, kLanes> texture_fetches{};  ///< by lane
  std::uint64_t uniform = 0;                            ///< instructions that all live lanes ran
  std::array<std::uint64_t, kLanes> extra{};            ///< instructions beyond `uniform`, by lane
  std::array<std::uint32_t, kLanes> stack{};            ///< bytes that alloca took, by lane
  std::byte* local = nullptr;
  std::uint8_t* local_valid = nullptr;
  bool started = false;
  std::uint32_t apart = 0;  ///< the lanes that last ran instructions without the others, if any did
  std::uint64_t together = 0;  ///< instructions that they ran together, not yet in `extra`

  /// The lanes of `mask` execute so many instructions. Those that all live lanes execute together are counted once, and those that the
  /// same lanes execute one after the other as well.
  void count(std::uint32_t mask, std::uint64_t instructions) {
    if (mask == live) {
      uniform += instructions;
      return;
    }
    if (mask != apart) {
      add_extra();
      apart = mask;
    }
    together += instructions;
  }
  void add_extra() {
    for (std::uint32_t m = apart; m != 0; m &= m - 1)
      extra[static_cast<std::size_t>(std::countr_zero(m))] += together;
    together = 0;
  }
};

struct BarrierState {
  std::uint32_t arrived = 0;    ///< threads; a warp counts as 32
  std::uint32_t expected = 0;   ///< 0: all
  std::uint32_t first = kNone;  ///< basic block at whose exit the first thread arrived
  std::uint32_t named = 0;      ///< the number of threads that it named
  std::uint32_t popc = 0;
  bool all = true, any = false;
};

struct ClusterState;

struct BlockState {
  std::uint64_t index = 0;  ///< linear
  Dim3 id;
  std::vector<WarpState> warps;
  std::array<BarrierState, 16> barriers{};
  std::uint32_t barriers_passed = 0;  ///< since the block began, whichever of them
  std::unique_ptr<std::byte[]> shared;
  std::unique_ptr<std::uint8_t[]> shared_valid;
  std::vector<std::byte> local;  ///< of all warps
  std::vector<std::uint8_t> local_valid;
  std::uint32_t live_warps = 0;
  bool wrote_global = false;
  std::shared_ptr<BlockRace> race;        ///< of racecheck, where it is asked for
  std::string output;                     ///< of printf
  std::unique_ptr<AsyncState> async;      ///< where the code has asynchronous operations
  std::shared_ptr<ClusterState> cluster;  ///< where it has clusters
  std::uint32_t cluster_rank = 0;
};

/// Blocks that are resident together and reach each other's shared memory.
struct ClusterState {
  std::vector<BlockState*>
      blocks;                 ///< by rank; they live as long as the cluster has a running block
  std::uint32_t running = 0;  ///< blocks that have not ended
  // The cluster's barrier: lanes of each warp, at rank * warps + warp.
  std::vector<std::uint32_t> arrived;  ///< that arrived in this phase
  std::vector<std::uint32_t>
      passed;  ///< whose phase is complete, and that have not waited for it yet
  std::shared_ptr<RaceGroup> race;  ///< of racecheck, where it is asked for
};

}  // namespace warpbook::device
