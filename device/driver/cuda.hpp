// The parts of cuda.h (CUDA 13) that we use, declared here so that building Warpbook needs no CUDA toolkit: handles are void*,
// enumerations int, a device address 64 bits. tests/device/gpu/layout_test.cpp holds it against cuda.h where that is.
#pragma once

#include <cstddef>
#include <cstdint>

namespace warpbook::device::gpu::cuda {

using Status = int;  ///< CUresult
inline constexpr Status kSuccess = 0;
inline constexpr Status kInvalidValue = 1;
inline constexpr Status kOutOfMemory = 2;
inline constexpr Status kNotInitialised = 3;
inline constexpr Status kDeinitialized = 4;
inline constexpr Status kDeviceUnavailable = 46;
inline constexpr Status kNoDevice = 100;
inline constexpr Status kInvalidDevice = 101;
inline constexpr Status kInvalidContext = 201;
inline constexpr Status kNoBinaryForGpu = 209;
inline constexpr Status kEccUncorrectable = 214;
inline constexpr Status kInvalidPtx = 218;
inline constexpr Status kNvlinkUncorrectable = 220;
inline constexpr Status kUnsupportedPtxVersion = 222;
inline constexpr Status kContained = 226;
inline constexpr Status kInvalidHandle = 400;
inline constexpr Status kNotFound = 500;
inline constexpr Status kNotReady = 600;
inline constexpr Status kIllegalAddress = 700;
inline constexpr Status kLaunchOutOfResources = 701;
inline constexpr Status kLaunchTimeout = 702;
inline constexpr Status kContextIsDestroyed = 709;
inline constexpr Status kAssert = 710;
inline constexpr Status kAlreadyPinned = 712;
inline constexpr Status kNotPinned = 713;
inline constexpr Status kHardwareStackError = 714;
inline constexpr Status kIllegalInstruction = 715;
inline constexpr Status kMisalignedAddress = 716;
inline constexpr Status kInvalidAddressSpace = 717;
inline constexpr Status kInvalidPc = 718;
inline constexpr Status kLaunchFailed = 719;
inline constexpr Status kCooperativeLaunchTooLarge = 720;
inline constexpr Status kTensorMemoryLeak = 721;
inline constexpr Status kNotSupported = 801;
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

/// CUarray_format
enum Format : int {
  kUnsigned8 = 0x01,
  kUnsigned16 = 0x02,
  kUnsigned32 = 0x03,
  kSigned8 = 0x08,
  kSigned16 = 0x09,
  kSigned32 = 0x0a,
  kHalf = 0x10,
  kFloat = 0x20
};

inline constexpr unsigned kArrayLayered = 0x01;  ///< CUDA_ARRAY3D_LAYERED, ...
inline constexpr unsigned kArraySurface = 0x02;
inline constexpr unsigned kArrayCubemap = 0x04;
inline constexpr unsigned kArrayGather = 0x08;

/// CUDA_ARRAY3D_DESCRIPTOR; extents in texels.
struct ArrayDescriptor {
  std::size_t width = 0, height = 0, depth = 0;
  int format = kFloat;
  unsigned channels = 1, flags = 0;
};

inline constexpr int kMemoryHost = 1;   ///< CU_MEMORYTYPE_HOST
inline constexpr int kMemoryArray = 3;  ///< CU_MEMORYTYPE_ARRAY

/// CUDA_MEMCPY3D: two ends of a copy, and the box that is copied.
struct Copy3D {
  struct End {
    std::size_t x_bytes = 0, y = 0, z = 0, level = 0;
    int kind = kMemoryHost;
    void* host = nullptr;
    std::uint64_t device = 0;
    void* array = nullptr;
    void* reserved = nullptr;
    std::size_t pitch = 0, height = 0;  ///< of host memory: bytes of a row, rows of a plane
  } from, to;
  std::size_t width_bytes = 0, height = 0, depth = 0;
};

inline constexpr int kResourceArray = 0;  ///< CU_RESOURCE_TYPE_ARRAY, ...
inline constexpr int kResourceMipmapped = 1;
inline constexpr int kResourceLinear = 2;
inline constexpr int kResourcePitched = 3;

/// CUDA_RESOURCE_DESC
struct ResourceDescriptor {
  struct Linear {
    std::uint64_t address;
    int format;
    unsigned channels;
    std::size_t bytes;
  };
  struct Pitched {
    std::uint64_t address;
    int format;
    unsigned channels;
    std::size_t width, height, pitch_bytes;
  };
  int kind = kResourceArray;
  union {
    int reserved[32] = {};
    void* array;  ///< CUarray or CUmipmappedArray
    Linear linear;
    Pitched pitched;
  };
  unsigned flags = 0;
};

inline constexpr unsigned kReadAsInteger = 0x01;          ///< CU_TRSF_READ_AS_INTEGER
inline constexpr unsigned kNormalisedCoordinates = 0x02;  ///< CU_TRSF_NORMALIZED_COORDINATES
inline constexpr unsigned kSrgb = 0x10;                   ///< CU_TRSF_SRGB
inline constexpr int kFilterPoint = 0;                    ///< CU_TR_FILTER_MODE_POINT
inline constexpr int kFilterLinear = 1;                   ///< CU_TR_FILTER_MODE_LINEAR

/// CUDA_TEXTURE_DESC
struct TextureDescriptor {
  int address_mode[3] = {};  ///< CUaddress_mode, which counts as AddressMode does
  int filter = kFilterPoint;
  unsigned flags = 0;
  unsigned most_anisotropy = 0;
  int mip_filter = kFilterPoint;
  float mip_bias = 0, mip_least = 0, mip_most = 0;
  float border[4] = {};
  int reserved[12] = {};
};

}  // namespace warpbook::device::gpu::cuda
