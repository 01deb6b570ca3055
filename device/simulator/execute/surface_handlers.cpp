// suld, sust and sured (PTX ISA 9.0, 9.7.11).
#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>

#include <fmt/format.h>

#include "device/half.hpp"
#include "device/simulator/execute/common_handlers.hpp"
#include "device/simulator/isa/code.hpp"
#include "device/simulator/observe/race/checker.hpp"
#include "device/simulator/state/block_state.hpp"
#include "device/simulator/state/launch_observer.hpp"
#include "device/simulator/texture/unit.hpp"

namespace warpbook::device::isa::texture_handlers {
namespace {

using ptx::Type;
using ptx::Word;

template <class T>
T surface_value(const Context& c, std::uint32_t row, int lane) {
  T value;
  std::memcpy(&value, c.frame + row + sizeof(T) * static_cast<std::size_t>(lane), sizeof value);
  return value;
}

/// A register of `bytes`, zero-extended.
std::uint64_t register_at(const Context& c, std::uint32_t row, int lane, std::uint32_t bytes) {
  switch (bytes) {
    case 2: return surface_value<std::uint16_t>(c, row, lane);
    case 4: return surface_value<std::uint32_t>(c, row, lane);
    default: return surface_value<std::uint64_t>(c, row, lane);
  }
}
void put_register(Context& c, std::uint32_t row, int lane, std::uint32_t bytes,
                  std::uint64_t value) {
  std::memcpy(c.frame + row + std::size_t{bytes} * static_cast<std::size_t>(lane), &value, bytes);
}

std::uint64_t load(const std::byte* from, std::uint32_t bytes) {
  switch (bytes) {
    case 1: return __atomic_load_n(reinterpret_cast<const std::uint8_t*>(from), __ATOMIC_RELAXED);
    case 2: return __atomic_load_n(reinterpret_cast<const std::uint16_t*>(from), __ATOMIC_RELAXED);
    case 4: return __atomic_load_n(reinterpret_cast<const std::uint32_t*>(from), __ATOMIC_RELAXED);
    default: return __atomic_load_n(reinterpret_cast<const std::uint64_t*>(from), __ATOMIC_RELAXED);
  }
}
void store(std::byte* to, std::uint32_t bytes, std::uint64_t value) {
  switch (bytes) {
    case 1:
      __atomic_store_n(reinterpret_cast<std::uint8_t*>(to), static_cast<std::uint8_t>(value),
                       __ATOMIC_RELAXED);
      return;
    case 2:
      __atomic_store_n(reinterpret_cast<std::uint16_t*>(to), static_cast<std::uint16_t>(value),
                       __ATOMIC_RELAXED);
      return;
    case 4:
      __atomic_store_n(reinterpret_cast<std::uint32_t*>(to), static_cast<std::uint32_t>(value),
                       __ATOMIC_RELAXED);
      return;
    default: __atomic_store_n(reinterpret_cast<std::uint64_t*>(to), value, __ATOMIC_RELAXED);
  }
}

bool is_valid(const std::uint8_t* valid, Pointer at, std::uint32_t bytes) {
  for (std::uint32_t k = 0; k < bytes; ++k) {
    if (!(__atomic_load_n(&valid[(at + k) / 4], __ATOMIC_RELAXED) >> ((at + k) % 4) & 1))
      return false;
  }
  return true;
}
void mark_valid(std::uint8_t* valid, Pointer at, std::uint32_t bytes) {
  if (bytes % 4 == 0) {
    for (std::uint32_t k = 0; k < bytes / 4; ++k)
      __atomic_store_n(&valid[at / 4 + k], std::uint8_t{0xf}, __ATOMIC_RELAXED);
    return;
  }
  // Two host threads may write adjacent bytes of one granule.
  __atomic_fetch_or(&valid[at / 4], static_cast<std::uint8_t>(((1u << bytes) - 1) << (at % 4)),
                    __ATOMIC_RELAXED);
}

bool fits(Geometry g, TextureShape s) {
  switch (g) {
    case Geometry::d1: return s == TextureShape::d1;
    case Geometry::d2: return s == TextureShape::d2;
    case Geometry::d3: return s == TextureShape::d3;
    case Geometry::a1d: return s == TextureShape::a1d;
    // The faces of cubes are layers of a surface (surfCubemapread).
    case Geometry::a2d:
      return s == TextureShape::a2d || s == TextureShape::cube || s == TextureShape::acube;
    default: return false;
  }
}

/// One surface instruction on its way over the lanes.
class SurfaceAccess {
 public:
  SurfaceAccess(const DecodedInstruction& o, Context& c, AccessKind kind)
      : o_(o), c_(c), d_(c.code->textures[o.c]), kind_(kind) {}

  [[nodiscard]] const TextureDetail& detail() const { return d_; }

  /// Calls `good(lane, address, object)` for the lanes that reach the surface and `dropped(lane)` for the others.
  template <class Good, class Dropped>
  void run(Good&& good, Dropped&& dropped) {
    ++c_.tallies[o_.memo].texture_requests;
    for (std::uint32_t l = c_.mask; l != 0; l &= l - 1) {
      const int i = std::countr_zero(l);
      const auto handle = surface_value<std::uint64_t>(c_, d_.handle, i);
      const TextureObject* s = object_for(o_, c_, handle, 1u << i, true, kind_);
      const Pointer address = s ? place(i, *s) : 0;
      if (address == 0)
        dropped(i);
      else
        good(i, address, *s);
    }
  }

 private:
  /// The address of a lane's access; 0 where there is none, after a finding where it is an error.
  Pointer place(int lane, const TextureObject& s) {
    if (!fits(d_.geometry, s.shape)) {
      report_use(o_, c_, s, 1u << lane, "surface-shape");
      return 0;
    }
    const TexelLevel& level = s.levels[0];
    const std::uint32_t texel = s.texel_bytes;
    const std::uint32_t bytes =
        d_.formatted && kind_ != AccessKind::atomic ? texel : d_.bytes * d_.elements;
    if (const std::string_view why = objection(s); !why.empty()) {
      report_use(o_, c_, s, 1u << lane, why);
      return 0;
    }
    std::int64_t at[3] = {}, last[3] = {};
    for (int k = 0; k < 3; ++k) {
      if (d_.at[k] != kNone) at[k] = surface_value<std::int32_t>(c_, d_.at[k], lane);
    }
    if (d_.formatted) at[0] *= bytes;
    const bool layered = d_.layer != kNone;
    if (layered) at[2] = surface_value<std::uint32_t>(c_, d_.layer, lane);
    last[0] = static_cast<std::int64_t>(level.row_bytes) - bytes;
    last[1] = level.height - 1;
    last[2] = level.planes - 1;
    bool outside = false;
    for (int k = 0; k < 3; ++k) outside |= at[k] < 0 || at[k] > last[k];
    if (outside) {
      if (d_.clamp == Word::zero) return 0;
      if (d_.clamp == Word::trap || last[0] < 0) {
        report_outside(lane, s, at, bytes);
        return 0;
      }
      // The nearest place of this size; a coordinate inside is never moved.
      if (at[0] > last[0]) at[0] = last[0] / bytes * bytes;
      for (int k = 0; k < 3; ++k) at[k] = std::clamp<std::int64_t>(at[k], 0, last[k]);
    }
    const Pointer address = level.address + static_cast<std::uint64_t>(at[2]) * level.plane_bytes +
                            static_cast<std::uint64_t>(at[1]) * level.row_bytes +
                            static_cast<std::uint64_t>(at[0]);
    if (address % bytes != 0) {
      report_texture(o_, c_, ErrorCode::misaligned_access, lane, kind_, address, bytes, {});
      return 0;
    }
    return address;
  }

  std::string_view objection(const TextureObject& s) const {
    const ElementType t = s.format.type;
    if (kind_ == AccessKind::atomic && d_.formatted && t != ElementType::u32 &&
        t != ElementType::i32)
      return "reductions";
    return {};
  }

  void report_outside(int lane, const TextureObject& s, const std::int64_t (&at)[3],
                      std::uint32_t bytes) {
    MessageArguments words;
    if (c_.observer->findings.size() < LaunchObserver::kFindings) {
      const TexelLevel& l = s.levels[0];
      const std::int64_t x = d_.formatted ? at[0] / bytes : at[0];
      const std::uint64_t width = d_.formatted ? l.row_bytes / bytes : l.row_bytes;
      words = {
          {"object", s.name},
          {"place", fmt::format("({}, {}, {})", x, at[1], at[2])},
          {"extent", fmt::format("{} x {} x {}", width, l.height, l.planes)},
          {"unit", Message{d_.formatted ? "phrase.unit.texels" : "phrase.unit.bytes", {}, {}}}};
    }
    report_texture(o_, c_, ErrorCode::surface_out_of_bounds, lane, kind_, 0, bytes,
                   std::move(words));
  }

  const DecodedInstruction& o_;
  Context& c_;
  const TextureDetail& d_;
  const AccessKind kind_;
};

std::byte* host(const Context& c, Pointer address) { return c.global + (address - kGlobalBase); }
std::uint8_t* validity(const Context& c) { return c.global_valid - kGlobalBase / 4; }

/// A 32-bit value as a channel of the format holds it: integers are saturated, floats rounded.
std::uint32_t channel_of(ElementType type, std::uint32_t value) {
  const auto is = static_cast<std::int32_t>(value);
  switch (type) {
    case ElementType::u8: return std::min(value, 255u);
    case ElementType::u16: return std::min(value, 65535u);
    case ElementType::i8: return static_cast<std::uint32_t>(std::clamp(is, -128, 127));
    case ElementType::i16: return static_cast<std::uint32_t>(std::clamp(is, -32768, 32767));
    case ElementType::f16: return half_of_float(std::bit_cast<float>(value));
    default: return value;
  }
}

template <class T>
bool reduce_as(std::byte* at, Word operation, T value) {
  auto* word = reinterpret_cast<std::make_unsigned_t<T>*>(at);
  auto old = __atomic_load_n(word, __ATOMIC_RELAXED);
  for (;;) {
    const T before = static_cast<T>(old);
    std::make_unsigned_t<T> after = old;
    const auto bits = static_cast<std::make_unsigned_t<T>>(value);
    switch (operation) {
      case Word::add: after = old + bits; break;
      case Word::min: after = static_cast<std::make_unsigned_t<T>>(std::min(before, value)); break;
      case Word::max: after = static_cast<std::make_unsigned_t<T>>(std::max(before, value)); break;
      case Word::and_: after = old & bits; break;
      default: after = old | bits; break;
    }
    if (after == old) return false;
    if (__atomic_compare_exchange_n(word, &old, after, true, __ATOMIC_RELAXED, __ATOMIC_RELAXED))
      return true;
  }
}

void note_undefined(const DecodedInstruction& o, Context& c, int lane, Pointer address,
                    std::uint32_t bytes) {
  c.undefined |= 1u << lane;
  c.observer->undefined_reads[static_cast<std::size_t>(lane)] = {o.index, address, Space::global,
                                                                 bytes};
}

}  // namespace

void suld(const DecodedInstruction& o, Context& c) {
  SurfaceAccess access(o, c, AccessKind::load);
  const TextureDetail& d = access.detail();
  c.undefined = 0;
  access.run(
      [&](int lane, Pointer address, const TextureObject&) {
        for (std::uint32_t k = 0; k < d.elements; ++k) {
          if (d.d[k] != kNone)
            put_register(c, d.d[k], lane, d.register_bytes,
                         load(host(c, address + k * d.bytes), d.bytes));
        }
        const std::uint32_t bytes = std::uint32_t{d.bytes} * d.elements;
        if (c.check && !is_valid(validity(c), address, bytes))
          note_undefined(o, c, lane, address, bytes);
      },
      [&](int lane) {
        for (std::uint32_t k = 0; k < d.elements; ++k) {
          if (d.d[k] != kNone) put_register(c, d.d[k], lane, d.register_bytes, 0);
        }
      });
  c.tainted |= c.undefined != 0;
}

void sust(const DecodedInstruction& o, Context& c) {
  SurfaceAccess access(o, c, AccessKind::store);
  const TextureDetail& d = access.detail();
  ++c.changes;
  access.run(
      [&](int lane, Pointer address, const TextureObject& s) {
        c.wrote_global = true;
        const std::uint32_t bytes =
            d.formatted ? static_cast<std::uint32_t>(size_of(s.format.type)) : d.bytes;
        const std::uint32_t count =
            d.formatted ? std::min<std::uint32_t>(d.elements, s.format.channels) : d.elements;
        for (std::uint32_t k = 0; k < count; ++k) {
          std::uint64_t value = register_at(c, d.d[k], lane, d.register_bytes);
          if (d.formatted) value = channel_of(s.format.type, static_cast<std::uint32_t>(value));
          store(host(c, address + k * bytes), bytes, value);
          mark_valid(validity(c), address + k * bytes, bytes);
        }
      },
      [](int) {});
}

void sured(const DecodedInstruction& o, Context& c) {
  SurfaceAccess access(o, c, AccessKind::atomic);
  const TextureDetail& d = access.detail();
  std::array<std::uint64_t, kLanes> addresses{};
  std::uint32_t lanes = 0;
  c.undefined = 0;
  access.run(
      [&](int lane, Pointer address, const TextureObject& s) {
        std::byte* at = host(c, address);
        addresses[static_cast<std::size_t>(lane)] = address;
        lanes |= 1u << lane;
        if (c.check && !is_valid(validity(c), address, d.bytes))
          note_undefined(o, c, lane, address, d.bytes);
        const bool is_signed = d.formatted ? s.format.type == ElementType::i32
                                           : d.type == Type::s32 || d.type == Type::s64;
        const std::uint64_t value = register_at(c, d.d[0], lane, d.register_bytes);
        bool changed = false;
        if (d.bytes == 4) {
          changed = is_signed ? reduce_as(at, d.word, static_cast<std::int32_t>(value))
                              : reduce_as(at, d.word, static_cast<std::uint32_t>(value));
        } else {
          changed = is_signed ? reduce_as(at, d.word, static_cast<std::int64_t>(value))
                              : reduce_as(at, d.word, value);
        }
        c.changes += changed;
        c.wrote_global = true;
        mark_valid(validity(c), address, d.bytes);
      },
      [](int) {});
  if (c.undefined != 0) report_undefined(o.index, c, c.undefined);
  c.undefined = 0;
  if (lanes == 0) return;
  AccessTally& t = c.tallies[o.memo];
  t.atomics += static_cast<std::uint64_t>(std::popcount(lanes));
  t.collisions += count_collisions(addresses.data(), lanes);
}

}  // namespace warpbook::device::isa::texture_handlers
