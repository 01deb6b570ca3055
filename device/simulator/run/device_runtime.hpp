// What kernels ask of CUDA's device runtime: grids that they launch, and copies and fills in their streams (CUDA C++
// Programming Guide, "CUDA Dynamic Parallelism").
//
// CUDA lets a child grid run at any time between its launch and the end of its parent's grid, which counts as complete when
// all of its children are. The simulator runs the children of a grid when the grid's own blocks are done: in the order of
// their launches, each with all that it launches itself, and what was launched into cudaStreamTailLaunch after all others.
// That is right for every stream and event, because what a stream or an event orders was launched in that order.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "device/device.hpp"
#include "device/error.hpp"
#include "device/types.hpp"

namespace warpbook::device {

/// The codes of cudaError_t that the device runtime gives (driver_types.h).
enum class CudaError : std::uint32_t {
  success = 0,
  invalid_value = 1,
  memory_allocation = 2,
  invalid_configuration = 9,
  invalid_memcpy_direction = 21,
  launch_max_depth_exceeded = 65,
  launch_pending_count_exceeded = 69,
  invalid_device_function = 98,
  invalid_device = 101,
  invalid_resource_handle = 400,
  launch_out_of_resources = 701,
  not_supported = 801,
  invalid_cluster_size = 912
};
/// "cudaErrorInvalidValue"
std::string_view name_of(CudaError error);
/// What cudaGetErrorString() says: "invalid argument".
std::string_view sentence_of(CudaError error);

/// Launches that may lie between the host's grid and the deepest one.
inline constexpr std::uint32_t kMostLaunchDepth = 24;
/// Launches that may wait at once: the default of cudaLimitDevRuntimePendingLaunchCount.
inline constexpr std::uint64_t kMostPendingLaunches = 2048;

/// A launch that was checked.
struct ChildGrid {
  const KernelInfo* kernel = nullptr;
  Dim3 grid, block, cluster;
  std::uint32_t dynamic_shared = 0;  ///< bytes
  std::uint64_t resident_blocks = 0;
  std::vector<std::byte> parameters;
};
/// `height` rows of `width` bytes.
struct ChildCopy {
  Pointer to = 0, from = 0;
  std::uint64_t to_pitch = 0, from_pitch = 0, width = 0, height = 1;
};
struct ChildFill {
  Pointer to = 0;
  std::uint64_t pitch = 0, width = 0, height = 1;
  std::byte value{};
};
struct ChildWork {
  std::variant<ChildGrid, ChildCopy, ChildFill> what;
  SourcePlace place;  ///< of the call
};

/// The memory into which a thread writes the arguments of a launch, and what the launch will be.
struct ParameterBuffer {
  const KernelInfo* kernel = nullptr;
  Dim3 grid, block;
  std::uint32_t dynamic_shared = 0;
  std::uint64_t bytes = 0;
};

/// The work that the threads of one grid have queued, and the objects that they made for it.
struct DeviceQueue {
  std::vector<ChildWork> work;
  std::vector<ChildWork> tail;                   ///< in cudaStreamTailLaunch
  std::map<Pointer, ParameterBuffer> buffers;    ///< that await their launch
  std::multimap<std::uint64_t, Pointer> spares;  ///< memory of launched ones, by its size
  std::set<std::uint64_t> streams, events;
  std::uint64_t next_handle = 0x1000;  ///< above the handles that CUDA has constants for
};

/// What a launch of the host has in common with all grids below it.
struct LaunchTree {
  std::chrono::steady_clock::time_point begin = std::chrono::steady_clock::now();
  std::uint64_t executed = 0;      ///< thread instructions of the grids that have ended
  std::uint64_t output_bytes = 0;  ///< of them
  std::uint64_t grids = 0;         ///< that have begun
  std::uint64_t pending = 0;       ///< launches that wait
  std::set<Pointer> written;       ///< allocations, by their kernels
  std::map<std::pair<bool, CudaError>, Pointer> texts;  ///< of errors: names (true) and sentences
};

}  // namespace warpbook::device
