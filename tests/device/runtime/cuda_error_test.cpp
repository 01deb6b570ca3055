#include "device/runtime/cuda_error.hpp"

#include <string>
#include <string_view>

#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>

namespace warpbook::tests::cuda_error_test {

using namespace device::runtime;
using device::ErrorCode;

TEST_CASE("What the device interface refuses or reports is the error that CUDA has for it") {
  const auto [code, error] = GENERATE(table<ErrorCode, CudaError>({
      {ErrorCode::invalid_configuration, kInvalidConfiguration},
      {ErrorCode::double_free, kInvalidValue},
      {ErrorCode::copy_out_of_bounds, kInvalidValue},
      {ErrorCode::launch_out_of_resources, kLaunchOutOfResources},
      {ErrorCode::cooperative_too_large, kCooperativeLaunchTooLarge},
      {ErrorCode::invalid_cluster, kInvalidClusterSize},
      {ErrorCode::ptx_syntax, kInvalidPtx},
      {ErrorCode::no_such_kernel, kInvalidDeviceFunction},
      {ErrorCode::no_such_global, kInvalidSymbol},
      {ErrorCode::out_of_memory, kMemoryAllocation},
      {ErrorCode::null_access, kIllegalAddress},
      {ErrorCode::wild_access, kIllegalAddress},
      {ErrorCode::misaligned_access, kMisalignedAddress},
      {ErrorCode::assertion, kAssert},
      {ErrorCode::trap, kLaunchFailure},
      {ErrorCode::stack_overflow, kHardwareStackError},
      {ErrorCode::budget_time, kLaunchTimeout},
  }));
  CAPTURE(name_of(code));
  CHECK(cuda_error_of(code) == error);
}

TEST_CASE("Findings at which no GPU stops are no errors") {
  const auto code = GENERATE(ErrorCode::out_of_bounds_read, ErrorCode::out_of_bounds_write,
                             ErrorCode::use_after_free, ErrorCode::uninitialised_read,
                             ErrorCode::race_in_block, ErrorCode::barrier_divergent);
  CAPTURE(name_of(code));
  CHECK(cuda_error_of(code) == kSuccess);
}

TEST_CASE("Every answer of the service has CUDA's name and text") {
  for (std::size_t i = 0; i < enum_names(ErrorCode{}).size(); ++i) {
    const CudaError error = cuda_error_of(static_cast<ErrorCode>(i));
    CAPTURE(error);
    CHECK(std::string_view(name_of_cuda_error(error)).starts_with("cuda"));
    CHECK(std::string_view(text_of_cuda_error(error)) != "unrecognized error code");
  }
  CHECK(std::string_view(name_of_cuda_error(-5)) == "unrecognized error code");
}

TEST_CASE("The driver's codes have the driver's names") {
  CHECK(std::string_view(name_of_cuda_result(1)) == "CUDA_ERROR_INVALID_VALUE");
  CHECK(is_cuda_result(kIllegalAddress));
  CHECK(!is_cuda_result(kInvalidDeviceFunction));
  CHECK(name_of_cuda_result(-5) == nullptr);
}

}  // namespace warpbook::tests::cuda_error_test
