#include "device/simulator/texture_checks.hpp"

#include <algorithm>
#include <bit>

#include <fmt/format.h>

#include "device/simulator/texture/formats.hpp"

namespace warpbook::device {
namespace {

// CUDA C++ Programming Guide, "Technical Specifications per Compute Capability", 7.5 and up.
struct Limits {
  std::uint32_t width, height, depth;
};
constexpr Limits limits_of(TextureShape shape) {
  switch (shape) {
    case TextureShape::linear:
    case TextureShape::d1: return {131072, 1, 1};
    case TextureShape::d2: return {131072, 65536, 1};
    case TextureShape::d3: return {16384, 16384, 16384};
    case TextureShape::a1d: return {32768, 1, 2048};
    case TextureShape::a2d: return {32768, 32768, 2048};
    case TextureShape::cube: return {32768, 32768, 6};
    case TextureShape::acube: return {32768, 32768, 2046};
  }
  return {};
}
constexpr std::uint64_t kMostLinearTexels = std::uint64_t{1} << 28;
constexpr Limits kMostPitched{131072, 65000, 1};
constexpr std::uint64_t kMostPitch = 2097120;
/// cudaDeviceProp::textureAlignment, 512 on GPUs, whose cudaMalloc aligns to it too; here what allocate() gives.
constexpr std::uint64_t kTextureAlignment = kAllocationAlignment;
constexpr std::uint64_t kPitchAlignment = 32;  ///< cudaDeviceProp::texturePitchAlignment

tl::unexpected<Error> refuse(Message why) {
  return failure(ErrorCode::invalid_value, {{"why", std::move(why)}});
}

Expected<Done> check_format(ChannelFormat f) {
  const bool channels = f.channels == 1 || f.channels == 2 || f.channels == 4;
  if (channels && unpack_of(f, false, false)) return Done{};
  return failure(
      ErrorCode::invalid_channel,
      {{"why", Message{"phrase.texture.format",
                       {{"channels", f.channels}, {"type", std::string(name_of(f.type))}},
                       {}}}});
}

Expected<TextureShape> shape_of(const ArrayDescription& d) {
  if (d.width == 0) return refuse(Message{"phrase.texture.empty", {}, {}});
  if (d.cubemap) {
    if (d.height != d.width) {
      return refuse(
          Message{"phrase.texture.faces", {{"width", d.width}, {"height", d.height}}, {}});
    }
    if (d.layered) {
      if (d.depth == 0 || d.depth % 6 != 0)
        return refuse(Message{"phrase.texture.layered-cube", {{"depth", d.depth}}, {}});
      return TextureShape::acube;
    }
    if (d.depth != 6) return refuse(Message{"phrase.texture.cube", {{"depth", d.depth}}, {}});
    return TextureShape::cube;
  }
  if (d.layered) {
    if (d.depth == 0) return refuse(Message{"phrase.texture.layers", {}, {}});
    return d.height == 0 ? TextureShape::a1d : TextureShape::a2d;
  }
  if (d.depth == 0) return d.height == 0 ? TextureShape::d1 : TextureShape::d2;
  if (d.height == 0) return refuse(Message{"phrase.texture.height", {}, {}});
  return TextureShape::d3;
}

/// The parts that a texture's format settles.
Expected<Done> set_reading(TextureObject& t, const TextureDescription& d) {
  const ElementType type = t.format.type;
  const bool narrow = type == ElementType::u8 || type == ElementType::i8 ||
                      type == ElementType::u16 || type == ElementType::i16;
  const bool real = type == ElementType::f32 || type == ElementType::f16;
  // Integers of 32 bits are never promoted (cudaCreateTextureObject).
  const bool normalised = d.normalised_read && narrow;
  t.floating = real || normalised;
  const bool filtered = t.shape != TextureShape::linear && (d.linear_filter || d.linear_mip_filter);
  if (filtered && !t.floating) {
    return failure(
        ErrorCode::invalid_filter,
        {{"why", Message{"phrase.texture.filtered", {{"type", std::string(name_of(type))}}, {}}}});
  }
  if (d.srgb && (type != ElementType::u8 || !normalised)) {
    return refuse(Message{"phrase.texture.srgb", {}, {}});
  }
  t.unpack = unpack_of(t.format, normalised, d.srgb);
  t.texel_bytes = t.format.bytes();
  for (std::uint32_t k = 0; k < 4; ++k) {
    const std::uint32_t absent = k < 3 ? 0 : t.floating ? std::bit_cast<std::uint32_t>(1.0f) : 1;
    t.border[k] = k < t.format.channels ? std::bit_cast<std::uint32_t>(d.border[k]) : absent;
  }
  t.linear_filter = filtered && d.linear_filter;
  t.linear_mip_filter = filtered && d.linear_mip_filter;
  t.normalised_coordinates = d.normalised_coordinates;
  t.address_mode = d.address_mode;
  for (AddressMode& mode : t.address_mode) {
    // Wrapping and mirroring are for normalised coordinates (the same page).
    if (!d.normalised_coordinates && (mode == AddressMode::wrap || mode == AddressMode::mirror))
      mode = AddressMode::clamp;
  }
  t.mip_bias = d.mip_bias;
  t.mip_least = d.mip_least;
  t.mip_most = d.mip_most;
  return Done{};
}

Expected<Done> set_buffer(TextureObject& t, const TextureDescription& d,
                          const AllocationInfo* buffer) {
  if (auto ok = check_format(d.format); !ok) return ok;
  const std::uint32_t texel = d.format.bytes();
  const bool pitched = d.height != 0;
  TexelLevel level;
  level.address = d.address;
  std::uint64_t bytes = 0;
  if (d.address % kTextureAlignment != 0) {
    return refuse(
        Message{"phrase.texture.alignment",
                {{"address", fmt::format("{:#x}", d.address)}, {"alignment", kTextureAlignment}},
                {}});
  }
  if (pitched) {
    if (d.width == 0 || d.width > kMostPitched.width || d.height > kMostPitched.height) {
      return refuse(Message{"phrase.texture.pitched",
                            {{"most_width", kMostPitched.width},
                             {"most_height", kMostPitched.height},
                             {"width", d.width},
                             {"height", d.height}},
                            {}});
    }
    const std::uint64_t row = std::uint64_t{d.width} * texel;
    if (d.pitch_bytes % kPitchAlignment != 0 || d.pitch_bytes < row || d.pitch_bytes > kMostPitch) {
      return refuse(Message{"phrase.texture.pitch",
                            {{"bytes", d.pitch_bytes},
                             {"alignment", kPitchAlignment},
                             {"row", row},
                             {"most", kMostPitch}},
                            {}});
    }
    t.shape = TextureShape::d2;
    level.width = d.width;
    level.height = d.height;
    level.row_bytes = d.pitch_bytes;
    bytes = d.pitch_bytes * (d.height - 1) + row;
  } else {
    const std::uint64_t texels = d.bytes / texel;
    if (texels == 0 || texels > kMostLinearTexels) {
      return refuse(
          Message{"phrase.texture.linear", {{"most", kMostLinearTexels}, {"texels", texels}}, {}});
    }
    t.shape = TextureShape::linear;
    level.width = static_cast<std::uint32_t>(texels);
    level.row_bytes = texels * texel;
    bytes = level.row_bytes;
  }
  level.plane_bytes = bytes;
  if (!buffer || bytes > buffer->address + buffer->bytes - d.address) {
    return refuse(Message{"phrase.texture.buffer",
                          {{"bytes", bytes}, {"address", fmt::format("{:#x}", d.address)}},
                          {}});
  }
  t.name = buffer->name;
  t.format = d.format;
  t.levels = {level};
  t.memory = buffer->address;
  t.memory_end = d.address + bytes;
  return Done{};
}

Expected<ArrayRegion> check_region(const ArrayState& array, ArrayRegion r) {
  if (r.level >= array.levels.size()) {
    return refuse(Message{
        "phrase.texture.levels",
        {{"name", array.description.name}, {"last", array.levels.size() - 1}, {"level", r.level}},
        {}});
  }
  const TexelLevel& l = array.levels[r.level];
  const auto fits = [](std::uint32_t from, std::uint32_t& count, std::uint32_t size) {
    if (from >= size) return false;
    if (count == 0) count = size - from;
    return count <= size - from;
  };
  if (!fits(r.x, r.width, l.width) || !fits(r.y, r.height, l.height) ||
      !fits(r.z, r.depth, l.planes)) {
    return refuse(Message{"phrase.texture.region",
                          {{"width", r.width},
                           {"height", r.height},
                           {"depth", r.depth},
                           {"x", r.x},
                           {"y", r.y},
                           {"z", r.z},
                           {"name", array.description.name},
                           {"has_width", l.width},
                           {"has_height", l.height},
                           {"has_depth", l.planes}},
                          {}});
  }
  const std::uint64_t row = std::uint64_t{r.width} * array.description.format.bytes();
  if (r.pitch_bytes == 0) r.pitch_bytes = row;
  if (r.pitch_bytes < row) {
    return refuse(
        Message{"phrase.texture.short-pitch", {{"bytes", r.pitch_bytes}, {"row", row}}, {}});
  }
  return r;
}

}  // namespace

Expected<ArrayState> lay_array_out(const ArrayDescription& d) {
  if (auto ok = check_format(d.format); !ok) return tl::unexpected(ok.error());
  const auto shape = shape_of(d);
  if (!shape) return tl::unexpected(shape.error());
  const Limits most = limits_of(*shape);
  TexelLevel level;
  level.width = d.width;
  level.height = std::max(d.height, 1u);
  level.planes = std::max(d.depth, 1u);
  if (level.width > most.width || level.height > most.height || level.planes > most.depth) {
    return refuse(Message{"phrase.texture.most",
                          {{"shape", std::string(name_of(*shape))},
                           {"most_width", most.width},
                           {"most_height", most.height},
                           {"most_depth", most.depth},
                           {"width", level.width},
                           {"height", level.height},
                           {"depth", level.planes}},
                          {}});
  }
  const bool volume = *shape == TextureShape::d3;
  const std::uint32_t largest = std::max({level.width, level.height, volume ? level.planes : 1u});
  const auto complete = static_cast<std::uint32_t>(std::bit_width(largest));
  if (d.levels > complete) {
    return refuse(
        Message{"phrase.texture.pyramid", {{"levels", d.levels}, {"complete", complete}}, {}});
  }
  ArrayState array;
  array.description = d;
  array.shape = *shape;
  for (std::uint32_t l = 0; l < std::max(d.levels, 1u); ++l) {
    level.address = array.bytes;
    level.row_bytes = std::uint64_t{level.width} * d.format.bytes();
    level.plane_bytes = level.row_bytes * level.height;
    array.bytes += level.plane_bytes * level.planes;
    array.bytes = (array.bytes + kTextureAlignment - 1) / kTextureAlignment * kTextureAlignment;
    array.levels.push_back(level);
    level.width = std::max(level.width / 2, 1u);
    level.height = std::max(level.height / 2, 1u);
    if (volume) level.planes = std::max(level.planes / 2, 1u);
  }
  return array;
}

Expected<TextureObject> make_texture(const TextureDescription& d, const ArrayState* array,
                                     const AllocationInfo* buffer) {
  TextureObject t;
  if (!array) {
    if (auto ok = set_buffer(t, d, buffer); !ok) return tl::unexpected(ok.error());
  } else {
    t.name = array->description.name;
    t.shape = array->shape;
    t.format = array->description.format;
    t.mipmapped = array->description.levels != 0;
    t.levels = array->levels;
    t.memory = array->address;
    t.memory_end = array->address + array->bytes;
    if (t.mipmapped && !d.normalised_coordinates) {
      return refuse(Message{"phrase.texture.mipmapped", {}, {}});
    }
  }
  if (t.shape == TextureShape::linear && d.normalised_coordinates) {
    return refuse(Message{"phrase.texture.fetch", {}, {}});
  }
  if (auto ok = set_reading(t, d); !ok) return tl::unexpected(ok.error());
  return t;
}

Expected<TextureObject> make_surface(const ArrayState& array, std::uint32_t level) {
  if (!array.description.surface) {
    return refuse(Message{"phrase.texture.no-surface", {{"name", array.description.name}}, {}});
  }
  if (level >= array.levels.size()) {
    return refuse(Message{
        "phrase.texture.levels",
        {{"name", array.description.name}, {"last", array.levels.size() - 1}, {"level", level}},
        {}});
  }
  TextureObject s;
  s.surface = true;
  s.name = array.description.name;
  s.shape = array.shape;
  s.format = array.description.format;
  s.texel_bytes = s.format.bytes();
  s.levels = {array.levels[level]};
  s.memory = array.address;
  s.memory_end = array.address + array.bytes;
  return s;
}

Expected<ArrayRegion> check_copy(std::string_view call, const ArrayState& array,
                                 const ArrayRegion& region, std::uint64_t host_bytes) {
  auto checked = check_region(array, region);
  if (!checked) return checked;
  const std::uint64_t rows = std::uint64_t{checked->height} * checked->depth;
  const std::uint64_t needed = checked->pitch_bytes * (rows - 1) +
                               std::uint64_t{checked->width} * array.description.format.bytes();
  if (needed > host_bytes) {
    return refuse(Message{"phrase.texture.copy",
                          {{"call", std::string(call)},
                           {"name", array.description.name},
                           {"needed", needed},
                           {"bytes", host_bytes}},
                          {}});
  }
  return checked;
}

}  // namespace warpbook::device
