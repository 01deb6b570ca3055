#include "device/gpu/fault.hpp"

#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>

namespace warpbook::tests::fault_test {

using namespace warpbook::device;
using namespace warpbook::device::gpu;

namespace {

const FaultedLaunch kLaunch{"scale", {4, 2, 1}, {8, 4, 1}, 1.5};

Error error_of(cuda::Status status, std::string_view said = {}) {
  return launch_error(status, "CUDA_ERROR_SOMETHING", kLaunch, said);
}

std::string argument(const Error& error, std::string_view name) {
  for (const auto& [key, value] : error.arguments) {
    if (key == name) return value.english();
  }
  return "(none)";
}

}  // namespace

TEST_CASE("What CUDA refuses is the same error as on the simulator") {
  CHECK(error_of(cuda::kInvalidValue).code == ErrorCode::invalid_value);
  CHECK(error_of(cuda::kLaunchOutOfResources).code == ErrorCode::launch_out_of_resources);
  CHECK(error_of(cuda::kCooperativeLaunchTooLarge).code == ErrorCode::cooperative_too_large);
  CHECK(error_of(cuda::kInvalidClusterSize).code == ErrorCode::invalid_cluster);
  CHECK(error_of(cuda::kLaunchTimeout).code == ErrorCode::budget_time);
}

TEST_CASE("A fault that CUDA places nowhere points to the simulator") {
  const auto status = GENERATE(cuda::kIllegalAddress, cuda::kMisalignedAddress,
                               cuda::kHardwareStackError, cuda::kIllegalInstruction,
                               cuda::kInvalidAddressSpace, cuda::kInvalidPc, cuda::kLaunchFailed);
  CAPTURE(status);
  const std::string text = error_of(status).english();
  CHECK(harm_of(status) == Harm::context);
  CHECK(text.find("scale") != text.npos);
  CHECK(text.find("--device simulator") != text.npos);
  CHECK(text.find('{') == text.npos);
}

TEST_CASE("A GPU that goes away is lost, whatever ran") {
  const auto status = GENERATE(cuda::kDeviceUnavailable, cuda::kEccUncorrectable,
                               cuda::kNvlinkUncorrectable, cuda::kUnknown);
  CAPTURE(status);
  CHECK(harm_of(status) == Harm::device);
  CHECK(error_of(status).code == ErrorCode::gpu_lost);
  CHECK(call_error(status, "CUDA_ERROR_SOMETHING", "cuMemAlloc").code == ErrorCode::gpu_lost);
}

TEST_CASE("A refusal harms nothing") {
  for (const cuda::Status status :
       {cuda::kSuccess, cuda::kInvalidValue, cuda::kOutOfMemory, cuda::kInvalidPtx,
        cuda::kLaunchOutOfResources, cuda::kCooperativeLaunchTooLarge, cuda::kInvalidClusterSize}) {
    CAPTURE(status);
    CHECK(harm_of(status) == Harm::none);
  }
}

TEST_CASE("A failed assertion is told with text, function, line and thread") {
  const Error error = error_of(cuda::kAssert,
                               "some other line\n"
                               "my file.cu:12: void ns::scale(float *, int): block: [3,1,0], "
                               "thread: [5,2,0] Assertion `i < n && x[i] > 0` failed.\n"
                               "my file.cu:12: void ns::scale(float *, int): block: [0,0,0], "
                               "thread: [0,0,0] Assertion `i < n && x[i] > 0` failed.\n");
  CHECK(error.code == ErrorCode::assertion);
  CHECK(argument(error, "text") == "i < n && x[i] > 0");
  CHECK(argument(error, "function") == "void ns::scale(float *, int)");
  CHECK(argument(error, "thread") == "21");  // 5 + 8 * 2
  CHECK(argument(error, "block") == "7");    // 3 + 4 * 1
  CHECK(error.place == SourcePlace{"my file.cu", 12, 0});
}

TEST_CASE("A failed assertion whose words are not understood is a fault") {
  const auto said = GENERATE("", "Assertion `",
                             "a.cu:1: f: block: [0,0], thread: [0,0,0] Assertion "
                             "`x` failed.",
                             "a.cu:1: f: block: [0,0,99999999999], thread: [0,0,0] "
                             "Assertion `x` failed.",
                             ": block: [0,0,0], thread: [");
  CAPTURE(said);
  CHECK(error_of(cuda::kAssert, said).code == ErrorCode::gpu_fault);
}

}  // namespace warpbook::tests::fault_test
