// Devices: what they say of themselves, and several of them side by side.
#include <array>
#include <thread>

#include "tests/device/runtime/programs/stubs.hpp"

namespace {

using namespace program;

void properties() {
  cudaDeviceProp known{};
  ok(cudaGetDeviceProperties(&known, 0));
  expect_equal(known.warpSize, 32);
  expect_equal(known.maxThreadsPerBlock, 1024);
  expect_equal(known.sharedMemPerBlock, std::size_t{48} << 10);
  const auto is = [](cudaDeviceAttr attribute, int documented) {
    int value = -1;
    ok(cudaDeviceGetAttribute(&value, attribute, 0));
    expect_equal(value, documented);
  };
  is(cudaDevAttrWarpSize, 32);
  is(cudaDevAttrComputeCapabilityMajor, known.major);
  is(cudaDevAttrComputeCapabilityMinor, known.minor);
  is(cudaDevAttrMultiProcessorCount, known.multiProcessorCount);
  is(cudaDevAttrMaxSharedMemoryPerBlockOptin, static_cast<int>(known.sharedMemPerBlockOptin));
  is(cudaDevAttrMaxGridDimY, 65535);
  is(cudaDevAttrUnifiedAddressing, 1);
  int value = 0;
  expect(cudaDeviceGetAttribute(&value, cudaDevAttrWarpSize, 1), cudaErrorInvalidDevice);
  expect(cudaDeviceGetAttribute(&value, static_cast<cudaDeviceAttr>(9999), 0),
         cudaErrorInvalidValue);
  expect(cudaDeviceGetAttribute(nullptr, cudaDevAttrWarpSize, 0), cudaErrorInvalidValue);
  expect(cudaGetDeviceProperties(&known, 1), cudaErrorInvalidDevice);
  expect(cudaGetDeviceProperties(nullptr, 0), cudaErrorInvalidValue);
  expect(cudaSetDevice(1), cudaErrorInvalidDevice);
  expect(cudaSetDevice(-1), cudaErrorInvalidDevice);
  expect(cudaGetDeviceCount(nullptr), cudaErrorInvalidValue);
  int version = 0;
  ok(cudaRuntimeGetVersion(&version));
  expect_true(version >= 13000 && version < 14000);
}

void limits() {
  std::size_t value = 0;
  ok(cudaDeviceGetLimit(&value, cudaLimitMallocHeapSize));
  expect_equal(value, std::size_t{8} << 20);
  ok(cudaDeviceSetLimit(cudaLimitStackSize, 4096));
  ok(cudaDeviceGetLimit(&value, cudaLimitStackSize));
  expect_true(value >= 4096);
  expect(cudaDeviceGetLimit(&value, static_cast<cudaLimit>(99)), cudaErrorUnsupportedLimit);
  expect(cudaDeviceSetLimit(static_cast<cudaLimit>(99), 1), cudaErrorUnsupportedLimit);
  expect(cudaDeviceGetLimit(nullptr, cudaLimitStackSize), cudaErrorInvalidValue);
}

void bus_ids() {
  std::array<char, 16> text{};
  int device = -1;
  ok(cudaDeviceGetPCIBusId(text.data(), static_cast<int>(text.size()), 0));
  ok(cudaDeviceGetByPCIBusId(&device, text.data()));
  expect_equal(device, 0);
  expect(cudaDeviceGetPCIBusId(nullptr, 16, 0), cudaErrorInvalidValue);
  expect(cudaDeviceGetPCIBusId(text.data(), 16, 5), cudaErrorInvalidDevice);
  expect(cudaDeviceGetByPCIBusId(nullptr, text.data()), cudaErrorInvalidValue);
}

/// Run with two devices.
void peers() {
  int count = 0, can = 0, device = -1;
  ok(cudaGetDeviceCount(&count));
  expect_equal(count, 2);
  ok(cudaDeviceCanAccessPeer(&can, 0, 1));
  expect_equal(can, 1);
  ok(cudaDeviceCanAccessPeer(&can, 0, 0));
  expect_equal(can, 0);
  expect(cudaDeviceCanAccessPeer(&can, 0, 2), cudaErrorInvalidDevice);
  expect(cudaDeviceDisablePeerAccess(1), cudaErrorPeerAccessNotEnabled);
  ok(cudaDeviceEnablePeerAccess(1, 0));
  expect(cudaDeviceEnablePeerAccess(1, 0), cudaErrorPeerAccessAlreadyEnabled);
  expect(cudaDeviceEnablePeerAccess(1, 1), cudaErrorInvalidValue);
  expect(cudaDeviceEnablePeerAccess(0, 0), cudaErrorInvalidDevice);
  expect(cudaDeviceEnablePeerAccess(2, 0), cudaErrorInvalidDevice);

  int *x = nullptr, *y = nullptr, host = 5;
  ok(cudaMalloc(reinterpret_cast<void**>(&x), sizeof(int)));
  ok(cudaSetDevice(1));
  ok(cudaMalloc(reinterpret_cast<void**>(&y), sizeof(int)));
  cudaPointerAttributes known{};
  ok(cudaPointerGetAttributes(&known, x));
  expect_equal(known.device, 0);
  ok(cudaPointerGetAttributes(&known, y));
  expect_equal(known.device, 1);
  ok(cudaMemcpy(x, &host, sizeof host, cudaMemcpyHostToDevice));
  ok(cudaMemcpyPeer(y, 1, x, 0, sizeof host));
  expect(cudaMemcpyPeer(y, 2, x, 0, sizeof host), cudaErrorInvalidDevice);
  ok(launch(add_one, {dim3(1), dim3(1)}, y, 1));
  ok(cudaMemcpy(&host, y, sizeof host, cudaMemcpyDefault));
  expect_equal(host, 6);
  std::thread([&device] { ok(cudaGetDevice(&device)); }).join();
  expect_equal(device, 0);  // each thread begins with the first
  ok(cudaSetDevice(0));
  ok(launch(add_one, {dim3(1), dim3(1)}, y, 1));  // which peer access allows
  ok(cudaDeviceSynchronize());
  ok(cudaDeviceDisablePeerAccess(1));
  ok(cudaFree(x));
  ok(cudaFree(y));
}

/// Streams and events belong to the device on which they were made.
void streams_of_devices() {
  cudaStream_t stream = nullptr;
  cudaEvent_t event = nullptr, other = nullptr;
  int *x = nullptr, device = -1;
  float milliseconds = 0;
  ok(cudaMalloc(reinterpret_cast<void**>(&x), sizeof(int)));
  ok(cudaStreamCreate(&stream));
  ok(cudaEventCreate(&event));
  ok(cudaEventRecord(event, stream));
  ok(cudaSetDevice(1));
  ok(cudaEventCreate(&other));
  ok(cudaEventRecord(other, nullptr));
  ok(cudaStreamGetDevice(stream, &device));
  expect_equal(device, 0);
  expect(launch(add_one, {dim3(1), dim3(1), 0, stream}, x, 1), cudaErrorInvalidResourceHandle);
  expect(cudaEventRecord(other, stream), cudaErrorInvalidResourceHandle);
  ok(cudaEventSynchronize(event));
  ok(cudaStreamWaitEvent(nullptr, event, 0));  // an event of another device may be waited for
  ok(cudaDeviceSynchronize());
  expect(cudaEventElapsedTime(&milliseconds, event, other), cudaErrorInvalidResourceHandle);
  ok(cudaMemsetAsync(x, 0, sizeof(int), stream));
  ok(cudaStreamSynchronize(stream));
  ok(cudaEventDestroy(event));
  ok(cudaEventDestroy(other));
  ok(cudaStreamDestroy(stream));
  ok(cudaFree(x));
}

/// Each device has a memory of its own.
void memory_of_devices() {
  const auto free_on = [](int device) {
    std::size_t free = 0, total = 0;
    ok(cudaSetDevice(device));
    ok(cudaMemGetInfo(&free, &total));
    return free;
  };
  const std::size_t first = free_on(0), second = free_on(1);
  void* x = nullptr;
  ok(cudaSetDevice(0));
  ok(cudaMalloc(&x, std::size_t{1} << 20));
  expect_true(free_on(0) < first);
  expect_equal(free_on(1), second);
  void* y = nullptr;
  expect(cudaMalloc(&y, second + 1), cudaErrorMemoryAllocation);
  ok(cudaFree(x));
}

}  // namespace

int main(int argc, char** argv) {
  return main_of(argc, argv,
                 {{"properties", properties},
                  {"limits", limits},
                  {"bus-ids", bus_ids},
                  {"peers", peers},
                  {"streams-of-devices", streams_of_devices},
                  {"memory-of-devices", memory_of_devices}});
}
