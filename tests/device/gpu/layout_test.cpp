// What device/driver/cuda.hpp declares, against cuda.h itself where a toolkit is installed.
#include "device/driver/cuda.hpp"

#include <catch2/catch_test_macros.hpp>

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "device/texture.hpp"

#if __has_include(</usr/local/cuda/include/cuda.h>)
#include </usr/local/cuda/include/cuda.h>
#include </usr/local/cuda/include/cudaTypedefs.h>
#endif

#ifdef CUDA_VERSION

namespace {

namespace ours = warpbook::device::gpu::cuda;

static_assert(CUDA_VERSION >= 13000);
static_assert(sizeof(ours::LaunchAttribute) == sizeof(CUlaunchAttribute));
static_assert(alignof(ours::LaunchAttribute) == alignof(CUlaunchAttribute));
static_assert(offsetof(ours::LaunchAttribute, value) == offsetof(CUlaunchAttribute, value));
static_assert(offsetof(ours::LaunchAttribute, value.cluster) ==
              offsetof(CUlaunchAttribute, value.clusterDim));
static_assert(offsetof(ours::LaunchAttribute, value.cooperative) ==
              offsetof(CUlaunchAttribute, value.cooperative));
static_assert(sizeof(ours::LaunchConfig) == sizeof(CUlaunchConfig));
static_assert(offsetof(ours::LaunchConfig, grid_x) == offsetof(CUlaunchConfig, gridDimX));
static_assert(offsetof(ours::LaunchConfig, grid_z) == offsetof(CUlaunchConfig, gridDimZ));
static_assert(offsetof(ours::LaunchConfig, block_z) == offsetof(CUlaunchConfig, blockDimZ));
static_assert(offsetof(ours::LaunchConfig, block_x) == offsetof(CUlaunchConfig, blockDimX));
static_assert(offsetof(ours::LaunchConfig, dynamic_shared) ==
              offsetof(CUlaunchConfig, sharedMemBytes));
static_assert(offsetof(ours::LaunchConfig, stream) == offsetof(CUlaunchConfig, hStream));
static_assert(offsetof(ours::LaunchConfig, attributes) == offsetof(CUlaunchConfig, attrs));
static_assert(offsetof(ours::LaunchConfig, attribute_count) == offsetof(CUlaunchConfig, numAttrs));
static_assert(sizeof(ours::ArrayDescriptor) == sizeof(CUDA_ARRAY3D_DESCRIPTOR));
static_assert(offsetof(ours::ArrayDescriptor, format) == offsetof(CUDA_ARRAY3D_DESCRIPTOR, Format));
static_assert(offsetof(ours::ArrayDescriptor, flags) == offsetof(CUDA_ARRAY3D_DESCRIPTOR, Flags));
static_assert(sizeof(ours::Copy3D) == sizeof(CUDA_MEMCPY3D));
static_assert(offsetof(ours::Copy3D, from.level) == offsetof(CUDA_MEMCPY3D, srcLOD));
static_assert(offsetof(ours::Copy3D, from.kind) == offsetof(CUDA_MEMCPY3D, srcMemoryType));
static_assert(offsetof(ours::Copy3D, from.array) == offsetof(CUDA_MEMCPY3D, srcArray));
static_assert(offsetof(ours::Copy3D, from.height) == offsetof(CUDA_MEMCPY3D, srcHeight));
static_assert(offsetof(ours::Copy3D, to) == offsetof(CUDA_MEMCPY3D, dstXInBytes));
static_assert(offsetof(ours::Copy3D, to.host) == offsetof(CUDA_MEMCPY3D, dstHost));
static_assert(offsetof(ours::Copy3D, to.pitch) == offsetof(CUDA_MEMCPY3D, dstPitch));
static_assert(offsetof(ours::Copy3D, width_bytes) == offsetof(CUDA_MEMCPY3D, WidthInBytes));
static_assert(offsetof(ours::Copy3D, depth) == offsetof(CUDA_MEMCPY3D, Depth));
static_assert(sizeof(ours::ResourceDescriptor) == sizeof(CUDA_RESOURCE_DESC));
static_assert(offsetof(ours::ResourceDescriptor, array) ==
              offsetof(CUDA_RESOURCE_DESC, res.array.hArray));
static_assert(offsetof(ours::ResourceDescriptor, linear.bytes) ==
              offsetof(CUDA_RESOURCE_DESC, res.linear.sizeInBytes));
static_assert(offsetof(ours::ResourceDescriptor, pitched.channels) ==
              offsetof(CUDA_RESOURCE_DESC, res.pitch2D.numChannels));
static_assert(offsetof(ours::ResourceDescriptor, pitched.pitch_bytes) ==
              offsetof(CUDA_RESOURCE_DESC, res.pitch2D.pitchInBytes));
static_assert(offsetof(ours::ResourceDescriptor, flags) == offsetof(CUDA_RESOURCE_DESC, flags));
static_assert(sizeof(ours::TextureDescriptor) == sizeof(CUDA_TEXTURE_DESC));
static_assert(offsetof(ours::TextureDescriptor, flags) == offsetof(CUDA_TEXTURE_DESC, flags));
static_assert(offsetof(ours::TextureDescriptor, mip_filter) ==
              offsetof(CUDA_TEXTURE_DESC, mipmapFilterMode));
static_assert(offsetof(ours::TextureDescriptor, mip_most) ==
              offsetof(CUDA_TEXTURE_DESC, maxMipmapLevelClamp));
static_assert(offsetof(ours::TextureDescriptor, border) ==
              offsetof(CUDA_TEXTURE_DESC, borderColor));
static_assert(sizeof(CUdeviceptr) == 8 && sizeof(CUdevice) == 4 && sizeof(CUresult) == 4);

// Functions: ours takes an int for an enumeration, a void* for a handle and 64 bits for an address.
template <class T>
struct Plain {
  using type = T;
};
template <class T>
requires std::is_enum_v<T>
struct Plain<T> {
  using type = int;
};
template <class T>
requires std::is_integral_v<T>
struct Plain<T> {
  using type = std::integral_constant<std::size_t, sizeof(T)>;
};
template <class T>
struct Plain<T*> {
  using type = void*;
};
template <class Ours, class Theirs>
constexpr bool kSame = std::is_same_v<typename Plain<Ours>::type, typename Plain<Theirs>::type> ||
                       (std::is_same_v<Ours, int> && std::is_enum_v<Theirs>);

template <class Ours, class Theirs>
struct SameCall : std::false_type {};
template <class... Ours, class... Theirs>
struct SameCall<int (*)(Ours...), CUresult (*)(Theirs...)>
    : std::bool_constant<sizeof...(Ours) == sizeof...(Theirs)> {};
template <class... Ours, class... Theirs>
requires(sizeof...(Ours) ==
         sizeof...(Theirs)) struct SameCall<int (*)(Ours...), CUresult (*)(Theirs...)>
    : std::bool_constant<(kSame<Ours, Theirs> && ...)> {
};

namespace cuda = ours;
#define WARPBOOK_CUDA_DRIVER(name, version, parameters)                                         \
  static_assert(SameCall<cuda::Status(*) parameters, PFN_cu##name##_v##version>::value, #name); \
  static_assert(version <= 13000);
#include "device/driver/driver_api.inc"
#undef WARPBOOK_CUDA_DRIVER

}  // namespace

TEST_CASE("The driver's results are those of cuda.h") {
  CHECK(ours::kSuccess == CUDA_SUCCESS);
  CHECK(ours::kInvalidValue == CUDA_ERROR_INVALID_VALUE);
  CHECK(ours::kOutOfMemory == CUDA_ERROR_OUT_OF_MEMORY);
  CHECK(ours::kNotInitialised == CUDA_ERROR_NOT_INITIALIZED);
  CHECK(ours::kDeinitialized == CUDA_ERROR_DEINITIALIZED);
  CHECK(ours::kDeviceUnavailable == CUDA_ERROR_DEVICE_UNAVAILABLE);
  CHECK(ours::kNoDevice == CUDA_ERROR_NO_DEVICE);
  CHECK(ours::kInvalidDevice == CUDA_ERROR_INVALID_DEVICE);
  CHECK(ours::kInvalidContext == CUDA_ERROR_INVALID_CONTEXT);
  CHECK(ours::kNoBinaryForGpu == CUDA_ERROR_NO_BINARY_FOR_GPU);
  CHECK(ours::kEccUncorrectable == CUDA_ERROR_ECC_UNCORRECTABLE);
  CHECK(ours::kInvalidPtx == CUDA_ERROR_INVALID_PTX);
  CHECK(ours::kNvlinkUncorrectable == CUDA_ERROR_NVLINK_UNCORRECTABLE);
  CHECK(ours::kUnsupportedPtxVersion == CUDA_ERROR_UNSUPPORTED_PTX_VERSION);
  CHECK(ours::kContained == CUDA_ERROR_CONTAINED);
  CHECK(ours::kInvalidHandle == CUDA_ERROR_INVALID_HANDLE);
  CHECK(ours::kNotFound == CUDA_ERROR_NOT_FOUND);
  CHECK(ours::kNotReady == CUDA_ERROR_NOT_READY);
  CHECK(ours::kIllegalAddress == CUDA_ERROR_ILLEGAL_ADDRESS);
  CHECK(ours::kLaunchOutOfResources == CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES);
  CHECK(ours::kLaunchTimeout == CUDA_ERROR_LAUNCH_TIMEOUT);
  CHECK(ours::kContextIsDestroyed == CUDA_ERROR_CONTEXT_IS_DESTROYED);
  CHECK(ours::kAssert == CUDA_ERROR_ASSERT);
  CHECK(ours::kAlreadyPinned == CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED);
  CHECK(ours::kNotPinned == CUDA_ERROR_HOST_MEMORY_NOT_REGISTERED);
  CHECK(ours::kHardwareStackError == CUDA_ERROR_HARDWARE_STACK_ERROR);
  CHECK(ours::kIllegalInstruction == CUDA_ERROR_ILLEGAL_INSTRUCTION);
  CHECK(ours::kMisalignedAddress == CUDA_ERROR_MISALIGNED_ADDRESS);
  CHECK(ours::kInvalidAddressSpace == CUDA_ERROR_INVALID_ADDRESS_SPACE);
  CHECK(ours::kInvalidPc == CUDA_ERROR_INVALID_PC);
  CHECK(ours::kLaunchFailed == CUDA_ERROR_LAUNCH_FAILED);
  CHECK(ours::kCooperativeLaunchTooLarge == CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE);
  CHECK(ours::kTensorMemoryLeak == CUDA_ERROR_TENSOR_MEMORY_LEAK);
  CHECK(ours::kNotSupported == CUDA_ERROR_NOT_SUPPORTED);
  CHECK(ours::kInvalidClusterSize == CUDA_ERROR_INVALID_CLUSTER_SIZE);
  CHECK(ours::kUnknown == CUDA_ERROR_UNKNOWN);
}

TEST_CASE("What the driver is asked of a GPU has cuda.h's numbers") {
  CHECK(int{ours::kMaxThreadsPerBlock} == CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK);
  CHECK(int{ours::kMaxBlockX} == CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_X);
  CHECK(int{ours::kMaxBlockY} == CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Y);
  CHECK(int{ours::kMaxBlockZ} == CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Z);
  CHECK(int{ours::kMaxGridX} == CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_X);
  CHECK(int{ours::kMaxGridY} == CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Y);
  CHECK(int{ours::kMaxGridZ} == CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Z);
  CHECK(int{ours::kSharedPerBlock} == CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK);
  CHECK(int{ours::kConstantBytes} == CU_DEVICE_ATTRIBUTE_TOTAL_CONSTANT_MEMORY);
  CHECK(int{ours::kClockKhz} == CU_DEVICE_ATTRIBUTE_CLOCK_RATE);
  CHECK(int{ours::kMultiprocessors} == CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT);
  CHECK(int{ours::kMemoryClockKhz} == CU_DEVICE_ATTRIBUTE_MEMORY_CLOCK_RATE);
  CHECK(int{ours::kMemoryBusBits} == CU_DEVICE_ATTRIBUTE_GLOBAL_MEMORY_BUS_WIDTH);
  CHECK(int{ours::kL2Bytes} == CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE);
  CHECK(int{ours::kThreadsPerMultiprocessor} == CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR);
  CHECK(int{ours::kCapabilityMajor} == CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR);
  CHECK(int{ours::kCapabilityMinor} == CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR);
  CHECK(int{ours::kSharedPerMultiprocessor} ==
        CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_MULTIPROCESSOR);
  CHECK(int{ours::kRegistersPerMultiprocessor} ==
        CU_DEVICE_ATTRIBUTE_MAX_REGISTERS_PER_MULTIPROCESSOR);
  CHECK(int{ours::kSharedPerBlockOptin} == CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN);
  CHECK(int{ours::kBlocksPerMultiprocessor} == CU_DEVICE_ATTRIBUTE_MAX_BLOCKS_PER_MULTIPROCESSOR);
  CHECK(int{ours::kReservedSharedPerBlock} == CU_DEVICE_ATTRIBUTE_RESERVED_SHARED_MEMORY_PER_BLOCK);
  CHECK(int{ours::kClusterLaunch} == CU_DEVICE_ATTRIBUTE_CLUSTER_LAUNCH);
}

TEST_CASE("The driver's numbers of functions, launches and streams are those of cuda.h") {
  CHECK(int{ours::kFunctionMaxThreads} == CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK);
  CHECK(int{ours::kFunctionStaticShared} == CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES);
  CHECK(int{ours::kFunctionLocalBytes} == CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES);
  CHECK(int{ours::kFunctionRegisters} == CU_FUNC_ATTRIBUTE_NUM_REGS);
  CHECK(int{ours::kFunctionMaxDynamicShared} == CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES);
  CHECK(int{ours::LaunchAttribute::kCooperative} == CU_LAUNCH_ATTRIBUTE_COOPERATIVE);
  CHECK(int{ours::LaunchAttribute::kClusterDimension} == CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION);
  CHECK(int{ours::kJitErrorLog} == CU_JIT_ERROR_LOG_BUFFER);
  CHECK(int{ours::kJitErrorLogBytes} == CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES);
  CHECK(ours::kLimitPrintfBytes == CU_LIMIT_PRINTF_FIFO_SIZE);
  CHECK(ours::kStreamNonBlocking == CU_STREAM_NON_BLOCKING);
  CHECK(ours::kEventBlockingSync == CU_EVENT_BLOCKING_SYNC);
  CHECK(ours::kParameterEnd == CU_LAUNCH_PARAM_END_AS_INT);
  CHECK(ours::kParameterBuffer == CU_LAUNCH_PARAM_BUFFER_POINTER_AS_INT);
  CHECK(ours::kParameterBytes == CU_LAUNCH_PARAM_BUFFER_SIZE_AS_INT);
}

TEST_CASE("The driver's numbers of arrays and textures are those of cuda.h") {
  CHECK(ours::kNotSupported == CUDA_ERROR_NOT_SUPPORTED);
  CHECK(int{ours::kUnsigned8} == CU_AD_FORMAT_UNSIGNED_INT8);
  CHECK(int{ours::kUnsigned16} == CU_AD_FORMAT_UNSIGNED_INT16);
  CHECK(int{ours::kUnsigned32} == CU_AD_FORMAT_UNSIGNED_INT32);
  CHECK(int{ours::kSigned8} == CU_AD_FORMAT_SIGNED_INT8);
  CHECK(int{ours::kSigned16} == CU_AD_FORMAT_SIGNED_INT16);
  CHECK(int{ours::kSigned32} == CU_AD_FORMAT_SIGNED_INT32);
  CHECK(int{ours::kHalf} == CU_AD_FORMAT_HALF);
  CHECK(int{ours::kFloat} == CU_AD_FORMAT_FLOAT);
  CHECK(ours::kArrayLayered == CUDA_ARRAY3D_LAYERED);
  CHECK(ours::kArraySurface == CUDA_ARRAY3D_SURFACE_LDST);
  CHECK(ours::kArrayCubemap == CUDA_ARRAY3D_CUBEMAP);
  CHECK(ours::kArrayGather == CUDA_ARRAY3D_TEXTURE_GATHER);
  CHECK(ours::kMemoryHost == CU_MEMORYTYPE_HOST);
  CHECK(ours::kMemoryArray == CU_MEMORYTYPE_ARRAY);
  CHECK(ours::kResourceArray == CU_RESOURCE_TYPE_ARRAY);
  CHECK(ours::kResourceMipmapped == CU_RESOURCE_TYPE_MIPMAPPED_ARRAY);
  CHECK(ours::kResourceLinear == CU_RESOURCE_TYPE_LINEAR);
  CHECK(ours::kResourcePitched == CU_RESOURCE_TYPE_PITCH2D);
  CHECK(ours::kReadAsInteger == CU_TRSF_READ_AS_INTEGER);
  CHECK(ours::kNormalisedCoordinates == CU_TRSF_NORMALIZED_COORDINATES);
  CHECK(ours::kSrgb == CU_TRSF_SRGB);
  CHECK(ours::kFilterPoint == CU_TR_FILTER_MODE_POINT);
  CHECK(ours::kFilterLinear == CU_TR_FILTER_MODE_LINEAR);
  using warpbook::device::AddressMode;
  CHECK(int{CU_TR_ADDRESS_MODE_WRAP} == static_cast<int>(AddressMode::wrap));
  CHECK(int{CU_TR_ADDRESS_MODE_CLAMP} == static_cast<int>(AddressMode::clamp));
  CHECK(int{CU_TR_ADDRESS_MODE_MIRROR} == static_cast<int>(AddressMode::mirror));
  CHECK(int{CU_TR_ADDRESS_MODE_BORDER} == static_cast<int>(AddressMode::border));
}

#else

TEST_CASE("The driver's numbers are those of cuda.h") {
  SKIP("no CUDA toolkit is installed in /usr/local/cuda: nothing to compare with");
}

#endif
