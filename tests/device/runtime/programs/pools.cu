// Memory pools: allocation in a stream's order, attributes, access, and the errors that are documented.
#include <cstdint>
#include <cstdio>

#include "expect.hpp"

__global__ void set(int* to, int value) { to[threadIdx.x] = value; }

std::uint64_t count(cudaMemPool_t pool, cudaMemPoolAttr attribute) {
  std::uint64_t value = ~std::uint64_t{0};
  OK(cudaMemPoolGetAttribute(pool, attribute, &value));
  return value;
}

void in_order() {
  cudaStream_t stream = nullptr;
  OK(cudaStreamCreate(&stream));
  int* memory = nullptr;
  int host[32] = {};
  OK(cudaMallocAsync(&memory, sizeof host, stream));
  set<<<1, 32, 0, stream>>>(memory, 7);
  OK(cudaMemcpyAsync(host, memory, sizeof host, cudaMemcpyDeviceToHost, stream));
  OK(cudaFreeAsync(memory, stream));
  OK(cudaStreamSynchronize(stream));
  THAT(host[31] == 7);
  EXPECT(cudaFreeAsync(memory, stream), cudaErrorInvalidValue);
  EXPECT(cudaFree(memory), cudaErrorInvalidValue);
  EXPECT(cudaFreeAsync(nullptr, stream), cudaErrorInvalidValue);
  OK(cudaMallocAsync(&memory, 4, stream));
  OK(cudaFree(memory));
  OK(cudaMalloc(&memory, 4));
  EXPECT(cudaFreeAsync(memory, stream), cudaErrorInvalidValue);
  OK(cudaFree(memory));
  EXPECT(cudaMallocAsync(static_cast<void**>(nullptr), 4, stream), cudaErrorInvalidValue);
  OK(cudaStreamDestroy(stream));
  EXPECT(cudaMallocAsync(&memory, 4, stream), cudaErrorInvalidResourceHandle);
}

void own_pool() {
  cudaMemPoolProps properties{};
  properties.allocType = cudaMemAllocationTypePinned;
  properties.location.type = cudaMemLocationTypeDevice;
  properties.maxSize = 1 << 20;
  cudaMemPool_t pool = nullptr, other = nullptr;
  OK(cudaMemPoolCreate(&pool, &properties));
  void* memory = nullptr;
  OK(cudaMallocFromPoolAsync(&memory, 1000, pool, nullptr));
  THAT(count(pool, cudaMemPoolAttrUsedMemCurrent) == 1000);
  THAT(count(pool, cudaMemPoolAttrReservedMemCurrent) >= 1000);
  void* too_much = nullptr;
  EXPECT(cudaMallocFromPoolAsync(&too_much, 1 << 20, pool, nullptr), cudaErrorMemoryAllocation);
  std::uint64_t threshold = ~std::uint64_t{0};
  OK(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &threshold));
  OK(cudaFreeAsync(memory, nullptr));
  OK(cudaStreamSynchronize(nullptr));
  THAT(count(pool, cudaMemPoolAttrUsedMemCurrent) == 0);
  THAT(count(pool, cudaMemPoolAttrUsedMemHigh) == 1000);
  THAT(count(pool, cudaMemPoolAttrReservedMemCurrent) > 0);
  OK(cudaMemPoolTrimTo(pool, 0));
  THAT(count(pool, cudaMemPoolAttrReservedMemCurrent) == 0);
  std::uint64_t mark = 1;
  EXPECT(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrUsedMemHigh, &mark), cudaErrorInvalidValue);
  mark = 0;
  OK(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrUsedMemHigh, &mark));
  THAT(count(pool, cudaMemPoolAttrUsedMemHigh) == 0);
  cudaMemAccessFlags flags = cudaMemAccessFlagsProtNone;
  cudaMemLocation here{};
  here.type = cudaMemLocationTypeDevice;
  OK(cudaMemPoolGetAccess(&flags, pool, &here));
  THAT(flags == cudaMemAccessFlagsProtReadWrite);
  OK(cudaDeviceSetMemPool(0, pool));
  OK(cudaDeviceGetMemPool(&other, 0));
  THAT(other == pool);
  OK(cudaMallocAsync(&memory, 10, nullptr));
  OK(cudaMemPoolDestroy(pool));
  OK(cudaDeviceGetMemPool(&other, 0));
  cudaMemPool_t fallback = nullptr;
  OK(cudaDeviceGetDefaultMemPool(&fallback, 0));
  THAT(other == fallback);
  OK(cudaFreeAsync(memory, nullptr));
  EXPECT(cudaMemPoolDestroy(pool), cudaErrorInvalidValue);
  EXPECT(cudaMemPoolDestroy(fallback), cudaErrorInvalidValue);
  EXPECT(cudaDeviceGetDefaultMemPool(&fallback, 99), cudaErrorInvalidDevice);
  properties.location.id = 99;
  EXPECT(cudaMemPoolCreate(&pool, &properties), cudaErrorInvalidValue);
}

int main() {
  in_order();
  own_pool();
  OK(cudaDeviceSynchronize());
  std::puts("done");
}
