#include "device/simulator/isa/video.hpp"
#include "device/simulator/execute/common_handlers.hpp"

#include <algorithm>
#include <bit>
#include <cstring>

#include "device/simulator/state/context.hpp"

namespace warpbook::device::isa::video {
namespace {

__extension__ typedef __int128 Wide;

/// The low bits of a value, with their sign where they have one.
std::int64_t extended(std::uint32_t value, std::uint32_t bits, bool is_signed) {
  const std::uint32_t shift = 32 - bits;
  return is_signed ? std::int64_t{static_cast<std::int32_t>(value << shift) >> shift}
                   : std::int64_t{value << shift >> shift};
}

std::int64_t part_of(std::uint32_t word, std::uint64_t part, bool is_signed) {
  if (part == kWhole) return extended(word, 32, is_signed);
  return part < 4 ? extended(word >> (8 * part), 8, is_signed)
                  : extended(word >> (16 * (part - 4)), 16, is_signed);
}

Wide clamped(Wide v, std::uint32_t bits, bool is_signed) {
  const Wide high = (Wide{1} << (bits - (is_signed ? 1 : 0))) - 1;
  const Wide low = is_signed ? -high - 1 : Wide{0};
  return std::clamp(v, low, high);
}

bool holds(Relation r, std::int64_t a, std::int64_t b) {
  switch (r) {
    case Relation::eq: return a == b;
    case Relation::ne: return a != b;
    case Relation::lt: return a < b;
    case Relation::le: return a <= b;
    case Relation::gt: return a > b;
    case Relation::ge: return a >= b;
  }
  return false;
}

/// The primary operation, on the selected parts.
Wide primary(const Plan& p, std::int64_t a, std::int64_t b) {
  switch (static_cast<Kind>(p.kind)) {
    case Kind::add: return Wide{a} + b;
    case Kind::sub: return Wide{a} - b;
    case Kind::avrg: return a + b >= 0 ? (a + b + 1) >> 1 : (a + b) >> 1;
    case Kind::absdiff: return a < b ? Wide{b} - a : Wide{a} - b;
    case Kind::min: return std::min(a, b);
    case Kind::max: return std::max(a, b);
    case Kind::set: return holds(static_cast<Relation>(p.relation), a, b) ? 1 : 0;
    case Kind::shl:
    case Kind::shr: {
      const std::int64_t n = p.wrap ? b & 31 : std::min<std::int64_t>(b, 32);
      return static_cast<Kind>(p.kind) == Kind::shl ? Wide{a} * (Wide{1} << n) : Wide{a} >> n;
    }
    case Kind::mad: break;
  }
  return 0;
}

/// Calls compute(a, b, c) for every lane that runs.
template <class Compute>
void lanes(const DecodedInstruction& o, Context& x, Compute&& compute) {
  auto* d = reinterpret_cast<std::uint32_t*>(x.frame + o.d);
  const auto* a = reinterpret_cast<const std::uint32_t*>(x.frame + o.a);
  const auto* b = reinterpret_cast<const std::uint32_t*>(x.frame + o.b);
  const auto* c = o.c == kNone ? nullptr : reinterpret_cast<const std::uint32_t*>(x.frame + o.c);
  for (std::uint32_t m = x.mask; m != 0; m &= m - 1) {
    const int i = std::countr_zero(m);
    d[i] = compute(a[i], b[i], c ? c[i] : 0);
  }
}

Plan plan_of(const DecodedInstruction& o) { return std::bit_cast<Plan>(o.immediate); }

template <std::uint32_t Elements>
void parallel(const DecodedInstruction& o, Context& x) {
  constexpr std::uint32_t kBits = 32 / Elements, kMask = (1u << kBits) - 1;
  const Plan p = plan_of(o);
  lanes(o, x, [&](std::uint32_t a, std::uint32_t b, std::uint32_t c) {
    const std::uint64_t both = std::uint64_t{b} << 32 | a;
    const auto element = [&](std::uint64_t select, std::uint32_t i, bool is_signed) {
      const std::uint64_t which = select >> (3 * i) & 7;
      return extended(static_cast<std::uint32_t>(both >> (kBits * which)), kBits, is_signed);
    };
    const bool accumulates = p.second != 0;
    std::uint32_t d = accumulates ? c : 0;
    for (std::uint32_t i = 0; i < Elements; ++i) {
      if (!(p.mask >> i & 1)) {
        if (!accumulates) d |= c & kMask << (kBits * i);
        continue;
      }
      Wide t = primary(p, element(p.a_select, i, p.a_signed), element(p.b_select, i, p.b_signed));
      if (p.sat) t = clamped(t, kBits, p.d_signed);
      const auto low = static_cast<std::uint32_t>(t);
      if (accumulates)
        d += low;
      else
        d |= (low & kMask) << (kBits * i);
    }
    return d;
  });
}

}  // namespace

void scalar(const DecodedInstruction& o, Context& x) {
  const Plan p = plan_of(o);
  const std::uint32_t bits = p.d_part == kWhole ? 32 : p.d_part < 4 ? 8 : 16;
  const std::uint32_t at = p.d_part == kWhole ? 0
                           : p.d_part < 4     ? 8 * static_cast<std::uint32_t>(p.d_part)
                                              : 16 * static_cast<std::uint32_t>(p.d_part - 4);
  lanes(o, x, [&](std::uint32_t a, std::uint32_t b, std::uint32_t c) {
    Wide t = primary(p, part_of(a, p.a_select, p.a_signed), part_of(b, p.b_select, p.b_signed));
    if (p.sat) t = clamped(t, bits, p.d_signed);
    // The intermediate result is a signed number of 33 bits (9.7.18.1).
    const auto value = static_cast<std::int64_t>(static_cast<std::uint64_t>(t) << 31) >> 31;
    const std::int64_t addend = extended(c, 32, p.d_signed);
    std::int64_t result = value;
    switch (static_cast<Second>(p.second)) {
      case Second::none: break;
      case Second::add: result = value + addend; break;
      case Second::min: result = std::min(value, addend); break;
      case Second::max: result = std::max(value, addend); break;
    }
    const auto low = static_cast<std::uint32_t>(result);
    if (bits == 32) return low;
    const std::uint32_t field = ((1u << bits) - 1) << at;
    return (c & ~field) | (low << at & field);
  });
}

void multiply(const DecodedInstruction& o, Context& x) {
  const Plan p = plan_of(o);
  const bool is_signed = p.a_signed || p.b_signed || p.negate_product || p.negate_c;
  lanes(o, x, [&](std::uint32_t a, std::uint32_t b, std::uint32_t c) {
    Wide t = Wide{part_of(a, p.a_select, p.a_signed)} * part_of(b, p.b_select, p.b_signed);
    int lowest = 0;
    if (p.plus_one) {
      lowest = 1;
    } else if (p.negate_product) {
      t = ~t;
      lowest = 1;
    } else if (p.negate_c) {
      c = ~c;
      lowest = 1;
    }
    t = (t + extended(c, 32, is_signed) + lowest) >> p.shift;
    const auto low = static_cast<std::uint64_t>(t);
    if (!p.sat) return static_cast<std::uint32_t>(low);
    const Wide whole = is_signed ? Wide{static_cast<std::int64_t>(low)} : static_cast<Wide>(low);
    return static_cast<std::uint32_t>(clamped(whole, 32, is_signed));
  });
}

void two_halves(const DecodedInstruction& o, Context& x) { parallel<2>(o, x); }
void four_bytes(const DecodedInstruction& o, Context& x) { parallel<4>(o, x); }

}  // namespace warpbook::device::isa::video
