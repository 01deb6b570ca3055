// cvt (PTX ISA 9.0, 9.7.9.21): every value becomes an exact number first.
#include "tests/device/simulator/reference/scalar.hpp"

namespace warpbook::device::tests::reference {
namespace {

std::uint64_t word(Wide value) { return static_cast<std::uint64_t>(value); }

const Format* format_of(Type type) {
  switch (type) {
    case Type::f16: return &kHalf;
    case Type::bf16: return &kBrain;
    case Type::tf32: return &kTensor;
    case Type::f32: return &kSingle;
    case Type::f64: return &kDouble;
    case Type::e4m3: return &kE4m3;
    case Type::e5m2: return &kE5m2;
    default: return nullptr;
  }
}

Rounding rounding_of(const Scalar& s) {
  if (s.has(Word::rz) || s.has(Word::rzi)) return Rounding::zero;
  if (s.has(Word::rm) || s.has(Word::rmi)) return Rounding::down;
  if (s.has(Word::rp) || s.has(Word::rpi)) return Rounding::up;
  return s.has(Word::rna) ? Rounding::away : Rounding::nearest;
}

bool to_whole(const Scalar& s) {
  return s.has(Word::rni) || s.has(Word::rzi) || s.has(Word::rmi) || s.has(Word::rpi);
}

std::uint64_t flush(std::uint64_t bits) {
  return (bits & kSingle.infinity()) == 0 ? bits & kSingle.sign() : bits;
}

/// A NaN that becomes a double keeps its sign and payload, and is quiet.
std::uint64_t widened_nan(const Format& from, std::uint64_t bits) {
  const std::uint64_t fraction = bits & ((std::uint64_t{1} << from.fraction_bits) - 1);
  return ((bits & from.sign()) != 0 ? kDouble.sign() : 0) | kDouble.infinity() |
         fraction << (52 - from.fraction_bits) | 0x0008000000000000;
}

Wide integer_to_integer(const Scalar& s, Type to, Type from, Wide value) {
  SignedWide v = number(from, value);
  if (s.has(Word::sat)) {
    const int bits = bits_of(to);
    const SignedWide most =
        static_cast<SignedWide>((Wide{1} << (is_signed(to) ? bits - 1 : bits)) - 1);
    const SignedWide least = is_signed(to) ? -most - 1 : 0;
    v = v > most ? most : v < least ? least : v;
  }
  return static_cast<Wide>(v);
}

std::uint64_t finished(const Scalar& s, Type to, std::uint64_t r, bool is_nan = false) {
  const Format& f = *format_of(to);
  const bool nan = (r & (f.sign() - 1)) > f.infinity() || is_nan;
  if (s.has(Word::satfinite) && !nan && (r & (f.sign() - 1)) == f.infinity()) --r;
  if (s.has(Word::relu) && !nan && (r & f.sign()) != 0) r = 0;
  if (s.has(Word::sat)) {
    const std::uint64_t one = static_cast<std::uint64_t>(f.bias()) << f.fraction_bits;
    r = nan || (r & f.sign()) != 0 ? 0 : r > one ? one : r;
  }
  if (s.has(Word::ftz) && to == Type::f32) r = flush(r);
  return to == Type::tf32 ? r << 13 : r;
}

/// One value of the source's type, in the destination's own width.
Wide converted(const Scalar& s, Type to, Type from, Wide value) {
  if (is_integer(from) && is_integer(to)) return integer_to_integer(s, to, from, value);
  if (is_integer(from)) {
    const SignedWide v = number(from, value);
    const Real r = from_integer(static_cast<Wide>(v < 0 ? -v : v), v < 0);
    return finished(s, to, encode(*format_of(to), r, rounding_of(s)));
  }
  const Format& f = *format_of(from);
  std::uint64_t bits = word(low_bits(value, bits_of(from)));
  if (s.has(Word::ftz) && from == Type::f32) bits = flush(bits);
  const Real r = decode(f, bits);
  if (is_integer(to)) {
    const int width = bits_of(to);
    if (r.kind == Real::Kind::nan)
      return from != Type::f64 && width != 64 ? 0 : Wide{1} << (width - 1);
    return to_integer(r, rounding_of(s), width, is_signed(to));
  }
  if (to == Type::f64 && r.kind == Real::Kind::nan)
    return s.has(Word::sat) ? 0 : widened_nan(f, bits);
  const Real w = to_whole(s) ? whole(r, rounding_of(s)) : r;
  return finished(s, to, encode(*format_of(to), w, rounding_of(s)), r.kind == Real::Kind::nan);
}

}  // namespace

bool evaluate_convert(Scalar& s) {
  if (s.opcode != Word::cvt) return false;
  Type to = s.type(0);
  const Type from = s.type(1);
  const auto narrow = [](Type t) {
    return t == Type::e4m3x2 ? Type::e4m3 : t == Type::e5m2x2 ? Type::e5m2 : Type::none;
  };
  if (const Type small = narrow(to); small != Type::none) {
    const bool halves = from == Type::f16x2;
    const Type part = halves ? Type::f16 : Type::f32;
    const Wide high = halves ? s.in[0] >> 16 : s.in[0], low = halves ? s.in[0] : s.in[1];
    s.d = converted(s, small, part, high) << 8 | converted(s, small, part, low);
    return true;
  }
  if (const Type small = narrow(from); small != Type::none) {
    s.d = converted(s, Type::f16, small, s.in[0] >> 8) << 16 |
          converted(s, Type::f16, small, s.in[0]);
    return true;
  }
  if (to == Type::f16x2 || to == Type::bf16x2) {
    to = to == Type::f16x2 ? Type::f16 : Type::bf16;
    s.d = converted(s, to, from, s.in[0]) << 16 | converted(s, to, from, s.in[1]);
    return from == Type::f32;
  }
  const auto known = [](Type t) { return is_integer(t) || format_of(t) != nullptr; };
  if (!known(to) || !known(from)) return false;
  const Wide r = converted(s, to, from, s.in[0]);
  // In a wider register, signed integers are extended by their sign and everything else by zeros.
  const Wide extended =
      is_integer(to) ? static_cast<Wide>(number(to, r)) : low_bits(r, bits_of(to));
  s.d = low_bits(extended, 8 * s.d_bytes);
  return true;
}

}  // namespace warpbook::device::tests::reference
