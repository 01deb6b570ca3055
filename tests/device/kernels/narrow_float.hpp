// Floating-point numbers of few bits, by their definition: what tests hold the simulator's against.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

namespace warpbook::device {

enum class Rounding : std::uint8_t { nearest, zero, up, down };

/// A format in which `mantissa` bits follow `exponent` bits and a sign.
struct NarrowFormat {
  int exponent, mantissa;
  std::uint32_t largest;  ///< bits of the largest finite number
  /// Bits of a positive number that overflowed to nearest, and of NaN.
  std::uint32_t overflow, nan;

  [[nodiscard]] int bias() const { return (1 << (exponent - 1)) - 1; }
  [[nodiscard]] std::uint32_t sign() const { return 1u << (exponent + mantissa); }

  [[nodiscard]] double value(std::uint32_t bits) const {
    const std::uint32_t magnitude = bits & (sign() - 1);
    const double s = bits & sign() ? -1 : 1;
    if (magnitude > largest) {
      const bool infinite = magnitude == overflow && overflow != nan;
      return infinite ? s * INFINITY : std::numeric_limits<double>::quiet_NaN();
    }
    const auto fraction = static_cast<int>(magnitude & ((1u << mantissa) - 1));
    const auto e = static_cast<int>(magnitude >> mantissa);
    const int whole = e == 0 ? fraction : fraction + (1 << mantissa);
    return s * std::ldexp(whole, std::max(e, 1) - bias() - mantissa);
  }
  /// `saturate`: what is too large becomes the largest finite number.
  [[nodiscard]] std::uint32_t round(double v, Rounding mode = Rounding::nearest,
                                    bool saturate = false) const {
    if (std::isnan(v)) return nan;
    const bool negative = std::signbit(v);
    const std::uint32_t s = negative ? sign() : 0;
    const double a = std::fabs(v);
    if (a == 0) return s;
    if (std::isinf(a)) return s | (saturate ? largest : overflow);
    const int e = std::max(std::ilogb(a), 1 - bias());
    const double scaled = std::ldexp(a, mantissa - e);  // exact, below 2^(mantissa + 1)
    double whole = std::floor(scaled);
    const double rest = scaled - whole;
    const bool away = mode == Rounding::up ? !negative : mode == Rounding::down ? negative : false;
    if (mode == Rounding::nearest) {
      if (rest > 0.5 || (rest == 0.5 && std::fmod(whole, 2) == 1)) whole += 1;
    } else if (away && rest > 0) {
      whole += 1;
    }
    const double magnitude = std::ldexp(e + bias() - 1, mantissa) + whole;
    if (magnitude <= largest) return s | static_cast<std::uint32_t>(magnitude);
    return s | (saturate || (mode != Rounding::nearest && !away) ? largest : overflow);
  }
};

inline constexpr NarrowFormat kHalf{5, 10, 0x7bff, 0x7c00, 0x7fff};
inline constexpr NarrowFormat kBrain{8, 7, 0x7f7f, 0x7f80, 0x7fff};
inline constexpr NarrowFormat kE4M3{4, 3, 0x7e, 0x7f, 0x7f};
inline constexpr NarrowFormat kE5M2{5, 2, 0x7b, 0x7c, 0x7f};
inline constexpr NarrowFormat kE2M3{2, 3, 0x1f, 0x1f, 0x1f};
inline constexpr NarrowFormat kE3M2{3, 2, 0x1f, 0x1f, 0x1f};
inline constexpr NarrowFormat kE2M1{2, 1, 0x7, 0x7, 0x7};

/// a b + c with no error that rounding to few bits could see: where it is not exact, the last bit is odd.
inline double fused(double a, double b, double c) {
  const double product = a * b;  // exact for numbers of up to 26 bits
  const double sum = product + c;
  if (!std::isfinite(sum)) return sum;
  const double back = sum - product;
  const double error = (product - (sum - back)) + (c - back);
  if (error == 0 || sum == 0) return sum;
  int e = 0;
  const auto last = static_cast<std::int64_t>(std::ldexp(std::frexp(sum, &e), 53));
  return last & 1 ? sum : std::nextafter(sum, error > 0 ? INFINITY : -INFINITY);
}

}  // namespace warpbook::device
