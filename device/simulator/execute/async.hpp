// Asynchronous operations: when they take effect, and how mbarriers count arrivals. Everything that orders one thread's
// accesses before another's passes through these functions:
//   land_copy, land_bulk    the bytes of an asynchronous operation are written (its actor is the thread that issued it)
//   wait_for_groups         a thread waits for its own copies
//   signal                  arrivals and bytes reach an mbarrier (a release)
//   phase_complete          a thread learns that a phase is complete (an acquire, where it returns true)
#pragma once

#include <cstdint>

#include "device/simulator/isa/code.hpp"
#include "device/simulator/state/async_state.hpp"
#include "device/simulator/state/context.hpp"

namespace warpbook::device {

/// A byte of the shared memory of a block of the cluster.
struct SharedPlace {
  BlockState* block = nullptr;  ///< null: the address names none, which has been reported
  std::uint32_t offset = 0;
};

/// The address that an operand has in a lane, in the frame `rows`.
std::uint64_t address_in_lane(const isa::AsyncAddress& address, const std::byte* rows, int lane);

/// The block and offset of an address in shared memory, whether it is generic, of the block or of its cluster. Reports a
/// finding unless there are `bytes` at it, aligned to `alignment`.
SharedPlace shared_place(const DecodedInstruction& operation, Context& context,
                         const isa::AsyncAddress& operand, std::uint64_t address, int lane,
                         AccessKind kind, std::uint32_t bytes, std::uint32_t alignment);

// cp.async (async_copy.cpp)

/// Writes the bytes that a cp.async copies for `lanes`, which are then no longer pending.
void land_copy(Context& context, BlockState& block, PendingCopy& copy, std::uint32_t lanes);
/// Lets those copies of the running fragment land whose groups are older than the last `left` ones; with `everything` all of
/// its copies.
void wait_for_groups(Context& context, std::uint32_t left, bool everything);
/// Lanes exit, so their copies must land now at the latest.
void end_copies(Context& context, BlockState& block, std::uint32_t warp, std::uint32_t lanes);

// mbarriers (mbarrier.cpp)

/// The mbarrier at a place, or null and a finding.
Mbarrier* mbarrier_at(Context& context, BlockState& block, std::uint32_t offset,
                      const Actor& actor);
/// `arrivals` threads arrive, of which `dropped` will not arrive again; `bytes` more are expected (or, if negative, are
/// complete). The phase completes when nothing is missing. False, with a finding, where the mbarrier cannot count that.
bool signal(Context& context, BlockState& block, std::uint32_t offset, std::uint32_t arrivals,
            std::uint32_t dropped, std::int64_t bytes, const Actor& actor);
/// One more arrival is expected in this phase (cp.async.mbarrier.arrive without .noinc).
bool expect_arrival(Context& context, BlockState& block, Mbarrier& mbarrier, const Actor& actor);
/// Whether the phase that a token (or a parity) names is complete. Asynchronous operations that signal this mbarrier happen
/// first, because they may complete it.
bool phase_complete(Context& context, BlockState& block, std::uint32_t offset, std::uint64_t state,
                    bool parity, const Actor& actor);
/// All asynchronous operations that signal this mbarrier happen.
void settle_mbarrier(Context& context, BlockState& block, std::uint32_t offset);
void report_mbarrier(Context& context, const Actor& actor, ErrorCode code, std::uint32_t offset,
                     std::uint64_t size);

// Bulk copies (bulk_copy.cpp)

/// Writes the bytes of a bulk operation. The caller signals its mbarrier.
void land_bulk(Context& context, const BulkOperation& operation);
/// Lets those bulk operations of the running fragment land whose groups are older than the last `left` ones.
void wait_for_bulk_groups(Context& context, std::uint32_t left);
/// A block has ended: bulk operations for which it never waited land, and each is a finding.
void end_bulk(Context& context, BlockState& block);

}  // namespace warpbook::device
