// What CUDA has and C++ has not, in long double: by bisection or series, obviously right rather than fast.
#pragma once

#include <cmath>

namespace warpbook::device::truth {

using Wide = long double;
inline constexpr Wide kPi = 3.14159265358979323846264338327950288L;

/// y of which falling(y) is z; bisected until no long double lies between.
inline Wide where_falls_to(Wide z, Wide low, Wide high, Wide (*falling)(Wide)) {
  while (true) {
    const Wide middle = low + (high - low) / 2;
    if (middle <= low || middle >= high) return middle;
    (falling(middle) > z ? low : high) = middle;
  }
}
/// Of small numbers; 1 - erf would lose what is left of larger ones.
inline Wide inverse_erf_below_half(Wide x) {
  const Wide a = std::fabs(x);
  // sqrt(pi)/2 (x + pi/12 x^3 + ...)
  if (a < 1e-7L) return std::sqrt(kPi) / 2 * (x + kPi / 12 * x * x * x);
  return std::copysign(where_falls_to(-a, 0, 1, [](Wide y) { return -std::erf(y); }), x);
}
inline Wide inverse_erfc(Wide z) {
  if (std::isnan(z) || z < 0 || z > 2) return NAN;
  if (z == 0) return INFINITY;
  if (z == 2) return -INFINITY;
  if (z > 0.5L && z < 1.5L) return inverse_erf_below_half(1 - z);
  if (z > 1) return -inverse_erfc(2 - z);
  return where_falls_to(z, 0, 110, [](Wide y) { return std::erfc(y); });
}
inline Wide inverse_erf(Wide x) {
  return std::fabs(x) < 0.5L ? inverse_erf_below_half(x)
                             : std::copysign(inverse_erfc(1 - std::fabs(x)), x);
}
/// exp(x x), the square's own rounding made good.
inline Wide exp_of_square(Wide x, Wide factor) {
  const Wide square = x * x, rest = std::fma(x, x, -square);
  return std::exp(factor * square) * (1 + factor * rest);
}
inline Wide scaled_erfc(Wide x) {
  if (x < -110) return INFINITY;
  if (x < 20) return exp_of_square(x, 1) * std::erfc(x);
  Wide sum = 1, term = 1;  // asymptotic; at 20 it is exact long before its terms grow
  for (int k = 1; k < 20; ++k) sum += term *= -(2 * k - 1) / (2 * x * x);
  return sum / (x * std::sqrt(kPi));
}
inline Wide normal_distribution(Wide x) {
  if (x == -INFINITY) return 0;
  if (!(x <= -8)) return std::erfc(-x / std::sqrt(2.0L)) / 2;
  return exp_of_square(x, -0.5L) * scaled_erfc(-x / std::sqrt(2.0L)) / 2;
}
inline Wide sine_of_turns(Wide x) {
  if (!std::isfinite(x)) return NAN;
  const Wide r = std::remainder(x, 2.0L);  // exact, -1 to 1
  const Wide near = std::fabs(r) > 0.5L ? std::copysign(1.0L, r) - r : r;
  return near == 0 ? std::copysign(0.0L, x) : std::sin(kPi * near);
}
inline Wide cosine_of_turns(Wide x) {
  if (!std::isfinite(x)) return NAN;
  const Wide r = std::fabs(std::remainder(x, 2.0L));
  return r == 0.5L ? 0 : r < 0.25L ? std::cos(kPi * r) : std::sin(kPi * (0.5L - r));
}
/// The modified Bessel function of the first kind by its series, all of one sign.
inline Wide bessel_i(int order, Wide x) {
  if (!std::isfinite(x)) return order == 0 ? std::fabs(x) : x;
  Wide term = order == 0 ? 1 : x / 2, sum = term;
  for (int k = 1; k < 2000; ++k) {
    term *= x / 2 / k * (x / 2 / (k + order));
    sum += term;
    if (std::fabs(term) < std::fabs(sum) * 1e-22L) break;
  }
  return sum;
}

}  // namespace warpbook::device::truth
