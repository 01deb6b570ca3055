// Integer arithmetic (PTX ISA 9.0, 9.7.1 and 9.7.2), in 128 bits.
#include <algorithm>

#include "tests/device/simulator/reference/scalar.hpp"

namespace warpbook::device::tests::reference {
namespace {

SignedWide saturated(SignedWide value) {
  return std::clamp<SignedWide>(value, INT32_MIN, INT32_MAX);
}

/// The bits of a x b that .lo, .hi or .wide asks for.
Wide multiplied(const Scalar& s, Type type) {
  // The low 128 bits of a product are right whatever the signs are.
  const Wide whole =
      static_cast<Wide>(number(type, s.in[0])) * static_cast<Wide>(number(type, s.in[1]));
  if (s.has(Word::wide)) return low_bits(whole, 2 * bits_of(type));
  if (s.has(Word::hi)) return low_bits(whole >> bits_of(type), bits_of(type));
  return low_bits(whole, bits_of(type));
}

/// add.cc, addc, madc: the sum with the carry that goes in, and the one that comes out.
void chained(Scalar& s, Type type, Wide first, Wide second, bool in) {
  const int bits = bits_of(type);
  const Wide sum = low_bits(first, bits) + low_bits(second, bits) + (in ? 1 : 0);
  s.d = low_bits(sum, bits);
  if (s.has(Word::cc)) s.carry = (sum >> bits & 1) != 0;
}

bool add_or_subtract(Scalar& s, Type type) {
  const bool adds = s.opcode == Word::add || s.opcode == Word::addc;
  const bool extended = s.opcode == Word::addc || s.opcode == Word::subc;
  if (s.has(Word::u16x2) || s.has(Word::s16x2)) {
    const Wide low = low_bits(s.in[0] + s.in[1], 16);
    s.d = low | low_bits((s.in[0] >> 16) + (s.in[1] >> 16), 16) << 16;
    return adds;
  }
  if (extended || s.has(Word::cc)) {
    // Subtraction adds the complement and one; the carry says that nothing was borrowed.
    if (adds)
      chained(s, type, s.in[0], s.in[1], extended && s.carry);
    else
      chained(s, type, s.in[0], ~s.in[1], extended ? s.carry : true);
    return true;
  }
  const SignedWide a = number(type, s.in[0]), b = number(type, s.in[1]);
  const SignedWide r = adds ? a + b : a - b;
  s.d = low_bits(static_cast<Wide>(s.has(Word::sat) ? saturated(r) : r), bits_of(type));
  return true;
}

bool multiply_add(Scalar& s, Type type) {
  const Wide p = multiplied(s, type);
  if (s.opcode == Word::madc || s.has(Word::cc)) {
    chained(s, type, p, s.in[2], s.opcode == Word::madc && s.carry);
    return true;
  }
  if (s.has(Word::sat)) {
    s.d = low_bits(static_cast<Wide>(saturated(number(type, p) + number(type, s.in[2]))), 32);
    return true;
  }
  s.d = low_bits(p + s.in[2], s.has(Word::wide) ? 2 * bits_of(type) : bits_of(type));
  return true;
}

/// mul24 and mad24: 24 bits of each operand, 48 of the product.
void multiply24(Scalar& s, Type type) {
  const auto low = [&](Wide v) -> SignedWide {
    const auto x = static_cast<SignedWide>(low_bits(v, 24));
    return is_signed(type) && (x >> 23 & 1) != 0 ? x - (1 << 24) : x;
  };
  const SignedWide p = low(s.in[0]) * low(s.in[1]);
  const Wide half = low_bits(static_cast<Wide>(s.has(Word::hi) ? p >> 16 : p), 32);
  if (s.opcode == Word::mul24) {
    s.d = half;
  } else if (s.has(Word::sat)) {
    s.d = low_bits(static_cast<Wide>(saturated(number(type, half) + number(type, s.in[2]))), 32);
  } else {
    s.d = low_bits(half + s.in[2], 32);
  }
}

SignedWide least_or_greatest(const Scalar& s, Type type, Wide a, Wide b) {
  const SignedWide x = number(type, a), y = number(type, b);
  const SignedWide r = s.opcode == Word::min ? std::min(x, y) : std::max(x, y);
  return s.has(Word::relu) ? std::max<SignedWide>(r, 0) : r;
}

/// dp4a and dp2a: parts of a, each with a byte of b, summed onto c.
void dot(Scalar& s) {
  const Type a = s.type(0), b = s.type(1);
  const bool four = s.opcode == Word::dp4a;
  SignedWide sum = static_cast<SignedWide>(s.in[2]);
  for (int i = 0; i < (four ? 4 : 2); ++i) {
    const Type a_part =
        four ? (a == Type::u32 ? Type::u8 : Type::s8) : (a == Type::u32 ? Type::u16 : Type::s16);
    const Type b_part = b == Type::u32 ? Type::u8 : Type::s8;
    const int skip = !four && s.has(Word::hi) ? 16 : 0;
    sum += number(a_part, s.in[0] >> (bits_of(a_part) * i)) *
           number(b_part, s.in[1] >> (8 * i + skip));
  }
  s.d = low_bits(static_cast<Wide>(sum), 32);
}

}  // namespace

bool evaluate_integer(Scalar& s) {
  if (s.opcode == Word::dp4a || s.opcode == Word::dp2a) {
    dot(s);
    return true;
  }
  const bool pairs = s.has(Word::u16x2) || s.has(Word::s16x2);
  const Type type = s.type();
  if (!pairs && !is_integer(type)) return false;
  const SignedWide a = pairs ? 0 : number(type, s.in[0]), b = pairs ? 0 : number(type, s.in[1]);
  SignedWide r = 0;
  switch (s.opcode) {
    case Word::add:
    case Word::addc:
    case Word::sub:
    case Word::subc: return add_or_subtract(s, type);
    case Word::mul: s.d = multiplied(s, type); return true;
    case Word::mad:
    case Word::madc: return multiply_add(s, type);
    case Word::mul24:
    case Word::mad24: multiply24(s, type); return true;
    case Word::sad: r = number(type, s.in[2]) + (a < b ? b - a : a - b); break;
    case Word::div: r = b == 0 ? -1 : a / b; break;  // by zero: open; all ones on the hardware
    case Word::rem: r = b == 0 ? a : a % b; break;
    case Word::abs: r = a < 0 ? -a : a; break;
    case Word::neg: r = -a; break;
    case Word::min:
    case Word::max: {
      if (!pairs) {
        r = least_or_greatest(s, type, s.in[0], s.in[1]);
        break;
      }
      const Type half = s.has(Word::u16x2) ? Type::u16 : Type::s16;
      const SignedWide low = least_or_greatest(s, half, s.in[0], s.in[1]);
      const SignedWide high = least_or_greatest(s, half, s.in[0] >> 16, s.in[1] >> 16);
      s.d = low_bits(static_cast<Wide>(low), 16) | low_bits(static_cast<Wide>(high), 16) << 16;
      return true;
    }
    default: return false;
  }
  s.d = low_bits(static_cast<Wide>(r), bits_of(type));
  return true;
}

}  // namespace warpbook::device::tests::reference
