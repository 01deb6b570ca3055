// CUDA's own declarations, which our definitions follow, visible outside of the library.
#pragma once

#pragma GCC visibility push(default)
#include <cuda_runtime_api.h>
// As in cuda_profiler_api.h, which NVIDIA has in a wheel of its own.
extern "C" {
cudaError_t CUDARTAPI cudaProfilerStart(void);
cudaError_t CUDARTAPI cudaProfilerStop(void);
}
#pragma GCC visibility pop

#include <string_view>

#include "device/runtime/library/call.hpp"

namespace warpbook::device::runtime {

/// A stream of the program, as cudaStream_t points to it.
struct StreamHandle {
  std::uint32_t id = 0;
  unsigned flags = 0;
  int priority = 0;
  int device = 0;
  const Context* context = nullptr;
};

/// The number of the stream in requests: that of a handle, of the default stream, or of the thread's own. Error:
/// cudaErrorInvalidResourceHandle.
cudaError_t stream_number(Call& call, cudaStream_t stream, std::uint32_t& number);

/// The highest priority of a stream; the lowest is 0.
inline constexpr int kGreatestPriority = -5;

/// The device on which the stream was made; of the default streams, the current one.
int device_of(cudaStream_t stream);
/// As device_of(), for contexts.
const Context* context_of(cudaStream_t stream);
bool is_device(const Session& session, int device);

/// Frees all memory that was allocated in the context.
void release_memory_of(Call& call, const Context& context);
/// The streams and events that were made in the context are no longer known.
void forget_streams_of(const Context& context);

inline std::uint64_t address_of(const void* pointer) {
  return reinterpret_cast<std::uint64_t>(pointer);
}

/// A copy of `shape` between any two memories (memory.cpp); `wait`: as the calls without "Async" do.
cudaError_t copy(Call& call, void* to, const void* from, const Shape& shape, cudaMemcpyKind kind,
                 cudaStream_t stream, bool wait);
Shape line(std::uint64_t bytes);

/// A copy between two memories, once arrays and positions are addresses.
struct Transfer {
  void* to = nullptr;
  const void* from = nullptr;
  Shape shape;
  cudaMemcpyKind kind = cudaMemcpyDefault;
};
/// What cudaMemcpy3D copies (arrays.cpp). Errors: as it documents them.
cudaError_t transfer_of(const cudaMemcpy3DParms& parameters, Transfer& transfer);

/// A function of the driver by its name (driver/initialise.cpp).
struct EntryPointAnswer {
  void* function = nullptr;
  bool too_old =
      false;  ///< there is one of that name, and the version is older than all of its forms
};
EntryPointAnswer entry_point(std::string_view name, int version, bool per_thread);

/// Counts memory that is freed as no longer used by the pool that it came from, if any (pools.cpp).
void return_to_pool(const Memory& memory);

/// The simulated GPU as cudaGetDeviceProperties describes it.
cudaDeviceProp properties_of(const Session& session, int device);

}  // namespace warpbook::device::runtime
