// Memory pools: allocation in a stream's order, attributes, access, and the errors that are documented.
#include <cstdint>

#include "tests/device/runtime/programs/stubs.hpp"

namespace {

using namespace program;

template <class T>
void** as_void(T** pointer) {
  return reinterpret_cast<void**>(pointer);
}

/// A kernel uses memory after its stream has freed it: the program goes on.
void used_after_free() {
  int* memory = nullptr;
  ok(cudaMallocAsync(as_void(&memory), 32 * sizeof(int), nullptr));
  ok(cudaMemsetAsync(memory, 0, 32 * sizeof(int), nullptr));
  ok(cudaFreeAsync(memory, nullptr));
  ok(launch(add_to, {dim3(1), dim3(32)}, memory, 1));
  ok(cudaDeviceSynchronize());
}

std::uint64_t count(cudaMemPool_t pool, cudaMemPoolAttr attribute) {
  std::uint64_t value = ~std::uint64_t{0};
  ok(cudaMemPoolGetAttribute(pool, attribute, &value));
  return value;
}

void in_order() {
  cudaStream_t stream = nullptr;
  ok(cudaStreamCreate(&stream));
  int* memory = nullptr;
  int host[32] = {};
  ok(cudaMallocAsync(as_void(&memory), sizeof host, stream));
  ok(launch(set_to, {dim3(1), dim3(32), 0, stream}, memory, 7));
  ok(cudaMemcpyAsync(host, memory, sizeof host, cudaMemcpyDeviceToHost, stream));
  ok(cudaFreeAsync(memory, stream));
  ok(cudaStreamSynchronize(stream));
  expect_true(host[31] == 7);
  expect(cudaFreeAsync(memory, stream), cudaErrorInvalidValue);
  expect(cudaFree(memory), cudaErrorInvalidValue);
  expect(cudaFreeAsync(nullptr, stream), cudaErrorInvalidValue);
  ok(cudaMallocAsync(as_void(&memory), 4, stream));
  ok(cudaFree(memory));
  ok(cudaMalloc(as_void(&memory), 4));
  expect(cudaFreeAsync(memory, stream), cudaErrorInvalidValue);
  ok(cudaFree(memory));
  expect(cudaMallocAsync(nullptr, 4, stream), cudaErrorInvalidValue);
  ok(cudaStreamDestroy(stream));
  expect(cudaMallocAsync(as_void(&memory), 4, stream), cudaErrorInvalidResourceHandle);
}

void own_pool() {
  cudaMemPoolProps properties{};
  properties.allocType = cudaMemAllocationTypePinned;
  properties.location.type = cudaMemLocationTypeDevice;
  properties.maxSize = 1 << 20;
  cudaMemPool_t pool = nullptr, other = nullptr;
  ok(cudaMemPoolCreate(&pool, &properties));
  void* memory = nullptr;
  ok(cudaMallocFromPoolAsync(&memory, 1000, pool, nullptr));
  expect_true(count(pool, cudaMemPoolAttrUsedMemCurrent) == 1000);
  expect_true(count(pool, cudaMemPoolAttrReservedMemCurrent) >= 1000);
  void* too_much = nullptr;
  expect(cudaMallocFromPoolAsync(&too_much, 1 << 20, pool, nullptr), cudaErrorMemoryAllocation);
  std::uint64_t threshold = ~std::uint64_t{0};
  ok(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &threshold));
  ok(cudaFreeAsync(memory, nullptr));
  ok(cudaStreamSynchronize(nullptr));
  expect_true(count(pool, cudaMemPoolAttrUsedMemCurrent) == 0);
  expect_true(count(pool, cudaMemPoolAttrUsedMemHigh) == 1000);
  expect_true(count(pool, cudaMemPoolAttrReservedMemCurrent) > 0);
  ok(cudaMemPoolTrimTo(pool, 0));
  expect_true(count(pool, cudaMemPoolAttrReservedMemCurrent) == 0);
  std::uint64_t mark = 1;
  expect(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrUsedMemHigh, &mark), cudaErrorInvalidValue);
  mark = 0;
  ok(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrUsedMemHigh, &mark));
  expect_true(count(pool, cudaMemPoolAttrUsedMemHigh) == 0);
  cudaMemAccessFlags flags = cudaMemAccessFlagsProtNone;
  cudaMemLocation here{};
  here.type = cudaMemLocationTypeDevice;
  ok(cudaMemPoolGetAccess(&flags, pool, &here));
  expect_true(flags == cudaMemAccessFlagsProtReadWrite);
  ok(cudaDeviceSetMemPool(0, pool));
  ok(cudaDeviceGetMemPool(&other, 0));
  expect_true(other == pool);
  ok(cudaMallocAsync(as_void(&memory), 10, nullptr));
  ok(cudaMemPoolDestroy(pool));
  ok(cudaDeviceGetMemPool(&other, 0));
  cudaMemPool_t fallback = nullptr;
  ok(cudaDeviceGetDefaultMemPool(&fallback, 0));
  expect_true(other == fallback);
  ok(cudaFreeAsync(memory, nullptr));
  if (is_on_warpbook()) expect(cudaMemPoolDestroy(pool), cudaErrorInvalidValue);
  expect(cudaMemPoolDestroy(fallback), cudaErrorInvalidValue);
  expect(cudaDeviceGetDefaultMemPool(&fallback, 99), cudaErrorInvalidDevice);
  properties.location.id = 99;
  expect(cudaMemPoolCreate(&pool, &properties), cudaErrorInvalidValue);
}

}  // namespace

int main(int argc, char** argv) {
  return main_of(
      argc, argv,
      {{"in-order", in_order}, {"own-pool", own_pool}, {"used-after-free", used_after_free}});
}
