// Memory pools of the driver API: those of the runtime.
#include "device/runtime/library/driver/driver_api.hpp"

using namespace warpbook::device::runtime;

CUresult cuMemAllocAsync(CUdeviceptr* pointer, std::size_t bytes, CUstream stream) {
  return in_context(Function::cuMemAllocAsync, [&](Call&) {
    return bytes == 0 ? cudaErrorInvalidValue : cudaMallocAsync(same(pointer), bytes, stream);
  });
}

CUresult cuMemAllocFromPoolAsync(CUdeviceptr* pointer, std::size_t bytes, CUmemoryPool pool,
                                 CUstream stream) {
  return in_context(Function::cuMemAllocFromPoolAsync, [&](Call&) {
    return bytes == 0 ? cudaErrorInvalidValue
                      : cudaMallocFromPoolAsync(same(pointer), bytes, pool, stream);
  });
}

CUresult cuMemFreeAsync(CUdeviceptr pointer, CUstream stream) {
  return in_context(Function::cuMemFreeAsync,
                    [&](Call&) { return cudaFreeAsync(same(pointer), stream); });
}

CUresult cuMemPoolTrimTo(CUmemoryPool pool, std::size_t least) {
  return once_initialised(Function::cuMemPoolTrimTo,
                          [&](Call&) { return cudaMemPoolTrimTo(pool, least); });
}

CUresult cuMemPoolSetAttribute(CUmemoryPool pool, CUmemPool_attribute attribute, void* value) {
  return once_initialised(Function::cuMemPoolSetAttribute, [&](Call&) {
    return cudaMemPoolSetAttribute(pool, same(attribute), value);
  });
}

CUresult cuMemPoolGetAttribute(CUmemoryPool pool, CUmemPool_attribute attribute, void* value) {
  return once_initialised(Function::cuMemPoolGetAttribute, [&](Call&) {
    return cudaMemPoolGetAttribute(pool, same(attribute), value);
  });
}

CUresult cuMemPoolSetAccess(CUmemoryPool pool, const CUmemAccessDesc* descriptions,
                            std::size_t count) {
  return once_initialised(Function::cuMemPoolSetAccess, [&](Call&) {
    return cudaMemPoolSetAccess(pool, same(descriptions), count);
  });
}

CUresult cuMemPoolGetAccess(CUmemAccess_flags* flags, CUmemoryPool pool, CUmemLocation* location) {
  return once_initialised(Function::cuMemPoolGetAccess, [&](Call&) {
    return cudaMemPoolGetAccess(same(flags), pool, same(location));
  });
}

CUresult cuMemPoolCreate(CUmemoryPool* pool, const CUmemPoolProps* properties) {
  return once_initialised(Function::cuMemPoolCreate,
                          [&](Call&) { return cudaMemPoolCreate(pool, same(properties)); });
}

CUresult cuMemPoolDestroy(CUmemoryPool pool) {
  return once_initialised(Function::cuMemPoolDestroy,
                          [&](Call&) { return cudaMemPoolDestroy(pool); });
}

CUresult cuMemGetDefaultMemPool(CUmemoryPool* pool, CUmemLocation* location,
                                CUmemAllocationType type) {
  return once_initialised(Function::cuMemGetDefaultMemPool, [&](Call&) {
    return cudaMemGetDefaultMemPool(pool, same(location), same(type));
  });
}

CUresult cuMemGetMemPool(CUmemoryPool* pool, CUmemLocation* location, CUmemAllocationType type) {
  return once_initialised(Function::cuMemGetMemPool, [&](Call&) {
    return cudaMemGetMemPool(pool, same(location), same(type));
  });
}

CUresult cuMemSetMemPool(CUmemLocation* location, CUmemAllocationType type, CUmemoryPool pool) {
  return once_initialised(Function::cuMemSetMemPool, [&](Call&) {
    return cudaMemSetMemPool(same(location), same(type), pool);
  });
}

CUresult cuDeviceSetMemPool(CUdevice device, CUmemoryPool pool) {
  return once_initialised(Function::cuDeviceSetMemPool,
                          [&](Call&) { return cudaDeviceSetMemPool(device, pool); });
}

CUresult cuDeviceGetMemPool(CUmemoryPool* pool, CUdevice device) {
  return once_initialised(Function::cuDeviceGetMemPool,
                          [&](Call&) { return cudaDeviceGetMemPool(pool, device); });
}

CUresult cuDeviceGetDefaultMemPool(CUmemoryPool* pool, CUdevice device) {
  return once_initialised(Function::cuDeviceGetDefaultMemPool,
                          [&](Call&) { return cudaDeviceGetDefaultMemPool(pool, device); });
}
