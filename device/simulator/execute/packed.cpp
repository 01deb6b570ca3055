#include "device/simulator/execute/common_handlers.hpp"

#include <algorithm>
#include <bit>
#include <cstring>

#include "device/simulator/state/context.hpp"

namespace warpbook::device::isa::packed {
namespace {
#include "device/narrow.inc"

struct Quarter52 {
  static constexpr int kExponentBits = 5, kFractionBits = 2;
  static constexpr std::uint32_t kNan = 0x7f;
};
/// e4m3's fraction with an exponent of five bits: with x / 256 for x the bits are the same, and what e4m3 cannot hold
/// has bits of its own.
struct Quarter53 {
  static constexpr int kExponentBits = 5, kFractionBits = 3;
  static constexpr std::uint32_t kNan = 0x7f;
};

std::uint32_t to_fp8(double x, Fp8 p) {
  constexpr std::uint32_t kNan = 0x7f, kMost43 = 0x7e, kMost52 = 0x7b;
  if (x != x) return kNan;
  const bool negative = std::bit_cast<std::uint64_t>(x) >> 63;
  const double magnitude = __builtin_fabs(x);
  const std::uint32_t bits = p.e5m2
                                 ? std::min(narrowed_bits<Quarter52>(magnitude), kMost52)
                                 : std::min(narrowed_bits<Quarter53>(magnitude * 0x1p-8), kMost43);
  if (!negative) return bits;
  return p.relu ? 0 : bits | 0x80;
}

/// As bits of a half.
std::uint32_t of_fp8(std::uint32_t bits, Fp8 p) {
  const std::uint32_t sign = (bits & 0x80) << 8, magnitude = bits & 0x7f;
  if (magnitude > 0x7c ? p.e5m2 || magnitude == 0x7f : false) return Half::kNan;
  if (p.relu && sign) return 0;
  if (p.e5m2) return sign | magnitude << 8;
  // A half with the same fraction, its exponent 8 too small.
  return sign |
         narrowed_bits<Half>(half_to_float(static_cast<std::uint16_t>(magnitude << 7)) * 256.0);
}

template <class T>
T* row(const Context& c, std::uint32_t offset) {
  return reinterpret_cast<T*>(c.frame + offset);
}

template <class Compute>
void lanes(const Context& c, Compute&& compute) {
  for (std::uint32_t m = c.mask; m != 0; m &= m - 1) compute(std::countr_zero(m));
}

}  // namespace

void fp8_of_singles(const DecodedInstruction& o, Context& c) {
  const Fp8 p = std::bit_cast<Fp8>(o.immediate);
  lanes(c, [&](int i) {
    row<std::uint16_t>(c, o.d)[i] = static_cast<std::uint16_t>(
        to_fp8(row<float>(c, o.a)[i], p) << 8 | to_fp8(row<float>(c, o.b)[i], p));
  });
}

void fp8_of_halves(const DecodedInstruction& o, Context& c) {
  const Fp8 p = std::bit_cast<Fp8>(o.immediate);
  lanes(c, [&](int i) {
    const std::uint32_t a = row<std::uint32_t>(c, o.a)[i];
    const auto half = [](std::uint32_t h) { return half_to_float(static_cast<std::uint16_t>(h)); };
    row<std::uint16_t>(c, o.d)[i] =
        static_cast<std::uint16_t>(to_fp8(half(a >> 16), p) << 8 | to_fp8(half(a), p));
  });
}

void halves_of_fp8(const DecodedInstruction& o, Context& c) {
  const Fp8 p = std::bit_cast<Fp8>(o.immediate);
  lanes(c, [&](int i) {
    const std::uint32_t a = row<std::uint16_t>(c, o.a)[i];
    row<std::uint32_t>(c, o.d)[i] = of_fp8(a >> 8, p) << 16 | of_fp8(a & 0xff, p);
  });
}

void integers(const DecodedInstruction& o, Context& c) {
  const auto bits = static_cast<std::uint32_t>(o.immediate & 0xff);
  const bool is_signed = o.immediate & 0x100;
  const std::int32_t high = (1 << (bits - (is_signed ? 1 : 0))) - 1,
                     low = is_signed ? -high - 1 : 0;
  const std::uint32_t mask = (1u << bits) - 1;
  lanes(c, [&](int i) {
    const auto fit = [&](std::uint32_t at) {
      return static_cast<std::uint32_t>(std::clamp(row<std::int32_t>(c, at)[i], low, high)) & mask;
    };
    std::uint32_t d = fit(o.b) | fit(o.a) << bits;
    if (o.c != kNone) d |= row<std::uint32_t>(c, o.c)[i] << (2 * bits);
    row<std::uint32_t>(c, o.d)[i] = d;
  });
}

}  // namespace warpbook::device::isa::packed
