// Arrays and texture objects of the stand-in driver: texels in host memory, and what the driver was told of how to read them.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <deque>
#include <iterator>
#include <string>
#include <vector>

#include "device/driver/cuda.hpp"

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

inline std::size_t texel_bytes(int format, unsigned channels) {
  Texels one;
  one.descriptor.format = format;
  one.descriptor.channels = channels;
  return one.texel_bytes();
}

inline bool is_texel(int format, unsigned channels) {
  constexpr int kFormats[] = {cuda::kUnsigned8, cuda::kUnsigned16, cuda::kUnsigned32,
                              cuda::kSigned8,   cuda::kSigned16,   cuda::kSigned32,
                              cuda::kHalf,      cuda::kFloat};
  return std::ranges::find(kFormats, format) != std::end(kFormats) &&
         (channels == 1 || channels == 2 || channels == 4);
}

/// Whether cuArray3DCreate makes such a thing, as its reference tells.
inline bool is_array(const cuda::ArrayDescriptor& d) {
  const bool layered = (d.flags & cuda::kArrayLayered) != 0;
  constexpr unsigned kFlags =
      cuda::kArrayLayered | cuda::kArraySurface | cuda::kArrayCubemap | cuda::kArrayGather;
  if (d.width == 0 || !is_texel(d.format, d.channels) || (d.flags & ~kFlags) != 0) return false;
  if ((d.flags & cuda::kArrayCubemap) != 0)
    return d.width == d.height && (layered ? d.depth > 0 && d.depth % 6 == 0 : d.depth == 6);
  if (layered) return d.depth > 0;
  if ((d.flags & cuda::kArrayGather) != 0) return d.height > 0 && d.depth == 0;
  return d.depth == 0 || d.height > 0;
}

inline unsigned most_levels(const cuda::ArrayDescriptor& d) {
  const bool layers = (d.flags & (cuda::kArrayLayered | cuda::kArrayCubemap)) != 0;
  std::size_t largest = std::max(d.width, d.height);
  if (!layers) largest = std::max(largest, d.depth);
  return static_cast<unsigned>(std::bit_width(largest));
}

/// Whether cuTexObjectCreate takes these, as its reference tells.
inline bool can_read(const cuda::ResourceDescriptor& memory, const cuda::TextureDescriptor& how) {
  constexpr std::uint64_t kAlignment = 512, kPitchAlignment = 32;
  constexpr unsigned kMostFlags = 0x7f, kMostAnisotropy = 16;
  const bool normalised = (how.flags & cuda::kNormalisedCoordinates) != 0;
  for (const int mode : how.address_mode) {
    const bool turns = mode == 0 || mode == 2;  // wrap, mirror
    if (mode < 0 || mode > 3) return false;
    if (turns && !normalised && memory.kind != cuda::kResourceLinear) return false;
  }
  for (const int filter : {how.filter, how.mip_filter}) {
    if (filter != cuda::kFilterPoint && filter != cuda::kFilterLinear) return false;
  }
  const bool integers = (how.flags & cuda::kReadAsInteger) != 0;
  if (integers && how.filter == cuda::kFilterLinear) return false;
  if (how.flags > kMostFlags || how.most_anisotropy > kMostAnisotropy || memory.flags != 0)
    return false;
  for (const int reserved : how.reserved) {
    if (reserved != 0) return false;
  }
  switch (memory.kind) {
    case cuda::kResourceArray:
    case cuda::kResourceMipmapped: return memory.array != nullptr;
    case cuda::kResourceLinear: {
      const auto& l = memory.linear;
      return is_texel(l.format, l.channels) && l.bytes > 0 && l.address % kAlignment == 0;
    }
    case cuda::kResourcePitched: {
      const auto& p = memory.pitched;
      return is_texel(p.format, p.channels) && p.width > 0 && p.height > 0 &&
             p.address % kAlignment == 0 && p.pitch_bytes % kPitchAlignment == 0 &&
             p.pitch_bytes >= p.width * texel_bytes(p.format, p.channels);
    }
    default: return false;
  }
}

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
  for (const cuda::Copy3D::End* end : {&order.from, &order.to}) {
    if (end->level != 0 || end->reserved != nullptr) return false;
  }
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
