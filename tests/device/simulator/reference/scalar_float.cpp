// Floating-point arithmetic (PTX ISA 9.0, 9.7.3 and 9.7.4) without the approximate functions, whose
// results the ISA leaves open within an error.
#include <algorithm>
#include <iterator>

#include "tests/device/simulator/reference/scalar.hpp"

namespace warpbook::device::tests::reference {
namespace {

std::uint64_t word(Wide value) { return static_cast<std::uint64_t>(value); }

bool is_nan(const Format& f, std::uint64_t v) { return (v & (f.sign() - 1)) > f.infinity(); }
std::uint64_t flushed(const Format& f, std::uint64_t v) {
  return (v & f.infinity()) == 0 ? v & f.sign() : v;
}
std::uint64_t one(const Format& f) {
  return static_cast<std::uint64_t>(f.bias()) << f.fraction_bits;
}
/// Into [+0, 1]; a NaN becomes +0.
std::uint64_t saturated(const Format& f, std::uint64_t v) {
  if (is_nan(f, v) || (v & f.sign()) != 0) return 0;
  return v > one(f) ? one(f) : v;
}

Rounding rounding_of(const Scalar& s) {
  return s.has(Word::rz)   ? Rounding::zero
         : s.has(Word::rm) ? Rounding::down
         : s.has(Word::rp) ? Rounding::up
                           : Rounding::nearest;
}

/// One result from up to three operands of a format, before .ftz, .sat and .relu. False for an
/// opcode that is none of these.
bool arithmetic(Word opcode, const Format& f, const std::uint64_t* in, Rounding rounding,
                std::uint64_t& out) {
  const Real a = decode(f, in[0]), b = decode(f, in[1]), c = decode(f, in[2]);
  Real minus_b = b, r;
  minus_b.negative = !b.negative;
  switch (opcode) {
    case Word::add: r = sum(a, b, rounding); break;
    case Word::sub: r = sum(a, minus_b, rounding); break;
    case Word::mul: r = product(a, b); break;
    case Word::fma:
    case Word::mad: r = sum(product(a, b), c, rounding); break;
    case Word::div: r = quotient(a, b); break;
    case Word::rcp: r = quotient(from_integer(1, false), a); break;
    case Word::sqrt: r = root(a); break;
    default: return false;
  }
  out = encode(f, r, rounding);
  return true;
}

int operands_of(Word opcode) {
  return opcode == Word::fma || opcode == Word::mad    ? 3
         : opcode == Word::rcp || opcode == Word::sqrt ? 1
                                                       : 2;
}

/// min and max: -0 is less than +0; a NaN yields to a number unless .NaN says otherwise.
std::uint64_t extreme(const Format& f, bool greater, bool pass_nan, bool xor_sign, std::uint64_t a,
                      std::uint64_t b) {
  const std::uint64_t sign = (a ^ b) & f.sign();
  if (xor_sign) a &= ~f.sign(), b &= ~f.sign();
  const bool nan_a = is_nan(f, a), nan_b = is_nan(f, b);
  if ((nan_a && nan_b) || (pass_nan && (nan_a || nan_b))) return f.nan;
  std::uint64_t r = a;
  if (nan_a) {
    r = b;
  } else if (!nan_b) {
    const int order = compare(decode(f, a), decode(f, b));
    const bool a_less = order != 0 ? order < 0 : (a & f.sign()) != 0;
    r = a_less != greater ? a : b;
  }
  return xor_sign ? r | sign : r;
}

bool test_property(Scalar& s, const Format& f) {
  const Real r = decode(f, word(s.in[0]));
  const bool subnormal = r.kind == Real::Kind::finite && (word(s.in[0]) & f.infinity()) == 0;
  const bool number = r.kind != Real::Kind::nan, finite = number && r.kind != Real::Kind::infinite;
  if (s.has(Word::finite))
    s.d = finite;
  else if (s.has(Word::infinite))
    s.d = r.kind == Real::Kind::infinite;
  else if (s.has(Word::number))
    s.d = number;
  else if (s.has(Word::notanumber))
    s.d = !number;
  else if (s.has(Word::normal))
    s.d = finite && !subnormal;  // zero is normal, says the ISA
  else
    s.d = subnormal;
  return true;
}

/// Double precision keeps the payload of the first operand that is a NaN, made quiet.
bool kept_payload(const std::uint64_t* in, int count, std::uint64_t& out) {
  for (int i = 0; i < count; ++i) {
    if (!is_nan(kDouble, in[i])) continue;
    out = in[i] | 0x0008000000000000;
    return true;
  }
  return false;
}

}  // namespace

bool evaluate_float(Scalar& s) {
  const Type type = s.type();
  if ((type != Type::f32 && type != Type::f64) || s.has(Word::approx) || s.has(Word::full))
    return false;
  const bool single = type == Type::f32;
  const Format& f = single ? kSingle : kDouble;
  const bool ftz = s.has(Word::ftz);
  std::uint64_t in[3];
  for (std::size_t i = 0; i < 3; ++i) {
    in[i] = word(low_bits(s.in[i], bits_of(type)));
    if (ftz && s.opcode != Word::copysign) in[i] = flushed(f, in[i]);
  }
  std::uint64_t r = 0;
  switch (s.opcode) {
    case Word::testp: return test_property(s, f);
    case Word::copysign: s.d = (in[0] & f.sign()) | (in[1] & ~f.sign()); return true;
    case Word::abs: s.d = in[0] & ~f.sign(); return true;
    case Word::neg: s.d = in[0] ^ f.sign(); return true;
    case Word::min:
    case Word::max:
      s.d = extreme(f, s.opcode == Word::max, s.has(Word::NaN), s.has(Word::xorsign), in[0], in[1]);
      return true;
    default: break;
  }
  if (!arithmetic(s.opcode, f, in, rounding_of(s), r)) return false;
  if (!single && is_nan(f, r) && !kept_payload(in, operands_of(s.opcode), r))
    r = 0xfff8000000000000;
  if (ftz) r = flushed(f, r);
  if (s.has(Word::sat)) r = saturated(f, r);
  s.d = r;
  return true;
}

bool evaluate_half(Scalar& s) {
  const Type type = s.type();
  const bool half = type == Type::f16 || type == Type::f16x2;
  const bool pair = type == Type::f16x2 || type == Type::bf16x2;
  if (!half && type != Type::bf16 && type != Type::bf16x2) return false;
  const Format& f = half ? kHalf : kBrain;
  s.d = 0;
  for (int part = 0; part < (pair ? 2 : 1); ++part) {
    std::uint64_t in[3];
    for (std::size_t i = 0; i < 3; ++i) {
      in[i] = word(s.in[i] >> (16 * part)) & 0xffff;
      if (s.has(Word::ftz)) in[i] = flushed(f, in[i]);
    }
    std::uint64_t r = 0;
    const bool outside = s.has(Word::oob) && std::any_of(std::begin(in), std::end(in), [](auto v) {
                           return (v & 0x7fff) == 0x7ff7;  // where a tensor has no element
                         });
    if (outside) continue;  // +0
    switch (s.opcode) {
      case Word::abs: r = in[0] & 0x7fff; break;
      case Word::neg: r = in[0] ^ 0x8000; break;
      case Word::min:
      case Word::max:
        r = extreme(f, s.opcode == Word::max, s.has(Word::NaN), s.has(Word::xorsign), in[0], in[1]);
        break;
      case Word::add:
      case Word::sub:
      case Word::mul:
      case Word::fma:
        arithmetic(s.opcode, f, in, Rounding::nearest, r);
        if (s.has(Word::ftz)) r = flushed(f, r);
        if (s.has(Word::sat)) r = saturated(f, r);
        if (s.has(Word::relu) && !is_nan(f, r) && (r & f.sign()) != 0) r = 0;
        break;
      default: return false;
    }
    s.d |= Wide{r} << (16 * part);
  }
  return true;
}

}  // namespace warpbook::device::tests::reference
