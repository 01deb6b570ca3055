// setp, set, selp, slct (PTX ISA 9.0, 9.3.1 and 9.7.6).
#include "tests/device/simulator/reference/scalar.hpp"

namespace warpbook::device::tests::reference {
namespace {

/// How two operands stand to each other.
struct Order {
  bool unordered = false;
  int sign = 0;  ///< of a - b
};

Order order_of(Type type, bool ftz, Wide a, Wide b) {
  if (is_integer(type) || type == Type::b16 || type == Type::b32 || type == Type::b64) {
    const Type as = is_integer(type)    ? type
                    : type == Type::b16 ? Type::u16
                    : type == Type::b32 ? Type::u32
                                        : Type::u64;
    const SignedWide x = number(as, a), y = number(as, b);
    return {false, x < y ? -1 : x > y ? 1 : 0};
  }
  const Format& f = type == Type::f32                          ? kSingle
                    : type == Type::f64                        ? kDouble
                    : type == Type::f16 || type == Type::f16x2 ? kHalf
                                                               : kBrain;
  const auto read = [&](Wide v) {
    auto bits = static_cast<std::uint64_t>(low_bits(v, 1 + f.exponent_bits + f.fraction_bits));
    if (ftz && (bits & f.infinity()) == 0) bits &= f.sign();
    return decode(f, bits);
  };
  const Real x = read(a), y = read(b);
  if (x.kind == Real::Kind::nan || y.kind == Real::Kind::nan) return {true, 0};
  return {false, compare(x, y)};
}

bool holds(const Scalar& s, const Order& o) {
  const auto is = [&](Word ordered, Word or_unordered, bool result, bool& out) {
    if (s.has(ordered)) out = !o.unordered && result;
    if (s.has(or_unordered)) out = o.unordered || result;
  };
  bool r = false;
  is(Word::eq, Word::equ, o.sign == 0, r);
  is(Word::ne, Word::neu, o.sign != 0, r);
  is(Word::lt, Word::ltu, o.sign < 0, r);
  is(Word::le, Word::leu, o.sign <= 0, r);
  is(Word::gt, Word::gtu, o.sign > 0, r);
  is(Word::ge, Word::geu, o.sign >= 0, r);
  if (s.has(Word::lo)) r = o.sign < 0;
  if (s.has(Word::ls)) r = o.sign <= 0;
  if (s.has(Word::hi)) r = o.sign > 0;
  if (s.has(Word::hs)) r = o.sign >= 0;
  if (s.has(Word::num)) r = !o.unordered;
  if (s.has(Word::nan)) r = o.unordered;
  return r;
}

bool joined(const Scalar& s, bool t) {
  const bool c = s.in[2] != 0;
  if (s.has(Word::and_)) return t && c;
  if (s.has(Word::or_)) return t || c;
  if (s.has(Word::xor_)) return t != c;
  return t;
}

Wide true_of(Type type) {
  switch (type) {
    case Type::f32: return 0x3f800000;
    case Type::f16: return 0x3c00;
    case Type::bf16: return 0x3f80;
    case Type::f16x2: return 0x3c003c00;
    case Type::bf16x2: return 0x3f803f80;
    case Type::u16:
    case Type::s16: return 0xffff;
    default: return 0xffffffff;
  }
}

bool compare(Scalar& s) {
  const bool predicate = s.opcode == Word::setp;
  const Type type = s.type(predicate ? 0 : 1);
  const bool ftz = s.has(Word::ftz);
  const bool t = holds(s, order_of(type, ftz, s.in[0], s.in[1]));
  const bool pairs = type == Type::f16x2 || type == Type::bf16x2;
  const bool u = pairs && holds(s, order_of(type, ftz, s.in[0] >> 16, s.in[1] >> 16));
  if (predicate) {
    s.d = joined(s, t);
    s.second = joined(s, pairs ? u : !t);
    return true;
  }
  const Wide yes = true_of(s.type(0));
  if (pairs)
    s.d = (joined(s, t) ? yes & 0xffff : 0) | (joined(s, u) ? yes & 0xffff0000 : 0);
  else
    s.d = joined(s, t) ? yes : 0;
  return true;
}

}  // namespace

bool evaluate_compare(Scalar& s) {
  switch (s.opcode) {
    case Word::setp:
    case Word::set: return compare(s);
    case Word::selp:
      s.d = low_bits(s.in[2] != 0 ? s.in[0] : s.in[1], bits_of(s.type()));
      return true;
    case Word::slct: {
      const Order o = order_of(s.type(1), s.has(Word::ftz), s.in[2], 0);
      s.d = low_bits(!o.unordered && o.sign >= 0 ? s.in[0] : s.in[1], bits_of(s.type()));
      return true;
    }
    default: return false;
  }
}

}  // namespace warpbook::device::tests::reference
