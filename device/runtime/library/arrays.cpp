#include <algorithm>
#include <cstddef>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

#include "device/runtime/library/work.hpp"

namespace warpbook::device::runtime {
namespace {

/// An array of the program, or a level of a mipmapped one, as cudaArray_t points to it.
struct ArrayHandle {
  std::uint64_t id = 0;
  cudaChannelFormatDesc format{};
  cudaExtent extent{};  ///< as asked for: height 0 and depth 0 where there is no such dimension
  unsigned flags = 0;
  ArrayLevel level;
  bool of_mipmapped = false;  ///< it goes with that one
};

/// As cudaMipmappedArray_t points to it.
struct MipmappedHandle {
  std::uint64_t id = 0;
  cudaChannelFormatDesc format{};
  cudaExtent extent{};
  unsigned flags = 0;
  std::vector<ArrayLevel> levels;
  std::map<unsigned, cudaArray_t> views;  ///< by level, those that the program has asked for
};

/// What a texture object was made of; programs may ask for it again.
struct TextureRecord {
  cudaResourceDesc resource{};
  cudaTextureDesc texture{};
  std::optional<cudaResourceViewDesc> view;
};

struct Objects {
  std::mutex mutex;
  std::map<const void*, std::unique_ptr<ArrayHandle>> arrays;
  std::map<const void*, std::unique_ptr<MipmappedHandle>> mipmapped;
  std::map<cudaTextureObject_t, TextureRecord> textures;
  std::map<cudaSurfaceObject_t, cudaResourceDesc> surfaces;
};
Objects& objects() {
  static auto* const all = new Objects;
  return *all;
}

cudaArray_t handle_of(ArrayHandle* array) { return reinterpret_cast<cudaArray_t>(array); }
cudaMipmappedArray_t handle_of(MipmappedHandle* array) {
  return reinterpret_cast<cudaMipmappedArray_t>(array);
}

/// Null where the program has no such array.
const ArrayHandle* find(cudaArray_const_t array) {
  const std::lock_guard lock(objects().mutex);
  const auto found = objects().arrays.find(array);
  return found == objects().arrays.end() ? nullptr : found->second.get();
}
MipmappedHandle* find(cudaMipmappedArray_const_t array) {
  const std::lock_guard lock(objects().mutex);
  const auto found = objects().mipmapped.find(array);
  return found == objects().mipmapped.end() ? nullptr : found->second.get();
}

// Formats

std::optional<ElementType> element_of(cudaChannelFormatKind kind, int bits) {
  const bool is_signed = kind == cudaChannelFormatKindSigned;
  if (kind == cudaChannelFormatKindFloat) {
    if (bits == 16) return ElementType::f16;
    return bits == 32 ? std::optional(ElementType::f32) : std::nullopt;
  }
  switch (bits) {
    case 8: return is_signed ? ElementType::i8 : ElementType::u8;
    case 16: return is_signed ? ElementType::i16 : ElementType::u16;
    case 32: return is_signed ? ElementType::i32 : ElementType::u32;
    default: return std::nullopt;
  }
}

/// The channels are the first of x, y, z and w, all as wide as each other.
cudaError_t format_of(const cudaChannelFormatDesc& desc, ChannelFormat& format) {
  const bool plain = desc.f == cudaChannelFormatKindSigned ||
                     desc.f == cudaChannelFormatKindUnsigned ||
                     desc.f == cudaChannelFormatKindFloat;
  if (desc.f == cudaChannelFormatKindNone) return cudaErrorInvalidChannelDescriptor;
  // Planes of video, compressed blocks and normalised formats.
  if (!plain) return cudaErrorNotSupported;
  const int bits[] = {desc.x, desc.y, desc.z, desc.w};
  format.channels = 0;
  while (format.channels < 4 && bits[format.channels] != 0) ++format.channels;
  const auto type = element_of(desc.f, desc.x);
  if (!type || format.channels == 3) return cudaErrorInvalidChannelDescriptor;
  for (unsigned c = 0; c < 4; ++c) {
    if (bits[c] != (c < format.channels ? desc.x : 0)) return cudaErrorInvalidChannelDescriptor;
  }
  format.type = *type;
  return cudaSuccess;
}

unsigned texel_bytes(const cudaChannelFormatDesc& desc) {
  constexpr int kBits = 8;
  return static_cast<unsigned>((desc.x + desc.y + desc.z + desc.w) / kBits);
}

// Arrays

constexpr unsigned kForArrays =
    cudaArrayLayered | cudaArraySurfaceLoadStore | cudaArrayCubemap | cudaArrayTextureGather;
/// Arrays without memory of their own, for cuMemMapArrayAsync.
constexpr unsigned kUnbacked = cudaArraySparse | cudaArrayDeferredMapping;

/// Asks for an array; its levels come back in `made`.
cudaError_t create(Call& call, const cudaChannelFormatDesc* desc, const cudaExtent& extent,
                   unsigned levels, unsigned flags, NewArray& made) {
  if (!desc || (flags & ~(kForArrays | kUnbacked)) != 0) return cudaErrorInvalidValue;
  if ((flags & kUnbacked) != 0) return cudaErrorNotSupported;
  const bool two_dimensions = extent.height != 0 && extent.depth == 0;
  if ((flags & cudaArrayTextureGather) != 0 && !two_dimensions) return cudaErrorInvalidValue;
  constexpr std::size_t kMost = 1u << 30;  // far above every limit, and no overflow below
  if (std::max({extent.width, extent.height, extent.depth}) > kMost) return cudaErrorInvalidValue;
  if (const cudaError_t error = check_unsafe()) return error;
  CreateArray request;
  if (const cudaError_t error = format_of(*desc, request.array.format)) return error;
  request.array.width = static_cast<std::uint32_t>(extent.width);
  request.array.height = static_cast<std::uint32_t>(extent.height);
  request.array.depth = static_cast<std::uint32_t>(extent.depth);
  request.array.layered = (flags & cudaArrayLayered) != 0;
  request.array.cubemap = (flags & cudaArrayCubemap) != 0;
  request.array.surface = (flags & cudaArraySurfaceLoadStore) != 0;
  request.array.levels = levels;
  request.call = call.number();
  request.device = static_cast<std::uint32_t>(current_device());
  auto answer = call.session.ask(std::move(request));
  if (!answer) return cudaErrorInitializationError;
  made = std::move(*answer);
  if (made.error == 0) call.values(made.levels.front().address, made.bytes);
  return static_cast<cudaError_t>(made.error);
}

cudaError_t create_array(Call& call, cudaArray_t* array, const cudaChannelFormatDesc* desc,
                         const cudaExtent& extent, unsigned flags) {
  if (!array) return cudaErrorInvalidValue;
  NewArray made;
  if (const cudaError_t error = create(call, desc, extent, 0, flags, made)) return error;
  auto handle = std::make_unique<ArrayHandle>(
      ArrayHandle{made.handle, *desc, extent, flags, made.levels.front()});
  const std::lock_guard lock(objects().mutex);
  *array = handle_of(handle.get());
  objects().arrays[*array] = std::move(handle);
  return cudaSuccess;
}

/// The array of a level, made at the first call for it.
cudaError_t level_of(Call& call, cudaArray_t* array, MipmappedHandle& whole, unsigned level) {
  if (!array || level >= whole.levels.size()) return cudaErrorInvalidValue;
  const std::lock_guard lock(objects().mutex);
  const auto known = whole.views.find(level);
  if (known != whole.views.end()) {
    *array = known->second;
    return cudaSuccess;
  }
  const auto view = call.session.ask(ViewLevel{whole.id, level});
  if (!view) return cudaErrorInitializationError;
  if (view->error != 0) return static_cast<cudaError_t>(view->error);
  const ArrayLevel& l = whole.levels[level];
  const cudaExtent extent{l.width, whole.extent.height != 0 ? l.height : 0,
                          whole.extent.depth != 0 ? l.planes : 0};
  auto handle = std::make_unique<ArrayHandle>(
      ArrayHandle{view->handle, whole.format, extent, whole.flags, l, true});
  *array = whole.views[level] = handle_of(handle.get());
  objects().arrays[*array] = std::move(handle);
  return cudaSuccess;
}

// Copies

/// A part of an array: `x` and `width` in bytes, the others in rows and planes.
struct Box {
  std::uint64_t x = 0, y = 0, z = 0;
  std::uint64_t width = 0, height = 1, depth = 1;
};

/// One side of a copy: its first byte, and how far a row and a plane are from the next.
struct End {
  std::uint64_t address = 0, pitch = 0, slice = 0;
};

bool lies_within(std::uint64_t from, std::uint64_t count, std::uint64_t size) {
  return from <= size && count <= size - from;
}

cudaError_t end_in(cudaArray_const_t array, const Box& box, End& end) {
  const ArrayHandle* handle = find(array);
  if (!handle) return cudaErrorInvalidResourceHandle;
  const ArrayLevel& l = handle->level;
  if (!lies_within(box.x, box.width, l.row_bytes) || !lies_within(box.y, box.height, l.height) ||
      !lies_within(box.z, box.depth, l.planes)) {
    return cudaErrorInvalidValue;
  }
  const unsigned texel = texel_bytes(handle->format);
  if (box.x % texel != 0 || box.width % texel != 0) return cudaErrorInvalidValue;
  end = {l.address + box.z * l.plane_bytes + box.y * l.row_bytes + box.x, l.row_bytes,
         l.plane_bytes};
  return cudaSuccess;
}

cudaError_t end_in(const cudaPitchedPtr& memory, const Box& box, End& end) {
  // A single row needs no pitch, and a single slice no height.
  if ((box.height > 1 || box.depth > 1) && box.x + box.width > memory.pitch)
    return cudaErrorInvalidPitchValue;
  if (box.depth > 1 && box.y + box.height > memory.ysize) return cudaErrorInvalidValue;
  end = {address_of(memory.ptr) + (box.z * memory.ysize + box.y) * memory.pitch + box.x,
         memory.pitch, memory.pitch * memory.ysize};
  return cudaSuccess;
}

void* pointer_to(std::uint64_t address) { return reinterpret_cast<void*>(address); }

/// Arrays are on the device, whatever the kind says of that side.
cudaMemcpyKind kind_between(cudaMemcpyKind kind, bool to_array, bool from_array) {
  if (kind < cudaMemcpyHostToHost || kind >= cudaMemcpyDefault) return kind;
  const bool to_host =
      !to_array && (kind == cudaMemcpyHostToHost || kind == cudaMemcpyDeviceToHost);
  const bool from_host =
      !from_array && (kind == cudaMemcpyHostToHost || kind == cudaMemcpyHostToDevice);
  if (to_host) return from_host ? cudaMemcpyHostToHost : cudaMemcpyDeviceToHost;
  return from_host ? cudaMemcpyHostToDevice : cudaMemcpyDeviceToDevice;
}

Transfer between(const End& to, const End& from, const Box& box, cudaMemcpyKind kind) {
  return {pointer_to(to.address), pointer_to(from.address),
          Shape{box.width, box.height, box.depth, to.pitch, to.slice, from.pitch, from.slice},
          kind};
}

cudaError_t copy(Call& call, const Transfer& t, cudaStream_t stream, bool wait) {
  return copy(call, t.to, t.from, t.shape, t.kind, stream, wait);
}

cudaError_t copy_3d(Call& call, const cudaMemcpy3DParms* parameters, cudaStream_t stream,
                    bool wait) {
  Transfer transfer;
  if (!parameters) return cudaErrorInvalidValue;
  if (const cudaError_t error = transfer_of(*parameters, transfer)) return error;
  return copy(call, transfer, stream, wait);
}

cudaError_t copy_3d_peer(Call& call, const cudaMemcpy3DPeerParms* p, cudaStream_t stream,
                         bool wait) {
  if (!p) return cudaErrorInvalidValue;
  const auto devices = static_cast<int>(call.session.welcome().devices);
  for (const int device : {p->srcDevice, p->dstDevice})
    if (device < 0 || device >= devices) return cudaErrorInvalidDevice;
  const cudaMemcpy3DParms same{p->srcArray, p->srcPos, p->srcPtr, p->dstArray,
                               p->dstPos,   p->dstPtr, p->extent, cudaMemcpyDefault};
  return copy_3d(call, &same, stream, wait);
}

/// The bytes of an array from a place in its first plane on; they run on from row to row.
cudaError_t run_in(cudaArray_const_t array, std::size_t x, std::size_t y, std::size_t count,
                   End& end) {
  const ArrayHandle* handle = find(array);
  if (!handle) return cudaErrorInvalidResourceHandle;
  const ArrayLevel& l = handle->level;
  if (x >= l.row_bytes || y >= l.height ||
      !lies_within(y * l.row_bytes + x, count, l.plane_bytes)) {
    return cudaErrorInvalidValue;
  }
  end = {l.address + y * l.row_bytes + x, count, count};
  return cudaSuccess;
}

cudaError_t copy_to_array(Call& call, cudaArray_t to, std::size_t x, std::size_t y,
                          const void* from, std::size_t count, cudaMemcpyKind kind,
                          cudaStream_t stream, bool wait) {
  End end;
  if (const cudaError_t error = run_in(to, x, y, count, end)) return error;
  return copy(call, pointer_to(end.address), from, line(count), kind_between(kind, true, false),
              stream, wait);
}

cudaError_t copy_from_array(Call& call, void* to, cudaArray_const_t from, std::size_t x,
                            std::size_t y, std::size_t count, cudaMemcpyKind kind,
                            cudaStream_t stream, bool wait) {
  End end;
  if (const cudaError_t error = run_in(from, x, y, count, end)) return error;
  return copy(call, to, pointer_to(end.address), line(count), kind_between(kind, false, true),
              stream, wait);
}

cudaError_t copy_rows_to_array(Call& call, cudaArray_t to, std::size_t x, std::size_t y,
                               const void* from, std::size_t pitch, std::size_t width,
                               std::size_t height, cudaMemcpyKind kind, cudaStream_t stream,
                               bool wait) {
  const Box box{x, y, 0, width, height, 1};
  End end;
  if (width > pitch) return cudaErrorInvalidPitchValue;
  if (const cudaError_t error = end_in(to, box, end)) return error;
  return copy(
      call,
      between(end, {address_of(from), pitch, pitch * height}, box, kind_between(kind, true, false)),
      stream, wait);
}

cudaError_t copy_rows_from_array(Call& call, void* to, std::size_t pitch, cudaArray_const_t from,
                                 std::size_t x, std::size_t y, std::size_t width,
                                 std::size_t height, cudaMemcpyKind kind, cudaStream_t stream,
                                 bool wait) {
  const Box box{x, y, 0, width, height, 1};
  End end;
  if (width > pitch) return cudaErrorInvalidPitchValue;
  if (const cudaError_t error = end_in(from, box, end)) return error;
  return copy(
      call,
      between({address_of(to), pitch, pitch * height}, end, box, kind_between(kind, false, true)),
      stream, wait);
}

// Textures and surfaces

AddressMode mode_of(cudaTextureAddressMode mode) {
  switch (mode) {
    case cudaAddressModeClamp: return AddressMode::clamp;
    case cudaAddressModeMirror: return AddressMode::mirror;
    case cudaAddressModeBorder: return AddressMode::border;
    case cudaAddressModeWrap: break;
  }
  return AddressMode::wrap;
}

/// The memory of a texture.
cudaError_t set_resource(TextureDescription& d, const cudaResourceDesc& resource) {
  switch (resource.resType) {
    case cudaResourceTypeArray: {
      const ArrayHandle* array = find(resource.res.array.array);
      if (!array) return cudaErrorInvalidResourceHandle;
      d.array.handle = array->id;
      return cudaSuccess;
    }
    case cudaResourceTypeMipmappedArray: {
      const MipmappedHandle* array = find(resource.res.mipmap.mipmap);
      if (!array) return cudaErrorInvalidResourceHandle;
      d.array.handle = array->id;
      return cudaSuccess;
    }
    case cudaResourceTypeLinear:
      d.address = address_of(resource.res.linear.devPtr);
      d.bytes = resource.res.linear.sizeInBytes;
      return format_of(resource.res.linear.desc, d.format);
    case cudaResourceTypePitch2D: {
      const auto& pitched = resource.res.pitch2D;
      d.address = address_of(pitched.devPtr);
      d.width = static_cast<std::uint32_t>(pitched.width);
      d.height = static_cast<std::uint32_t>(pitched.height);
      d.pitch_bytes = pitched.pitchInBytes;
      if (d.width != pitched.width || d.height != pitched.height || d.height == 0)
        return cudaErrorInvalidValue;
      return format_of(pitched.desc, d.format);
    }
  }
  return cudaErrorInvalidValue;
}

void set_sampling(TextureDescription& d, const cudaTextureDesc& texture) {
  for (std::size_t i = 0; i < d.address_mode.size(); ++i)
    d.address_mode[i] = mode_of(texture.addressMode[i]);
  d.linear_filter = texture.filterMode == cudaFilterModeLinear;
  d.normalised_read = texture.readMode == cudaReadModeNormalizedFloat;
  d.normalised_coordinates = texture.normalizedCoords != 0;
  d.srgb = texture.sRGB != 0;
  std::copy_n(texture.borderColor, d.border.size(), d.border.begin());
  d.linear_mip_filter = texture.mipmapFilterMode == cudaFilterModeLinear;
  d.mip_bias = texture.mipmapLevelBias;
  d.mip_least = texture.minMipmapLevelClamp;
  d.mip_most = texture.maxMipmapLevelClamp;
}

/// A view of the whole array in its own format changes nothing; another one would.
cudaError_t check_view(const cudaResourceDesc& resource, const cudaResourceViewDesc& view) {
  cudaExtent extent{};
  unsigned last_level = 0, last_layer = 0;
  if (resource.resType == cudaResourceTypeArray) {
    const ArrayHandle* array = find(resource.res.array.array);
    if (!array) return cudaErrorInvalidResourceHandle;
    extent = array->extent;
    if ((array->flags & cudaArrayLayered) != 0) last_layer = array->level.planes - 1;
  } else if (resource.resType == cudaResourceTypeMipmappedArray) {
    const MipmappedHandle* array = find(resource.res.mipmap.mipmap);
    if (!array) return cudaErrorInvalidResourceHandle;
    extent = array->extent;
    last_level = static_cast<unsigned>(array->levels.size() - 1);
    if ((array->flags & cudaArrayLayered) != 0) last_layer = array->levels.front().planes - 1;
  } else {
    return cudaErrorInvalidValue;
  }
  const bool whole = view.width == extent.width && view.height == extent.height &&
                     view.depth == extent.depth && view.firstMipmapLevel == 0 &&
                     view.lastMipmapLevel == last_level && view.firstLayer == 0 &&
                     view.lastLayer == last_layer;
  return whole && view.format == cudaResViewFormatNone ? cudaSuccess : cudaErrorNotSupported;
}

/// Destroys an object of the program. Nothing happens where it is 0.
template <class Map, class Key>
cudaError_t destroy(Call& call, Map& map, Key key, ObjectKind kind, std::uint64_t id) {
  const cudaError_t error = call.ask(DestroyObject{kind, id, call.number()});
  if (error != cudaSuccess) return error;
  const std::lock_guard lock(objects().mutex);
  map.erase(key);
  return cudaSuccess;
}

}  // namespace

cudaError_t transfer_of(const cudaMemcpy3DParms& p, Transfer& transfer) {
  const bool one_source = (p.srcArray != nullptr) != (p.srcPtr.ptr != nullptr);
  const bool one_target = (p.dstArray != nullptr) != (p.dstPtr.ptr != nullptr);
  if (!one_source || !one_target) return cudaErrorInvalidValue;
  if (p.kind < cudaMemcpyHostToHost || p.kind > cudaMemcpyDefault)
    return cudaErrorInvalidMemcpyDirection;
  const ArrayHandle* source = p.srcArray ? find(p.srcArray) : nullptr;
  const ArrayHandle* target = p.dstArray ? find(p.dstArray) : nullptr;
  if ((p.srcArray && !source) || (p.dstArray && !target)) return cudaErrorInvalidResourceHandle;
  const unsigned from_texel = source ? texel_bytes(source->format) : 1;
  const unsigned to_texel = target ? texel_bytes(target->format) : 1;
  if (source && target && from_texel != to_texel) return cudaErrorInvalidValue;
  // Where an array takes part, the extent is in its elements; a position is always in those of its own side.
  Box from{p.srcPos.x * from_texel,
           p.srcPos.y,
           p.srcPos.z,
           p.extent.width * std::max(from_texel, to_texel),
           p.extent.height,
           p.extent.depth};
  Box to = from;
  to.x = p.dstPos.x * to_texel;
  to.y = p.dstPos.y;
  to.z = p.dstPos.z;
  if (from.width == 0 || from.height == 0 || from.depth == 0) {
    transfer = {p.dstPtr.ptr, p.srcPtr.ptr, Shape{0, 0, 0}, p.kind};
    return cudaSuccess;
  }
  End source_end, target_end;
  cudaError_t error =
      source ? end_in(p.srcArray, from, source_end) : end_in(p.srcPtr, from, source_end);
  if (error != cudaSuccess) return error;
  error = target ? end_in(p.dstArray, to, target_end) : end_in(p.dstPtr, to, target_end);
  if (error != cudaSuccess) return error;
  transfer = between(target_end, source_end, from,
                     kind_between(p.kind, target != nullptr, source != nullptr));
  return cudaSuccess;
}

}  // namespace warpbook::device::runtime

using namespace warpbook::device::runtime;

cudaChannelFormatDesc cudaCreateChannelDesc(int x, int y, int z, int w, cudaChannelFormatKind f) {
  return {x, y, z, w, f};
}

cudaError_t cudaGetChannelDesc(cudaChannelFormatDesc* desc, cudaArray_const_t array) {
  return traced(Function::cudaGetChannelDesc, [&](Call&) {
    const ArrayHandle* handle = find(array);
    if (!desc) return cudaErrorInvalidValue;
    if (!handle) return cudaErrorInvalidResourceHandle;
    *desc = handle->format;
    return cudaSuccess;
  });
}

cudaError_t cudaArrayGetInfo(cudaChannelFormatDesc* desc, cudaExtent* extent, unsigned* flags,
                             cudaArray_t array) {
  return traced(Function::cudaArrayGetInfo, [&](Call&) {
    const ArrayHandle* handle = find(array);
    if (!handle) return cudaErrorInvalidResourceHandle;
    if (desc) *desc = handle->format;
    if (extent) *extent = handle->extent;
    if (flags) *flags = handle->flags;
    return cudaSuccess;
  });
}

cudaError_t cudaMallocArray(cudaArray_t* array, const cudaChannelFormatDesc* desc,
                            std::size_t width, std::size_t height, unsigned flags) {
  return traced(Function::cudaMallocArray, [&](Call& call) {
    // Layers and cubes have a depth, which only cudaMalloc3DArray is told.
    if ((flags & (cudaArrayLayered | cudaArrayCubemap)) != 0) return cudaErrorInvalidValue;
    return create_array(call, array, desc, {width, height, 0}, flags);
  });
}

cudaError_t cudaMalloc3DArray(cudaArray_t* array, const cudaChannelFormatDesc* desc,
                              cudaExtent extent, unsigned flags) {
  return traced(Function::cudaMalloc3DArray,
                [&](Call& call) { return create_array(call, array, desc, extent, flags); });
}

cudaError_t cudaFreeArray(cudaArray_t array) {
  return traced(Function::cudaFreeArray, [&](Call& call) {
    if (!array) return cudaSuccess;
    const ArrayHandle* handle = find(array);
    if (!handle) return cudaErrorInvalidResourceHandle;
    if (handle->of_mipmapped) return cudaErrorInvalidValue;
    call.values(handle->level.address);
    return destroy(call, objects().arrays, array, ObjectKind::array, handle->id);
  });
}

cudaError_t cudaMallocMipmappedArray(cudaMipmappedArray_t* array, const cudaChannelFormatDesc* desc,
                                     cudaExtent extent, unsigned levels, unsigned flags) {
  return traced(Function::cudaMallocMipmappedArray, [&](Call& call) {
    if (!array) return cudaErrorInvalidValue;
    // "Clamped to the range [1, 1 + floor(log2(max(width, height, depth)))]", layers not counted.
    const bool volume = (flags & (cudaArrayLayered | cudaArrayCubemap)) == 0;
    std::size_t largest = std::max({extent.width, extent.height, volume ? extent.depth : 0});
    unsigned complete = 1;
    while (largest >>= 1) ++complete;
    NewArray made;
    if (const cudaError_t error =
            create(call, desc, extent, std::clamp(levels, 1u, complete), flags, made)) {
      return error;
    }
    auto handle = std::make_unique<MipmappedHandle>(
        MipmappedHandle{made.handle, *desc, extent, flags, std::move(made.levels), {}});
    const std::lock_guard lock(objects().mutex);
    *array = handle_of(handle.get());
    objects().mipmapped[*array] = std::move(handle);
    return cudaSuccess;
  });
}

cudaError_t cudaGetMipmappedArrayLevel(cudaArray_t* level_array, cudaMipmappedArray_const_t array,
                                       unsigned level) {
  return traced(Function::cudaGetMipmappedArrayLevel, [&](Call& call) {
    MipmappedHandle* whole = find(array);
    return whole ? level_of(call, level_array, *whole, level) : cudaErrorInvalidResourceHandle;
  });
}

cudaError_t cudaFreeMipmappedArray(cudaMipmappedArray_t array) {
  return traced(Function::cudaFreeMipmappedArray, [&](Call& call) {
    if (!array) return cudaSuccess;
    const MipmappedHandle* whole = find(array);
    if (!whole) return cudaErrorInvalidResourceHandle;
    call.values(whole->levels.front().address);
    const std::map<unsigned, cudaArray_t> views = whole->views;
    const cudaError_t error =
        destroy(call, objects().mipmapped, array, ObjectKind::array, whole->id);
    if (error != cudaSuccess) return error;
    const std::lock_guard lock(objects().mutex);
    for (const auto& [level, view] : views) objects().arrays.erase(view);
    return cudaSuccess;
  });
}

// Copies

cudaError_t cudaMemcpy3D(const cudaMemcpy3DParms* parameters) {
  return traced(Function::cudaMemcpy3D,
                [&](Call& call) { return copy_3d(call, parameters, nullptr, true); });
}

cudaError_t cudaMemcpy3DAsync(const cudaMemcpy3DParms* parameters, cudaStream_t stream) {
  return traced(Function::cudaMemcpy3DAsync,
                [&](Call& call) { return copy_3d(call, parameters, stream, false); });
}

cudaError_t cudaMemcpy3DPeer(const cudaMemcpy3DPeerParms* parameters) {
  return traced(Function::cudaMemcpy3DPeer,
                [&](Call& call) { return copy_3d_peer(call, parameters, nullptr, true); });
}

cudaError_t cudaMemcpy3DPeerAsync(const cudaMemcpy3DPeerParms* parameters, cudaStream_t stream) {
  return traced(Function::cudaMemcpy3DPeerAsync,
                [&](Call& call) { return copy_3d_peer(call, parameters, stream, false); });
}

cudaError_t cudaMemcpy2DToArray(cudaArray_t to, std::size_t x, std::size_t y, const void* from,
                                std::size_t pitch, std::size_t width, std::size_t height,
                                cudaMemcpyKind kind) {
  return traced(Function::cudaMemcpy2DToArray, [&](Call& call) {
    return copy_rows_to_array(call, to, x, y, from, pitch, width, height, kind, nullptr, true);
  });
}

cudaError_t cudaMemcpy2DToArrayAsync(cudaArray_t to, std::size_t x, std::size_t y, const void* from,
                                     std::size_t pitch, std::size_t width, std::size_t height,
                                     cudaMemcpyKind kind, cudaStream_t stream) {
  return traced(Function::cudaMemcpy2DToArrayAsync, [&](Call& call) {
    return copy_rows_to_array(call, to, x, y, from, pitch, width, height, kind, stream, false);
  });
}

cudaError_t cudaMemcpy2DFromArray(void* to, std::size_t pitch, cudaArray_const_t from,
                                  std::size_t x, std::size_t y, std::size_t width,
                                  std::size_t height, cudaMemcpyKind kind) {
  return traced(Function::cudaMemcpy2DFromArray, [&](Call& call) {
    return copy_rows_from_array(call, to, pitch, from, x, y, width, height, kind, nullptr, true);
  });
}

cudaError_t cudaMemcpy2DFromArrayAsync(void* to, std::size_t pitch, cudaArray_const_t from,
                                       std::size_t x, std::size_t y, std::size_t width,
                                       std::size_t height, cudaMemcpyKind kind,
                                       cudaStream_t stream) {
  return traced(Function::cudaMemcpy2DFromArrayAsync, [&](Call& call) {
    return copy_rows_from_array(call, to, pitch, from, x, y, width, height, kind, stream, false);
  });
}

cudaError_t cudaMemcpy2DArrayToArray(cudaArray_t to, std::size_t to_x, std::size_t to_y,
                                     cudaArray_const_t from, std::size_t from_x, std::size_t from_y,
                                     std::size_t width, std::size_t height, cudaMemcpyKind kind) {
  return traced(Function::cudaMemcpy2DArrayToArray, [&](Call& call) {
    End target, source;
    const Box box{from_x, from_y, 0, width, height, 1};
    if (const cudaError_t error = end_in(from, box, source)) return error;
    if (const cudaError_t error = end_in(to, {to_x, to_y, 0, width, height, 1}, target))
      return error;
    return copy(call, between(target, source, box, kind_between(kind, true, true)), nullptr, true);
  });
}

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"

cudaError_t cudaMemcpyToArray(cudaArray_t to, std::size_t x, std::size_t y, const void* from,
                              std::size_t count, cudaMemcpyKind kind) {
  return traced(Function::cudaMemcpyToArray, [&](Call& call) {
    return copy_to_array(call, to, x, y, from, count, kind, nullptr, true);
  });
}

cudaError_t cudaMemcpyFromArray(void* to, cudaArray_const_t from, std::size_t x, std::size_t y,
                                std::size_t count, cudaMemcpyKind kind) {
  return traced(Function::cudaMemcpyFromArray, [&](Call& call) {
    return copy_from_array(call, to, from, x, y, count, kind, nullptr, true);
  });
}

cudaError_t cudaMemcpyFromArrayAsync(void* to, cudaArray_const_t from, std::size_t x, std::size_t y,
                                     std::size_t count, cudaMemcpyKind kind, cudaStream_t stream) {
  return traced(Function::cudaMemcpyFromArrayAsync, [&](Call& call) {
    return copy_from_array(call, to, from, x, y, count, kind, stream, false);
  });
}

cudaError_t cudaMemcpyArrayToArray(cudaArray_t to, std::size_t to_x, std::size_t to_y,
                                   cudaArray_const_t from, std::size_t from_x, std::size_t from_y,
                                   std::size_t count, cudaMemcpyKind) {
  return traced(Function::cudaMemcpyArrayToArray, [&](Call& call) {
    End source;
    if (const cudaError_t error = run_in(from, from_x, from_y, count, source)) return error;
    return copy_to_array(call, to, to_x, to_y, pointer_to(source.address), count,
                         cudaMemcpyDeviceToDevice, nullptr, true);
  });
}

#pragma GCC diagnostic pop

#pragma GCC visibility push(default)
extern "C" {
/// Exported, though CUDA's headers have not declared it since it became obsolete.
cudaError_t cudaMemcpyToArrayAsync(cudaArray_t to, std::size_t x, std::size_t y, const void* from,
                                   std::size_t count, cudaMemcpyKind kind, cudaStream_t stream) {
  return traced(Function::cudaMemcpyToArrayAsync, [&](Call& call) {
    return copy_to_array(call, to, x, y, from, count, kind, stream, false);
  });
}
}
#pragma GCC visibility pop

// Textures and surfaces

cudaError_t cudaCreateTextureObject(cudaTextureObject_t* object, const cudaResourceDesc* resource,
                                    const cudaTextureDesc* texture,
                                    const cudaResourceViewDesc* view) {
  return traced(Function::cudaCreateTextureObject, [&](Call& call) {
    if (!object || !resource || !texture) return cudaErrorInvalidValue;
    TextureRecord record{*resource, *texture, {}};
    if (view) {
      if (const cudaError_t error = check_view(*resource, *view)) return error;
      record.view = *view;
    }
    CreateTexture request;
    if (const cudaError_t error = set_resource(request.texture, *resource)) return error;
    set_sampling(request.texture, *texture);
    const auto made = call.session.ask(request);
    if (!made) return cudaErrorInitializationError;
    if (made->error != 0) return static_cast<cudaError_t>(made->error);
    const std::lock_guard lock(objects().mutex);
    objects().textures[made->handle] = record;
    *object = made->handle;
    return cudaSuccess;
  });
}

cudaError_t cudaDestroyTextureObject(cudaTextureObject_t object) {
  return traced(Function::cudaDestroyTextureObject, [&](Call& call) {
    if (object == 0) return cudaSuccess;
    return destroy(call, objects().textures, object, ObjectKind::texture, object);
  });
}

namespace {

/// Gives what `part` takes out of a texture's record.
template <class T, class F>
cudaError_t ask_texture(T* to, cudaTextureObject_t object, const F& part) {
  const std::lock_guard lock(objects().mutex);
  const auto found = objects().textures.find(object);
  if (!to || found == objects().textures.end()) return cudaErrorInvalidValue;
  const std::optional<T> value = part(found->second);
  if (!value) return cudaErrorInvalidValue;
  *to = *value;
  return cudaSuccess;
}

}  // namespace

cudaError_t cudaGetTextureObjectResourceDesc(cudaResourceDesc* resource,
                                             cudaTextureObject_t object) {
  return traced(Function::cudaGetTextureObjectResourceDesc, [&](Call&) {
    return ask_texture(resource, object,
                       [](const TextureRecord& r) { return std::optional(r.resource); });
  });
}

cudaError_t cudaGetTextureObjectTextureDesc(cudaTextureDesc* texture, cudaTextureObject_t object) {
  return traced(Function::cudaGetTextureObjectTextureDesc, [&](Call&) {
    return ask_texture(texture, object,
                       [](const TextureRecord& r) { return std::optional(r.texture); });
  });
}

cudaError_t cudaGetTextureObjectResourceViewDesc(cudaResourceViewDesc* view,
                                                 cudaTextureObject_t object) {
  return traced(Function::cudaGetTextureObjectResourceViewDesc, [&](Call&) {
    return ask_texture(view, object, [](const TextureRecord& r) { return r.view; });
  });
}

cudaError_t cudaCreateSurfaceObject(cudaSurfaceObject_t* object, const cudaResourceDesc* resource) {
  return traced(Function::cudaCreateSurfaceObject, [&](Call& call) {
    if (!object || !resource || resource->resType != cudaResourceTypeArray)
      return cudaErrorInvalidValue;
    const ArrayHandle* array = find(resource->res.array.array);
    if (!array) return cudaErrorInvalidResourceHandle;
    const auto made = call.session.ask(CreateSurface{array->id});
    if (!made) return cudaErrorInitializationError;
    if (made->error != 0) return static_cast<cudaError_t>(made->error);
    const std::lock_guard lock(objects().mutex);
    objects().surfaces[made->handle] = *resource;
    *object = made->handle;
    return cudaSuccess;
  });
}

cudaError_t cudaDestroySurfaceObject(cudaSurfaceObject_t object) {
  return traced(Function::cudaDestroySurfaceObject, [&](Call& call) {
    if (object == 0) return cudaSuccess;
    return destroy(call, objects().surfaces, object, ObjectKind::surface, object);
  });
}

cudaError_t cudaGetSurfaceObjectResourceDesc(cudaResourceDesc* resource,
                                             cudaSurfaceObject_t object) {
  return traced(Function::cudaGetSurfaceObjectResourceDesc, [&](Call&) {
    const std::lock_guard lock(objects().mutex);
    const auto found = objects().surfaces.find(object);
    if (!resource || found == objects().surfaces.end()) return cudaErrorInvalidValue;
    *resource = found->second;
    return cudaSuccess;
  });
}
