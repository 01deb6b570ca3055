// A kernel and all functions that it can call, decoded for one device: basic blocks, call frames, and the details of exits.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "device/simulator/isa/decoded_instruction.hpp"
#include "device/simulator/isa/externals.hpp"
#include "device/simulator/isa/key.hpp"
#include "device/simulator/isa/matrix.hpp"
#include "device/simulator/ptx/module.hpp"

namespace warpbook::device::isa {

/// Bytes of .param space in a frame: rows of words, the first at `row`.
struct ParameterPlace {
  std::uint32_t row = 0, bytes = 0;
};

/// One function's frame. All offsets are from its start.
struct CodeFunction {
  std::uint32_t source = 0;  ///< index in Module::functions
  std::uint32_t entry = 0;   ///< block
  std::uint32_t frame_bytes = 0;
  std::uint32_t constants_begin = 0, constants_end = 0;  ///< rows that never change
  std::vector<std::byte> constants;                      ///< the values of those rows
  std::vector<std::pair<std::uint32_t, std::uint32_t>>
      cleared;                           ///< rows (offset, bytes) that may be read before written
  std::vector<std::uint32_t> unwritten;  ///< the masks of initcheck that belong to them
  std::uint32_t defined_begin = 0,
                defined_end = 0;  ///< masks of initcheck: lanes of each row that are undefined
  std::uint32_t local_bytes = 0;  ///< of its own variables
  std::vector<ParameterPlace> parameters, returns;
};

struct CallDetail {
  External external = External::none;
  std::uint32_t function = kNone;     ///< in Code::functions; kNone: external or through a register
  std::uint32_t address_row = kNone;  ///< of an indirect call
  std::vector<ParameterPlace> arguments, results;  ///< in the caller's frame
  std::vector<std::uint32_t>
      candidates;  ///< functions that an indirect call may reach; empty: any that fits
};

enum class BarrierKind : std::uint8_t { sync, arrive, reduce };
enum class Reduction : std::uint8_t { none, popc, and_, or_ };
struct BarrierDetail {
  BarrierKind kind = BarrierKind::sync;
  Reduction reduction = Reduction::none;
  std::uint32_t id_row = kNone, count_row = kNone;  ///< rows of u32; kNone: 0, and all threads
  std::uint32_t d = kNone, predicate = kNone;
  bool negated = false;
  bool aligned = false;  ///< all lanes of a warp must execute it together
};

/// An operation that waits for the lanes of a member mask.
struct SyncDetail {
  ptx::Word opcode{}, mode{};  ///< shfl .up; vote .ballot; match .any; redux .add
  ptx::Type type = ptx::Type::none;
  std::uint32_t d = kNone, p = kNone;             ///< destinations; p a predicate
  std::uint32_t a = kNone, b = kNone, c = kNone;  ///< sources; a a predicate for vote
  bool negated = false;                           ///< of vote's predicate
  std::uint32_t mask_row = kNone;  ///< kNone: the lanes that are there (forms without .sync)
  bool abs = false, nan = false;   ///< redux.f32
  std::uint32_t key = 0;           ///< equal for what may meet: opcode, mode and type
  std::uint32_t matrix = kNone;    ///< a matrix instruction: in Code::matrices; all 32 lanes meet
};

/// An address of an asynchronous operation: the value of a row of the frame, and an addend.
struct AsyncAddress {
  std::uint32_t row = kNone;  ///< kNone: the operation has no such operand
  std::int64_t addend = 0;
  bool narrow = false;  ///< a row of u32
  StateSpace space = StateSpace::generic;
  bool cluster = false;  ///< shared::cluster
};

/// The operands of cp.async, cp.async.bulk, mbarrier, st.async and their like (PTX ISA 9.0, 9.7.9.25 and 9.7.13.15).
/// Rows that an instruction does not have are kNone.
struct AsyncDetail {
  AsyncAddress target, source, barrier;
  std::uint32_t d = kNone;       ///< the state that mbarrier.arrive returns; waitComplete
  std::uint32_t count = kNone;   ///< arrivals, bytes or a size: u32
  std::uint32_t state = kNone;   ///< u64, or the parity as u32
  std::uint32_t ignore = kNone;  ///< a predicate: of cp.async's ignore-src
  bool ignore_negated = false;
  std::uint32_t mask = kNone;                              ///< u16: blocks of a multicast
  std::uint32_t values[4] = {kNone, kNone, kNone, kNone};  ///< of st.async and red.async
  std::uint32_t elements = 1, bytes = 0;  ///< bytes: of an element, or of a whole cp.async
  ptx::Word reduction{};                  ///< add, min, ...; unknown: a copy
  ptx::Type type = ptx::Type::none;
  bool parity = false, drop = false, expects = false, no_complete = false, no_increment = false;
  bool bulk_group = false;  ///< completion by bulk groups, not by an mbarrier
  bool relaxed = false;     ///< an mbarrier operation that orders nothing
  bool prefetch = false;
};

/// atom and red on 128 bits and on vectors of floats have too many operands for a DecodedInstruction. Its operand c is an
/// index into Code::wide_atomics.
struct WideAtomic {
  enum class Element : std::uint8_t { f32, f16, bf16, f16x2, bf16x2, b128 };
  enum class Function : std::uint8_t { add, min, max, exch, cas };
  Element element = Element::f32;
  Function function = Function::add;
  std::uint8_t elements = 1, bytes = 4;  ///< bytes of an element
  bool narrow_address = false, flush = false;
  std::array<std::uint32_t, 8> d{}, b{};  ///< rows; kNone in d: the old value is not returned
  std::uint32_t swap = kNone;             ///< of cas
};

struct BranchDetail {
  std::uint32_t index_row = kNone;
  std::vector<std::uint32_t> blocks;
};

/// Which rows an operation reads and writes, for initcheck: offsets of masks in the frame.
struct Dependence {
  /// fetch: of a texture, or a load from a surface; put: into a surface; choose: one operand can settle the result.
  enum class Kind : std::uint8_t {
    plain,
    load,
    store,
    atomic,
    fetch,
    put,
    choose
  } kind = Kind::plain;
  /// The writes of a load and the reads of a store begin with one entry per element: kNone where it is not a register.
  std::vector<std::uint32_t> reads, writes;
  std::uint32_t address = kNone;  ///< the mask of the address register
  std::uint32_t choice = kNone;   ///< into Code::choices
};

/// A result that does not depend on all of its operands: a false one settles a conjunction, a true one a disjunction,
/// a selection takes one of two.
struct Choice {
  enum class Kind : std::uint8_t { conjunction, disjunction, selection } kind = Kind::selection;
  std::uint8_t bytes = 0;  ///< of an element of a and b; 0: predicates
  bool negated[3] = {};    ///< predicates that count inverted
  /// The operands' rows and their masks of undefined lanes; the predicate c decides a selection. kNone in `a`: the operand is
  /// the result of a comparison; it is undefined if and only if one of the dependence's other reads is.
  std::uint32_t row[3] = {kNone, kNone, kNone}, mask[3] = {kNone, kNone, kNone};
};

/// The geometry of a texture or surface instruction; a1d and a2d have layers.
enum class Geometry : std::uint8_t { d1, d2, d3, a1d, a2d, cube, acube, d2ms, a2dms };

/// A texture or surface instruction: rows of its operands, kNone where it has none.
struct TextureDetail {
  enum class Level : std::uint8_t { base, given, gradient };
  Geometry geometry = Geometry::d2;
  Level level = Level::base;
  bool integer_coordinates = false;
  bool formatted = false;  ///< .p: x counts texels, and values are converted
  ptx::Word
      word{};  ///< gather: the component; query: its subject; sured: the operation; else the clamping
  ptx::Word clamp{};                                         ///< of a surface: trap, clamp or zero
  ptx::Type type{};                                          ///< of a result or a value
  std::uint8_t elements = 4, bytes = 4, register_bytes = 4;  ///< of the vector d; bytes in memory
  std::uint32_t handle = kNone;
  std::uint32_t layer = kNone;
  std::uint32_t at[3] = {kNone, kNone, kNone};
  std::uint32_t d[4] = {kNone, kNone, kNone, kNone};  ///< the results, or the values to be stored
  std::uint32_t resident = kNone;                     ///< predicate
  std::uint32_t lod = kNone;
  std::uint32_t dx[3] = {kNone, kNone, kNone}, dy[3] = {kNone, kNone, kNone};
  std::uint32_t offset[3] = {kNone, kNone, kNone};
  std::uint32_t reference = kNone;  ///< of a depth comparison
};

/// The local memory that alloca may take, in bytes per thread. CUDA's own stack has 1 KiB unless a program asks for more.
inline constexpr std::uint32_t kAllocaBytes = 16u << 10;

/// The counter of the launch record that an instruction increments besides those of all instructions.
enum class CountedAs : std::uint8_t { plain, shuffle, vote, barrier, tensor };

struct CodeInstruction {
  const ptx::Instruction* source = nullptr;
  std::uint32_t function = 0;      ///< in Code::functions
  bool guarded_operation = false;  ///< counts its own lanes
  std::uint8_t access_bytes = 0;   ///< of a memory operation, per lane
  bool store = false, load = false, atomic = false;
  std::uint32_t memo = kNone;
  CountedAs counts_as = CountedAs::plain;
  StateSpace space = StateSpace::generic;  ///< of a memory operation
  std::uint32_t issued_with =
      kNone;  ///< the instruction that the hardware would issue it with; mostly itself
  std::uint8_t issues = 1;  ///< of a memory operation: the machine instructions that it becomes
  // The access that the hardware would issue for this one and all that join it: its begin, relative to this one's address.
  std::int8_t issued_offset = 0;
  std::uint8_t issued_bytes = 0;  ///< per lane; 0: as access_bytes
  bool narrow_address = false;
  bool strong =
      false;  ///< atomic, volatile, or of a memory order other than weak: never races with its like
  bool of_block =
      false;  ///< of scope .cta: an atomic operation or a fence for threads of one block alone
  bool order = false;  ///< of a memory order other than weak: synchronises
  bool releases =
      false;  ///< .release, .acq_rel: its thread's earlier accesses are ordered before it
};

struct Code {
  std::vector<std::vector<DecodedInstruction>>
      operations;  ///< by function; never grow once blocks point into them
  std::vector<std::unique_ptr<DecodedInstruction>> guarded;  ///< instructions behind a guard
  std::vector<BasicBlock> blocks;
  std::vector<CodeFunction> functions;  ///< the kernel first
  std::vector<CodeInstruction> instructions;
  std::vector<Dependence> dependences;  ///< by instruction
  std::vector<Choice> choices;
  std::vector<Dependence> exits;  ///< by block: the registers on which its exit depends
  std::vector<CallDetail> calls;
  std::vector<BarrierDetail> barriers;
  std::vector<SyncDetail> syncs;
  std::vector<MatrixDetail> matrices;
  std::vector<BranchDetail> branches;
  std::vector<TextureDetail> textures;
  std::vector<WideAtomic> wide_atomics;
  std::vector<AsyncDetail> asyncs;
  std::uint32_t memos = 0;
  std::uint32_t least_global = 16,
                least_shared = 16;          ///< bytes of the narrowest element accessed there
  std::uint32_t static_shared = 0;          ///< bytes
  std::uint32_t dynamic_shared_offset = 0;  ///< where extern shared arrays begin
  std::uint32_t local_bytes = 0;            ///< per thread, without recursion
  bool recursive = false;                   ///< or calls through registers
  bool order_matters = false;               ///< must run on one host thread to be repeatable
  bool uses_heap = false;
  bool uses_stack = false;    ///< alloca and its like: threads have a stack of their own
  bool uses_async = false;    ///< asynchronous copies or mbarriers: blocks keep an AsyncState
  bool uses_cluster = false;  ///< a cluster's barrier, or the shared memory of its blocks
  bool uses_reserved_shared = false;  ///< asks for the address of the system's shared memory
  bool uses_workspace = false;        ///< asks for the barrier of a cooperative grid
  std::vector<std::uint32_t> function_of_source;  ///< Module::functions -> functions; kNone
};

}  // namespace warpbook::device::isa
