// Handlers of asynchronous copies, mbarriers and clusters: the same in every build. DecodedInstruction::f is the AsyncDetail that
// says their operands.
#pragma once

#include "device/simulator/isa/decoded_instruction.hpp"

namespace warpbook::device::isa::async_handlers {

// machine/async_copy.cpp
void copy(const DecodedInstruction& operation, Context& context);
void commit_group(const DecodedInstruction& operation, Context& context);
/// The immediate: how many groups may be left; -1: everything lands, committed or not.
void wait_group(const DecodedInstruction& operation, Context& context);
void copy_arrive(const DecodedInstruction& operation, Context& context);

// machine/mbarrier.cpp
void mbarrier_init(const DecodedInstruction& operation, Context& context);
void mbarrier_inval(const DecodedInstruction& operation, Context& context);
/// arrive, arrive_drop, expect_tx and complete_tx: DecodedInstruction::kind is an MbarrierSignal.
void mbarrier_signal(const DecodedInstruction& operation, Context& context);
void mbarrier_test_wait(const DecodedInstruction& operation, Context& context);
/// d (u32) = the arrivals that the token a (u64) misses.
void mbarrier_pending_count(const DecodedInstruction& operation, Context& context);

// machine/bulk_copy.cpp
void bulk_copy(const DecodedInstruction& operation, Context& context);
void bulk_commit_group(const DecodedInstruction& operation, Context& context);
void bulk_wait_group(const DecodedInstruction& operation, Context& context);
void store_async(const DecodedInstruction& operation, Context& context);

// machine/clusters.cpp
/// d = the address a in the block of rank b; bytes 4 or 8; kind 1: a generic address.
void map_address(const DecodedInstruction& operation, Context& context);
/// d (u32) = the rank of the block whose shared memory holds a; bytes and kind as above.
void rank_of_address(const DecodedInstruction& operation, Context& context);
/// d (u64) = the generic address of a + the immediate in shared::cluster; bytes 4 or 8: of a.
void cluster_window(const DecodedInstruction& operation, Context& context);

}  // namespace warpbook::device::isa::async_handlers
