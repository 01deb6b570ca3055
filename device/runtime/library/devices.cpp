#include <algorithm>
#include <charconv>
#include <cstdio>
#include <cstring>
#include <map>
#include <mutex>
#include <set>
#include <string_view>

#include "device/runtime/library/work.hpp"

namespace warpbook::device::runtime {
namespace {

constexpr int kCudaVersion = 13000;
// Limits that the CUDA programming guide's table of compute capabilities gives for all of 7.5 to 12.0.
constexpr int kWarp = 32, kPitch = 0x7fffffff, kTextureAlignment = 512, kTexturePitch = 32;
constexpr int kTexture1D = 131072, kTexture2DWidth = 131072, kTexture2DHeight = 65536,
              kTexture3D = 16384, kLayers = 2048, kCubemap = 32768, kCubemapLayers = 2046;

struct Shared {
  std::mutex mutex;
  std::map<int, std::size_t> limits{{cudaLimitStackSize, 1024},
                                    {cudaLimitPrintfFifoSize, std::size_t{7} << 20},
                                    {cudaLimitMallocHeapSize, std::size_t{8} << 20},
                                    {cudaLimitDevRuntimeSyncDepth, 2},
                                    {cudaLimitDevRuntimePendingLaunchCount, 2048},
                                    {cudaLimitMaxL2FetchGranularity, 64},
                                    {cudaLimitPersistingL2CacheSize, 0}};
  std::set<std::pair<int, int>> peers;
  unsigned flags = cudaDeviceScheduleAuto;
};
Shared& shared() {
  static auto* const all = new Shared;
  return *all;
}

/// The attribute, as cudaDeviceProp or the GPU's row has it; nothing where this library does not know it.
std::optional<int> attribute_of(const Session& session, cudaDeviceAttr attribute, int device) {
  const cudaDeviceProp p = properties_of(session, device);
  const Properties& gpu = session.welcome().gpu;
  switch (attribute) {
    case cudaDevAttrMaxThreadsPerBlock: return p.maxThreadsPerBlock;
    case cudaDevAttrMaxBlockDimX: return p.maxThreadsDim[0];
    case cudaDevAttrMaxBlockDimY: return p.maxThreadsDim[1];
    case cudaDevAttrMaxBlockDimZ: return p.maxThreadsDim[2];
    case cudaDevAttrMaxGridDimX: return p.maxGridSize[0];
    case cudaDevAttrMaxGridDimY: return p.maxGridSize[1];
    case cudaDevAttrMaxGridDimZ: return p.maxGridSize[2];
    case cudaDevAttrMaxSharedMemoryPerBlock: return static_cast<int>(p.sharedMemPerBlock);
    case cudaDevAttrTotalConstantMemory: return static_cast<int>(p.totalConstMem);
    case cudaDevAttrWarpSize: return p.warpSize;
    case cudaDevAttrMaxPitch: return kPitch;
    case cudaDevAttrMaxRegistersPerBlock: return p.regsPerBlock;
    case cudaDevAttrClockRate: return static_cast<int>(gpu.clock_khz);
    case cudaDevAttrMemoryClockRate: return static_cast<int>(gpu.memory_clock_khz);
    case cudaDevAttrTextureAlignment: return kTextureAlignment;
    case cudaDevAttrTexturePitchAlignment: return kTexturePitch;
    case cudaDevAttrSurfaceAlignment: return kTextureAlignment;
    case cudaDevAttrGpuOverlap: return 1;
    case cudaDevAttrMultiProcessorCount: return p.multiProcessorCount;
    case cudaDevAttrKernelExecTimeout: return 0;
    case cudaDevAttrIntegrated: return 0;
    case cudaDevAttrCanMapHostMemory: return 1;
    case cudaDevAttrComputeMode: return cudaComputeModeDefault;
    case cudaDevAttrMaxTexture1DWidth: return kTexture1D;
    case cudaDevAttrMaxTexture2DWidth: return kTexture2DWidth;
    case cudaDevAttrMaxTexture2DHeight: return kTexture2DHeight;
    case cudaDevAttrMaxTexture3DWidth:
    case cudaDevAttrMaxTexture3DHeight:
    case cudaDevAttrMaxTexture3DDepth: return kTexture3D;
    case cudaDevAttrConcurrentKernels: return 1;
    case cudaDevAttrEccEnabled: return 0;
    case cudaDevAttrPciBusId: return p.pciBusID;
    case cudaDevAttrPciDeviceId: return p.pciDeviceID;
    case cudaDevAttrPciDomainId: return p.pciDomainID;
    case cudaDevAttrTccDriver: return 0;
    case cudaDevAttrGlobalMemoryBusWidth: return p.memoryBusWidth;
    case cudaDevAttrL2CacheSize: return p.l2CacheSize;
    case cudaDevAttrMaxThreadsPerMultiProcessor: return p.maxThreadsPerMultiProcessor;
    case cudaDevAttrAsyncEngineCount: return p.asyncEngineCount;
    case cudaDevAttrUnifiedAddressing: return 1;
    case cudaDevAttrComputeCapabilityMajor: return p.major;
    case cudaDevAttrComputeCapabilityMinor: return p.minor;
    case cudaDevAttrStreamPrioritiesSupported: return 1;
    case cudaDevAttrGlobalL1CacheSupported: return 1;
    case cudaDevAttrLocalL1CacheSupported: return 1;
    case cudaDevAttrMaxSharedMemoryPerMultiprocessor:
      return static_cast<int>(p.sharedMemPerMultiprocessor);
    case cudaDevAttrMaxRegistersPerMultiprocessor: return p.regsPerMultiprocessor;
    case cudaDevAttrManagedMemory: return 1;
    case cudaDevAttrIsMultiGpuBoard: return 0;
    case cudaDevAttrMultiGpuBoardGroupID: return device;
    case cudaDevAttrHostNativeAtomicSupported: return 0;
    case cudaDevAttrPageableMemoryAccess: return 0;
    case cudaDevAttrConcurrentManagedAccess: return 1;
    case cudaDevAttrComputePreemptionSupported: return 1;
    case cudaDevAttrCanUseHostPointerForRegisteredMem: return 0;
    case cudaDevAttrCooperativeLaunch: return 1;
    case cudaDevAttrMaxSharedMemoryPerBlockOptin: return static_cast<int>(p.sharedMemPerBlockOptin);
    case cudaDevAttrHostRegisterSupported: return 1;
    case cudaDevAttrMaxBlocksPerMultiprocessor: return p.maxBlocksPerMultiProcessor;
    case cudaDevAttrReservedSharedMemoryPerBlock:
      return static_cast<int>(p.reservedSharedMemPerBlock);
    case cudaDevAttrMemoryPoolsSupported: return 1;
    case cudaDevAttrClusterLaunch: return p.clusterLaunch;
    default: return std::nullopt;
  }
}

/// Attributes that exist and of which the answer is no, or a number that no program needs of a GPU that is not there.
bool is_attribute(cudaDeviceAttr attribute) { return attribute > 0 && attribute < cudaDevAttrMax; }

}  // namespace

bool is_device(const Session& session, int device) {
  return device >= 0 && static_cast<std::uint32_t>(device) < session.welcome().devices;
}

cudaDeviceProp properties_of(const Session& session, int device) {
  const Properties& gpu = session.welcome().gpu;
  cudaDeviceProp p{};
  gpu.name.copy(p.name, sizeof p.name - 1);
  p.uuid.bytes[0] = static_cast<char>(device + 1);
  p.totalGlobalMem = gpu.global_bytes;
  p.sharedMemPerBlock = gpu.shared_per_block;
  p.regsPerBlock = static_cast<int>(gpu.registers_per_multiprocessor);
  p.warpSize = kWarp;
  p.memPitch = kPitch;
  p.maxThreadsPerBlock = static_cast<int>(gpu.max_threads_per_block);
  const auto extent = [](int(&to)[3], const Dim3& from) {
    to[0] = static_cast<int>(from.x);
    to[1] = static_cast<int>(from.y);
    to[2] = static_cast<int>(from.z);
  };
  extent(p.maxThreadsDim, gpu.max_block);
  extent(p.maxGridSize, gpu.max_grid);
  p.totalConstMem = gpu.constant_bytes;
  p.major = gpu.compute_capability / 10;
  p.minor = gpu.compute_capability % 10;
  p.textureAlignment = kTextureAlignment;
  p.texturePitchAlignment = kTexturePitch;
  p.multiProcessorCount = static_cast<int>(gpu.multiprocessors);
  p.canMapHostMemory = 1;
  p.maxTexture1D = p.maxSurface1D = kTexture1D;
  p.maxTexture2D[0] = p.maxSurface2D[0] = kTexture2DWidth;
  p.maxTexture2D[1] = p.maxSurface2D[1] = kTexture2DHeight;
  extent(p.maxTexture3D, {kTexture3D, kTexture3D, kTexture3D});
  extent(p.maxSurface3D, {kTexture3D, kTexture3D, kTexture3D});
  p.maxTexture1DLayered[0] = kCubemap;
  p.maxTexture1DLayered[1] = kLayers;
  extent(p.maxTexture2DLayered, {kCubemap, kCubemap, kLayers});
  p.maxTextureCubemap = kCubemap;
  p.maxTextureCubemapLayered[0] = kCubemap;
  p.maxTextureCubemapLayered[1] = kCubemapLayers;
  p.surfaceAlignment = kTextureAlignment;
  p.concurrentKernels = 1;
  p.pciBusID = device + 1;
  p.asyncEngineCount = 2;
  p.unifiedAddressing = 1;
  p.memoryBusWidth = static_cast<int>(gpu.memory_bus_bits);
  p.l2CacheSize = static_cast<int>(gpu.l2_bytes);
  p.maxThreadsPerMultiProcessor = static_cast<int>(gpu.max_threads_per_multiprocessor);
  p.streamPrioritiesSupported = 1;
  p.globalL1CacheSupported = p.localL1CacheSupported = 1;
  p.sharedMemPerMultiprocessor = gpu.shared_per_multiprocessor;
  p.regsPerMultiprocessor = static_cast<int>(gpu.registers_per_multiprocessor);
  p.managedMemory = 1;
  p.multiGpuBoardGroupID = device;
  p.concurrentManagedAccess = 1;
  p.computePreemptionSupported = 1;
  p.cooperativeLaunch = 1;
  p.sharedMemPerBlockOptin = gpu.shared_per_block_optin;
  p.maxBlocksPerMultiProcessor = static_cast<int>(gpu.max_blocks_per_multiprocessor);
  p.reservedSharedMemPerBlock = gpu.reserved_shared_per_block;
  p.hostRegisterSupported = 1;
  p.memoryPoolsSupported = 1;
  p.clusterLaunch = gpu.max_cluster_blocks > 0 ? 1 : 0;
  return p;
}

}  // namespace warpbook::device::runtime

using namespace warpbook::device::runtime;

cudaError_t cudaGetDeviceCount(int* count) {
  return traced(Function::cudaGetDeviceCount, [&](Call& call) {
    if (!count) return cudaErrorInvalidValue;
    *count = static_cast<int>(call.session.welcome().devices);
    return cudaSuccess;
  });
}

cudaError_t cudaGetDevice(int* device) {
  return traced(Function::cudaGetDevice, [&](Call&) {
    if (!device) return cudaErrorInvalidValue;
    *device = current_device();
    return cudaSuccess;
  });
}

cudaError_t cudaSetDevice(int device) {
  return traced(Function::cudaSetDevice, [&](Call& call) {
    call.values(static_cast<std::uint64_t>(device));
    if (!is_device(call.session, device)) return cudaErrorInvalidDevice;
    // "Immediately initialises the runtime state on the primary context."
    primary_context(device).active = primary_context(device).used_by_runtime = true;
    set_current_context(&primary_context(device));
    return cudaSuccess;
  });
}

cudaError_t cudaInitDevice(int device, unsigned, unsigned) {
  return traced(Function::cudaInitDevice, [&](Call& call) {
    return is_device(call.session, device) ? cudaSuccess : cudaErrorInvalidDevice;
  });
}

cudaError_t cudaSetValidDevices(int* devices, int count) {
  return traced(Function::cudaSetValidDevices, [&](Call& call) {
    for (int i = 0; i < count; ++i) {
      if (!devices || !is_device(call.session, devices[i])) return cudaErrorInvalidDevice;
    }
    return cudaSuccess;
  });
}

cudaError_t cudaGetDeviceProperties(cudaDeviceProp* properties, int device) {
  return traced(Function::cudaGetDeviceProperties, [&](Call& call) {
    if (!properties) return cudaErrorInvalidValue;
    if (!is_device(call.session, device)) return cudaErrorInvalidDevice;
    *properties = properties_of(call.session, device);
    return cudaSuccess;
  });
}

cudaError_t cudaDeviceGetAttribute(int* value, cudaDeviceAttr attribute, int device) {
  return traced(Function::cudaDeviceGetAttribute, [&](Call& call) {
    call.values(static_cast<std::uint64_t>(attribute));
    if (!value) return cudaErrorInvalidValue;
    if (!is_device(call.session, device)) return cudaErrorInvalidDevice;
    if (!is_attribute(attribute)) return cudaErrorInvalidValue;
    *value = attribute_of(call.session, attribute, device).value_or(0);
    return cudaSuccess;
  });
}

cudaError_t cudaChooseDevice(int* device, const cudaDeviceProp* wanted) {
  return traced(Function::cudaChooseDevice, [&](Call&) {
    if (!device || !wanted) return cudaErrorInvalidValue;
    *device = 0;
    return cudaSuccess;
  });
}

cudaError_t cudaDeviceSynchronize() {
  return traced(Function::cudaDeviceSynchronize, [](Call& call) {
    const cudaError_t error = check_wait_for_all();
    return error != cudaSuccess ? error : call.ask(Synchronise{});
  });
}

cudaError_t cudaDeviceReset() {
  return traced(Function::cudaDeviceReset, [](Call& call) {
    const cudaError_t error = call.ask(Synchronise{});
    reset_primary_context(call, current_device());
    const std::lock_guard lock(shared().mutex);
    std::erase_if(shared().peers, [](const auto& pair) { return pair.first == current_device(); });
    return error;
  });
}

cudaError_t cudaDriverGetVersion(int* version) {
  return traced(Function::cudaDriverGetVersion, [&](Call&) {
    if (!version) return cudaErrorInvalidValue;
    *version = kCudaVersion;
    return cudaSuccess;
  });
}

cudaError_t cudaRuntimeGetVersion(int* version) {
  return traced(Function::cudaRuntimeGetVersion, [&](Call&) {
    if (!version) return cudaErrorInvalidValue;
    *version = kCudaVersion;
    return cudaSuccess;
  });
}

cudaError_t cudaDeviceGetLimit(std::size_t* value, cudaLimit limit) {
  return traced(Function::cudaDeviceGetLimit, [&](Call&) {
    const std::lock_guard lock(shared().mutex);
    const auto found = shared().limits.find(limit);
    if (!value) return cudaErrorInvalidValue;
    if (found == shared().limits.end()) return cudaErrorUnsupportedLimit;
    *value = found->second;
    return cudaSuccess;
  });
}

cudaError_t cudaDeviceSetLimit(cudaLimit limit, std::size_t value) {
  return traced(Function::cudaDeviceSetLimit, [&](Call&) {
    const std::lock_guard lock(shared().mutex);
    const auto found = shared().limits.find(limit);
    if (found == shared().limits.end()) return cudaErrorUnsupportedLimit;
    found->second = value;
    return cudaSuccess;
  });
}

cudaError_t cudaDeviceGetCacheConfig(cudaFuncCache* config) {
  return traced(Function::cudaDeviceGetCacheConfig, [&](Call&) {
    if (!config) return cudaErrorInvalidValue;
    *config = cudaFuncCachePreferNone;
    return cudaSuccess;
  });
}

cudaError_t cudaDeviceSetCacheConfig(cudaFuncCache) {
  return traced(Function::cudaDeviceSetCacheConfig, [](Call&) { return cudaSuccess; });
}

cudaError_t cudaDeviceGetSharedMemConfig(cudaSharedMemConfig* config) {
  return traced(Function::cudaDeviceGetSharedMemConfig, [&](Call&) {
    if (!config) return cudaErrorInvalidValue;
    *config = cudaSharedMemBankSizeFourByte;
    return cudaSuccess;
  });
}

cudaError_t cudaDeviceSetSharedMemConfig(cudaSharedMemConfig) {
  return traced(Function::cudaDeviceSetSharedMemConfig, [](Call&) { return cudaSuccess; });
}

cudaError_t cudaSetDeviceFlags(unsigned flags) {
  return traced(Function::cudaSetDeviceFlags, [&](Call&) {
    if ((flags & ~unsigned{cudaDeviceMask}) != 0) return cudaErrorInvalidValue;
    const std::lock_guard lock(shared().mutex);
    shared().flags = flags;
    return cudaSuccess;
  });
}

cudaError_t cudaGetDeviceFlags(unsigned* flags) {
  return traced(Function::cudaGetDeviceFlags, [&](Call&) {
    if (!flags) return cudaErrorInvalidValue;
    const std::lock_guard lock(shared().mutex);
    *flags = shared().flags;
    return cudaSuccess;
  });
}

cudaError_t cudaDeviceGetStreamPriorityRange(int* least, int* greatest) {
  return traced(Function::cudaDeviceGetStreamPriorityRange, [&](Call&) {
    if (least) *least = 0;
    if (greatest) *greatest = kGreatestPriority;
    return cudaSuccess;
  });
}

cudaError_t cudaDeviceGetPCIBusId(char* text, int bytes, int device) {
  return traced(Function::cudaDeviceGetPCIBusId, [&](Call& call) {
    if (!text || bytes <= 0) return cudaErrorInvalidValue;
    if (!is_device(call.session, device)) return cudaErrorInvalidDevice;
    std::snprintf(text, static_cast<std::size_t>(bytes), "0000:%02X:00.0", device + 1);
    return cudaSuccess;
  });
}

cudaError_t cudaDeviceGetByPCIBusId(int* device, const char* text) {
  return traced(Function::cudaDeviceGetByPCIBusId, [&](Call& call) {
    if (!device || !text) return cudaErrorInvalidValue;
    const std::string_view all = text;
    const auto colon = all.find(':');
    int bus = 0;
    if (colon == all.npos) return cudaErrorInvalidValue;
    std::from_chars(all.data() + colon + 1, all.data() + all.size(), bus, 16);
    if (!is_device(call.session, bus - 1)) return cudaErrorInvalidDevice;
    *device = bus - 1;
    return cudaSuccess;
  });
}

cudaError_t cudaDeviceCanAccessPeer(int* can, int device, int peer) {
  return traced(Function::cudaDeviceCanAccessPeer, [&](Call& call) {
    if (!can) return cudaErrorInvalidValue;
    if (!is_device(call.session, device) || !is_device(call.session, peer))
      return cudaErrorInvalidDevice;
    *can = device != peer ? 1 : 0;
    return cudaSuccess;
  });
}

cudaError_t cudaDeviceEnablePeerAccess(int peer, unsigned flags) {
  return traced(Function::cudaDeviceEnablePeerAccess, [&](Call& call) {
    if (flags != 0) return cudaErrorInvalidValue;
    if (!is_device(call.session, peer) || peer == current_device()) return cudaErrorInvalidDevice;
    const std::lock_guard lock(shared().mutex);
    return shared().peers.emplace(current_device(), peer).second
               ? cudaSuccess
               : cudaErrorPeerAccessAlreadyEnabled;
  });
}

cudaError_t cudaDeviceDisablePeerAccess(int peer) {
  return traced(Function::cudaDeviceDisablePeerAccess, [&](Call& call) {
    if (!is_device(call.session, peer)) return cudaErrorInvalidDevice;
    const std::lock_guard lock(shared().mutex);
    return shared().peers.erase({current_device(), peer}) != 0 ? cudaSuccess
                                                               : cudaErrorPeerAccessNotEnabled;
  });
}

cudaError_t cudaDeviceGetP2PAttribute(int* value, cudaDeviceP2PAttr attribute, int device,
                                      int peer) {
  return traced(Function::cudaDeviceGetP2PAttribute, [&](Call& call) {
    if (!value) return cudaErrorInvalidValue;
    if (!is_device(call.session, device) || !is_device(call.session, peer) || device == peer)
      return cudaErrorInvalidDevice;
    *value = attribute == cudaDevP2PAttrAccessSupported ? 1 : 0;
    return cudaSuccess;
  });
}

cudaError_t cudaCtxResetPersistingL2Cache() {
  return traced(Function::cudaCtxResetPersistingL2Cache, [](Call&) { return cudaSuccess; });
}

cudaError_t cudaProfilerStart() {
  return traced(Function::cudaProfilerStart, [](Call&) { return cudaSuccess; });
}

cudaError_t cudaProfilerStop() {
  return traced(Function::cudaProfilerStop, [](Call&) { return cudaSuccess; });
}
