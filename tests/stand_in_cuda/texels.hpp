// Arrays and texture objects of the stand-in driver: texels in host memory, and what the driver was told of how to read them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <deque>
#include <string>
#include <vector>

#include "device/gpu/cuda.hpp"

namespace stand_in {

namespace cuda = warpbook::device::gpu::cuda;

/// One level of an array, or all of a plain one; with its smaller levels behind it.
struct Texels {
  cuda::ArrayDescriptor descriptor;
  std::vector<std::byte> bytes;  ///< rows, then planes
  std::deque<Texels> levels;     ///< of a mipmapped array: all of them

  [[nodiscard]] std::size_t texel_bytes() const {
    switch (descriptor.format) {
      case cuda::kUnsigned8:
      case cuda::kSigned8: return descriptor.channels;
      case cuda::kUnsigned16:
      case cuda::kSigned16:
      case cuda::kHalf: return std::size_t{2} * descriptor.channels;
      default: return std::size_t{4} * descriptor.channels;
    }
  }
  [[nodiscard]] std::size_t height() const {
    return descriptor.height == 0 ? 1 : descriptor.height;
  }
  [[nodiscard]] std::size_t depth() const { return descriptor.depth == 0 ? 1 : descriptor.depth; }
  [[nodiscard]] std::size_t all_bytes() const {
    std::size_t sum = bytes.size();
    for (const Texels& level : levels) sum += level.bytes.size();
    return sum;
  }
};

inline Texels texels_of(const cuda::ArrayDescriptor& descriptor) {
  Texels made;
  made.descriptor = descriptor;
  made.bytes.resize(descriptor.width * made.height() * made.depth() * made.texel_bytes());
  return made;
}

inline Texels mipmapped_texels(cuda::ArrayDescriptor descriptor, unsigned levels) {
  Texels made;
  made.descriptor = descriptor;
  const auto half = [](std::size_t& extent) { extent = extent > 1 ? extent / 2 : extent; };
  for (unsigned level = 0; level < levels; ++level) {
    made.levels.push_back(texels_of(descriptor));
    half(descriptor.width);
    half(descriptor.height);
    if ((descriptor.flags & (cuda::kArrayLayered | cuda::kArrayCubemap)) == 0)
      half(descriptor.depth);
  }
  return made;
}

/// Whether both ends hold the box; then it is copied.
inline bool copy_box(const cuda::Copy3D& order) {
  struct Place {
    std::byte* first;
    std::size_t row, plane;
    bool holds;
  };
  const auto place_of = [&](const cuda::Copy3D::End& end) -> Place {
    if (end.kind == cuda::kMemoryHost) {
      const std::size_t plane = end.pitch * end.height;
      return {static_cast<std::byte*>(end.host) + end.z * plane + end.y * end.pitch + end.x_bytes,
              end.pitch, plane,
              order.width_bytes + end.x_bytes <= end.pitch && order.height + end.y <= end.height};
    }
    auto& texels = *static_cast<Texels*>(end.array);
    const std::size_t row = texels.descriptor.width * texels.texel_bytes();
    const std::size_t plane = row * texels.height();
    return {texels.bytes.data() + end.z * plane + end.y * row + end.x_bytes, row, plane,
            order.width_bytes + end.x_bytes <= row && order.height + end.y <= texels.height() &&
                order.depth + end.z <= texels.depth()};
  };
  const Place from = place_of(order.from), to = place_of(order.to);
  if (!from.holds || !to.holds) return false;
  for (std::size_t z = 0; z < order.depth; ++z) {
    for (std::size_t y = 0; y < order.height; ++y) {
      std::memcpy(to.first + z * to.plane + y * to.row, from.first + z * from.plane + y * from.row,
                  order.width_bytes);
    }
  }
  return true;
}

struct TextureObject {
  cuda::ResourceDescriptor memory;
  cuda::TextureDescriptor reading;
  /// The texels of its first level, as they lie.
  [[nodiscard]] std::byte* texels() const {
    if (memory.kind == cuda::kResourceLinear)
      return reinterpret_cast<std::byte*>(memory.linear.address);
    if (memory.kind == cuda::kResourcePitched)
      return reinterpret_cast<std::byte*>(memory.pitched.address);
    auto& texels = *static_cast<Texels*>(memory.array);
    return texels.levels.empty() ? texels.bytes.data() : texels.levels.front().bytes.data();
  }
};

/// What the driver was told, one line: what it is made of, then how it is read.
inline std::string description_of(const TextureObject& t) {
  std::string text;
  const auto say = [&](const char* name, auto value) {
    text += (text.empty() ? "" : " ") + std::string(name) + "=" + std::to_string(value);
  };
  say("kind", t.memory.kind);
  if (t.memory.kind == cuda::kResourceLinear) {
    say("format", t.memory.linear.format);
    say("channels", t.memory.linear.channels);
    say("bytes", t.memory.linear.bytes);
  } else if (t.memory.kind == cuda::kResourcePitched) {
    say("format", t.memory.pitched.format);
    say("channels", t.memory.pitched.channels);
    say("width", t.memory.pitched.width);
    say("height", t.memory.pitched.height);
    say("pitch", t.memory.pitched.pitch_bytes);
  } else {
    const Texels& texels = *static_cast<Texels*>(t.memory.array);
    say("format", texels.descriptor.format);
    say("channels", texels.descriptor.channels);
    say("width", texels.descriptor.width);
    say("height", texels.descriptor.height);
    say("depth", texels.descriptor.depth);
    say("array", texels.descriptor.flags);
    say("levels", texels.levels.size());
  }
  for (const int mode : t.reading.address_mode) say("address", mode);
  say("filter", t.reading.filter);
  say("flags", t.reading.flags);
  say("mip", t.reading.mip_filter);
  for (const float level : {t.reading.mip_bias, t.reading.mip_least, t.reading.mip_most})
    say("level", level);
  for (const float channel : t.reading.border) say("border", channel);
  return text;
}

}  // namespace stand_in
