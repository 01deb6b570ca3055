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

/// What one texel holds (cudaChannelFormatDesc): 1, 2 or 4 channels of 8, 16 or 32 bits; integers, f16 or f32.
struct ChannelFormat {
  ElementType type = ElementType::f32;
  std::uint32_t channels = 1;
  [[nodiscard]] std::uint32_t bytes() const {
    return static_cast<std::uint32_t>(size_of(type)) * channels;
  }
  friend bool operator==(const ChannelFormat&, const ChannelFormat&) = default;
};

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

/// A box of an array, and how the host's rows lie. A width, height or depth of 0 reaches to the end.
struct ArrayRegion {
  std::uint32_t level = 0;
  std::uint32_t x = 0, y = 0, z = 0;
  std::uint32_t width = 0, height = 0, depth = 0;
  std::uint64_t pitch_bytes = 0;  ///< from one row in host memory to the next; 0: no gaps
};

enum class AddressMode : std::uint8_t { wrap, clamp, mirror, border };

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

}  // namespace warpbook::device
