// What a handler sees of the machine: the running fragment's rows and lanes, and the memories it may touch.
#pragma once

#include <cstddef>
#include <cstdint>

#include "device/error.hpp"
#include "device/launch_record.hpp"
#include "device/simulator/isa/decoded_instruction.hpp"
#include "device/simulator/state/access.hpp"
#include "device/simulator/state/memory.hpp"
#include "device/types.hpp"

namespace warpbook::device {

namespace isa {
struct Code;
}
class LaunchStop;
class LoadedModule;
class RaceChecker;
class TextureUnit;
struct LaunchObserver;
struct WarpState;
struct BlockState;

/// The part of a launch that every thread reads: geometry and special registers.
struct LaunchFacts {
  Dim3 grid, block, cluster;
  std::uint32_t block_threads = 0, warps = 0;  ///< of a block
  std::uint32_t static_shared = 0, dynamic_shared = 0,
                shared_bytes = 0;     ///< shared_bytes: both, aligned
  std::uint32_t reserved_shared = 0;  ///< bytes above shared_bytes that only libraries use
  std::uint32_t multiprocessors = 1, max_warps = 64;
  std::uint64_t grid_id = 1;
  bool explicit_cluster = false;
  Pointer workspace = 0;  ///< of grid barriers, in a cooperative launch
};

struct Context {
  std::byte* frame = nullptr;
  std::uint32_t mask = 0;         ///< lanes that execute
  std::uint32_t frame_lanes = 0;  ///< lanes that the frame has
  std::uint32_t local_base = 0;   ///< of the frame's own local variables, in bytes
  bool check = false;             ///< initcheck: follow what nobody wrote
  bool observed = false;          ///< accesses are traced or mapped
  bool tainted = false;           ///< some register of the frame may hold what nobody wrote
  bool sync_read = false;         ///< something was read that another thread may be about to change
  bool wrote_global = false;      ///< by the running block
  std::uint32_t undefined = 0;    ///< lanes whose last load read what nobody wrote
  std::uint32_t undefined_elements[4] = {};  ///< of a vector, where any are: the same by element
  std::uint64_t changes = 0;      ///< stores, and atomic operations that changed something
  std::uint64_t clock_reads = 0;  ///< time goes on, which some wait for

  std::byte* global = nullptr;  ///< host address of kGlobalBase
  std::uint8_t* global_valid = nullptr;
  std::byte* shared = nullptr;
  std::uint8_t* shared_valid = nullptr;
  std::uint32_t shared_bytes = 0;  ///< the reserved part included
  std::byte* local = nullptr;      ///< [word][lane]
  std::uint8_t* local_valid = nullptr;
  std::uint32_t local_bytes = 0;
  const std::byte* parameters = nullptr;
  std::uint32_t parameter_bytes = 0;

  const std::uint32_t* tid[3] = {nullptr, nullptr, nullptr};  ///< the warp's rows of %tid
  std::uint32_t warp_index = 0;
  std::uint32_t block_index = 0;  ///< linear
  Dim3 block_id;                  ///< %ctaid
  std::uint32_t multiprocessor = 0;
  std::uint64_t clock = 0;  ///< instructions that the worker issued before this block of code

  AccessMemo* memos = nullptr;
  AccessTally* tallies = nullptr;
  WarpState* warp = nullptr;
  BlockState* block = nullptr;
  BlockState* shared_block = nullptr;  ///< whose shared memory `shared` is
  const LaunchFacts* launch = nullptr;
  const LoadedModule* module = nullptr;
  const isa::Code* code = nullptr;
  LaunchObserver* observer = nullptr;
  LaunchStop* launch_stop = nullptr;
  TextureUnit* textures = nullptr;
  RaceChecker* race = nullptr;  ///< where racecheck is asked for

  /// The thread of the running block that is `lane` of the running warp.
  [[nodiscard]] std::uint32_t thread_of(int lane) const {
    return warp_index * kLanes + static_cast<std::uint32_t>(lane);
  }
  /// Ends the launch with an error of the running block.
  void stop(Error why);
  /// Whether the running block need not go on.
  [[nodiscard]] bool stopped() const;
};

/// The part of `mask` whose accesses are good. What is not is reported and left out. Brings the operation's memo up to
/// date and counts. `address` holds one address a lane, addend included; `bytes` is a power of two.
std::uint32_t admit(const DecodedInstruction& operation, Context& context,
                    const std::uint64_t* address, std::uint32_t mask, Space space, AccessKind kind,
                    std::uint32_t bytes, bool narrow);

/// Traces and maps an access that was admitted. Called where Context::observed.
void observe(const DecodedInstruction& operation, Context& context, const std::uint64_t* address,
             std::uint32_t mask, Space space, AccessKind kind, std::uint32_t bytes);

// racecheck, if Context::race: called for every access to global and shared memory that was admitted, and before it writes.
/// All 32 lanes access neighbouring elements, lane 0 the one at `base`.
void race_contiguous(const DecodedInstruction& operation, Context& context, std::uint64_t base,
                     Space space, AccessKind kind, std::uint32_t bytes);
/// Broadcast read: every lane reads `address`; `readers` holds the two lowest lanes, which are enough to represent all.
void race_broadcast(const DecodedInstruction& operation, Context& context, std::uint64_t address,
                    std::uint32_t readers, Space space, std::uint32_t bytes);
/// The lanes keep the distances to each other that RaceChecker::learn_shape was last given for this operation.
void race_same_shape(const DecodedInstruction& operation, Context& context,
                     const std::uint64_t* address, std::uint32_t mask, Space space, AccessKind kind,
                     std::uint32_t bytes);
/// The general case: each lane of `mask` accesses its own `address`.
void race_scattered(const DecodedInstruction& operation, Context& context,
                    const std::uint64_t* address, std::uint32_t mask, Space space, AccessKind kind,
                    std::uint32_t bytes);
/// The lanes of the context's mask execute a fence.
void race_fence(Context& context);
/// Whether one lane may touch [address, address + bytes), which may be longer than any lane's access; a finding where
/// not. `address` is an offset for shared memory, whose size is `limit`.
bool admit_range(const DecodedInstruction& operation, Context& context, int lane, Space space,
                 AccessKind kind, std::uint64_t address, std::uint32_t bytes,
                 std::uint32_t alignment, std::uint64_t limit);

/// A finding at an access of one lane. `limit`: the size of the space, or whatever else the sentence counts.
/// `other`: the other instruction that has a part in it.
void report_access(const DecodedInstruction& operation, Context& context, ErrorCode code, int lane,
                   Space space, AccessKind kind, std::uint64_t address, std::uint32_t bytes,
                   std::uint64_t limit, std::uint32_t other = kNone);

/// Adds `lanes` to those whose access read what nobody wrote, and keeps where for the finding that may follow; of vectors
/// also which elements. `address` counts from the space's beginning. To be called before the rows change.
void note_undefined(const DecodedInstruction& operation, Context& context,
                    const std::uint64_t* address, std::uint32_t lanes, Space space,
                    std::uint32_t elements);

/// A finding of initcheck: in `lanes`, the instruction lets something depend on what nobody wrote.
void report_undefined(std::uint32_t instruction, Context& context, std::uint32_t lanes);

}  // namespace warpbook::device
