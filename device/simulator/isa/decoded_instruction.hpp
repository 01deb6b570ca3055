// A decoded instruction, which the run loop executes, and the basic blocks that decoded instructions form. A register is a
// row of a call frame with one element per lane; a predicate is a mask of 32 bits; a constant is a row that holds the same
// value in every lane.
#pragma once

#include <cstddef>
#include <cstdint>

namespace warpbook::device {

struct Context;
struct DecodedInstruction;

/// Executes one instruction for the lanes of the running fragment.
using Handler = void (*)(const DecodedInstruction&, Context&);

inline constexpr std::uint32_t kNone = 0xffffffff;

// What a handler's family needs beyond operands, immediate and `bytes`. The handler decides which of them is in use; the
// decoder that chose the handler fills that one.

/// ld and st.
struct MemoryFields {
  std::uint8_t elements;            ///< of the vector; 1 for a scalar
  std::uint8_t register_bytes : 5;  ///< of an element's register
  std::uint8_t sign_extends : 1;  ///< the value in memory is narrower than the register, and signed
};
/// setp and set: how the comparison's result is combined with the predicate c.
enum class Join : std::uint8_t { none, and_, or_, xor_ };
struct CompareFields {
  Join join;
  bool c_negated;
};
/// and, or and xor of predicates.
enum class PredicateLogic : std::uint8_t { and_, or_, xor_ };
struct PredicateFields {
  PredicateLogic logic;
  bool a_negated : 1, b_negated : 1;
};
/// An instruction behind a guard.
struct GuardedFields {
  bool hidden;  ///< it only prepares another instruction, so its lanes are not counted
};
/// isspacep.
struct WindowFields {
  bool
      whole_cluster;  ///< shared::cluster: the shared memory of every block of the cluster, not only of the own one
};
/// mapa and getctarank.
struct ClusterAddressFields {
  bool generic;  ///< the addresses are generic ones, not offsets in shared::cluster
};
/// Signals to an mbarrier.
enum class MbarrierSignal : std::uint8_t { arrive, expect, complete };
struct SignalFields {
  MbarrierSignal signal;
};
/// cp.async.bulk.wait_group.
struct BulkWaitFields {
  bool read;  ///< it waits only until the sources have been read; racecheck makes the difference
};
/// txq and suq.
struct QueryFields {
  bool surface;
};

/// Operands a to f are byte offsets of rows in the call frame, unless the handler's family says otherwise
/// (execute/handlers/*.inc, isa/common_handlers.hpp). One cache line.
struct alignas(64) DecodedInstruction {
  /// For a fragment with every lane of the frame. It may write any value into lanes that the frame does not have.
  Handler full = nullptr;
  /// For a fragment with some of the frame's lanes. It touches only the lanes of Context::mask.
  Handler masked = nullptr;
  std::uint32_t d = kNone, a = kNone, b = kNone, c = kNone, e = kNone, f = kNone;
  std::int64_t immediate = 0;  ///< an address's addend, the table of lop3, ...
  std::uint32_t index =
      0;  ///< of the instruction in its Code, whose counters and tables are in that order
  std::uint32_t memo = kNone;   ///< of a memory access: the index of its AccessMemo and AccessTally
  std::uint32_t guard = kNone;  ///< row of the guard, for plain_handlers::guarded
  bool guard_negated = false;
  std::uint8_t bytes =
      0;  ///< of an element: in memory for an access, in the register for all others
  union {
    MemoryFields memory{};
    CompareFields compare;
    PredicateFields predicate;
    GuardedFields guarded;
    WindowFields window;
    ClusterAddressFields cluster_address;
    SignalFields mbarrier;
    BulkWaitFields bulk_wait;
    QueryFields query;
  };
};
static_assert(sizeof(DecodedInstruction) == 64);

/// How control leaves a basic block.
enum class Exit : std::uint8_t {
  fall,          ///< into `next`
  branch,        ///< to `target`; with a guard, the other lanes go to `next`
  branch_table,  ///< brx.idx: each lane goes to an entry of a table
  call,  ///< of a function of the module, an external one, or through a register; then into `next`
  ret,
  exit,
  trap,
  barrier,    ///< bar and barrier of a block
  warp_sync,  ///< shfl, vote, match, redux, bar.warp, elect: wait for the lanes of a member mask
  sleep,      ///< nanosleep: lets others run
  try_wait,   ///< mbarrier.try_wait: waits for a phase, for a while
  cluster_barrier  ///< barrier.cluster: `detail` is 1 where it waits, 0 where it arrives, 2 where it arrives relaxed
};

/// Straight-line code: instructions without jumps, then one exit.
struct BasicBlock {
  const DecodedInstruction* first = nullptr;
  std::uint32_t operations = 0;  ///< decoded instructions from `first` on
  std::uint32_t function = 0;
  std::uint32_t unguarded = 0;          ///< instructions that all lanes execute, the exit included
  std::uint32_t instructions = 0;       ///< all of them, the exit included
  std::uint32_t fetched_bytes = 0;      ///< that its loads bring a lane from global memory
  std::uint32_t first_instruction = 0;  ///< in Code::instructions, where a block's are consecutive
  std::uint32_t rank =
      0;  ///< in the function: of a warp's fragments, the one with the lowest rank runs first
  Exit exit = Exit::fall;
  bool guard_negated = false;
  bool exit_counts = false;     ///< the exit is an instruction of its own, the last one
  std::uint32_t guard = kNone;  ///< row of the exit's guard
  std::uint32_t next = kNone, target = kNone;  ///< basic blocks
  std::uint32_t detail = kNone;  ///< index in the list of Code that belongs to this kind of exit

  /// The block's last instruction, in Code::instructions.
  [[nodiscard]] std::uint32_t last_instruction() const {
    return first_instruction + instructions - 1;
  }
};

}  // namespace warpbook::device
