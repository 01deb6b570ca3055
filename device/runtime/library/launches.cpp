#include <algorithm>
#include <cstddef>
#include <string>
#include <vector>

#include "device/runtime/library/registry.hpp"
#include "device/runtime/library/work.hpp"

namespace warpbook::device::runtime {
namespace {

/// Of <<<>>>, between the call that stores it and the one that takes it.
struct Configuration {
  dim3 grid, block;
  std::size_t shared = 0;
  cudaStream_t stream = nullptr;
};
thread_local std::vector<Configuration> configurations;

/// Arguments in one buffer, each where a structure of them would have it.
struct PackedArguments {
  const char* buffer = nullptr;
  std::size_t bytes = 0;
};

constexpr std::size_t kSharedWithoutAsking = 48u << 10;

Dim3 extent_of(const dim3& extent) { return {extent.x, extent.y, extent.z}; }

cudaError_t occupancy(Call& call, int* blocks, const void* function, int threads,
                      std::size_t shared) {
  Kernel* kernel = nullptr;
  if (!blocks || threads <= 0) return cudaErrorInvalidValue;
  if (const cudaError_t error = find_kernel(call, function, kernel)) return error;
  const auto fits = call.session.ask(AskOccupancy{module_of(*kernel), kernel->index,
                                                  static_cast<std::uint32_t>(threads),
                                                  static_cast<std::uint32_t>(shared)});
  if (!fits) return cudaErrorInitializationError;
  *blocks = static_cast<int>(fits->blocks);
  return static_cast<cudaError_t>(fits->error);
}

/// Where each argument begins in a buffer that holds all of them. Error: cudaErrorInvalidValue where it ends before they do.
cudaError_t arguments_in(const PackedArguments& packed, const KernelDescription& kernel,
                         std::vector<void*>& arguments) {
  for (std::size_t i = 0; i < kernel.parameter_bytes.size(); ++i) {
    const std::size_t offset = kernel.parameter_offsets[i];
    if (offset + kernel.parameter_bytes[i] > packed.bytes) return cudaErrorInvalidValue;
    arguments.push_back(const_cast<char*>(packed.buffer) + offset);
  }
  return cudaSuccess;
}

/// The settings in a list of names and values, as cuLaunchKernel documents it.
cudaError_t packed_in(void** extra, PackedArguments& packed) {
  constexpr std::uintptr_t kEnd = 0, kBuffer = 1, kBytes = 2;  // CU_LAUNCH_PARAM_...
  for (; reinterpret_cast<std::uintptr_t>(extra[0]) != kEnd; extra += 2) {
    const auto name = reinterpret_cast<std::uintptr_t>(extra[0]);
    if (name == kBuffer)
      packed.buffer = static_cast<const char*>(extra[1]);
    else if (name == kBytes && extra[1])
      packed.bytes = *static_cast<const std::size_t*>(extra[1]);
    else
      return cudaErrorInvalidValue;
  }
  return packed.buffer || packed.bytes == 0 ? cudaSuccess : cudaErrorInvalidValue;
}

}  // namespace

cudaError_t work_of(Call& call, const void* function, const LaunchForm& form, void** arguments,
                    KernelWork& work) {
  Kernel* kernel = nullptr;
  if (const cudaError_t error = find_kernel(call, function, kernel)) return error;
  // More than 48 KB needs cudaFuncSetAttribute first.
  const std::size_t allowed = std::max<std::size_t>(kernel->shared_limit, kSharedWithoutAsking);
  if (form.shared + kernel->description->static_shared > allowed) return cudaErrorInvalidValue;
  work.function = function;
  LaunchKernel& request = work.request;
  request.module = module_of(*kernel);
  request.kernel = kernel->index;
  request.grid = extent_of(form.grid);
  request.block = extent_of(form.block);
  request.cluster = form.cluster;
  request.dynamic_shared = static_cast<std::uint32_t>(form.shared);
  request.cooperative = form.cooperative;
  request.device = static_cast<std::uint32_t>(current_device());
  const auto& bytes = kernel->description->parameter_bytes;
  if (!bytes.empty() && !arguments) return cudaErrorInvalidValue;
  for (std::size_t i = 0; i < bytes.size(); ++i)
    request.arguments.emplace_back(static_cast<const char*>(arguments[i]), bytes[i]);
  return cudaSuccess;
}

cudaError_t work_of(Call& call, const void* function, const LaunchForm& form, void** arguments,
                    void** extra, KernelWork& work) {
  if (!extra) return work_of(call, function, form, arguments, work);
  Kernel* kernel = nullptr;
  PackedArguments packed;
  std::vector<void*> apart;
  if (arguments) return cudaErrorInvalidValue;
  if (const cudaError_t error = find_kernel(call, function, kernel)) return error;
  if (const cudaError_t error = packed_in(extra, packed)) return error;
  if (const cudaError_t error = arguments_in(packed, *kernel->description, apart)) return error;
  return work_of(call, function, form, apart.data(), work);
}

void set_attributes(LaunchForm& form, const cudaLaunchAttribute* attributes, unsigned count) {
  for (unsigned i = 0; i < count; ++i) {
    const cudaLaunchAttribute& attribute = attributes[i];
    if (attribute.id == cudaLaunchAttributeCooperative)
      form.cooperative = attribute.val.cooperative != 0;
    if (attribute.id == cudaLaunchAttributeClusterDimension) {
      form.cluster = {attribute.val.clusterDim.x, attribute.val.clusterDim.y,
                      attribute.val.clusterDim.z};
    }
  }
}

cudaError_t launch(Call& call, const void* function, const LaunchForm& form, void** arguments,
                   void** extra) {
  KernelWork work;
  std::uint32_t stream = 0;
  if (const cudaError_t error = work_of(call, function, form, arguments, extra, work)) return error;
  if (const cudaError_t error = stream_number(call, form.stream, stream)) return error;
  if (device_of(form.stream) != current_device()) return cudaErrorInvalidResourceHandle;
  call.values(0, 0, 0, stream);
  return submit(call, form.stream, std::move(work));
}

cudaError_t work_of(Call& call, const cudaKernelNodeParams& parameters, KernelWork& work) {
  if (!parameters.func) return cudaErrorInvalidDeviceFunction;
  const LaunchForm form{
      parameters.gridDim, parameters.blockDim, parameters.sharedMemBytes, nullptr, false, {}};
  return work_of(call, parameters.func, form, parameters.kernelParams, parameters.extra, work);
}

cudaError_t set_attribute(Call& call, const void* function, cudaFuncAttribute attribute,
                          int value) {
  Kernel* kernel = nullptr;
  if (const cudaError_t error = find_kernel(call, function, kernel)) return error;
  if (attribute == cudaFuncAttributeMaxDynamicSharedMemorySize) {
    const auto most =
        call.session.welcome().gpu.shared_per_block_optin - kernel->description->static_shared;
    if (value < 0 || static_cast<std::uint32_t>(value) > most) return cudaErrorInvalidValue;
    kernel->shared_limit = static_cast<std::uint32_t>(value) + kernel->description->static_shared;
  }
  return attribute < cudaFuncAttributeMax ? cudaSuccess : cudaErrorInvalidValue;
}

cudaError_t run(Call& call, const KernelWork& work, const Order& order) {
  LaunchKernel request = work.request;
  request.stream = order.stream;
  request.call = order.call;
  return call.ask(std::move(request));
}

}  // namespace warpbook::device::runtime

using namespace warpbook::device::runtime;

// NOLINTBEGIN(bugprone-reserved-identifier,readability-identifier-naming): nvcc's own names
#pragma GCC visibility push(default)
extern "C" {

unsigned __cudaPushCallConfiguration(dim3 grid, dim3 block, std::size_t shared, void* stream) {
  configurations.push_back({grid, block, shared, static_cast<cudaStream_t>(stream)});
  return 0;
}

cudaError_t __cudaPopCallConfiguration(dim3* grid, dim3* block, std::size_t* shared, void* stream) {
  if (configurations.empty()) return last_error() = cudaErrorMissingConfiguration;
  const Configuration& top = configurations.back();
  *grid = top.grid;
  *block = top.block;
  *shared = top.shared;
  *static_cast<cudaStream_t*>(stream) = top.stream;
  configurations.pop_back();
  return cudaSuccess;
}

cudaError_t __cudaLaunchKernel(cudaKernel_t kernel, dim3 grid, dim3 block, void** arguments,
                               std::size_t shared, cudaStream_t stream) {
  return traced(Function::__cudaLaunchKernel, [&](Call& call) {
    return launch(call, kernel, {grid, block, shared, stream, false, {}}, arguments, nullptr);
  });
}
}
#pragma GCC visibility pop
// NOLINTEND(bugprone-reserved-identifier,readability-identifier-naming)

cudaError_t cudaLaunchKernel(const void* function, dim3 grid, dim3 block, void** arguments,
                             std::size_t shared, cudaStream_t stream) {
  return traced(Function::cudaLaunchKernel, [&](Call& call) {
    return launch(call, function, {grid, block, shared, stream, false, {}}, arguments, nullptr);
  });
}

cudaError_t cudaLaunchCooperativeKernel(const void* function, dim3 grid, dim3 block,
                                        void** arguments, std::size_t shared, cudaStream_t stream) {
  return traced(Function::cudaLaunchCooperativeKernel, [&](Call& call) {
    return launch(call, function, {grid, block, shared, stream, true, {}}, arguments, nullptr);
  });
}

cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t* config, const void* function,
                                void** arguments) {
  return traced(Function::cudaLaunchKernelExC, [&](Call& call) {
    if (!config) return cudaErrorInvalidValue;
    LaunchForm form{
        config->gridDim, config->blockDim, config->dynamicSmemBytes, config->stream, false, {}};
    set_attributes(form, config->attrs, config->numAttrs);
    return launch(call, function, form, arguments, nullptr);
  });
}

cudaError_t cudaFuncGetAttributes(cudaFuncAttributes* attributes, const void* function) {
  return traced(Function::cudaFuncGetAttributes, [&](Call& call) {
    Kernel* kernel = nullptr;
    if (!attributes) return cudaErrorInvalidValue;
    if (const cudaError_t error = find_kernel(call, function, kernel)) return error;
    const KernelDescription& known = *kernel->description;
    const warpbook::device::Properties& gpu = call.session.welcome().gpu;
    *attributes = {};
    attributes->sharedSizeBytes = known.static_shared;
    attributes->localSizeBytes = known.local_bytes;
    attributes->maxThreadsPerBlock =
        static_cast<int>(known.max_threads != 0 ? known.max_threads : gpu.max_threads_per_block);
    attributes->numRegs = static_cast<int>(known.registers.value_or(0));
    attributes->ptxVersion = attributes->binaryVersion = gpu.compute_capability;
    attributes->maxDynamicSharedSizeBytes = static_cast<int>(
        std::max<std::size_t>(kernel->shared_limit, kSharedWithoutAsking - known.static_shared));
    attributes->preferredShmemCarveout = -1;
    return cudaSuccess;
  });
}

cudaError_t cudaFuncSetAttribute(const void* function, cudaFuncAttribute attribute, int value) {
  return traced(Function::cudaFuncSetAttribute,
                [&](Call& call) { return set_attribute(call, function, attribute, value); });
}

cudaError_t cudaFuncGetParamInfo(const void* function, std::size_t index, std::size_t* offset,
                                 std::size_t* bytes) {
  return traced(Function::cudaFuncGetParamInfo, [&](Call& call) {
    Kernel* kernel = nullptr;
    if (!offset) return cudaErrorInvalidValue;
    if (const cudaError_t error = find_kernel(call, function, kernel)) return error;
    const KernelDescription& known = *kernel->description;
    if (index >= known.parameter_bytes.size()) return cudaErrorInvalidValue;
    *offset = known.parameter_offsets[index];
    if (bytes) *bytes = known.parameter_bytes[index];
    return cudaSuccess;
  });
}

cudaError_t cudaFuncSetCacheConfig(const void*, cudaFuncCache) {
  return traced(Function::cudaFuncSetCacheConfig, [](Call&) { return cudaSuccess; });
}

cudaError_t cudaFuncSetSharedMemConfig(const void*, cudaSharedMemConfig) {
  return traced(Function::cudaFuncSetSharedMemConfig, [](Call&) { return cudaSuccess; });
}

cudaError_t cudaFuncGetName(const char** name, const void* function) {
  return traced(Function::cudaFuncGetName, [&](Call& call) {
    Kernel* kernel = nullptr;
    if (!name) return cudaErrorInvalidValue;
    if (const cudaError_t error = find_kernel(call, function, kernel)) return error;
    *name = kernel->mangled.c_str();
    return cudaSuccess;
  });
}

cudaError_t cudaGetFuncBySymbol(cudaFunction_t* function, const void* symbol) {
  return traced(Function::cudaGetFuncBySymbol, [&](Call& call) {
    Kernel* kernel = nullptr;
    if (!function) return cudaErrorInvalidValue;
    if (const cudaError_t error = find_kernel(call, symbol, kernel)) return error;
    *function = reinterpret_cast<cudaFunction_t>(kernel);
    return cudaSuccess;
  });
}

cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, const void* function,
                                                          int threads, std::size_t shared) {
  return traced(Function::cudaOccupancyMaxActiveBlocksPerMultiprocessor,
                [&](Call& call) { return occupancy(call, blocks, function, threads, shared); });
}

cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int* blocks,
                                                                   const void* function,
                                                                   int threads, std::size_t shared,
                                                                   unsigned) {
  return traced(Function::cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags,
                [&](Call& call) { return occupancy(call, blocks, function, threads, shared); });
}

cudaError_t cudaOccupancyAvailableDynamicSMemPerBlock(std::size_t* bytes, const void* function,
                                                      int blocks, int threads) {
  return traced(Function::cudaOccupancyAvailableDynamicSMemPerBlock, [&](Call& call) {
    Kernel* kernel = nullptr;
    if (!bytes || blocks <= 0 || threads <= 0) return cudaErrorInvalidValue;
    if (const cudaError_t error = find_kernel(call, function, kernel)) return error;
    const warpbook::device::Properties& gpu = call.session.welcome().gpu;
    const std::size_t each = gpu.shared_per_multiprocessor / static_cast<std::size_t>(blocks);
    const std::size_t taken = gpu.reserved_shared_per_block + kernel->description->static_shared;
    *bytes = std::min<std::size_t>(each > taken ? each - taken : 0, gpu.shared_per_block);
    return cudaSuccess;
  });
}
