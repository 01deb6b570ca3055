// cvt.pack, and fp8 by search over all of its 128 magnitudes (PTX ISA 9.0, 9.7.9.21 and 9.7.9.22; 5.2.3 for the formats).
#include <algorithm>
#include <bit>
#include <cmath>

#include "tests/device/simulator/execute/truth.hpp"

namespace warpbook::device::tests {
namespace {

using reference::SignedWide;
using reference::Wide;

bool has(const Piece& p, std::string_view modifier) {
  return std::find(p.modifiers.begin(), p.modifiers.end(), modifier) != p.modifiers.end();
}

struct Fp8 {
  int exponent_bits, fraction_bits, bias;
  Wide most;  ///< the greatest finite magnitude; above it lie infinity (e5m2) and NaN
};
constexpr Fp8 kE4m3{4, 3, 7, 0x7e}, kE5m2{5, 2, 15, 0x7b};

double magnitude_of(const Fp8& f, Wide bits) {
  const int e = static_cast<int>(bits >> f.fraction_bits);
  const double m =
      static_cast<double>(bits & ((1u << f.fraction_bits) - 1)) / (1 << f.fraction_bits);
  return e == 0 ? std::ldexp(m, 1 - f.bias) : std::ldexp(1 + m, e - f.bias);
}

double single(Wide bits) { return std::bit_cast<float>(static_cast<std::uint32_t>(bits)); }

double half(Wide bits) {
  const int e = static_cast<int>(bits >> 10 & 31);
  const double m = static_cast<double>(bits & 0x3ff) / 1024;
  const double v = e == 31  ? (m == 0 ? HUGE_VAL : NAN)
                   : e == 0 ? std::ldexp(m, -14)
                            : std::ldexp(1 + m, e - 15);
  return bits & 0x8000 ? -v : v;
}

Wide rounded(const Fp8& f, double x, bool relu) {
  if (std::isnan(x)) return 0x7f;
  const double a = std::fabs(x);
  Wide best = f.most;
  if (a < magnitude_of(f, f.most)) {
    best = 0;
    for (Wide k = 1; k <= f.most; ++k) {
      const double before = a - magnitude_of(f, best), after = magnitude_of(f, k) - a;
      if (std::fabs(after) < std::fabs(before) ||
          (std::fabs(after) == std::fabs(before) && k % 2 == 0))
        best = k;
    }
  }
  if (!std::signbit(x)) return best;
  return relu ? 0 : best | 0x80;
}

Wide widened(const Fp8& f, Wide bits, bool relu) {
  const Wide magnitude = bits & 0x7f;
  const bool infinite = f.exponent_bits == 5 && magnitude == 0x7c;
  if (magnitude > f.most && !infinite) return 0x7fff;
  if (bits & 0x80 && relu) return 0;
  Wide h = 0x7c00;
  if (!infinite) {
    // Every value of fp8 is one of half's.
    for (h = 0; half(h) != magnitude_of(f, magnitude);) ++h;
  }
  return h | (bits & 0x80) << 8;
}

Wide pack_integers(const Piece& p, const std::vector<Wide>& in) {
  const std::string& to = *std::find_if(p.modifiers.begin(), p.modifiers.end(),
                                        [](const auto& m) { return m != "pack" && m != "sat"; });
  const int bits = std::stoi(to.substr(1));
  const SignedWide most = (SignedWide{1} << (to[0] == 's' ? bits - 1 : bits)) - 1;
  const SignedWide least = to[0] == 's' ? -most - 1 : 0;
  const auto fit = [&](Wide v) {
    const SignedWide n = static_cast<std::int32_t>(static_cast<std::uint32_t>(v));
    return static_cast<Wide>(std::clamp(n, least, most)) & ((Wide{1} << bits) - 1);
  };
  Wide d = fit(in[0]) << bits | fit(in[1]);
  if (in.size() > 2) d |= in[2] << (2 * bits);
  return d & 0xffffffff;
}

}  // namespace

bool evaluate_packed(const Piece& p, const std::vector<Wide>& in, Wide& d) {
  if (p.opcode != "cvt") return false;
  if (has(p, "pack")) {
    d = pack_integers(p, in);
    return true;
  }
  if (!has(p, "e4m3x2") && !has(p, "e5m2x2")) return false;
  const Fp8& f = has(p, "e4m3x2") ? kE4m3 : kE5m2;
  const bool relu = has(p, "relu");
  if (p.modifiers.back() == "f32")
    d = rounded(f, single(in[0]), relu) << 8 | rounded(f, single(in[1]), relu);
  else if (p.modifiers.back() == "f16x2")
    d = rounded(f, half(in[0] >> 16), relu) << 8 | rounded(f, half(in[0] & 0xffff), relu);
  else
    d = widened(f, in[0] >> 8 & 0xff, relu) << 16 | widened(f, in[0] & 0xff, relu);
  return true;
}

}  // namespace warpbook::device::tests
