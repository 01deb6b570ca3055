// The pending asynchronous operations of a block, and its mbarriers. Blocks have this state only where their code uses
// such operations.
//
// An asynchronous copy takes effect as late as the ISA allows: when its thread waits for its group, or when a thread
// waits for the phase of the mbarrier that tracks it. So a kernel that forgets to wait always reads the old bytes.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "device/launch_record.hpp"
#include "device/simulator/isa/decoded_instruction.hpp"
#include "device/simulator/ptx/module.hpp"
#include "device/types.hpp"

namespace warpbook::device {

struct BlockState;
struct Context;
class VectorClock;

/// The instruction, block and thread that a later finding will name.
struct Actor {
  std::uint32_t instruction = 0, block = 0, thread = 0;
};

/// An mbarrier (PTX ISA 9.0, 9.7.13.15). Its 64 bits in shared memory are a digest of this state, which shows
/// when a thread has overwritten them.
struct Mbarrier {
  static constexpr std::uint32_t kMost = (1u << 20) - 1;  ///< of every count

  std::uint32_t offset = 0;       ///< in the shared memory of its block
  std::uint32_t initialised = 0;  ///< by this instruction
  std::uint32_t expected = 0;     ///< arrivals of the phases to come
  std::uint32_t pending = 0;      ///< arrivals that are missing in this phase
  std::int64_t transactions = 0;  ///< bytes that are expected and not complete
  std::uint64_t phase = 0;

  /// What mbarrier.arrive returns: this phase, and the arrivals that it misses.
  [[nodiscard]] std::uint64_t token() const {
    return (phase & 0xffffff) << 40 | std::uint64_t{pending} << 20 | expected;
  }
  [[nodiscard]] std::uint64_t image() const {
    return (token() + 1) * 0x9e3779b97f4a7c15u + static_cast<std::uint64_t>(transactions);
  }
};

/// One cp.async of a warp.
struct PendingCopy {
  std::uint32_t instruction = 0;
  std::uint32_t number = 0;                    ///< among the block's
  std::uint32_t lanes = 0;                     ///< whose copies are still to be done
  std::uint32_t bytes = 0;                     ///< 4, 8 or 16
  std::array<std::uint32_t, kLanes> target{};  ///< in shared memory
  std::array<std::uint32_t, kLanes> group{};
  std::array<std::uint64_t, kLanes> source{};
  std::array<std::uint8_t, kLanes> taken{};  ///< bytes from the source; zeros for the rest
};

/// An arrival that comes when copies are done (cp.async.mbarrier.arrive).
struct PendingArrival {
  std::uint32_t mbarrier = 0;  ///< its offset
  std::uint32_t warp = 0, lanes = 0;
  std::uint32_t number = 0;  ///< copies before this one are waited for
  Actor actor;
  std::shared_ptr<const VectorClock>
      history;  ///< of racecheck: the accesses that the arrival orders
};

/// A bulk copy or reduction, or one lane of st.async or red.async.
struct BulkOperation {
  Actor actor;
  std::uint32_t bytes = 0;
  BlockState* source_block = nullptr;  ///< null: from global memory, or `data`
  BlockState* target_block = nullptr;  ///< null: to global memory
  std::uint64_t source = 0, target = 0;
  bool carries = false;  ///< `data` is the source
  alignas(16) std::array<std::byte, 32> data{};
  ptx::Word reduction{};  ///< unknown: a copy
  ptx::Type type = ptx::Type::none;
  std::uint32_t mbarrier = kNone;  ///< its offset, in the block that keeps the operation
  std::uint32_t warp = 0, lane = 0, group = 0;  ///< of a bulk group
  std::shared_ptr<const VectorClock>
      history;  ///< of racecheck: the accesses that its completion orders
};

struct WarpAsync {
  std::vector<PendingCopy> copies;                                  ///< in the order of their issue
  std::array<std::uint32_t, kLanes> committed{}, bulk_committed{};  ///< groups so far
};

struct AsyncState {
  std::vector<WarpAsync> warps;
  std::vector<PendingArrival> arrivals;
  std::vector<BulkOperation> bulk;  ///< in groups of this block, and of mbarriers of this block
  std::vector<Mbarrier> mbarriers;  ///< by offset
  std::uint32_t copies = 0;         ///< cp.async so far
  bool stirred = false;             ///< something happened for which a fragment may be waiting

  void reset(std::uint32_t warp_count) {
    warps.assign(warp_count, {});
    arrivals.clear();
    bulk.clear();
    mbarriers.clear();
    copies = 0;
    stirred = false;
  }
};

/// The instruction of the asynchronous operation that may still be writing at this place of the running block's shared
/// memory, or kNone.
std::uint32_t writer_at(const Context& context, std::uint64_t offset, std::uint32_t bytes);
/// Marks bytes of shared memory as undefined for initcheck.
void hide_bytes(const Context& context, BlockState& block, std::uint32_t offset,
                std::uint32_t bytes);

}  // namespace warpbook::device
