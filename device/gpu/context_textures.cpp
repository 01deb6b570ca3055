// Arrays, textures and surfaces in the worker (CUDA Driver API, "Memory Management", "Texture Object Management"). What CUDA
// refuses of them the owner has checked; the driver's own limits are met here.
#include <algorithm>

#include <fmt/format.h>

#include "device/gpu/context.hpp"

namespace warpbook::device::gpu {
namespace {

constexpr std::uint32_t kMostGathered = 32768;  // texels along an extent, for texture gather

int format_of(ElementType type) {
  switch (type) {
    case ElementType::u8: return cuda::kUnsigned8;
    case ElementType::u16: return cuda::kUnsigned16;
    case ElementType::u32: return cuda::kUnsigned32;
    case ElementType::i8: return cuda::kSigned8;
    case ElementType::i16: return cuda::kSigned16;
    case ElementType::i32: return cuda::kSigned32;
    case ElementType::f16: return cuda::kHalf;
    default: return cuda::kFloat;
  }
}

bool is_integer(ElementType type) {
  return format_of(type) != cuda::kHalf && format_of(type) != cuda::kFloat;
}

cuda::ArrayDescriptor descriptor_of(const ArrayDescription& d) {
  cuda::ArrayDescriptor descriptor{d.width,           d.height, d.depth, format_of(d.format.type),
                                   d.format.channels, 0};
  if (d.layered) descriptor.flags |= cuda::kArrayLayered;
  if (d.cubemap) descriptor.flags |= cuda::kArrayCubemap;
  if (d.surface) descriptor.flags |= cuda::kArraySurface;
  // A two-dimensional array is made fit for tex2Dgather, because our interface has no flag for it; that lowers its largest size.
  const bool image = d.height != 0 && d.depth == 0 && d.levels == 0 && !d.surface;
  if (image && std::max(d.width, d.height) <= kMostGathered) descriptor.flags |= cuda::kArrayGather;
  return descriptor;
}

cuda::TextureDescriptor reading_of(const TextureDescription& d, const ChannelFormat& format) {
  cuda::TextureDescriptor reading;
  for (std::size_t i = 0; i < d.address_mode.size(); ++i)
    reading.address_mode[i] = static_cast<int>(d.address_mode[i]);
  reading.filter = d.linear_filter ? cuda::kFilterLinear : cuda::kFilterPoint;
  reading.mip_filter = d.linear_mip_filter ? cuda::kFilterLinear : cuda::kFilterPoint;
  if (is_integer(format.type) && !d.normalised_read) reading.flags |= cuda::kReadAsInteger;
  if (d.normalised_coordinates) reading.flags |= cuda::kNormalisedCoordinates;
  if (d.srgb) reading.flags |= cuda::kSrgb;
  reading.mip_bias = d.mip_bias;
  reading.mip_least = d.mip_least;
  reading.mip_most = d.mip_most;
  std::ranges::copy(d.border, reading.border);
  return reading;
}

cuda::ResourceDescriptor buffer_of(const TextureDescription& d) {
  cuda::ResourceDescriptor memory;
  const int format = format_of(d.format.type);
  if (d.height == 0) {
    memory.kind = cuda::kResourceLinear;
    // Bytes after the last whole texel belong to no texel.
    const std::uint64_t texels = d.bytes / d.format.bytes();
    memory.linear = {d.address, format, d.format.channels, texels * d.format.bytes()};
  } else {
    memory.kind = cuda::kResourcePitched;
    memory.pitched = {d.address, format, d.format.channels, d.width, d.height, d.pitch_bytes};
  }
  return memory;
}

}  // namespace

Result<void> Context::made(cuda::Status status, std::string_view call, const std::string& name,
                           std::uint64_t bytes) const {
  if (status == cuda::kOutOfMemory) return tl::unexpected(no_memory(bytes, name));
  if (status == cuda::kInvalidValue || status == cuda::kNotSupported) {
    return tl::unexpected(Failure{
        error_of(ErrorCode::invalid_value, {{"why", Message{"phrase.why.driver-limits",
                                                            {{"call", std::string(call)},
                                                             {"name", name},
                                                             {"status", driver_.name_of(status)}},
                                                            {}}}}),
        Harm::none});
  }
  return check(status, call);
}

Result<const Context::OwnArray*> Context::array(std::uint64_t number) const {
  const auto found = arrays_.find(number);
  if (found != arrays_.end()) return &found->second;
  return tl::unexpected(Failure{
      error_of(ErrorCode::worker_protocol,
               {{"detail", Message{"phrase.protocol.no-array", {{"id", std::to_string(number)}}}}}),
      Harm::none});
}

Result<void> Context::create_array(const ArrayRequest& request) {
  const ArrayDescription& d = request.description;
  const cuda::ArrayDescriptor descriptor = descriptor_of(d);
  OwnArray array{nullptr, d};
  const bool mipmapped = array.mipmapped();
  const cuda::Status status =
      mipmapped ? driver_.api().MipmappedArrayCreate(&array.handle, &descriptor, d.levels)
                : driver_.api().Array3DCreate(&array.handle, &descriptor);
  const char* const call = mipmapped ? "cuMipmappedArrayCreate" : "cuArray3DCreate";
  if (auto ok = made(status, call, d.name, request.bytes); !ok) return ok;
  arrays_[request.array] = std::move(array);
  return {};
}

Result<void> Context::destroy_array(std::uint64_t number) {
  const auto found = arrays_.find(number);
  if (found == arrays_.end()) return {};
  const OwnArray array = found->second;
  arrays_.erase(found);
  if (array.mipmapped())
    return check(driver_.api().MipmappedArrayDestroy(array.handle), "cuMipmappedArrayDestroy");
  return check(driver_.api().ArrayDestroy(array.handle), "cuArrayDestroy");
}

Result<void*> Context::level_of(const OwnArray& array, std::uint32_t level) const {
  if (!array.mipmapped()) return array.handle;
  void* of_level = nullptr;
  const cuda::Status status = driver_.api().MipmappedArrayGetLevel(&of_level, array.handle, level);
  if (auto ok = check(status, "cuMipmappedArrayGetLevel"); !ok) return tl::unexpected(ok.error());
  return of_level;
}

Result<void> Context::copy_array(const ArrayCopy& copy, bool in) {
  const auto own = array(copy.array);
  if (!own) return tl::unexpected(own.error());
  const auto level = level_of(**own, copy.box.level);
  if (!level) return tl::unexpected(level.error());
  const std::uint64_t texel = (*own)->description.format.bytes();
  cuda::Copy3D order;
  order.width_bytes = copy.box.width * texel;
  order.height = copy.box.height;
  order.depth = copy.box.depth;
  const auto host = shared(copy.memory, 0, order.width_bytes * order.height * order.depth);
  if (!host) return tl::unexpected(host.error());
  cuda::Copy3D::End& rows = in ? order.from : order.to;
  rows.host = *host;
  rows.pitch = order.width_bytes;
  rows.height = order.height;
  cuda::Copy3D::End& texels = in ? order.to : order.from;
  texels.kind = cuda::kMemoryArray;
  texels.array = *level;
  texels.x_bytes = copy.box.x * texel;
  texels.y = copy.box.y;
  texels.z = copy.box.z;
  return settle(driver_.api().Memcpy3DAsync(&order, stream_), "cuMemcpy3DAsync");
}

Result<void> Context::copy_in_array(const ArrayCopy& copy) { return copy_array(copy, true); }
Result<void> Context::copy_out_array(const ArrayCopy& copy) { return copy_array(copy, false); }

Result<Numbers> Context::create_texture(const TextureRequest& request) {
  const TextureDescription& description = request.description;
  cuda::ResourceDescriptor memory;
  ChannelFormat format = description.format;
  if (description.array.handle == 0) {
    memory = buffer_of(description);
  } else {
    const auto own = array(description.array.handle);
    if (!own) return tl::unexpected(own.error());
    memory.kind = (*own)->mipmapped() ? cuda::kResourceMipmapped : cuda::kResourceArray;
    memory.array = (*own)->handle;
    format = (*own)->description.format;
  }
  const cuda::TextureDescriptor reading = reading_of(description, format);
  std::uint64_t handle = 0;
  const cuda::Status status = driver_.api().TexObjectCreate(&handle, &memory, &reading, nullptr);
  if (auto ok = made(status, "cuTexObjectCreate", request.name, 0); !ok)
    return tl::unexpected(ok.error());
  return Numbers{handle};
}

Result<void> Context::destroy_texture(std::uint64_t handle) {
  return check(driver_.api().TexObjectDestroy(handle), "cuTexObjectDestroy");
}

Result<Numbers> Context::create_surface(std::uint64_t number, std::uint32_t level) {
  const auto own = array(number);
  if (!own) return tl::unexpected(own.error());
  const auto of_level = level_of(**own, level);
  if (!of_level) return tl::unexpected(of_level.error());
  cuda::ResourceDescriptor memory;
  memory.array = *of_level;
  std::uint64_t handle = 0;
  const cuda::Status status = driver_.api().SurfObjectCreate(&handle, &memory);
  if (auto ok = made(status, "cuSurfObjectCreate", (*own)->description.name, 0); !ok)
    return tl::unexpected(ok.error());
  return Numbers{handle};
}

Result<void> Context::destroy_surface(std::uint64_t handle) {
  return check(driver_.api().SurfObjectDestroy(handle), "cuSurfObjectDestroy");
}

}  // namespace warpbook::device::gpu
