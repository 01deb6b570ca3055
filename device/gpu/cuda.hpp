// What of cuda.h (CUDA 13) we use, declared here so that building Warpbook needs no CUDA toolkit: handles are void*,
// enumerations int, a device address 64 bits. tests/device/gpu/layout_test.cpp holds it against cuda.h where that is.
#pragma once

#include <cstddef>
#include <cstdint>

namespace warpbook::device::gpu::cuda {

using Status = int;  ///< CUresult
inline constexpr Status kSuccess = 0;
inline constexpr Status kInvalidValue = 1;
inline constexpr Status kOutOfMemory = 2;
inline constexpr Status kDeinitialized = 4;
inline constexpr Status kDeviceUnavailable = 46;
inline constexpr Status kNoDevice = 100;
inline constexpr Status kInvalidContext = 201;
inline constexpr Status kNoBinaryForGpu = 209;
inline constexpr Status kEccUncorrectable = 214;
inline constexpr Status kInvalidPtx = 218;
inline constexpr Status kNvlinkUncorrectable = 220;
inline constexpr Status kUnsupportedPtxVersion = 222;
inline constexpr Status kContained = 226;
inline constexpr Status kNotFound = 500;
inline constexpr Status kNotReady = 600;
inline constexpr Status kIllegalAddress = 700;
inline constexpr Status kLaunchOutOfResources = 701;
inline constexpr Status kLaunchTimeout = 702;
inline constexpr Status kContextIsDestroyed = 709;
inline constexpr Status kAssert = 710;
inline constexpr Status kHardwareStackError = 714;
inline constexpr Status kIllegalInstruction = 715;
inline constexpr Status kMisalignedAddress = 716;
inline constexpr Status kInvalidAddressSpace = 717;
inline constexpr Status kInvalidPc = 718;
inline constexpr Status kLaunchFailed = 719;
inline constexpr Status kCooperativeLaunchTooLarge = 720;
inline constexpr Status kTensorMemoryLeak = 721;
inline constexpr Status kInvalidClusterSize = 912;
inline constexpr Status kUnknown = 999;

/// CUdevice_attribute
enum DeviceAttribute : int {
  kMaxThreadsPerBlock = 1,
  kMaxBlockX = 2,
  kMaxBlockY = 3,
  kMaxBlockZ = 4,
  kMaxGridX = 5,
  kMaxGridY = 6,
  kMaxGridZ = 7,
  kSharedPerBlock = 8,
  kConstantBytes = 9,
  kClockKhz = 13,
  kMultiprocessors = 16,
  kMemoryClockKhz = 36,
  kMemoryBusBits = 37,
  kL2Bytes = 38,
  kThreadsPerMultiprocessor = 39,
  kCapabilityMajor = 75,
  kCapabilityMinor = 76,
  kSharedPerMultiprocessor = 81,
  kRegistersPerMultiprocessor = 82,
  kSharedPerBlockOptin = 97,
  kBlocksPerMultiprocessor = 106,
  kReservedSharedPerBlock = 111,
  kClusterLaunch = 120
};

/// CUfunction_attribute
enum FunctionAttribute : int {
  kFunctionMaxThreads = 0,
  kFunctionStaticShared = 1,
  kFunctionLocalBytes = 3,
  kFunctionRegisters = 4,
  kFunctionMaxDynamicShared = 8
};

/// CUjit_option
enum JitOption : int { kJitErrorLog = 5, kJitErrorLogBytes = 6 };

inline constexpr int kLimitPrintfBytes = 1;            ///< CUlimit
inline constexpr unsigned kStreamNonBlocking = 1;      ///< CUstream_flags
inline constexpr unsigned kEventBlockingSync = 1;      ///< CUevent_flags
inline constexpr std::uintptr_t kParameterEnd = 0;     ///< CU_LAUNCH_PARAM_END
inline constexpr std::uintptr_t kParameterBuffer = 1;  ///< CU_LAUNCH_PARAM_BUFFER_POINTER
inline constexpr std::uintptr_t kParameterBytes = 2;   ///< CU_LAUNCH_PARAM_BUFFER_SIZE

/// CUlaunchAttribute
struct LaunchAttribute {
  enum Id : int { kCooperative = 2, kClusterDimension = 4 } id{};
  int pad = 0;
  struct Extent {
    unsigned x, y, z;
  };
  union alignas(8) Value {
    char pad[64] = {};
    int cooperative;
    Extent cluster;
  } value;
};

/// CUlaunchConfig
struct LaunchConfig {
  unsigned grid_x = 1, grid_y = 1, grid_z = 1;
  unsigned block_x = 1, block_y = 1, block_z = 1;
  unsigned dynamic_shared = 0;
  void* stream = nullptr;
  LaunchAttribute* attributes = nullptr;
  unsigned attribute_count = 0;
};

}  // namespace warpbook::device::gpu::cuda
