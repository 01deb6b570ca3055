// Memory of the driver API: a CUdeviceptr is the address that the runtime gives for the same memory.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "device/runtime/library/driver/driver_api.hpp"
#include "device/runtime/library/work.hpp"

using namespace warpbook::device::runtime;

namespace {

void* pointer_to(CUdeviceptr address) { return reinterpret_cast<void*>(address); }

/// Elements of the sizes that threads read at once; the pitch is a multiple of each.
bool is_pitch_element(unsigned bytes) { return bytes == 4 || bytes == 8 || bytes == 16; }

}  // namespace

// Allocation

CUresult cuMemAlloc(CUdeviceptr* pointer, std::size_t bytes) {
  return in_context(Function::cuMemAlloc, [&](Call&) {
    // Unlike cudaMalloc, it refuses to allocate nothing.
    return bytes == 0 ? cudaErrorInvalidValue : cudaMalloc(same(pointer), bytes);
  });
}

CUresult cuMemAllocPitch(CUdeviceptr* pointer, std::size_t* pitch, std::size_t width,
                         std::size_t height, unsigned element_bytes) {
  return in_context(Function::cuMemAllocPitch, [&](Call&) {
    if (width == 0 || height == 0 || !is_pitch_element(element_bytes)) return cudaErrorInvalidValue;
    return cudaMallocPitch(static_cast<void**>(same(pointer)), pitch, width, height);
  });
}

CUresult cuMemFree(CUdeviceptr pointer) {
  return in_context(Function::cuMemFree, [&](Call&) { return cudaFree(pointer_to(pointer)); });
}

CUresult cuMemGetInfo(std::size_t* free, std::size_t* total) {
  return in_context(Function::cuMemGetInfo, [&](Call&) { return cudaMemGetInfo(free, total); });
}

CUresult cuMemGetAddressRange(CUdeviceptr* base, std::size_t* bytes, CUdeviceptr pointer) {
  return in_context(Function::cuMemGetAddressRange, [&](Call& call) {
    const auto found = call.session.find(pointer);
    if (!found) return cudaErrorSymbolNotFound;
    if (base) *base = found->first;
    if (bytes) *bytes = found->second.bytes;
    return cudaSuccess;
  });
}

CUresult cuMemAllocManaged(CUdeviceptr* pointer, std::size_t bytes, unsigned flags) {
  return in_context(Function::cuMemAllocManaged, [&](Call&) {
    return cudaMallocManaged(static_cast<void**>(same(pointer)), bytes, flags);
  });
}

// Memory of the host

CUresult cuMemAllocHost(void** pointer, std::size_t bytes) {
  return in_context(Function::cuMemAllocHost, [&](Call&) {
    return bytes == 0 ? cudaErrorInvalidValue : cudaMallocHost(pointer, bytes);
  });
}

CUresult cuMemHostAlloc(void** pointer, std::size_t bytes, unsigned flags) {
  return in_context(Function::cuMemHostAlloc, [&](Call&) {
    return bytes == 0 ? cudaErrorInvalidValue : cudaHostAlloc(pointer, bytes, flags);
  });
}

CUresult cuMemFreeHost(void* pointer) {
  return in_context(Function::cuMemFreeHost,
                    [&](Call&) { return pointer ? cudaFreeHost(pointer) : cudaErrorInvalidValue; });
}

CUresult cuMemHostGetDevicePointer(CUdeviceptr* device, void* host, unsigned flags) {
  return in_context(Function::cuMemHostGetDevicePointer, [&](Call&) {
    return cudaHostGetDevicePointer(static_cast<void**>(same(device)), host, flags);
  });
}

CUresult cuMemHostGetFlags(unsigned* flags, void* host) {
  return in_context(Function::cuMemHostGetFlags,
                    [&](Call&) { return cudaHostGetFlags(flags, host); });
}

CUresult cuMemHostRegister(void* pointer, std::size_t bytes, unsigned flags) {
  return in_context(Function::cuMemHostRegister,
                    [&](Call&) { return cudaHostRegister(pointer, bytes, flags); });
}

CUresult cuMemHostUnregister(void* pointer) {
  return in_context(Function::cuMemHostUnregister,
                    [&](Call&) { return cudaHostUnregister(pointer); });
}

// Managed memory

CUresult cuMemPrefetchAsync(CUdeviceptr pointer, std::size_t count, CUmemLocation location,
                            unsigned flags, CUstream stream) {
  return in_context(Function::cuMemPrefetchAsync, [&](Call&) {
    return cudaMemPrefetchAsync(pointer_to(pointer), count, same(location), flags, stream);
  });
}

CUresult cuMemAdvise(CUdeviceptr pointer, std::size_t count, CUmem_advise advice,
                     CUmemLocation location) {
  return in_context(Function::cuMemAdvise, [&](Call&) {
    return cudaMemAdvise(pointer_to(pointer), count, same(advice), same(location));
  });
}

CUresult cuMemRangeGetAttribute(void* data, std::size_t bytes, CUmem_range_attribute attribute,
                                CUdeviceptr pointer, std::size_t count) {
  return in_context(Function::cuMemRangeGetAttribute, [&](Call&) {
    return cudaMemRangeGetAttribute(data, bytes, same(attribute), pointer_to(pointer), count);
  });
}

CUresult cuMemRangeGetAttributes(void** data, std::size_t* bytes, CUmem_range_attribute* attributes,
                                 std::size_t attribute_count, CUdeviceptr pointer,
                                 std::size_t count) {
  return in_context(Function::cuMemRangeGetAttributes, [&](Call&) {
    return cudaMemRangeGetAttributes(data, bytes, same(attributes), attribute_count,
                                     pointer_to(pointer), count);
  });
}

// Pointers

namespace {

/// A pointer that is asked about, and the memory that it points into.
struct Pointer {
  CUdeviceptr address = 0;
  CUdeviceptr begin = 0;
  Memory memory;
};

template <class T>
cudaError_t give(void* to, T value) {
  *static_cast<T*>(to) = value;
  return cudaSuccess;
}

/// One attribute of a pointer into memory that CUDA knows.
cudaError_t give_attribute(const Pointer& p, CUpointer_attribute attribute, void* to) {
  const MemoryKind kind = p.memory.kind;
  switch (attribute) {
    case CU_POINTER_ATTRIBUTE_CONTEXT:
      return give(
          to, handle_of(p.memory.context ? p.memory.context : &primary_context(p.memory.device)));
    case CU_POINTER_ATTRIBUTE_MEMORY_TYPE:
      return give(to, static_cast<unsigned>(kind == MemoryKind::pinned ? CU_MEMORYTYPE_HOST
                                                                       : CU_MEMORYTYPE_DEVICE));
    case CU_POINTER_ATTRIBUTE_DEVICE_POINTER: return give(to, p.address);
    case CU_POINTER_ATTRIBUTE_HOST_POINTER:
      if (kind == MemoryKind::device) return cudaErrorInvalidValue;
      return give(to, pointer_to(p.address));
    case CU_POINTER_ATTRIBUTE_SYNC_MEMOPS: return give(to, 0u);
    case CU_POINTER_ATTRIBUTE_BUFFER_ID: return give<unsigned long long>(to, p.begin);
    case CU_POINTER_ATTRIBUTE_IS_MANAGED: return give(to, kind == MemoryKind::managed ? 1u : 0u);
    case CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL: return give(to, p.memory.device);
    case CU_POINTER_ATTRIBUTE_IS_LEGACY_CUDA_IPC_CAPABLE: return give(to, 0u);
    case CU_POINTER_ATTRIBUTE_RANGE_START_ADDR: return give(to, p.begin);
    case CU_POINTER_ATTRIBUTE_RANGE_SIZE: return give<std::size_t>(to, p.memory.bytes);
    case CU_POINTER_ATTRIBUTE_MAPPED: return give(to, 1u);
    case CU_POINTER_ATTRIBUTE_MEMPOOL_HANDLE:
      return give(to, reinterpret_cast<CUmemoryPool>(address_of(p.memory.pool)));
    default: return cudaErrorNotSupported;
  }
}

}  // namespace

CUresult cuPointerGetAttribute(void* data, CUpointer_attribute attribute, CUdeviceptr pointer) {
  return in_context(Function::cuPointerGetAttribute, [&](Call& call) {
    const auto found = call.session.find(pointer);
    if (!data || !found) return cudaErrorInvalidValue;
    return give_attribute({pointer, found->first, found->second}, attribute, data);
  });
}

namespace {

/// What cuPointerGetAttributes gives of a pointer that CUDA does not know: 0, and -1 or -2 for a device.
void give_nothing(CUpointer_attribute attribute, void* to) {
  constexpr int kNoDevice = -2;
  switch (attribute) {
    case CU_POINTER_ATTRIBUTE_MEMORY_TYPE:
    case CU_POINTER_ATTRIBUTE_SYNC_MEMOPS:
    case CU_POINTER_ATTRIBUTE_IS_MANAGED:
    case CU_POINTER_ATTRIBUTE_IS_LEGACY_CUDA_IPC_CAPABLE:
    case CU_POINTER_ATTRIBUTE_MAPPED: (void)give(to, 0u); break;
    case CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL: (void)give(to, kNoDevice); break;
    default: (void)give<void*>(to, nullptr); break;
  }
}

}  // namespace

CUresult cuPointerGetAttributes(unsigned count, CUpointer_attribute* attributes, void** data,
                                CUdeviceptr pointer) {
  return in_context(Function::cuPointerGetAttributes, [&](Call& call) {
    const auto found = call.session.find(pointer);
    if (count == 0 || !attributes || !data) return cudaErrorInvalidValue;
    for (unsigned i = 0; i < count; ++i) {
      cudaError_t error = cudaErrorInvalidValue;
      if (found)
        error = give_attribute({pointer, found->first, found->second}, attributes[i], data[i]);
      if (error == cudaErrorNotSupported) return error;
      if (error != cudaSuccess) give_nothing(attributes[i], data[i]);
    }
    return cudaSuccess;
  });
}

// Fills

namespace {

/// `height` rows of `width` elements; in the default stream and waited for where no stream is named.
struct FillOf {
  CUdeviceptr to = 0;
  std::size_t pitch = 0;
  unsigned value = 0, element_bytes = 1;
  std::size_t width = 0, height = 1;
};

cudaError_t fill(Call& call, const FillOf& wanted, CUstream stream, bool wait) {
  std::uint32_t number = 0;
  if (const cudaError_t error = stream_number(call, stream, number)) return error;
  call.values(wanted.to, 0, wanted.width * wanted.height * wanted.element_bytes, number);
  if (wanted.width == 0 || wanted.height == 0) return cudaSuccess;
  FillWork work;
  const cudaMemsetParams parameters{pointer_to(wanted.to), wanted.pitch, wanted.value,
                                    wanted.element_bytes,  wanted.width, wanted.height};
  if (const cudaError_t error = work_of(parameters, work)) return error;
  if (!wait) return submit(call, stream, work);
  if (const cudaError_t error = check_synchronous()) return error;
  return run(call, work, {number, true, call.number()});
}

}  // namespace

CUresult cuMemsetD8(CUdeviceptr to, unsigned char value, std::size_t count) {
  return in_context(Function::cuMemsetD8, [&](Call& call) {
    return fill(call, {to, 0, value, 1, count}, nullptr, true);
  });
}

CUresult cuMemsetD16(CUdeviceptr to, unsigned short value, std::size_t count) {
  return in_context(Function::cuMemsetD16, [&](Call& call) {
    return fill(call, {to, 0, value, 2, count}, nullptr, true);
  });
}

CUresult cuMemsetD32(CUdeviceptr to, unsigned value, std::size_t count) {
  return in_context(Function::cuMemsetD32, [&](Call& call) {
    return fill(call, {to, 0, value, 4, count}, nullptr, true);
  });
}

CUresult cuMemsetD2D8(CUdeviceptr to, std::size_t pitch, unsigned char value, std::size_t width,
                      std::size_t height) {
  return in_context(Function::cuMemsetD2D8, [&](Call& call) {
    return fill(call, {to, pitch, value, 1, width, height}, nullptr, true);
  });
}

CUresult cuMemsetD2D16(CUdeviceptr to, std::size_t pitch, unsigned short value, std::size_t width,
                       std::size_t height) {
  return in_context(Function::cuMemsetD2D16, [&](Call& call) {
    return fill(call, {to, pitch, value, 2, width, height}, nullptr, true);
  });
}

CUresult cuMemsetD2D32(CUdeviceptr to, std::size_t pitch, unsigned value, std::size_t width,
                       std::size_t height) {
  return in_context(Function::cuMemsetD2D32, [&](Call& call) {
    return fill(call, {to, pitch, value, 4, width, height}, nullptr, true);
  });
}

CUresult cuMemsetD8Async(CUdeviceptr to, unsigned char value, std::size_t count, CUstream stream) {
  return in_context(Function::cuMemsetD8Async, [&](Call& call) {
    return fill(call, {to, 0, value, 1, count}, stream, false);
  });
}

CUresult cuMemsetD16Async(CUdeviceptr to, unsigned short value, std::size_t count,
                          CUstream stream) {
  return in_context(Function::cuMemsetD16Async, [&](Call& call) {
    return fill(call, {to, 0, value, 2, count}, stream, false);
  });
}

CUresult cuMemsetD32Async(CUdeviceptr to, unsigned value, std::size_t count, CUstream stream) {
  return in_context(Function::cuMemsetD32Async, [&](Call& call) {
    return fill(call, {to, 0, value, 4, count}, stream, false);
  });
}

CUresult cuMemsetD2D8Async(CUdeviceptr to, std::size_t pitch, unsigned char value,
                           std::size_t width, std::size_t height, CUstream stream) {
  return in_context(Function::cuMemsetD2D8Async, [&](Call& call) {
    return fill(call, {to, pitch, value, 1, width, height}, stream, false);
  });
}

CUresult cuMemsetD2D16Async(CUdeviceptr to, std::size_t pitch, unsigned short value,
                            std::size_t width, std::size_t height, CUstream stream) {
  return in_context(Function::cuMemsetD2D16Async, [&](Call& call) {
    return fill(call, {to, pitch, value, 2, width, height}, stream, false);
  });
}

CUresult cuMemsetD2D32Async(CUdeviceptr to, std::size_t pitch, unsigned value, std::size_t width,
                            std::size_t height, CUstream stream) {
  return in_context(Function::cuMemsetD2D32Async, [&](Call& call) {
    return fill(call, {to, pitch, value, 4, width, height}, stream, false);
  });
}
