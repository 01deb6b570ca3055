// A decoded instruction: what the run loop executes. Registers are rows of a frame, one element a lane; predicates are
// 32-bit masks; constants are rows that hold the same value in every lane.
#pragma once

#include <cstddef>
#include <cstdint>

namespace warpbook::device {

struct Context;
struct DecodedInstruction;

/// Executes one operation for the lanes of the running fragment.
using Handler = void (*)(const DecodedInstruction&, Context&);

inline constexpr std::uint32_t kNone = 0xffffffff;

/// Operands a to f are byte offsets of rows in the frame, unless the handler's family says otherwise
/// (execute/handlers/*.inc). One cache line.
struct alignas(64) DecodedInstruction {
  Handler full =
      nullptr;  ///< every lane that the frame has runs; lanes that it has not may be clobbered
  Handler masked = nullptr;  ///< only the lanes of Context::mask may be touched
  std::uint32_t d = kNone, a = kNone, b = kNone, c = kNone, e = kNone, f = kNone;
  std::int64_t immediate = 0;   ///< an address's addend, the table of lop3, ...
  std::uint32_t index = 0;      ///< of the instruction in its Code; counters and tables go by it
  std::uint32_t memo = kNone;   ///< of a memory access: its AccessMemo and AccessTally
  std::uint32_t guard = kNone;  ///< row of the guard, of an operation behind one
  std::uint8_t guard_negated = 0, bytes = 0, flags = 0, kind = 0;
};
static_assert(sizeof(DecodedInstruction) == 64);

/// How control leaves a block of code.
enum class Exit : std::uint8_t {
  fall,          ///< into `next`
  branch,        ///< to `target`; with a guard, the other lanes to `next`
  branch_table,  ///< brx.idx: each lane to one of a table
  call,  ///< to a function of the module, an external one, or through a register; then `next`
  ret,
  exit,
  trap,
  barrier,    ///< bar and barrier of a block
  warp_sync,  ///< shfl, vote, match, redux, bar.warp, elect: waits for the lanes of a member mask
  sleep,      ///< nanosleep: lets others run
  try_wait,   ///< mbarrier.try_wait: waits for a phase, for a while
  cluster_barrier  ///< barrier.cluster: `detail` is 1 where it waits, 0 where it arrives
};

/// Straight-line code: operations, then one way to leave.
struct BasicBlock {
  const DecodedInstruction* first = nullptr;
  std::uint32_t operations = 0;
  std::uint32_t function = 0;
  std::uint32_t unguarded = 0;          ///< instructions that all lanes execute, the exit included
  std::uint32_t instructions = 0;       ///< all, the exit included
  std::uint32_t first_instruction = 0;  ///< in Code::instructions; a block's stand in a row
  std::uint32_t rank = 0;  ///< in its function: the fragment with the lowest runs first
  Exit exit = Exit::fall;
  bool guard_negated = false;
  bool exit_counts = false;     ///< the exit is an instruction of its own, the last one
  std::uint32_t guard = kNone;  ///< row of the exit's guard
  std::uint32_t next = kNone, target = kNone;  ///< blocks
  std::uint32_t detail = kNone;                ///< into Code's list for that kind of exit
};

}  // namespace warpbook::device
