// Launches, attributes of kernels and occupancy in the driver API. A CUfunction and a CUkernel are the same handle.
#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "device/runtime/library/driver/driver_api.hpp"
#include "device/runtime/library/work.hpp"

using namespace warpbook::device::runtime;

namespace {

cudaError_t launch_function(Call& call, CUfunction function, const LaunchForm& form,
                            void** arguments, void** extra) {
  Kernel* kernel = nullptr;
  if (const cudaError_t error = find_kernel_handle(function, kernel)) return error;
  // What the runtime calls a wrong configuration is a wrong value here.
  return launch(call, function, form, arguments, extra);
}

LaunchForm form_of(const CUlaunchConfig& config) {
  LaunchForm form{dim3(config.gridDimX, config.gridDimY, config.gridDimZ),
                  dim3(config.blockDimX, config.blockDimY, config.blockDimZ),
                  config.sharedMemBytes,
                  config.hStream,
                  false,
                  {}};
  const cudaLaunchAttribute* const attributes = same(config.attrs);
  set_attributes(form, attributes, config.numAttrs);
  return form;
}

/// One attribute of a kernel. Error: cudaErrorInvalidValue where there is no such attribute.
cudaError_t attribute_of(const void* function, CUfunction_attribute attribute, int& value) {
  cudaFuncAttributes all{};
  if (const cudaError_t error = cudaFuncGetAttributes(&all, function)) return error;
  switch (attribute) {
    case CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK: value = all.maxThreadsPerBlock; break;
    case CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES: value = static_cast<int>(all.sharedSizeBytes); break;
    case CU_FUNC_ATTRIBUTE_CONST_SIZE_BYTES: value = static_cast<int>(all.constSizeBytes); break;
    case CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES: value = static_cast<int>(all.localSizeBytes); break;
    case CU_FUNC_ATTRIBUTE_NUM_REGS: value = all.numRegs; break;
    case CU_FUNC_ATTRIBUTE_PTX_VERSION: value = all.ptxVersion; break;
    case CU_FUNC_ATTRIBUTE_BINARY_VERSION: value = all.binaryVersion; break;
    case CU_FUNC_ATTRIBUTE_CACHE_MODE_CA: value = all.cacheModeCA; break;
    case CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES:
      value = all.maxDynamicSharedSizeBytes;
      break;
    case CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT:
      value = all.preferredShmemCarveout;
      break;
    case CU_FUNC_ATTRIBUTE_CLUSTER_SIZE_MUST_BE_SET: value = all.clusterDimMustBeSet; break;
    case CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_WIDTH: value = all.requiredClusterWidth; break;
    case CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_HEIGHT: value = all.requiredClusterHeight; break;
    case CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_DEPTH: value = all.requiredClusterDepth; break;
    case CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED:
      value = all.nonPortableClusterSizeAllowed;
      break;
    case CU_FUNC_ATTRIBUTE_CLUSTER_SCHEDULING_POLICY_PREFERENCE:
      value = all.clusterSchedulingPolicyPreference;
      break;
    default: return cudaErrorInvalidValue;
  }
  return cudaSuccess;
}

/// The attributes before these are what the compiler made of the kernel.
cudaError_t set_attribute(const void* function, CUfunction_attribute attribute, int value) {
  if (attribute < CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES) return cudaErrorInvalidValue;
  return cudaFuncSetAttribute(function, same(attribute), value);
}

}  // namespace

CUresult cuLaunchKernel(CUfunction function, unsigned grid_x, unsigned grid_y, unsigned grid_z,
                        unsigned block_x, unsigned block_y, unsigned block_z, unsigned shared,
                        CUstream stream, void** arguments, void** extra) {
  return in_context(Function::cuLaunchKernel, [&](Call& call) {
    const LaunchForm form{
        dim3(grid_x, grid_y, grid_z), dim3(block_x, block_y, block_z), shared, stream, false, {}};
    return launch_function(call, function, form, arguments, extra);
  });
}

CUresult cuLaunchCooperativeKernel(CUfunction function, unsigned grid_x, unsigned grid_y,
                                   unsigned grid_z, unsigned block_x, unsigned block_y,
                                   unsigned block_z, unsigned shared, CUstream stream,
                                   void** arguments) {
  return in_context(Function::cuLaunchCooperativeKernel, [&](Call& call) {
    const LaunchForm form{
        dim3(grid_x, grid_y, grid_z), dim3(block_x, block_y, block_z), shared, stream, true, {}};
    return launch_function(call, function, form, arguments, nullptr);
  });
}

CUresult cuLaunchKernelEx(const CUlaunchConfig* config, CUfunction function, void** arguments,
                          void** extra) {
  return in_context(Function::cuLaunchKernelEx, [&](Call& call) {
    if (!config || (config->numAttrs != 0 && !config->attrs)) return cudaErrorInvalidValue;
    return launch_function(call, function, form_of(*config), arguments, extra);
  });
}

// Attributes

CUresult cuFuncGetAttribute(int* value, CUfunction_attribute attribute, CUfunction function) {
  return in_context(Function::cuFuncGetAttribute, [&](Call&) {
    return value ? attribute_of(function, attribute, *value) : cudaErrorInvalidValue;
  });
}

CUresult cuFuncSetAttribute(CUfunction function, CUfunction_attribute attribute, int value) {
  return in_context(Function::cuFuncSetAttribute,
                    [&](Call&) { return set_attribute(function, attribute, value); });
}

CUresult cuFuncSetCacheConfig(CUfunction function, CUfunc_cache config) {
  return in_context(Function::cuFuncSetCacheConfig,
                    [&](Call&) { return cudaFuncSetCacheConfig(function, same(config)); });
}

CUresult cuKernelGetAttribute(int* value, CUfunction_attribute attribute, CUkernel kernel,
                              CUdevice device) {
  return once_initialised(Function::cuKernelGetAttribute, [&](Call& call) {
    if (!is_device(call.session, device)) return cudaErrorInvalidDevice;
    return value ? attribute_of(kernel, attribute, *value) : cudaErrorInvalidValue;
  });
}

CUresult cuKernelSetAttribute(CUfunction_attribute attribute, int value, CUkernel kernel,
                              CUdevice device) {
  return once_initialised(Function::cuKernelSetAttribute, [&](Call& call) {
    if (!is_device(call.session, device)) return cudaErrorInvalidDevice;
    return set_attribute(kernel, attribute, value);
  });
}

CUresult cuKernelSetCacheConfig(CUkernel kernel, CUfunc_cache config, CUdevice device) {
  return once_initialised(Function::cuKernelSetCacheConfig, [&](Call& call) {
    if (!is_device(call.session, device)) return cudaErrorInvalidDevice;
    return cudaFuncSetCacheConfig(kernel, same(config));
  });
}

// Occupancy

CUresult cuOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, CUfunction kernel, int threads,
                                                     std::size_t shared) {
  return in_context(Function::cuOccupancyMaxActiveBlocksPerMultiprocessor, [&](Call&) {
    return cudaOccupancyMaxActiveBlocksPerMultiprocessor(blocks, static_cast<const void*>(kernel),
                                                         threads, shared);
  });
}

CUresult cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int* blocks, CUfunction kernel,
                                                              int threads, std::size_t shared,
                                                              unsigned flags) {
  return in_context(Function::cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags, [&](Call&) {
    return cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(
        blocks, static_cast<const void*>(kernel), threads, shared, flags);
  });
}

CUresult cuOccupancyAvailableDynamicSMemPerBlock(std::size_t* bytes, CUfunction kernel, int blocks,
                                                 int threads) {
  return in_context(Function::cuOccupancyAvailableDynamicSMemPerBlock, [&](Call&) {
    return cudaOccupancyAvailableDynamicSMemPerBlock(bytes, static_cast<const void*>(kernel),
                                                     blocks, threads);
  });
}

namespace {

/// What is asked of cuOccupancyMaxPotentialBlockSize.
struct BlockQuestion {
  const void* kernel = nullptr;
  CUoccupancyB2DSize shared_of = nullptr;
  std::size_t shared = 0;
  int most_threads = 0;  ///< 0: no limit but the kernel's
};

/// The size of block at which most threads of the kernel are active, the largest of several, and how many blocks fill the GPU.
cudaError_t best_block(const BlockQuestion& question, int& grid, int& block) {
  cudaFuncAttributes attributes{};
  if (const cudaError_t error = cudaFuncGetAttributes(&attributes, question.kernel)) return error;
  int multiprocessors = 0, warp = 0;
  (void)cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, current_device());
  (void)cudaDeviceGetAttribute(&warp, cudaDevAttrWarpSize, current_device());
  const int most = question.most_threads > 0
                       ? std::min(question.most_threads, attributes.maxThreadsPerBlock)
                       : attributes.maxThreadsPerBlock;
  int best = 0;
  grid = block = 0;
  for (int rounded = (most + warp - 1) / warp * warp; rounded > 0; rounded -= warp) {
    const int threads = std::min(rounded, most);
    const std::size_t shared = question.shared_of ? question.shared_of(threads) : question.shared;
    int blocks = 0;
    const cudaError_t error =
        cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, question.kernel, threads, shared);
    if (error != cudaSuccess) return error;
    if (blocks * threads <= best) continue;
    best = blocks * threads;
    block = threads;
    grid = blocks * multiprocessors;
  }
  return cudaSuccess;
}

cudaError_t answer(const BlockQuestion& question, int* grid, int* block) {
  return grid && block ? best_block(question, *grid, *block) : cudaErrorInvalidValue;
}

}  // namespace

CUresult cuOccupancyMaxPotentialBlockSize(int* grid, int* block, CUfunction kernel,
                                          CUoccupancyB2DSize shared_of, std::size_t shared,
                                          int most_threads) {
  return in_context(Function::cuOccupancyMaxPotentialBlockSize, [&](Call&) {
    return answer({kernel, shared_of, shared, most_threads}, grid, block);
  });
}

CUresult cuOccupancyMaxPotentialBlockSizeWithFlags(int* grid, int* block, CUfunction kernel,
                                                   CUoccupancyB2DSize shared_of, std::size_t shared,
                                                   int most_threads, unsigned) {
  return in_context(Function::cuOccupancyMaxPotentialBlockSizeWithFlags, [&](Call&) {
    return answer({kernel, shared_of, shared, most_threads}, grid, block);
  });
}
