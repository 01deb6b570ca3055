// The context in which a handler executes an instruction: the rows and lanes of the running fragment, the memories that it
// may access, and the observers of the launch.
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
  bool check = false;             ///< initcheck: follow undefined values
  bool observed = false;          ///< accesses are traced or mapped
  bool tainted = false;           ///< some register of the frame may be undefined
  bool sync_read = false;         ///< a value was read that another thread may be about to change
  bool wrote_global = false;      ///< by the running block
  std::uint32_t undefined = 0;    ///< lanes whose last load read undefined bytes
  std::uint32_t undefined_elements[4] =
      {};                         ///< the same for each element of a vector, where any is undefined
  std::uint64_t changes = 0;      ///< stores, and atomic operations that changed something
  std::uint64_t clock_reads = 0;  ///< time has passed, for which a fragment may wait

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
  std::uint64_t clock = 0;  ///< thread instructions of the block runner so far, which %clock shows

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

/// The part of `mask` whose accesses are valid. The other accesses are reported. Updates the operation's memo and counts.
/// `address` has one address per lane, addend included; `bytes` is a power of two.
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
void race_fence(const DecodedInstruction& operation, Context& context);
/// Whether one lane may access [address, address + bytes), which may be longer than a lane's access usually is. Reports a
/// finding where it may not. `address` is an offset for shared memory, whose size is `limit`.
bool admit_range(const DecodedInstruction& operation, Context& context, int lane, Space space,
                 AccessKind kind, std::uint64_t address, std::uint32_t bytes,
                 std::uint32_t alignment, std::uint64_t limit);

/// A finding at an access of one lane. `limit`: the size of the space, or another number for the error's text.
/// `other`: the other instruction that is involved.
void report_access(const DecodedInstruction& operation, Context& context, ErrorCode code, int lane,
                   Space space, AccessKind kind, std::uint64_t address, std::uint32_t bytes,
                   std::uint64_t limit, std::uint32_t other = kNone);

/// Marks that the accesses of `lanes` read undefined bytes, and remembers the addresses for the finding that may follow; of
/// vectors also the elements. `address` counts from the space's beginning. To be called before the rows change.
void note_undefined(const DecodedInstruction& operation, Context& context,
                    const std::uint64_t* address, std::uint32_t lanes, Space space,
                    std::uint32_t elements);

/// A finding of initcheck: in `lanes`, the instruction's effect depends on undefined values.
void report_undefined(std::uint32_t instruction, Context& context, std::uint32_t lanes);

}  // namespace warpbook::device
