#include "tests/device/simulator/reference/exact.hpp"

#include <algorithm>
#include <bit>

namespace warpbook::device::tests::reference {
namespace {

constexpr int kFar = 300;  ///< further apart than this, a sum's smaller part only says "more"

/// The whole part of |value|, and what is left over: nothing, less than half, half, or more.
struct Split {
  Big kept;
  bool half = false, below = false;
};
Split split(const Real& value, int drop) {
  Split s;
  if (drop <= 0) {
    s.kept = value.significand.shifted_left(-drop);
    s.below = value.more;
    return s;
  }
  s.kept = value.significand.shifted_right(drop);
  s.half = value.significand.bit(drop - 1);
  s.below = value.significand.any_below(drop - 1) || value.more;
  return s;
}

bool rounds_up(const Split& s, Rounding rounding, bool negative) {
  switch (rounding) {
    case Rounding::nearest: return s.half && (s.below || s.kept.bit(0));
    case Rounding::away: return s.half;
    case Rounding::zero: return false;
    case Rounding::down: return negative && (s.half || s.below);
    case Rounding::up: return !negative && (s.half || s.below);
  }
  return false;
}

}  // namespace

int Big::top() const {
  for (int w = 7; w >= 0; --w) {
    const std::uint64_t word = words[static_cast<std::size_t>(w)];
    if (word != 0) return 64 * w + 63 - std::countl_zero(word);
  }
  return -1;
}

bool Big::any_below(int at) const {
  for (int w = 0; w < 8; ++w) {
    const std::uint64_t word = words[static_cast<std::size_t>(w)];
    const int left = at - 64 * w;
    if (left <= 0) return false;
    if (left >= 64 ? word != 0 : (word & ((std::uint64_t{1} << left) - 1)) != 0) return true;
  }
  return false;
}

Big Big::shifted_left(int by) const {
  Big r;
  for (int w = 7; w >= by / 64; --w) {
    const int from = w - by / 64;
    std::uint64_t word = words[static_cast<std::size_t>(from)] << (by % 64);
    if (by % 64 != 0 && from > 0)
      word |= words[static_cast<std::size_t>(from - 1)] >> (64 - by % 64);
    r.words[static_cast<std::size_t>(w)] = word;
  }
  return r;
}

Big Big::shifted_right(int by) const {
  Big r;
  for (int w = 0; w + by / 64 < 8; ++w) {
    const int from = w + by / 64;
    std::uint64_t word = words[static_cast<std::size_t>(from)] >> (by % 64);
    if (by % 64 != 0 && from < 7)
      word |= words[static_cast<std::size_t>(from + 1)] << (64 - by % 64);
    r.words[static_cast<std::size_t>(w)] = word;
  }
  return r;
}

int compare(const Big& a, const Big& b) {
  for (std::size_t w = 8; w-- > 0;) {
    if (a.words[w] != b.words[w]) return a.words[w] < b.words[w] ? -1 : 1;
  }
  return 0;
}

Big add(const Big& a, const Big& b) {
  Big r;
  Wide carry = 0;
  for (std::size_t w = 0; w < 8; ++w) {
    carry += Wide{a.words[w]} + b.words[w];
    r.words[w] = static_cast<std::uint64_t>(carry);
    carry >>= 64;
  }
  return r;
}

Big subtract(const Big& a, const Big& b) {
  Big r;
  std::uint64_t borrow = 0;
  for (std::size_t w = 0; w < 8; ++w) {
    const Wide from = Wide{a.words[w]}, what = Wide{b.words[w]} + borrow;
    r.words[w] = static_cast<std::uint64_t>(from - what);
    borrow = from < what ? 1 : 0;
  }
  return r;
}

Real decode(const Format& f, std::uint64_t bits) {
  Real r;
  r.negative = (bits & f.sign()) != 0;
  const std::uint64_t magnitude = bits & (f.sign() - 1);
  if (magnitude > f.infinity() || (f.finite && magnitude == f.infinity())) {
    r.kind = Real::Kind::nan;
  } else if (magnitude == f.infinity()) {
    r.kind = Real::Kind::infinite;
  } else if (magnitude != 0) {
    r.kind = Real::Kind::finite;
    const int biased = static_cast<int>(magnitude >> f.fraction_bits);
    const std::uint64_t one = std::uint64_t{1} << f.fraction_bits;
    const std::uint64_t fraction = magnitude & (one - 1);
    r.significand = Big(biased == 0 ? fraction : fraction | one);
    r.exponent = std::max(biased, 1) - f.bias() - f.fraction_bits;
  }
  return r;
}

Real from_integer(Wide magnitude, bool negative) {
  Real r;
  if (magnitude == 0) return r;
  r.kind = Real::Kind::finite;
  r.negative = negative;
  r.significand = Big(magnitude);
  return r;
}

std::uint64_t encode(const Format& f, const Real& v, Rounding rounding) {
  const std::uint64_t sign = v.negative ? f.sign() : 0;
  switch (v.kind) {
    case Real::Kind::nan: return f.nan;
    case Real::Kind::infinite: return sign | f.infinity();
    case Real::Kind::zero: return sign;
    case Real::Kind::finite: break;
  }
  const int least = 1 - f.bias();  // exponent of normal numbers, from here up
  const int exponent = std::max(v.significand.top() + v.exponent, least);
  const Split s = split(v, exponent - f.fraction_bits - v.exponent);
  // The hidden bit of a normal number adds the one that is missing in its biased exponent.
  std::uint64_t bits =
      (static_cast<std::uint64_t>(exponent - least) << f.fraction_bits) + s.kept.words[0];
  if (rounds_up(s, rounding, v.negative)) ++bits;
  if (bits >= f.infinity()) {
    const bool to_infinity = rounding == Rounding::nearest || rounding == Rounding::away ||
                             rounding == (v.negative ? Rounding::down : Rounding::up);
    bits = to_infinity ? f.infinity() : f.infinity() - 1;
  }
  return sign | bits;
}

Real sum(const Real& a, const Real& b, Rounding rounding) {
  using Kind = Real::Kind;
  if (a.kind == Kind::nan) return a;
  if (b.kind == Kind::nan) return b;
  if (a.kind == Kind::infinite && b.kind == Kind::infinite && a.negative != b.negative) {
    Real r;
    r.kind = Kind::nan;
    return r;
  }
  if (a.kind == Kind::infinite) return a;
  if (b.kind == Kind::infinite) return b;
  Real zero;
  zero.negative = a.negative == b.negative ? a.negative : rounding == Rounding::down;
  if (a.kind == Kind::zero && b.kind == Kind::zero) return zero;
  if (a.kind == Kind::zero) return b;
  if (b.kind == Kind::zero) return a;
  // `high` has the greater exponent; both are brought to the other's.
  Real high = a, low = b;
  if (high.exponent < low.exponent) std::swap(high, low);
  const int apart = high.exponent - low.exponent;
  if (apart > kFar) {
    constexpr int kRoom = 200;
    high.significand = high.significand.shifted_left(kRoom);
    high.exponent -= kRoom;
    if (high.negative != low.negative) high.significand = subtract(high.significand, Big(1));
    high.more = true;
    return high;
  }
  high.significand = high.significand.shifted_left(apart);
  high.exponent = low.exponent;
  if (high.negative == low.negative) {
    high.significand = add(high.significand, low.significand);
    return high;
  }
  const int order = compare(high.significand, low.significand);
  if (order == 0) return zero;
  if (order < 0) std::swap(high, low);
  high.significand = subtract(high.significand, low.significand);
  return high;
}

Real product(const Real& a, const Real& b) {
  using Kind = Real::Kind;
  if (a.kind == Kind::nan) return a;
  if (b.kind == Kind::nan) return b;
  Real r;
  r.negative = a.negative != b.negative;
  const bool infinite = a.kind == Kind::infinite || b.kind == Kind::infinite;
  const bool zero = a.kind == Kind::zero || b.kind == Kind::zero;
  if (infinite || zero) {
    r.kind = infinite && zero ? Kind::nan : infinite ? Kind::infinite : Kind::zero;
    return r;
  }
  r.kind = Kind::finite;
  r.significand = Big(Wide{a.significand.words[0]} * b.significand.words[0]);
  r.exponent = a.exponent + b.exponent;
  return r;
}

Real quotient(const Real& a, const Real& b) {
  using Kind = Real::Kind;
  if (a.kind == Kind::nan) return a;
  if (b.kind == Kind::nan) return b;
  Real r;
  r.negative = a.negative != b.negative;
  if (a.kind == b.kind && a.kind != Kind::finite) {
    r.kind = Kind::nan;  // 0/0 and inf/inf
    return r;
  }
  if (a.kind == Kind::infinite || b.kind == Kind::zero) {
    r.kind = Kind::infinite;
    return r;
  }
  if (a.kind == Kind::zero || b.kind == Kind::infinite) return r;
  r.kind = Kind::finite;
  // At least 58 bits of quotient, whatever the two have.
  const int lift = 120 - a.significand.top();
  const Wide dividend = Wide{a.significand.words[0]} << lift;
  const Wide divisor = b.significand.words[0];
  r.significand = Big(dividend / divisor);
  r.more = dividend % divisor != 0;
  r.exponent = a.exponent - lift - b.exponent;
  return r;
}

Real root(const Real& a) {
  using Kind = Real::Kind;
  if (a.kind == Kind::nan || a.kind == Kind::zero) return a;
  Real r;
  if (a.negative) {
    r.kind = Kind::nan;
    return r;
  }
  if (a.kind == Kind::infinite) return a;
  int lift = 120 - a.significand.top();
  if ((a.exponent - lift) % 2 != 0) --lift;
  const Wide square = Wide{a.significand.words[0]} << lift;
  Wide low = 0;
  for (int bit = 62; bit >= 0; --bit) {
    const Wide tried = low | Wide{1} << bit;
    if (tried * tried <= square) low = tried;
  }
  r.kind = Kind::finite;
  r.significand = Big(low);
  r.more = low * low != square;
  r.exponent = (a.exponent - lift) / 2;
  return r;
}

Real whole(const Real& value, Rounding rounding) {
  if (value.kind != Real::Kind::finite || value.exponent >= 0) return value;
  const Split s = split(value, -value.exponent);
  Real r = value;
  r.more = false;
  r.exponent = 0;
  r.significand = rounds_up(s, rounding, value.negative) ? add(s.kept, Big(1)) : s.kept;
  if (r.significand.top() < 0) r.kind = Real::Kind::zero;
  return r;
}

std::uint64_t to_integer(const Real& value, Rounding rounding, int bits, bool is_signed) {
  const std::uint64_t all = bits == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << bits) - 1;
  const std::uint64_t greatest = is_signed ? all >> 1 : all;
  const std::uint64_t least = is_signed ? std::uint64_t{1} << (bits - 1) : 0;  // its magnitude
  const Real w = whole(value, rounding);
  if (w.kind == Real::Kind::zero) return 0;
  const std::uint64_t limit = w.negative ? least : greatest;
  const bool beyond = w.kind == Real::Kind::infinite || w.significand.top() + w.exponent > 64 ||
                      compare(w.significand.shifted_left(w.exponent), Big(limit)) > 0;
  const std::uint64_t magnitude = beyond ? limit : w.significand.shifted_left(w.exponent).words[0];
  return (w.negative ? std::uint64_t{0} - magnitude : magnitude) & all;
}

int compare(const Real& a, const Real& b) {
  if (a.kind == Real::Kind::infinite && b.kind == Real::Kind::infinite)
    return a.negative == b.negative ? 0 : a.negative ? -1 : 1;
  Real minus = b;
  minus.negative = !b.negative;
  const Real difference = sum(a, minus, Rounding::nearest);
  if (difference.kind == Real::Kind::zero) return 0;
  return difference.negative ? -1 : 1;
}

}  // namespace warpbook::device::tests::reference
