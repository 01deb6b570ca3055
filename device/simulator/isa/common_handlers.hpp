// The handlers that every build shares, because they gain nothing from wider registers: special registers, address windows,
// the stack, textures, video instructions, wide atomics, asynchronous operations and clusters. The decoder takes them from
// this table, so that it needs to see no handler; execute/common_handlers.cpp fills the table.
#pragma once

#include <cstdint>

#include "device/simulator/isa/decoded_instruction.hpp"
#include "device/simulator/ptx/words.hpp"

namespace warpbook::device::isa {

struct CommonHandlers {
  /// Runs the instruction to which the immediate points for the lanes whose guard holds, and counts those lanes.
  Handler guarded;
  Handler nothing;
  /// membar and fence: only racecheck can tell that they ran.
  Handler fence;
  /// d = the special register in operand c, with `bytes` per lane; b is the dimension of %tid and its like.
  Handler special;
  /// d = the special register in operand c, as a predicate.
  Handler special_predicate;
  /// d = a combined with b, all of them predicates (PredicateFields).
  Handler predicate_logic;
  /// Copies the parameter at row a, of c words, into the frame's local memory at the immediate.
  Handler parameter_to_local;
  /// Copies the same words back.
  Handler local_to_parameter;
  /// d = the address of the frame's local variables + the immediate, with `bytes` per lane.
  Handler local_address;
  /// d = the lanes whose address a (u64, or u32 where bytes is 4) is in the window at the immediate (WindowFields).
  /// kGlobalBase asks for global memory, 0 for constant memory.
  Handler in_window;
  /// d (u32) = the lanes that execute this instruction together.
  Handler active_mask;
  /// Marks that the next instruction reads a value which another thread may be about to change.
  Handler synchronising_read;

  /// The stack of a thread (PTX ISA 9.0, 9.7.17). It is above the local variables of the thread's functions and grows
  /// upwards.
  struct {
    Handler save;     ///< d = the end of the stack, with `bytes` per lane
    Handler restore;  ///< the stack ends at a again, with `bytes` per lane
    Handler
        allocate;  ///< d = a new area of a bytes, aligned to the immediate; d and a have `bytes` per lane
  } stack;

  /// Texture and surface instructions. Operand c is the index of the TextureDetail.
  struct {
    Handler tex, tld4;
    Handler txq;  ///< and suq (QueryFields)
    Handler istypep;
    Handler suld, sust, sured;
  } texture;

  /// The immediate is a video::Plan.
  struct {
    Handler scalar, multiply, two_halves, four_bytes;
  } video;

  /// Conversions to and from packed values (PTX ISA 9.0, 9.7.9.21 and 9.7.9.22). The first operand becomes the upper half.
  struct {
    Handler fp8_of_singles, fp8_of_halves, halves_of_fp8;  ///< the immediate is an Fp8
    /// cvt.pack: a above b, c above both. The immediate's low byte is the width, its next bit the sign.
    Handler integers;
  } packed;

  /// atom and red on 128 bits and on vectors. Operand c is the index of the WideAtomic.
  struct {
    Handler global, shared, generic;
  } wide_atomic;

  /// Asynchronous operations. Operand f is the index of the AsyncDetail.
  struct {
    Handler copy, commit_group;
    /// The immediate is the number of groups that may still be pending. With -1 every copy lands, committed or not.
    Handler wait_group;
    Handler copy_arrive;
    Handler mbarrier_init, mbarrier_inval;
    Handler mbarrier_signal;  ///< arrive, arrive_drop, expect_tx and complete_tx (SignalFields)
    Handler mbarrier_test_wait;
    /// d (u32) = the arrivals that are missing from the token a (u64).
    Handler mbarrier_pending_count;
    Handler bulk_copy, bulk_commit_group;
    Handler bulk_wait_group;  ///< the immediate as of wait_group (BulkWaitFields)
    Handler store_async;
  } async;

  /// Addresses in the shared memory of a cluster.
  struct {
    /// d = the address a in the block of rank b; bytes 4 or 8 (ClusterAddressFields).
    Handler map_address;
    /// d (u32) = the rank of the block whose shared memory holds the address a (ClusterAddressFields).
    Handler rank_of_address;
    /// d (u64) = the generic address of a + the immediate in shared::cluster; bytes 4 or 8: of a.
    Handler window;
  } cluster;

  /// True where the simulator has the special register.
  bool (*has_special)(ptx::Word word);
};

extern const CommonHandlers kCommonHandlers;

/// The immediate of an fp8 conversion.
struct Fp8 {
  std::uint64_t e5m2 : 1;  ///< else e4m3
  std::uint64_t relu : 1;
};

}  // namespace warpbook::device::isa
