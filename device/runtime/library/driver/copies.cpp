// Copies of the driver API. Those of two and three dimensions become copies of the runtime, whose arrays count elements where the
// driver's count bytes.
#include <algorithm>
#include <cstddef>
#include <cstring>

#include "device/runtime/library/driver/copies.hpp"
#include "device/runtime/library/driver/driver_api.hpp"

namespace warpbook::device::runtime {
namespace {

void* pointer_to(CUdeviceptr address) { return reinterpret_cast<void*>(address); }

/// One side of a CUDA_MEMCPY3D.
struct CopySide {
  std::size_t x = 0, y = 0, z = 0;
  CUmemorytype type{};
  void* host = nullptr;
  CUdeviceptr device = 0;
  CUarray array = nullptr;
  std::size_t pitch = 0, height = 0;
};

CopySide source_of(const CUDA_MEMCPY3D& c) {
  return {c.srcXInBytes, c.srcY,     c.srcZ,     c.srcMemoryType, const_cast<void*>(c.srcHost),
          c.srcDevice,   c.srcArray, c.srcPitch, c.srcHeight};
}

CopySide target_of(const CUDA_MEMCPY3D& c) {
  return {c.dstXInBytes, c.dstY,     c.dstZ,     c.dstMemoryType, c.dstHost,
          c.dstDevice,   c.dstArray, c.dstPitch, c.dstHeight};
}

/// The bytes of an array's element; 1 for what is no array.
cudaError_t element_bytes_of(const CopySide& side, std::size_t& bytes) {
  constexpr int kBits = 8;
  cudaChannelFormatDesc format{};
  bytes = 1;
  if (side.type != CU_MEMORYTYPE_ARRAY) return cudaSuccess;
  if (const cudaError_t error = cudaGetChannelDesc(&format, same(side.array))) return error;
  bytes = static_cast<std::size_t>((format.x + format.y + format.z + format.w) / kBits);
  return cudaSuccess;
}

/// What the types of the two sides say of their addresses; unified ones say it themselves.
cudaMemcpyKind kind_between(CUmemorytype to, CUmemorytype from) {
  if (to == CU_MEMORYTYPE_UNIFIED || from == CU_MEMORYTYPE_UNIFIED) return cudaMemcpyDefault;
  if (to == CU_MEMORYTYPE_HOST)
    return from == CU_MEMORYTYPE_HOST ? cudaMemcpyHostToHost : cudaMemcpyDeviceToHost;
  return from == CU_MEMORYTYPE_HOST ? cudaMemcpyHostToDevice : cudaMemcpyDeviceToDevice;
}

/// Sets one side of the runtime's parameters: an array with a position in elements, or memory with one in bytes.
cudaError_t set_side(const CopySide& side, std::size_t element_bytes, const CUDA_MEMCPY3D& copy,
                     cudaArray_t& array, cudaPos& position, cudaPitchedPtr& memory) {
  if (side.x % element_bytes != 0) return cudaErrorInvalidValue;
  position = {side.x / element_bytes, side.y, side.z};
  void* pointer = nullptr;
  switch (side.type) {
    case CU_MEMORYTYPE_ARRAY: array = same(side.array); return cudaSuccess;
    case CU_MEMORYTYPE_HOST: pointer = side.host; break;
    case CU_MEMORYTYPE_DEVICE:
    case CU_MEMORYTYPE_UNIFIED: pointer = pointer_to(side.device); break;
    default: return cudaErrorInvalidValue;
  }
  const std::size_t pitch = side.pitch != 0 ? side.pitch : copy.WidthInBytes + side.x;
  if (pitch < copy.WidthInBytes + side.x) return cudaErrorInvalidValue;
  memory = {pointer, pitch, copy.WidthInBytes,
            side.height != 0 ? side.height : copy.Height + side.y};
  return cudaSuccess;
}

}  // namespace

cudaError_t parameters_of(const CUDA_MEMCPY3D& copy, cudaMemcpy3DParms& parameters) {
  const CopySide source = source_of(copy), target = target_of(copy);
  std::size_t from_bytes = 1, to_bytes = 1;
  if (const cudaError_t error = element_bytes_of(source, from_bytes)) return error;
  if (const cudaError_t error = element_bytes_of(target, to_bytes)) return error;
  const std::size_t element_bytes = std::max(from_bytes, to_bytes);
  if (copy.WidthInBytes % element_bytes != 0 || copy.srcLOD != 0 || copy.dstLOD != 0)
    return cudaErrorInvalidValue;
  parameters = {};
  if (const cudaError_t error = set_side(source, from_bytes, copy, parameters.srcArray,
                                         parameters.srcPos, parameters.srcPtr)) {
    return error;
  }
  if (const cudaError_t error = set_side(target, to_bytes, copy, parameters.dstArray,
                                         parameters.dstPos, parameters.dstPtr)) {
    return error;
  }
  parameters.extent = {copy.WidthInBytes / element_bytes, copy.Height, copy.Depth};
  parameters.kind = kind_between(target.type, source.type);
  return cudaSuccess;
}

CUDA_MEMCPY3D parameters_of(const cudaMemcpy3DParms& p) {
  // Which of the two sides an address is on it says itself.
  CUDA_MEMCPY3D copy{};
  copy.srcMemoryType = p.srcArray ? CU_MEMORYTYPE_ARRAY : CU_MEMORYTYPE_UNIFIED;
  copy.dstMemoryType = p.dstArray ? CU_MEMORYTYPE_ARRAY : CU_MEMORYTYPE_UNIFIED;
  copy.srcArray = same(p.srcArray);
  copy.dstArray = same(p.dstArray);
  copy.srcDevice = reinterpret_cast<CUdeviceptr>(p.srcPtr.ptr);
  copy.dstDevice = reinterpret_cast<CUdeviceptr>(p.dstPtr.ptr);
  copy.srcPitch = p.srcPtr.pitch;
  copy.dstPitch = p.dstPtr.pitch;
  copy.srcHeight = p.srcPtr.ysize;
  copy.dstHeight = p.dstPtr.ysize;
  std::size_t from_bytes = 1, to_bytes = 1;
  (void)element_bytes_of(source_of(copy), from_bytes);
  (void)element_bytes_of(target_of(copy), to_bytes);
  copy.srcXInBytes = p.srcPos.x * from_bytes;
  copy.srcY = p.srcPos.y;
  copy.srcZ = p.srcPos.z;
  copy.dstXInBytes = p.dstPos.x * to_bytes;
  copy.dstY = p.dstPos.y;
  copy.dstZ = p.dstPos.z;
  copy.WidthInBytes = p.extent.width * std::max(from_bytes, to_bytes);
  copy.Height = p.extent.height;
  copy.Depth = p.extent.depth;
  return copy;
}

}  // namespace warpbook::device::runtime

using namespace warpbook::device::runtime;

namespace {

CUDA_MEMCPY3D in_three_dimensions(const CUDA_MEMCPY2D& c) {
  CUDA_MEMCPY3D copy{};
  copy.srcXInBytes = c.srcXInBytes;
  copy.srcY = c.srcY;
  copy.srcMemoryType = c.srcMemoryType;
  copy.srcHost = c.srcHost;
  copy.srcDevice = c.srcDevice;
  copy.srcArray = c.srcArray;
  copy.srcPitch = c.srcPitch;
  copy.dstXInBytes = c.dstXInBytes;
  copy.dstY = c.dstY;
  copy.dstMemoryType = c.dstMemoryType;
  copy.dstHost = c.dstHost;
  copy.dstDevice = c.dstDevice;
  copy.dstArray = c.dstArray;
  copy.dstPitch = c.dstPitch;
  copy.WidthInBytes = c.WidthInBytes;
  copy.Height = c.Height;
  copy.Depth = 1;
  return copy;
}

CUDA_MEMCPY3D without_contexts(const CUDA_MEMCPY3D_PEER& c) {
  // The addresses say which device they are of.
  CUDA_MEMCPY3D copy{};
  copy.srcXInBytes = c.srcXInBytes;
  copy.srcY = c.srcY;
  copy.srcZ = c.srcZ;
  copy.srcLOD = c.srcLOD;
  copy.srcMemoryType = c.srcMemoryType;
  copy.srcHost = c.srcHost;
  copy.srcDevice = c.srcDevice;
  copy.srcArray = c.srcArray;
  copy.srcPitch = c.srcPitch;
  copy.srcHeight = c.srcHeight;
  copy.dstXInBytes = c.dstXInBytes;
  copy.dstY = c.dstY;
  copy.dstZ = c.dstZ;
  copy.dstLOD = c.dstLOD;
  copy.dstMemoryType = c.dstMemoryType;
  copy.dstHost = c.dstHost;
  copy.dstDevice = c.dstDevice;
  copy.dstArray = c.dstArray;
  copy.dstPitch = c.dstPitch;
  copy.dstHeight = c.dstHeight;
  copy.WidthInBytes = c.WidthInBytes;
  copy.Height = c.Height;
  copy.Depth = c.Depth;
  return copy;
}

cudaError_t copy_3d(const CUDA_MEMCPY3D& copy) {
  cudaMemcpy3DParms parameters;
  const cudaError_t error = parameters_of(copy, parameters);
  return error != cudaSuccess ? error : cudaMemcpy3D(&parameters);
}

cudaError_t copy_3d(const CUDA_MEMCPY3D& copy, CUstream stream) {
  cudaMemcpy3DParms parameters;
  const cudaError_t error = parameters_of(copy, parameters);
  return error != cudaSuccess ? error : cudaMemcpy3DAsync(&parameters, stream);
}

}  // namespace

// Lines of bytes

CUresult cuMemcpy(CUdeviceptr to, CUdeviceptr from, std::size_t bytes) {
  return in_context(Function::cuMemcpy, [&](Call&) {
    return cudaMemcpy(pointer_to(to), pointer_to(from), bytes, cudaMemcpyDefault);
  });
}

CUresult cuMemcpyAsync(CUdeviceptr to, CUdeviceptr from, std::size_t bytes, CUstream stream) {
  return in_context(Function::cuMemcpyAsync, [&](Call&) {
    return cudaMemcpyAsync(pointer_to(to), pointer_to(from), bytes, cudaMemcpyDefault, stream);
  });
}

CUresult cuMemcpyHtoD(CUdeviceptr to, const void* from, std::size_t bytes) {
  return in_context(Function::cuMemcpyHtoD, [&](Call&) {
    return cudaMemcpy(pointer_to(to), from, bytes, cudaMemcpyHostToDevice);
  });
}

CUresult cuMemcpyHtoDAsync(CUdeviceptr to, const void* from, std::size_t bytes, CUstream stream) {
  return in_context(Function::cuMemcpyHtoDAsync, [&](Call&) {
    return cudaMemcpyAsync(pointer_to(to), from, bytes, cudaMemcpyHostToDevice, stream);
  });
}

CUresult cuMemcpyDtoH(void* to, CUdeviceptr from, std::size_t bytes) {
  return in_context(Function::cuMemcpyDtoH, [&](Call&) {
    return cudaMemcpy(to, pointer_to(from), bytes, cudaMemcpyDeviceToHost);
  });
}

CUresult cuMemcpyDtoHAsync(void* to, CUdeviceptr from, std::size_t bytes, CUstream stream) {
  return in_context(Function::cuMemcpyDtoHAsync, [&](Call&) {
    return cudaMemcpyAsync(to, pointer_to(from), bytes, cudaMemcpyDeviceToHost, stream);
  });
}

CUresult cuMemcpyDtoD(CUdeviceptr to, CUdeviceptr from, std::size_t bytes) {
  return in_context(Function::cuMemcpyDtoD, [&](Call&) {
    return cudaMemcpy(pointer_to(to), pointer_to(from), bytes, cudaMemcpyDeviceToDevice);
  });
}

CUresult cuMemcpyDtoDAsync(CUdeviceptr to, CUdeviceptr from, std::size_t bytes, CUstream stream) {
  return in_context(Function::cuMemcpyDtoDAsync, [&](Call&) {
    return cudaMemcpyAsync(pointer_to(to), pointer_to(from), bytes, cudaMemcpyDeviceToDevice,
                           stream);
  });
}

CUresult cuMemcpyPeer(CUdeviceptr to, CUcontext, CUdeviceptr from, CUcontext, std::size_t bytes) {
  return in_context(Function::cuMemcpyPeer, [&](Call&) {
    return cudaMemcpy(pointer_to(to), pointer_to(from), bytes, cudaMemcpyDeviceToDevice);
  });
}

CUresult cuMemcpyPeerAsync(CUdeviceptr to, CUcontext, CUdeviceptr from, CUcontext,
                           std::size_t bytes, CUstream stream) {
  return in_context(Function::cuMemcpyPeerAsync, [&](Call&) {
    return cudaMemcpyAsync(pointer_to(to), pointer_to(from), bytes, cudaMemcpyDeviceToDevice,
                           stream);
  });
}

// Arrays of one dimension: a place in them is a number of bytes

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"

CUresult cuMemcpyHtoA(CUarray to, std::size_t offset, const void* from, std::size_t bytes) {
  return in_context(Function::cuMemcpyHtoA, [&](Call&) {
    return cudaMemcpyToArray(same(to), offset, 0, from, bytes, cudaMemcpyHostToDevice);
  });
}

CUresult cuMemcpyHtoAAsync(CUarray to, std::size_t offset, const void* from, std::size_t bytes,
                           CUstream stream) {
  return in_context(Function::cuMemcpyHtoAAsync, [&](Call&) {
    CUDA_MEMCPY3D copy{};
    copy.srcMemoryType = CU_MEMORYTYPE_HOST;
    copy.srcHost = from;
    copy.dstMemoryType = CU_MEMORYTYPE_ARRAY;
    copy.dstArray = to;
    copy.dstXInBytes = offset;
    copy.WidthInBytes = bytes;
    copy.Height = copy.Depth = 1;
    return copy_3d(copy, stream);
  });
}

CUresult cuMemcpyAtoH(void* to, CUarray from, std::size_t offset, std::size_t bytes) {
  return in_context(Function::cuMemcpyAtoH, [&](Call&) {
    return cudaMemcpyFromArray(to, static_cast<cudaArray_t>(same(from)), offset, 0, bytes,
                               cudaMemcpyDeviceToHost);
  });
}

CUresult cuMemcpyAtoHAsync(void* to, CUarray from, std::size_t offset, std::size_t bytes,
                           CUstream stream) {
  return in_context(Function::cuMemcpyAtoHAsync, [&](Call&) {
    return cudaMemcpyFromArrayAsync(to, static_cast<cudaArray_t>(same(from)), offset, 0, bytes,
                                    cudaMemcpyDeviceToHost, stream);
  });
}

CUresult cuMemcpyDtoA(CUarray to, std::size_t offset, CUdeviceptr from, std::size_t bytes) {
  return in_context(Function::cuMemcpyDtoA, [&](Call&) {
    return cudaMemcpyToArray(same(to), offset, 0, pointer_to(from), bytes,
                             cudaMemcpyDeviceToDevice);
  });
}

CUresult cuMemcpyAtoD(CUdeviceptr to, CUarray from, std::size_t offset, std::size_t bytes) {
  return in_context(Function::cuMemcpyAtoD, [&](Call&) {
    return cudaMemcpyFromArray(pointer_to(to), static_cast<cudaArray_t>(same(from)), offset, 0,
                               bytes, cudaMemcpyDeviceToDevice);
  });
}

CUresult cuMemcpyAtoA(CUarray to, std::size_t to_offset, CUarray from, std::size_t from_offset,
                      std::size_t bytes) {
  return in_context(Function::cuMemcpyAtoA, [&](Call&) {
    return cudaMemcpyArrayToArray(same(to), to_offset, 0, static_cast<cudaArray_t>(same(from)),
                                  from_offset, 0, bytes, cudaMemcpyDeviceToDevice);
  });
}

#pragma GCC diagnostic pop

// Two and three dimensions

CUresult cuMemcpy2D(const CUDA_MEMCPY2D* copy) {
  return in_context(Function::cuMemcpy2D, [&](Call&) {
    return copy ? copy_3d(in_three_dimensions(*copy)) : cudaErrorInvalidValue;
  });
}

CUresult cuMemcpy2DUnaligned(const CUDA_MEMCPY2D* copy) {
  return in_context(Function::cuMemcpy2DUnaligned, [&](Call&) {
    return copy ? copy_3d(in_three_dimensions(*copy)) : cudaErrorInvalidValue;
  });
}

CUresult cuMemcpy2DAsync(const CUDA_MEMCPY2D* copy, CUstream stream) {
  return in_context(Function::cuMemcpy2DAsync, [&](Call&) {
    return copy ? copy_3d(in_three_dimensions(*copy), stream) : cudaErrorInvalidValue;
  });
}

CUresult cuMemcpy3D(const CUDA_MEMCPY3D* copy) {
  return in_context(Function::cuMemcpy3D,
                    [&](Call&) { return copy ? copy_3d(*copy) : cudaErrorInvalidValue; });
}

CUresult cuMemcpy3DAsync(const CUDA_MEMCPY3D* copy, CUstream stream) {
  return in_context(Function::cuMemcpy3DAsync,
                    [&](Call&) { return copy ? copy_3d(*copy, stream) : cudaErrorInvalidValue; });
}

CUresult cuMemcpy3DPeer(const CUDA_MEMCPY3D_PEER* copy) {
  return in_context(Function::cuMemcpy3DPeer, [&](Call&) {
    return copy ? copy_3d(without_contexts(*copy)) : cudaErrorInvalidValue;
  });
}

CUresult cuMemcpy3DPeerAsync(const CUDA_MEMCPY3D_PEER* copy, CUstream stream) {
  return in_context(Function::cuMemcpy3DPeerAsync, [&](Call&) {
    return copy ? copy_3d(without_contexts(*copy), stream) : cudaErrorInvalidValue;
  });
}
