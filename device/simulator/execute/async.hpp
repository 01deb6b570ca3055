// Asynchronous operations at work: where they take effect, and what mbarriers make of arrivals. Everything that orders one
// thread's accesses before another's passes through the functions here, each under one name:
//   land_copy, land_bulk    the bytes of an asynchronous operation are written (its actor says whose they are)
//   wait_for_groups         a thread waits for its own copies
//   signal                  arrivals and bytes reach an mbarrier (a release)
//   phase_complete          a thread sees a phase completed (an acquire, where it returns true)
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

/// Where an address in shared memory lies, be it generic, of the block or of its cluster. `bytes` of it must be there,
/// aligned to `alignment`; findings otherwise.
SharedPlace shared_place(const DecodedInstruction& operation, Context& context,
                         const isa::AsyncAddress& operand, std::uint64_t address, int lane,
                         AccessKind kind, std::uint32_t bytes, std::uint32_t alignment);

// cp.async (async_copy.cpp)

/// Writes what a cp.async copies for `lanes`, and forgets those lanes.
void land_copy(Context& context, BlockState& block, PendingCopy& copy, std::uint32_t lanes);
/// Lets the copies of the running fragment land whose groups are older than the last `left` ones; all of them where
/// `everything`.
void wait_for_groups(Context& context, std::uint32_t left, bool everything);
/// Lanes that end: their copies are done at the latest now.
void end_copies(Context& context, BlockState& block, std::uint32_t warp, std::uint32_t lanes);

// mbarriers (mbarrier.cpp)

/// The mbarrier at a place, or null and a finding.
Mbarrier* mbarrier_at(Context& context, BlockState& block, std::uint32_t offset,
                      const Actor& actor);
/// `arrivals` threads arrive, of which `dropped` never come again; `bytes` more are expected (or, negative, complete). The
/// phase is completed where nothing is missing any more. False, with a finding, where the mbarrier cannot count that.
bool signal(Context& context, BlockState& block, std::uint32_t offset, std::uint32_t arrivals,
            std::uint32_t dropped, std::int64_t bytes, const Actor& actor);
/// One arrival more is missing in this phase (cp.async.mbarrier.arrive without .noinc).
bool expect_arrival(Context& context, BlockState& block, Mbarrier& mbarrier, const Actor& actor);
/// Whether the phase that a token (or a parity) names is complete. What may complete it, asynchronous operations that
/// signal this mbarrier, is let happen first.
bool phase_complete(Context& context, BlockState& block, std::uint32_t offset, std::uint64_t state,
                    bool parity, const Actor& actor);
/// Everything asynchronous that signals this mbarrier happens.
void settle_mbarrier(Context& context, BlockState& block, std::uint32_t offset);
void report_mbarrier(Context& context, const Actor& actor, ErrorCode code, std::uint32_t offset,
                     std::uint64_t size);

// Bulk copies (bulk_copy.cpp)

/// Does a bulk operation: its bytes are written, its mbarrier is signalled by the caller.
void land_bulk(Context& context, const BulkOperation& operation);
/// Lets the bulk operations of the running fragment land whose groups are older than the last `left` ones.
void wait_for_bulk_groups(Context& context, std::uint32_t left);
/// A block has ended: what it never waited for is done, and is a finding.
void end_bulk(Context& context, BlockState& block);

}  // namespace warpbook::device
