// tex, tld4, txq, suq and istypep (PTX ISA 9.0, 9.7.10 and 9.7.11.4).
#include "device/simulator/execute/common_handlers.hpp"

#include <bit>
#include <cstring>

#include "device/half.hpp"
#include "device/simulator/isa/code.hpp"
#include "device/simulator/state/block_state.hpp"
#include "device/simulator/state/launch_observer.hpp"
#include "device/simulator/texture/sampler.hpp"
#include "device/simulator/texture/unit.hpp"

namespace warpbook::device::isa::texture_handlers {
namespace {

using ptx::Type;
using ptx::Word;

constexpr std::int32_t kLeastOffset = -8, kMostOffset = 7;

const TextureDetail& detail_of(const DecodedInstruction& o, const Context& c) {
  return c.code->textures[o.c];
}

template <class T>
T texture_value(const Context& c, std::uint32_t row, int lane) {
  T value;
  std::memcpy(&value, c.frame + row + sizeof(T) * static_cast<std::size_t>(lane), sizeof value);
  return value;
}
template <class T>
void put_at(Context& c, std::uint32_t row, int lane, T value) {
  std::memcpy(c.frame + row + sizeof(T) * static_cast<std::size_t>(lane), &value, sizeof value);
}

std::uint64_t handle_at(const TextureDetail& d, const Context& c, int lane) {
  return texture_value<std::uint64_t>(c, d.handle, lane);
}

/// Calls `visit(handle, lanes)` for the lanes that share a handle: as a rule once.
template <class Visit>
void for_each_handle(const TextureDetail& d, const Context& c, Visit&& visit) {
  for (std::uint32_t left = c.mask; left != 0;) {
    const std::uint64_t handle = handle_at(d, c, std::countr_zero(left));
    std::uint32_t same = 0;
    for (std::uint32_t l = left; l != 0; l &= l - 1) {
      const int i = std::countr_zero(l);
      if (handle_at(d, c, i) == handle) same |= 1u << i;
    }
    left &= ~same;
    visit(handle, same);
  }
}

TextureShape shape_of(Geometry g) {
  switch (g) {
    case Geometry::d1: return TextureShape::d1;
    case Geometry::d3: return TextureShape::d3;
    case Geometry::a1d: return TextureShape::a1d;
    case Geometry::a2d: return TextureShape::a2d;
    case Geometry::cube: return TextureShape::cube;
    case Geometry::acube: return TextureShape::acube;
    default: return TextureShape::d2;
  }
}

/// The reason why this texture cannot be fetched so, a key for report_use(); empty where it can.
std::string_view objection(const TextureDetail& d, const TextureObject& t) {
  if (d.geometry == Geometry::d2ms || d.geometry == Geometry::a2dms) return "samples";
  if (t.shape == TextureShape::linear) {
    if (d.geometry != Geometry::d1 || !d.integer_coordinates) return "linear";
  } else if (t.shape != shape_of(d.geometry)) {
    return "texture-shape";
  }
  const bool half = d.type == Type::f16 || d.type == Type::f16x2;
  if (half && !t.floating) return "halves";
  if (d.reference != kNone && (!t.floating || t.format.channels != 1)) return "depths";
  return {};
}

void put_results(const TextureDetail& d, Context& c, int lane, const std::uint32_t (&value)[4]) {
  const auto half = [&](int k) { return half_of_float(std::bit_cast<float>(value[k])); };
  if (d.type == Type::f16x2) {
    for (int k = 0; k < 2; ++k) {
      if (d.d[k] == kNone) continue;
      put_at(c, d.d[k], lane,
             static_cast<std::uint32_t>(half(2 * k) | static_cast<std::uint32_t>(half(2 * k + 1))
                                                          << 16));
    }
    return;
  }
  for (int k = 0; k < 4; ++k) {
    if (d.d[k] == kNone) continue;
    if (d.type == Type::f16)
      put_at(c, d.d[k], lane, half(k));
    else
      put_at(c, d.d[k], lane, value[k]);
  }
}

void put_predicate(Context& c, std::uint32_t row, std::uint32_t lanes, bool value) {
  if (row == kNone) return;
  std::uint32_t p;
  std::memcpy(&p, c.frame + row, sizeof p);
  p = value ? p | lanes : p & ~lanes;
  std::memcpy(c.frame + row, &p, sizeof p);
}

void put_nothing(const TextureDetail& d, Context& c, std::uint32_t lanes) {
  for (std::uint32_t l = lanes; l != 0; l &= l - 1)
    put_results(d, c, std::countr_zero(l), {0, 0, 0, 0});
  put_predicate(c, d.resident, lanes, false);
}

/// The part of `lanes` whose offsets the hardware can encode. The others are findings.
std::uint32_t lanes_with_offsets(const DecodedInstruction& o, Context& c, const TextureDetail& d,
                                 const TextureObject& t, std::uint32_t lanes) {
  std::uint32_t wrong = 0;
  for (const std::uint32_t row : d.offset) {
    if (row == kNone) continue;
    for (std::uint32_t l = lanes; l != 0; l &= l - 1) {
      const int i = std::countr_zero(l);
      const auto offset = texture_value<std::int32_t>(c, row, i);
      if (offset < kLeastOffset || offset > kMostOffset) wrong |= 1u << i;
    }
  }
  if (wrong != 0) {
    report_use(o, c, t, wrong, "offset");
    put_nothing(d, c, wrong);
  }
  return lanes & ~wrong;
}

FetchPlace place_at(const TextureDetail& d, const Context& c, int lane) {
  FetchPlace p;
  for (int k = 0; k < 3; ++k) {
    if (d.at[k] != kNone) p.u[k] = texture_value<float>(c, d.at[k], lane);
    if (d.offset[k] != kNone) p.offset[k] = texture_value<std::int32_t>(c, d.offset[k], lane);
  }
  if (d.layer != kNone) p.layer = texture_value<std::uint32_t>(c, d.layer, lane);
  if (d.reference != kNone) {
    p.compares = true;
    p.reference = texture_value<float>(c, d.reference, lane);
  }
  return p;
}

double lod_at(const TextureDetail& d, const Context& c, int lane, const TextureSampler& sampler,
              const FetchPlace& place) {
  if (d.level == TextureDetail::Level::given)
    return static_cast<double>(texture_value<float>(c, d.lod, lane));
  float dx[3] = {}, dy[3] = {};
  for (int k = 0; k < 3; ++k) {
    if (d.dx[k] != kNone) dx[k] = texture_value<float>(c, d.dx[k], lane);
    if (d.dy[k] != kNone) dy[k] = texture_value<float>(c, d.dy[k], lane);
  }
  return sampler.lod_of(place, dx, dy);
}

void load_texel(const TextureDetail& d, const Context& c, int lane, TextureSampler& sampler,
                std::uint32_t (&to)[4]) {
  std::int64_t at[3] = {};
  for (int k = 0; k < 3; ++k) {
    if (d.at[k] != kNone) at[k] = texture_value<std::int32_t>(c, d.at[k], lane);
    if (d.offset[k] != kNone) at[k] += texture_value<std::int32_t>(c, d.offset[k], lane);
  }
  const std::uint32_t layer = d.layer == kNone ? 0 : texture_value<std::uint32_t>(c, d.layer, lane);
  const std::int64_t level = d.lod == kNone ? 0 : texture_value<std::int32_t>(c, d.lod, lane);
  sampler.load(at, layer, level, to);
}

/// Runs `fetch(sampler, lane, results)` for every lane whose texture is good, and follows undefined values.
template <class Fetch>
void fetch_all(const DecodedInstruction& o, Context& c, const TextureDetail& d, Fetch&& fetch) {
  ++c.tallies[o.memo].texture_requests;
  c.undefined = 0;
  for_each_handle(d, c, [&](std::uint64_t handle, std::uint32_t lanes) {
    const TextureObject* t = object_for(o, c, handle, lanes, false, AccessKind::load);
    if (!t) return put_nothing(d, c, lanes);
    if (const std::string_view why = objection(d, *t); !why.empty()) {
      report_use(o, c, *t, lanes, why);
      return put_nothing(d, c, lanes);
    }
    lanes = lanes_with_offsets(o, c, d, *t, lanes);
    TextureSampler sampler(*t, c);
    for (std::uint32_t l = lanes; l != 0; l &= l - 1) {
      const int i = std::countr_zero(l);
      std::uint32_t value[4];
      ++c.warp->texture_fetches[static_cast<std::size_t>(i)];
      fetch(sampler, i, value);
      put_results(d, c, i, value);
      if (sampler.undefined != 0) {
        c.undefined |= 1u << i;
        c.observer->undefined_reads[static_cast<std::size_t>(i)] = {o.index, sampler.undefined,
                                                                    Space::global, t->texel_bytes};
        sampler.undefined = 0;
      }
    }
    put_predicate(c, d.resident, lanes, true);
  });
  c.tainted |= c.undefined != 0;
}

/// What CUDA's driver calls the formats (CUarray_format): it has no names for the order, so that is the number of channels.
std::uint32_t format_number(ElementType type) {
  switch (type) {
    case ElementType::u8: return 0x01;
    case ElementType::u16: return 0x02;
    case ElementType::u32: return 0x03;
    case ElementType::i8: return 0x08;
    case ElementType::i16: return 0x09;
    case ElementType::i32: return 0x0a;
    case ElementType::f16: return 0x10;
    default: return 0x20;
  }
}

/// PTX's own enumeration: wrap, mirror, clamp_ogl, clamp_to_edge, clamp_to_border.
std::uint32_t address_number(AddressMode mode) {
  switch (mode) {
    case AddressMode::wrap: return 0;
    case AddressMode::mirror: return 1;
    case AddressMode::clamp: return 3;
    case AddressMode::border: return 4;
  }
  return 0;
}

std::uint32_t answer(Word query, const TextureObject& t, std::int64_t lod) {
  const bool there = lod >= 0 && lod < static_cast<std::int64_t>(t.levels.size());
  const TexelLevel level =
      there ? t.levels[static_cast<std::size_t>(lod)] : TexelLevel{0, 0, 0, 0, 0, 0};
  const bool layers = t.shape == TextureShape::a1d || t.shape == TextureShape::a2d;
  switch (query) {
    case Word::width: return level.width;
    case Word::height: return level.height;
    case Word::depth: return t.shape == TextureShape::d3 || !there ? level.planes : 1;
    case Word::array_size:
      return t.shape == TextureShape::acube ? level.planes / 6 : layers ? level.planes : 0;
    case Word::channel_data_type: return format_number(t.format.type);
    case Word::channel_order: return t.format.channels;
    case Word::normalized_coords: return t.normalised_coordinates;
    case Word::filter_mode: return t.linear_filter;
    case Word::addr_mode_0: return address_number(t.address_mode[0]);
    case Word::addr_mode_1: return address_number(t.address_mode[1]);
    case Word::addr_mode_2: return address_number(t.address_mode[2]);
    case Word::num_mipmap_levels:
      return t.mipmapped ? static_cast<std::uint32_t>(t.levels.size()) : 0;
    // The coordinates are never overridden here, no texture has samples, and no surface is in linear memory.
    default: return 0;
  }
}

}  // namespace

void tex(const DecodedInstruction& o, Context& c) {
  const TextureDetail& d = detail_of(o, c);
  using Level = TextureDetail::Level;
  if (d.integer_coordinates) {
    fetch_all(o, c, d, [&](TextureSampler& s, int lane, std::uint32_t(&to)[4]) {
      load_texel(d, c, lane, s, to);
    });
  } else if (d.level == Level::base) {
    fetch_all(o, c, d, [&](TextureSampler& s, int lane, std::uint32_t(&to)[4]) {
      s.sample_base(place_at(d, c, lane), to);
    });
  } else {
    fetch_all(o, c, d, [&](TextureSampler& s, int lane, std::uint32_t(&to)[4]) {
      const FetchPlace place = place_at(d, c, lane);
      s.sample(place, lod_at(d, c, lane, s, place), to);
    });
  }
}

void tld4(const DecodedInstruction& o, Context& c) {
  const TextureDetail& d = detail_of(o, c);
  const int component = d.word == Word::r ? 0 : d.word == Word::g ? 1 : d.word == Word::b ? 2 : 3;
  fetch_all(o, c, d, [&](TextureSampler& s, int lane, std::uint32_t(&to)[4]) {
    s.gather(place_at(d, c, lane), component, to);
  });
}

void txq(const DecodedInstruction& o, Context& c) {
  const TextureDetail& d = detail_of(o, c);
  const bool surface = o.query.surface;
  for_each_handle(d, c, [&](std::uint64_t handle, std::uint32_t lanes) {
    const TextureObject* t = object_for(o, c, handle, lanes, surface, AccessKind::load);
    for (std::uint32_t l = lanes; l != 0; l &= l - 1) {
      const int i = std::countr_zero(l);
      const std::int64_t lod = d.lod == kNone ? 0 : texture_value<std::int32_t>(c, d.lod, i);
      if (d.d[0] != kNone) put_at(c, d.d[0], i, t ? answer(d.word, *t, lod) : 0u);
    }
  });
}

void istypep(const DecodedInstruction& o, Context& c) {
  const TextureDetail& d = detail_of(o, c);
  for_each_handle(d, c, [&](std::uint64_t handle, std::uint32_t lanes) {
    const auto& found = c.textures->find(handle, *c.observer->table);
    // The sampler of a texture object is part of it and no variable of its own.
    const bool is = found.object && ((d.word == Word::texref && !found.object->surface) ||
                                     (d.word == Word::surfref && found.object->surface));
    put_predicate(c, d.resident, lanes, is);
  });
}

}  // namespace warpbook::device::isa::texture_handlers
