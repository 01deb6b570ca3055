// Exact arithmetic on binary floating point of any format, rounded once at the end: the truth that
// the reference interpreter computes with. Nothing here asks the host's floating-point unit.
#pragma once

#include <array>
#include <cstdint>

namespace warpbook::device::tests::reference {

__extension__ typedef unsigned __int128 Wide;
__extension__ typedef __int128 SignedWide;

/// An IEEE-like format: a sign, an exponent and a fraction, in this order from the top.
struct Format {
  int exponent_bits, fraction_bits;
  std::uint64_t nan;  ///< what a NaN becomes
  /// e4m3 has no infinities: all but the last of what would be theirs are numbers.
  bool finite = false;
  [[nodiscard]] int bias() const { return (1 << (exponent_bits - 1)) - 1; }
  [[nodiscard]] std::uint64_t infinity() const {
    return finite ? sign() - 1 : ((std::uint64_t{1} << exponent_bits) - 1) << fraction_bits;
  }
  [[nodiscard]] std::uint64_t sign() const {
    return std::uint64_t{1} << (exponent_bits + fraction_bits);
  }
};
inline constexpr Format kHalf{5, 10, 0x7fff}, kBrain{8, 7, 0x7fff}, kTensor{8, 10, 0x3ffff},
    kSingle{8, 23, 0x7fffffff}, kDouble{11, 52, 0x7fffffffffffffff}, kE4m3{4, 3, 0x7f, true},
    kE5m2{5, 2, 0x7f};

enum class Rounding : std::uint8_t { nearest, zero, down, up, away };

/// A number of 512 bits.
struct Big {
  std::array<std::uint64_t, 8> words{};
  Big() = default;
  explicit Big(Wide value) {
    words[0] = static_cast<std::uint64_t>(value);
    words[1] = static_cast<std::uint64_t>(value >> 64);
  }
  [[nodiscard]] bool bit(int at) const {
    return at >= 0 && at < 512 && (words[static_cast<std::size_t>(at / 64)] >> (at % 64) & 1) != 0;
  }
  [[nodiscard]] int top() const;                 ///< of the highest bit; -1 for zero
  [[nodiscard]] bool any_below(int at) const;    ///< a bit under `at` is set
  [[nodiscard]] Big shifted_left(int by) const;  ///< what leaves at the top must be zero
  [[nodiscard]] Big shifted_right(int by) const;
};
int compare(const Big& a, const Big& b);
Big add(const Big& a, const Big& b);
Big subtract(const Big& a, const Big& b);  ///< a >= b

/// significand x 2^exponent, and a little `more` (less than one unit of the significand).
struct Real {
  enum class Kind : std::uint8_t { zero, finite, infinite, nan } kind = Kind::zero;
  bool negative = false;
  Big significand;
  int exponent = 0;
  bool more = false;
};

Real decode(const Format& format, std::uint64_t bits);
Real from_integer(Wide magnitude, bool negative);
/// Rounded once. Overflow as IEEE 754 has it.
std::uint64_t encode(const Format& format, const Real& value, Rounding rounding);

/// `rounding` decides the sign of a sum that is exactly zero.
Real sum(const Real& a, const Real& b, Rounding rounding);
Real product(const Real& a, const Real& b);
Real quotient(const Real& a, const Real& b);
Real root(const Real& a);
/// A whole number next to `value`, as `rounding` says.
Real whole(const Real& value, Rounding rounding);
/// Saturated to `bits` bits, which are returned; a NaN is the caller's.
std::uint64_t to_integer(const Real& value, Rounding rounding, int bits, bool is_signed);
/// -1, 0, 1; neither may be a NaN. Zeros are equal.
int compare(const Real& a, const Real& b);

}  // namespace warpbook::device::tests::reference
