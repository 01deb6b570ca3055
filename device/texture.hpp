// CUDA arrays, and the objects that kernels read and write them through (CUDA C++ Programming Guide, "Texture and Surface
// Memory"). Names and meanings are CUDA's: an ArrayDescription is what cudaMalloc3DArray and cudaMallocMipmappedArray
// take, a TextureDescription is cudaResourceDesc with cudaTextureDesc. A kernel takes an object as its 64-bit handle.
#pragma once

#include <array>
#include <cstdint>
#include <string>

#include "device/types.hpp"

namespace warpbook::device {

struct Array {
  std::uint64_t handle = 0;
};
struct Texture {
  std::uint64_t handle = 0;
};
struct Surface {
  std::uint64_t handle = 0;
};
template <class V>
void fields(V&& visit, Is<Array> auto& v) {
  visit("handle", v.handle);
}

/// The format of a texel (cudaChannelFormatDesc): 1, 2 or 4 channels of 8, 16 or 32 bits; integers, f16 or f32.
struct ChannelFormat {
  ElementType type = ElementType::f32;
  std::uint32_t channels = 1;
  [[nodiscard]] std::uint32_t bytes() const {
    return static_cast<std::uint32_t>(size_of(type)) * channels;
  }
  friend bool operator==(const ChannelFormat&, const ChannelFormat&) = default;
};
template <class V>
void fields(V&& visit, Is<ChannelFormat> auto& v) {
  visit("type", v.type);
  visit("channels", v.channels);
}

/// Extents in texels as cudaExtent has them: height 0 is one-dimensional, depth 0 at most two-dimensional. Of a layered
/// array `depth` counts the layers; of a cubemap it is 6, of a layered cubemap 6 for each cube.
struct ArrayDescription {
  std::string name;
  ChannelFormat format;
  std::uint32_t width = 0, height = 0, depth = 0;
  bool layered = false;      ///< cudaArrayLayered
  bool cubemap = false;      ///< cudaArrayCubemap
  bool surface = false;      ///< cudaArraySurfaceLoadStore: surface objects may be made of it
  std::uint32_t levels = 0;  ///< of a mipmapped array; 0: not mipmapped
};
template <class V>
void fields(V&& visit, Is<ArrayDescription> auto& v) {
  visit("name", v.name);
  visit("format", v.format);
  visit("width", v.width);
  visit("height", v.height);
  visit("depth", v.depth);
  visit("layered", v.layered);
  visit("cubemap", v.cubemap);
  visit("surface", v.surface);
  visit("levels", v.levels);
}

/// A box of an array, and the pitch of the host's rows. A width, height or depth of 0 reaches to the end.
struct ArrayRegion {
  std::uint32_t level = 0;
  std::uint32_t x = 0, y = 0, z = 0;
  std::uint32_t width = 0, height = 0, depth = 0;
  std::uint64_t pitch_bytes = 0;  ///< from one row in host memory to the next; 0: no gaps
};
template <class V>
void fields(V&& visit, Is<ArrayRegion> auto& v) {
  visit("level", v.level);
  visit("x", v.x);
  visit("y", v.y);
  visit("z", v.z);
  visit("width", v.width);
  visit("height", v.height);
  visit("depth", v.depth);
  visit("pitch_bytes", v.pitch_bytes);
}

enum class AddressMode : std::uint8_t { wrap, clamp, mirror, border };
constexpr auto enum_names(AddressMode) {
  return checked_names<AddressMode>("wrap", "clamp", "mirror", "border");
}

/// A texture object. The memory is an array, a linear buffer (`bytes` at `address`), or a pitched buffer of two
/// dimensions (`height` rows of `width` texels).
struct TextureDescription {
  Array array;
  Pointer address = 0;
  ChannelFormat format;  ///< of a buffer
  std::uint64_t bytes = 0;
  std::uint32_t width = 0, height = 0;
  std::uint64_t pitch_bytes = 0;

  std::array<AddressMode, 3> address_mode{AddressMode::wrap, AddressMode::wrap, AddressMode::wrap};
  bool linear_filter = false;    ///< cudaFilterModeLinear
  bool normalised_read = false;  ///< cudaReadModeNormalizedFloat
  bool normalised_coordinates = false;
  bool srgb = false;              ///< 8-bit colours become linear when they are read
  std::array<float, 4> border{};  ///< of integer textures: the integers' bits
  bool linear_mip_filter = false;
  float mip_bias = 0, mip_least = 0, mip_most = 0;  ///< levels; mip_most 0 keeps to level 0
};
template <class V>
void fields(V&& visit, Is<TextureDescription> auto& v) {
  visit("array", v.array);
  visit("address", v.address);
  visit("format", v.format);
  visit("bytes", v.bytes);
  visit("width", v.width);
  visit("height", v.height);
  visit("pitch_bytes", v.pitch_bytes);
  visit("address_mode", v.address_mode);
  visit("linear_filter", v.linear_filter);
  visit("normalised_read", v.normalised_read);
  visit("normalised_coordinates", v.normalised_coordinates);
  visit("srgb", v.srgb);
  visit("border", v.border);
  visit("linear_mip_filter", v.linear_mip_filter);
  visit("mip_bias", v.mip_bias);
  visit("mip_least", v.mip_least);
  visit("mip_most", v.mip_most);
}

}  // namespace warpbook::device
