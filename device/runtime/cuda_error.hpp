// The codes of cudaError_t (driver_types.h of CUDA 13.0) that the service gives. The library, which is compiled with CUDA's own
// headers, holds them against those.
#pragma once

#include <cstdint>

#include "device/error.hpp"

namespace warpbook::device::runtime {

/// "kInvalidValue" is cudaErrorInvalidValue.
enum CudaError : std::int32_t {
  kSuccess = 0,
  kInvalidValue = 1,
  kMemoryAllocation = 2,
  kInitialization = 3,
  kCudartUnloading = 4,
  kInvalidConfiguration = 9,
  kInvalidPitch = 12,
  kInvalidSymbol = 13,
  kInvalidTexture = 18,
  kInvalidChannelDescriptor = 20,
  kInvalidFilterSetting = 26,
  kInvalidDeviceFunction = 98,
  kInvalidKernelImage = 200,
  kNoKernelImageForDevice = 209,
  kUnsupportedPtxVersion = 222,
  kInvalidPtx = 218,
  kInvalidResourceHandle = 400,
  kNotReady = 600,
  kIllegalAddress = 700,
  kLaunchOutOfResources = 701,
  kLaunchTimeout = 702,
  kAssert = 710,
  kHardwareStackError = 714,
  kIllegalInstruction = 715,
  kMisalignedAddress = 716,
  kLaunchFailure = 719,
  kCooperativeLaunchTooLarge = 720,
  kNotSupported = 801,
  kInvalidClusterSize = 912,
  kUnknown = 999,
};
/// "cudaErrorInvalidValue" and "invalid argument", as cudaGetErrorName and cudaGetErrorString give them.
const char* name_of_cuda_error(std::int32_t error);
const char* text_of_cuda_error(std::int32_t error);

/// "CUDA_ERROR_INVALID_VALUE", as cuGetErrorName gives it; null where the driver has no such code.
const char* name_of_cuda_result(std::int32_t result);
inline bool is_cuda_result(std::int32_t result) { return name_of_cuda_result(result) != nullptr; }

/// What CUDA answers where the device interface says `code`: at once where it refuses a call, and at the next synchronising call
/// where a kernel fails. kSuccess for findings at which no GPU stops.
CudaError cuda_error_of(ErrorCode code);

}  // namespace warpbook::device::runtime
