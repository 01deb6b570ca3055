#include "device/runtime/cuda_error.hpp"

namespace warpbook::device::runtime {
namespace {

struct NamedError {
  std::int32_t value;
  const char *name, *text;
};
constexpr NamedError kErrors[] = {
#define ERROR(name, value, text) {value, #name, text},
#include "device/runtime/cuda_errors.inc"
#undef ERROR
};
constexpr NamedError kUnrecognised{-1, "unrecognized error code", "unrecognized error code"};

const NamedError& named(std::int32_t value) {
  for (const NamedError& known : kErrors) {
    if (known.value == value) return known;
  }
  return kUnrecognised;
}

struct NamedResult {
  std::int32_t value;
  const char* name;
};
constexpr NamedResult kResults[] = {
#define RESULT(name, value) {value, #name},
#include "device/runtime/cuda_results.inc"
#undef RESULT
};

}  // namespace

const char* name_of_cuda_result(std::int32_t result) {
  for (const NamedResult& known : kResults) {
    if (known.value == result) return known.name;
  }
  return nullptr;
}

const char* name_of_cuda_error(std::int32_t error) { return named(error).name; }

const char* text_of_cuda_error(std::int32_t error) { return named(error).text; }

CudaError cuda_error_of(ErrorCode code) {
  switch (code) {
    case ErrorCode::invalid_configuration: return kInvalidConfiguration;
    case ErrorCode::invalid_value:
    case ErrorCode::copy_out_of_bounds:
    case ErrorCode::bad_pointer:
    case ErrorCode::double_free:
    case ErrorCode::argument_count:
    case ErrorCode::argument_type: return kInvalidValue;
    case ErrorCode::launch_out_of_resources: return kLaunchOutOfResources;
    case ErrorCode::cooperative_too_large: return kCooperativeLaunchTooLarge;
    case ErrorCode::invalid_cluster: return kInvalidClusterSize;
    case ErrorCode::invalid_handle: return kInvalidResourceHandle;
    case ErrorCode::not_supported:
    case ErrorCode::ptx_unsupported:
    case ErrorCode::ptx_left_out:
    case ErrorCode::ptx_unresolved:
    case ErrorCode::ptx_texture_reference: return kNotSupported;
    case ErrorCode::ptx_syntax:
    case ErrorCode::ptx_limit:
    case ErrorCode::link_undefined:
    case ErrorCode::link_duplicate:
    case ErrorCode::link_mismatch: return kInvalidPtx;
    case ErrorCode::no_kernel_image: return kNoKernelImageForDevice;
    case ErrorCode::no_such_kernel: return kInvalidDeviceFunction;
    case ErrorCode::no_such_global: return kInvalidSymbol;
    case ErrorCode::out_of_memory: return kMemoryAllocation;
    case ErrorCode::invalid_channel: return kInvalidChannelDescriptor;
    case ErrorCode::invalid_filter: return kInvalidFilterSetting;
    case ErrorCode::null_access:
    case ErrorCode::wild_access:
    case ErrorCode::shared_out_of_bounds:
    case ErrorCode::local_out_of_bounds:
    case ErrorCode::read_only_write:
    case ErrorCode::array_access:
    case ErrorCode::no_such_object:
    case ErrorCode::destroyed_object: return kIllegalAddress;
    case ErrorCode::misaligned_access: return kMisalignedAddress;
    case ErrorCode::assertion: return kAssert;
    case ErrorCode::trap:
    case ErrorCode::surface_out_of_bounds:
    case ErrorCode::bad_branch: return kLaunchFailure;
    case ErrorCode::stack_overflow:
    case ErrorCode::stack_exhausted: return kHardwareStackError;
    case ErrorCode::deadlock:
    case ErrorCode::barrier_mismatch:
    case ErrorCode::sync_mask_mismatch:
    case ErrorCode::budget_instructions:
    case ErrorCode::budget_time: return kLaunchTimeout;
    case ErrorCode::budget_output:
    case ErrorCode::budget_memory:
    case ErrorCode::cancelled: return kLaunchFailure;
    // A GPU finds addresses wrong by pages of 2 MB: what lies a little outside of an allocation, or in one that was freed, it reads
    // and writes without a word. So these are findings, and the program goes on as it would there.
    case ErrorCode::out_of_bounds_read:
    case ErrorCode::out_of_bounds_write:
    case ErrorCode::out_of_bounds_atomic:
    case ErrorCode::use_after_free:
    default: return kSuccess;
  }
}

}  // namespace warpbook::device::runtime
