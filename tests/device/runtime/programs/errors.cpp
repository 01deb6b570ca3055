// Errors: how long they stay, and what comes after them.
#include "tests/device/runtime/programs/stubs.hpp"

namespace {

using namespace program;

void last_error() {
  expect(cudaGetLastError(), cudaSuccess);
  expect(cudaMalloc(nullptr, 4), cudaErrorInvalidValue);
  expect(cudaPeekAtLastError(), cudaErrorInvalidValue);
  expect(cudaPeekAtLastError(), cudaErrorInvalidValue);
  // A call that succeeds does not take the error away.
  ok(cudaDeviceSynchronize());
  expect(cudaGetLastError(), cudaErrorInvalidValue);
  expect(cudaGetLastError(), cudaSuccess);
  // Of two, it is the later one.
  expect(cudaMalloc(nullptr, 4), cudaErrorInvalidValue);
  expect(cudaSetDevice(99), cudaErrorInvalidDevice);
  expect(cudaGetLastError(), cudaErrorInvalidDevice);
  // "Not ready" is none.
  int* flag = nullptr;
  ok(cudaMallocManaged(reinterpret_cast<void**>(&flag), 4, cudaMemAttachGlobal));
  *flag = 0;
  ok(launch(spin_for_ever, {dim3(1), dim3(1)}, flag));
  expect(cudaStreamQuery(nullptr), cudaErrorNotReady);
  expect(cudaGetLastError(), cudaSuccess);
  *static_cast<volatile int*>(flag) = 1;
  ok(cudaDeviceSynchronize());
  ok(cudaFree(flag));
}

void texts() {
  const auto says = [](const char* got, std::string_view documented) {
    expect_true(got == documented);
  };
  says(cudaGetErrorName(cudaSuccess), "cudaSuccess");
  says(cudaGetErrorString(cudaSuccess), "no error");
  says(cudaGetErrorName(cudaErrorInvalidValue), "cudaErrorInvalidValue");
  says(cudaGetErrorString(cudaErrorInvalidValue), "invalid argument");
  says(cudaGetErrorString(cudaErrorMemoryAllocation), "out of memory");
  says(cudaGetErrorString(cudaErrorInvalidConfiguration), "invalid configuration argument");
  says(cudaGetErrorString(cudaErrorIllegalAddress), "an illegal memory access was encountered");
  says(cudaGetErrorString(cudaErrorAssert), "device-side assert triggered");
  says(cudaGetErrorName(static_cast<cudaError_t>(12345)), "unrecognized error code");
  says(cudaGetErrorString(static_cast<cudaError_t>(12345)), "unrecognized error code");
}

/// After a kernel failed with `error`, "any further CUDA work will return the same error".
void is_sticky(cudaError_t error) {
  void* x = nullptr;
  int host = 0;
  expect(cudaDeviceSynchronize(), error);
  expect(cudaGetLastError(), error);
  expect(cudaMalloc(&x, 4), error);
  expect(cudaMemcpy(&host, shared_flag, 4, cudaMemcpyDeviceToHost), error);
  expect(launch(print_threads, {dim3(1), dim3(1)}), error);
  expect(cudaDeviceSynchronize(), error);
  // What asks nothing of the device still answers.
  int device = -1;
  ok(cudaGetDevice(&device));
  ok(cudaGetDeviceCount(&device));
}

void illegal_address() {
  ok(launch(write_wild, {dim3(1), dim3(1)}));
  is_sticky(cudaErrorIllegalAddress);
}

void misaligned_address() {
  char* x = nullptr;
  ok(cudaMalloc(reinterpret_cast<void**>(&x), 64));
  ok(launch(write_misaligned, {dim3(1), dim3(1)}, x));
  is_sticky(cudaErrorMisalignedAddress);
}

void assertion() {
  ok(launch(fail_assertion, {dim3(1), dim3(8)}, 6));
  is_sticky(cudaErrorAssert);
}

void trapped() {
  ok(launch(trap, {dim3(1), dim3(1)}));
  is_sticky(cudaErrorLaunchFailure);
}

/// Refused launches: an error of the call, and none that stays.
void refused_launches() {
  int* x = nullptr;
  ok(cudaMalloc(reinterpret_cast<void**>(&x), 64));
  expect(launch(add_one, {dim3(0), dim3(32)}, x, 1), cudaErrorInvalidConfiguration);
  expect(launch(add_one, {dim3(1), dim3(0)}, x, 1), cudaErrorInvalidConfiguration);
  expect(launch(add_one, {dim3(1), dim3(1025)}, x, 1), cudaErrorInvalidConfiguration);
  expect(launch(add_one, {dim3(1), dim3(32, 33)}, x, 1), cudaErrorInvalidConfiguration);
  expect(launch(add_one, {dim3(1), dim3(1, 1, 65)}, x, 1), cudaErrorInvalidConfiguration);
  expect(launch(add_one, {dim3(1, 65536), dim3(32)}, x, 1), cudaErrorInvalidConfiguration);
  expect(cudaGetLastError(), cudaErrorInvalidConfiguration);
  expect(launch(never_registered, {dim3(1), dim3(1)}, 1), cudaErrorInvalidDeviceFunction);
  expect(launch(not_in_code, {dim3(1), dim3(1)}, 1), cudaErrorInvalidDeviceFunction);
  ok(launch(add_one, {dim3(1), dim3(1)}, x, 1));
  ok(cudaDeviceSynchronize());
  ok(cudaFree(x));
}

/// A launch that is refused, after which nobody asks.
void silent_refusal() {
  int* x = nullptr;
  ok(cudaMalloc(reinterpret_cast<void**>(&x), 64));
  (void)launch(add_one, {dim3(1), dim3(2048)}, x, 1);
  ok(cudaFree(x));
}

void no_configuration() {
  Where taken;
  expect(__cudaPopCallConfiguration(&taken.grid, &taken.block, &taken.shared, &taken.stream),
         cudaErrorMissingConfiguration);
  expect(cudaGetLastError(), cudaErrorMissingConfiguration);
}

/// A function that this library does not have.
void absent() {
  expect(cudaDeviceFlushGPUDirectRDMAWrites(cudaFlushGPUDirectRDMAWritesTargetCurrentDevice,
                                            cudaFlushGPUDirectRDMAWritesToOwner),
         cudaErrorNotSupported);
  expect(cudaGetLastError(), cudaErrorNotSupported);
}

}  // namespace

int main(int argc, char** argv) {
  return main_of(argc, argv,
                 {{"last-error", last_error},
                  {"texts", texts},
                  {"illegal-address", illegal_address},
                  {"misaligned-address", misaligned_address},
                  {"assertion", assertion},
                  {"trap", trapped},
                  {"refused-launches", refused_launches},
                  {"silent-refusal", silent_refusal},
                  {"no-configuration", no_configuration},
                  {"absent", absent}});
}
