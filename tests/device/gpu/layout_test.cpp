// What device/gpu/cuda.hpp declares, against cuda.h itself where a toolkit is installed.
#include "device/gpu/cuda.hpp"

#include <catch2/catch_test_macros.hpp>

#include <cstddef>
#include <type_traits>

#if __has_include(</usr/local/cuda/include/cuda.h>)
#include </usr/local/cuda/include/cuda.h>
#endif

#ifdef CUDA_VERSION

namespace {

namespace ours = warpbook::device::gpu::cuda;

static_assert(CUDA_VERSION >= 13000);
static_assert(sizeof(ours::LaunchAttribute) == sizeof(CUlaunchAttribute));
static_assert(alignof(ours::LaunchAttribute) == alignof(CUlaunchAttribute));
static_assert(offsetof(ours::LaunchAttribute, value) == offsetof(CUlaunchAttribute, value));
static_assert(sizeof(ours::LaunchConfig) == sizeof(CUlaunchConfig));
static_assert(offsetof(ours::LaunchConfig, block_x) == offsetof(CUlaunchConfig, blockDimX));
static_assert(offsetof(ours::LaunchConfig, dynamic_shared) ==
              offsetof(CUlaunchConfig, sharedMemBytes));
static_assert(offsetof(ours::LaunchConfig, stream) == offsetof(CUlaunchConfig, hStream));
static_assert(offsetof(ours::LaunchConfig, attributes) == offsetof(CUlaunchConfig, attrs));
static_assert(offsetof(ours::LaunchConfig, attribute_count) == offsetof(CUlaunchConfig, numAttrs));
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
#define WARPBOOK_CUDA_DRIVER(name, parameters) \
  static_assert(SameCall<cuda::Status(*) parameters, decltype(&cu##name)>::value, "cu" #name);
#include "device/gpu/driver_api.inc"
#undef WARPBOOK_CUDA_DRIVER

}  // namespace

TEST_CASE("The driver's numbers are those of cuda.h") {
  CHECK(ours::kOutOfMemory == CUDA_ERROR_OUT_OF_MEMORY);
  CHECK(ours::kDeviceUnavailable == CUDA_ERROR_DEVICE_UNAVAILABLE);
  CHECK(ours::kEccUncorrectable == CUDA_ERROR_ECC_UNCORRECTABLE);
  CHECK(ours::kUnsupportedPtxVersion == CUDA_ERROR_UNSUPPORTED_PTX_VERSION);
  CHECK(ours::kContained == CUDA_ERROR_CONTAINED);
  CHECK(ours::kIllegalAddress == CUDA_ERROR_ILLEGAL_ADDRESS);
  CHECK(ours::kLaunchOutOfResources == CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES);
  CHECK(ours::kAssert == CUDA_ERROR_ASSERT);
  CHECK(ours::kMisalignedAddress == CUDA_ERROR_MISALIGNED_ADDRESS);
  CHECK(ours::kLaunchFailed == CUDA_ERROR_LAUNCH_FAILED);
  CHECK(ours::kCooperativeLaunchTooLarge == CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE);
  CHECK(ours::kTensorMemoryLeak == CUDA_ERROR_TENSOR_MEMORY_LEAK);
  CHECK(ours::kInvalidClusterSize == CUDA_ERROR_INVALID_CLUSTER_SIZE);
  CHECK(int{ours::kSharedPerBlockOptin} == CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN);
  CHECK(int{ours::kReservedSharedPerBlock} == CU_DEVICE_ATTRIBUTE_RESERVED_SHARED_MEMORY_PER_BLOCK);
  CHECK(int{ours::kClusterLaunch} == CU_DEVICE_ATTRIBUTE_CLUSTER_LAUNCH);
  CHECK(int{ours::kRegistersPerMultiprocessor} ==
        CU_DEVICE_ATTRIBUTE_MAX_REGISTERS_PER_MULTIPROCESSOR);
  CHECK(int{ours::kFunctionMaxDynamicShared} == CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES);
  CHECK(int{ours::LaunchAttribute::kCooperative} == CU_LAUNCH_ATTRIBUTE_COOPERATIVE);
  CHECK(int{ours::LaunchAttribute::kClusterDimension} == CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION);
  CHECK(int{ours::kJitErrorLog} == CU_JIT_ERROR_LOG_BUFFER);
  CHECK(ours::kLimitPrintfBytes == CU_LIMIT_PRINTF_FIFO_SIZE);
  CHECK(ours::kEventBlockingSync == CU_EVENT_BLOCKING_SYNC);
}

#else

TEST_CASE("The driver's numbers are those of cuda.h") {
  SKIP("no CUDA toolkit is installed in /usr/local/cuda: nothing to compare with");
}

#endif
