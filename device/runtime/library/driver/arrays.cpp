// Arrays, textures and surfaces of the driver API. It writes a format as a type and a number of channels where the runtime has the
// bits of each channel.
#include <algorithm>
#include <cstddef>
#include <iterator>
#include <optional>

#include "device/runtime/library/driver/driver_api.hpp"

using namespace warpbook::device::runtime;

namespace {

struct Channel {
  CUarray_format format;
  int bits;
  cudaChannelFormatKind kind;
};
constexpr Channel kChannels[] = {
    {CU_AD_FORMAT_UNSIGNED_INT8, 8, cudaChannelFormatKindUnsigned},
    {CU_AD_FORMAT_UNSIGNED_INT16, 16, cudaChannelFormatKindUnsigned},
    {CU_AD_FORMAT_UNSIGNED_INT32, 32, cudaChannelFormatKindUnsigned},
    {CU_AD_FORMAT_SIGNED_INT8, 8, cudaChannelFormatKindSigned},
    {CU_AD_FORMAT_SIGNED_INT16, 16, cudaChannelFormatKindSigned},
    {CU_AD_FORMAT_SIGNED_INT32, 32, cudaChannelFormatKindSigned},
    {CU_AD_FORMAT_HALF, 16, cudaChannelFormatKindFloat},
    {CU_AD_FORMAT_FLOAT, 32, cudaChannelFormatKindFloat},
};

/// Error: cudaErrorInvalidValue for a number of channels that there is not, cudaErrorNotSupported for planes of video and
/// normalised formats.
cudaError_t to_runtime(CUarray_format format, unsigned channels, cudaChannelFormatDesc& to) {
  const auto* const known = std::ranges::find(kChannels, format, &Channel::format);
  if (channels != 1 && channels != 2 && channels != 4) return cudaErrorInvalidValue;
  if (known == std::end(kChannels)) return cudaErrorNotSupported;
  const auto bits = [&](unsigned channel) { return channel < channels ? known->bits : 0; };
  to = {bits(0), bits(1), bits(2), bits(3), known->kind};
  return cudaSuccess;
}

void to_driver(const cudaChannelFormatDesc& from, CUarray_format& format, unsigned& channels) {
  const auto* const known = std::ranges::find_if(
      kChannels, [&](const Channel& c) { return c.bits == from.x && c.kind == from.f; });
  if (known != std::end(kChannels)) format = known->format;
  channels = 1u + (from.y != 0 ? 1u : 0u) + (from.z != 0 ? 1u : 0u) + (from.w != 0 ? 1u : 0u);
}

// The flags of arrays have the same values in both APIs, but for those of layers and cubes, which this holds against each other.
static_assert(CUDA_ARRAY3D_LAYERED == cudaArrayLayered &&
              CUDA_ARRAY3D_SURFACE_LDST == cudaArraySurfaceLoadStore &&
              CUDA_ARRAY3D_CUBEMAP == cudaArrayCubemap &&
              CUDA_ARRAY3D_TEXTURE_GATHER == cudaArrayTextureGather);

cudaError_t make_array(CUarray* array, const CUDA_ARRAY3D_DESCRIPTOR& wanted) {
  cudaChannelFormatDesc format{};
  if (!array || wanted.Width == 0) return cudaErrorInvalidValue;
  if (const cudaError_t error = to_runtime(wanted.Format, wanted.NumChannels, format)) return error;
  return cudaMalloc3DArray(static_cast<cudaArray_t*>(same(array)), &format,
                           {wanted.Width, wanted.Height, wanted.Depth}, wanted.Flags);
}

cudaError_t describe(CUarray array, CUDA_ARRAY3D_DESCRIPTOR& description) {
  cudaChannelFormatDesc format{};
  cudaExtent extent{};
  const cudaError_t error = cudaArrayGetInfo(&format, &extent, &description.Flags, same(array));
  if (error != cudaSuccess) return error;
  description.Width = extent.width;
  description.Height = extent.height;
  description.Depth = extent.depth;
  to_driver(format, description.Format, description.NumChannels);
  return cudaSuccess;
}

}  // namespace

// Arrays

CUresult cuArrayCreate(CUarray* array, const CUDA_ARRAY_DESCRIPTOR* wanted) {
  return in_context(Function::cuArrayCreate, [&](Call&) {
    if (!wanted) return cudaErrorInvalidValue;
    return make_array(array,
                      {wanted->Width, wanted->Height, 0, wanted->Format, wanted->NumChannels, 0});
  });
}

CUresult cuArray3DCreate(CUarray* array, const CUDA_ARRAY3D_DESCRIPTOR* wanted) {
  return in_context(Function::cuArray3DCreate, [&](Call&) {
    return wanted ? make_array(array, *wanted) : cudaErrorInvalidValue;
  });
}

CUresult cuArrayGetDescriptor(CUDA_ARRAY_DESCRIPTOR* description, CUarray array) {
  return in_context(Function::cuArrayGetDescriptor, [&](Call&) {
    CUDA_ARRAY3D_DESCRIPTOR whole{};
    if (!description) return cudaErrorInvalidValue;
    if (const cudaError_t error = describe(array, whole)) return error;
    *description = {whole.Width, whole.Height, whole.Format, whole.NumChannels};
    return cudaSuccess;
  });
}

CUresult cuArray3DGetDescriptor(CUDA_ARRAY3D_DESCRIPTOR* description, CUarray array) {
  return in_context(Function::cuArray3DGetDescriptor, [&](Call&) {
    return description ? describe(array, *description) : cudaErrorInvalidValue;
  });
}

CUresult cuArrayDestroy(CUarray array) {
  return in_context(Function::cuArrayDestroy, [&](Call&) {
    return array ? cudaFreeArray(same(array)) : cudaErrorInvalidResourceHandle;
  });
}

CUresult cuMipmappedArrayCreate(CUmipmappedArray* array, const CUDA_ARRAY3D_DESCRIPTOR* wanted,
                                unsigned levels) {
  return in_context(Function::cuMipmappedArrayCreate, [&](Call&) {
    cudaChannelFormatDesc format{};
    if (!array || !wanted) return cudaErrorInvalidValue;
    if (const cudaError_t error = to_runtime(wanted->Format, wanted->NumChannels, format))
      return error;
    return cudaMallocMipmappedArray(static_cast<cudaMipmappedArray_t*>(same(array)), &format,
                                    {wanted->Width, wanted->Height, wanted->Depth}, levels,
                                    wanted->Flags);
  });
}

CUresult cuMipmappedArrayGetLevel(CUarray* level_array, CUmipmappedArray array, unsigned level) {
  return in_context(Function::cuMipmappedArrayGetLevel, [&](Call&) {
    return cudaGetMipmappedArrayLevel(same(level_array),
                                      static_cast<cudaMipmappedArray_t>(same(array)), level);
  });
}

CUresult cuMipmappedArrayDestroy(CUmipmappedArray array) {
  return in_context(Function::cuMipmappedArrayDestroy, [&](Call&) {
    return array ? cudaFreeMipmappedArray(same(array)) : cudaErrorInvalidResourceHandle;
  });
}

// Textures and surfaces

namespace {

cudaError_t to_runtime(const CUDA_RESOURCE_DESC& from, cudaResourceDesc& to) {
  to.resType = same(from.resType);
  switch (from.resType) {
    case CU_RESOURCE_TYPE_ARRAY:
      to.res.array.array = same(from.res.array.hArray);
      return cudaSuccess;
    case CU_RESOURCE_TYPE_MIPMAPPED_ARRAY:
      to.res.mipmap.mipmap = same(from.res.mipmap.hMipmappedArray);
      return cudaSuccess;
    case CU_RESOURCE_TYPE_LINEAR: {
      const auto& linear = from.res.linear;
      to.res.linear.devPtr = same(linear.devPtr);
      to.res.linear.sizeInBytes = linear.sizeInBytes;
      return to_runtime(linear.format, linear.numChannels, to.res.linear.desc);
    }
    case CU_RESOURCE_TYPE_PITCH2D: {
      const auto& pitched = from.res.pitch2D;
      to.res.pitch2D.devPtr = same(pitched.devPtr);
      to.res.pitch2D.width = pitched.width;
      to.res.pitch2D.height = pitched.height;
      to.res.pitch2D.pitchInBytes = pitched.pitchInBytes;
      return to_runtime(pitched.format, pitched.numChannels, to.res.pitch2D.desc);
    }
    default: return cudaErrorInvalidValue;
  }
}

/// Integers are read as normalised floats unless a flag says otherwise.
bool is_integer_texture(const cudaResourceDesc& resource) {
  cudaChannelFormatDesc format{};
  switch (resource.resType) {
    case cudaResourceTypeArray: (void)cudaGetChannelDesc(&format, resource.res.array.array); break;
    case cudaResourceTypeLinear: format = resource.res.linear.desc; break;
    case cudaResourceTypePitch2D: format = resource.res.pitch2D.desc; break;
    case cudaResourceTypeMipmappedArray: {
      cudaArray_t level = nullptr;
      if (cudaGetMipmappedArrayLevel(&level, resource.res.mipmap.mipmap, 0) == cudaSuccess)
        (void)cudaGetChannelDesc(&format, level);
      break;
    }
  }
  // Of 32 bits no float can be made that is normalised, so that they are always read as they are.
  constexpr int kWidest = 16;
  return format.f != cudaChannelFormatKindFloat && format.x <= kWidest;
}

cudaTextureDesc to_runtime(const CUDA_TEXTURE_DESC& from, const cudaResourceDesc& resource) {
  cudaTextureDesc to{};
  for (std::size_t i = 0; i < std::size(from.addressMode); ++i)
    to.addressMode[i] = same(from.addressMode[i]);
  to.filterMode = same(from.filterMode);
  const bool as_integer = (from.flags & CU_TRSF_READ_AS_INTEGER) != 0;
  to.readMode = !as_integer && is_integer_texture(resource) ? cudaReadModeNormalizedFloat
                                                            : cudaReadModeElementType;
  to.normalizedCoords = (from.flags & CU_TRSF_NORMALIZED_COORDINATES) != 0 ? 1 : 0;
  to.sRGB = (from.flags & CU_TRSF_SRGB) != 0 ? 1 : 0;
  to.maxAnisotropy = from.maxAnisotropy;
  to.mipmapFilterMode = same(from.mipmapFilterMode);
  to.mipmapLevelBias = from.mipmapLevelBias;
  to.minMipmapLevelClamp = from.minMipmapLevelClamp;
  to.maxMipmapLevelClamp = from.maxMipmapLevelClamp;
  std::copy(std::begin(from.borderColor), std::end(from.borderColor), to.borderColor);
  return to;
}

cudaResourceViewDesc to_runtime(const CUDA_RESOURCE_VIEW_DESC& from) {
  cudaResourceViewDesc to{};
  to.format = same(from.format);
  to.width = from.width;
  to.height = from.height;
  to.depth = from.depth;
  to.firstMipmapLevel = from.firstMipmapLevel;
  to.lastMipmapLevel = from.lastMipmapLevel;
  to.firstLayer = from.firstLayer;
  to.lastLayer = from.lastLayer;
  return to;
}

}  // namespace

CUresult cuTexObjectCreate(CUtexObject* object, const CUDA_RESOURCE_DESC* resource,
                           const CUDA_TEXTURE_DESC* texture, const CUDA_RESOURCE_VIEW_DESC* view) {
  return in_context(Function::cuTexObjectCreate, [&](Call&) {
    cudaResourceDesc memory{};
    if (!object || !resource || !texture) return cudaErrorInvalidValue;
    if (const cudaError_t error = to_runtime(*resource, memory)) return error;
    const cudaTextureDesc sampling = to_runtime(*texture, memory);
    if (!view) return cudaCreateTextureObject(object, &memory, &sampling, nullptr);
    const cudaResourceViewDesc seen = to_runtime(*view);
    return cudaCreateTextureObject(object, &memory, &sampling, &seen);
  });
}

CUresult cuTexObjectDestroy(CUtexObject object) {
  return in_context(Function::cuTexObjectDestroy,
                    [&](Call&) { return cudaDestroyTextureObject(object); });
}

CUresult cuSurfObjectCreate(CUsurfObject* object, const CUDA_RESOURCE_DESC* resource) {
  return in_context(Function::cuSurfObjectCreate, [&](Call&) {
    cudaResourceDesc memory{};
    if (!object || !resource) return cudaErrorInvalidValue;
    if (const cudaError_t error = to_runtime(*resource, memory)) return error;
    return cudaCreateSurfaceObject(object, &memory);
  });
}

CUresult cuSurfObjectDestroy(CUsurfObject object) {
  return in_context(Function::cuSurfObjectDestroy,
                    [&](Call&) { return cudaDestroySurfaceObject(object); });
}
