// What tests of matrix instructions compare with: elements decoded from their definitions, the fragment layouts of the
// PTX ISA 9.0 (9.7.14.5 and 9.7.14.6) written down as its text gives them, and products as plain loops.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

namespace warpbook::device::tests {

struct Place {
  int row, column;
};

struct MmaShape {
  int m, n, k;
  [[nodiscard]] std::string text() const {
    return "m" + std::to_string(m) + "n" + std::to_string(n) + "k" + std::to_string(k);
  }
};

inline int bits_of_element(const std::string& e) {
  if (e == "b1") return 1;
  if (e == "s4" || e == "u4") return 4;
  if (e == "s8" || e == "u8" || e == "e4m3" || e == "e5m2") return 8;
  if (e == "f16" || e == "bf16") return 16;
  return e == "f64" ? 64 : 32;
}

/// A binary floating-point format's value, from the definition.
inline double float_value(int exponent_bits, int fraction_bits, bool infinities, std::uint32_t h) {
  const int bias = (1 << (exponent_bits - 1)) - 1, top = (1 << exponent_bits) - 1;
  const int e = static_cast<int>(h >> fraction_bits) & top;
  const std::uint32_t fraction = h & ((1u << fraction_bits) - 1);
  const double m = static_cast<double>(fraction) / static_cast<double>(1u << fraction_bits);
  const double sign = h >> (exponent_bits + fraction_bits) & 1 ? -1 : 1;
  if (infinities && e == top) return fraction == 0 ? sign * HUGE_VAL : NAN;
  if (!infinities && e == top && fraction == (1u << fraction_bits) - 1) return NAN;
  return sign * (e == 0 ? std::ldexp(m, 1 - bias) : std::ldexp(1 + m, e - bias));
}

/// The value of an element's bits.
inline double value_of(const std::string& e, std::uint64_t bits) {
  const auto b = static_cast<std::uint32_t>(bits);
  if (e == "f16") return float_value(5, 10, true, b);
  if (e == "bf16") return float_value(8, 7, true, b);
  if (e == "tf32") return float_value(8, 10, true, b >> 13);
  if (e == "f32") return float_value(8, 23, true, b);
  if (e == "e4m3") return float_value(4, 3, false, b);
  if (e == "e5m2") return float_value(5, 2, true, b);
  if (e == "f64") return std::bit_cast<double>(bits);
  if (e == "s8") return static_cast<std::int8_t>(b);
  if (e == "s4") return b < 8 ? static_cast<int>(b) : static_cast<int>(b) - 16;
  if (e == "s32") return static_cast<std::int32_t>(b);
  return b;
}

/// f16 from a float, by search over all magnitudes; ties to even.
inline std::uint32_t half_of(float x) {
  if (std::isnan(x)) return 0x7fff;
  const std::uint32_t sign = std::signbit(x) ? 0x8000 : 0;
  const double v = std::fabs(static_cast<double>(x));
  std::uint32_t low = 0, high = 0x7c00;
  if (std::isinf(v)) return sign | high;
  while (low + 1 < high) {
    const std::uint32_t middle = (low + high) / 2;
    (value_of("f16", middle) <= v ? low : high) = middle;
  }
  const double above = high == 0x7c00 ? 65536.0 : value_of("f16", high);
  const double down = v - value_of("f16", low), up = above - v;
  return sign | (down < up || (down == up && low % 2 == 0) ? low : high);
}

/// Element i of a lane's fragment of A, by the ISA's formulas for each shape.
inline Place place_of_a(const MmaShape& s, const std::string& e, int lane, int i) {
  const int g = lane >> 2, t = lane % 4, bits = bits_of_element(e);
  if (bits == 64 || bits == 32) {
    if (s.m == 8) return {g, t};                   // .m8n8k4 with .f64
    if (s.k == 4) return {i == 0 ? g : g + 8, t};  // .m16n8k4
    if (s.k == 8) return {i % 2 == 0 ? g : g + 8, i < 2 ? t : t + 4};
    return {i % 2 == 0 ? g : g + 8, i % 2 == 0 ? i * 2 + t : i * 2 - 2 + t};  // .m16n8k16
  }
  if (bits == 16) {
    if (s.k == 8) return {i < 2 ? g : g + 8, t * 2 + (i & 1)};
    return {i < 2 || (i >= 4 && i < 6) ? g : g + 8, i < 4 ? t * 2 + (i & 1) : t * 2 + (i & 1) + 8};
  }
  if (bits == 8) {
    if (s.m == 8) return {g, t * 4 + i};
    if (s.k == 16) return {i < 4 ? g : g + 8, t * 4 + (i & 3)};
    return {i < 4 || (i >= 8 && i < 12) ? g : g + 8, t * 4 + (i & 3) + (i < 8 ? 0 : 16)};
  }
  if (bits == 4) {
    if (s.m == 8) return {g, t * 8 + i};
    if (s.k == 32) return {i < 8 ? g : g + 8, t * 8 + (i & 7)};
    return {i < 8 || (i >= 16 && i < 24) ? g : g + 8, t * 8 + (i & 7) + (i < 16 ? 0 : 32)};
  }
  if (s.m == 8) return {g, t * 32 + i};
  if (s.k == 128) return {i < 32 ? g : g + 8, t * 32 + (i & 31)};
  return {i < 32 || (i >= 64 && i < 96) ? g : g + 8, t * 32 + (i & 31) + (i < 64 ? 0 : 128)};
}

/// Element i of a lane's fragment of B. Registers beyond the dense shapes' (mma.sp) go on in the same steps of k.
inline Place place_of_b(const std::string& e, int lane, int i) {
  const int g = lane >> 2, t = lane % 4;
  const int n = e == "f64" ? 1 : 32 / bits_of_element(e);
  return {t * n + i % n + i / n * 4 * n, g};
}

inline Place place_of_c(const MmaShape& s, int lane, int i) {
  const int g = lane >> 2, t = lane % 4;
  return {s.m == 8 || i < 2 ? g : g + 8, t * 2 + (i & 1)};
}

/// The column of A that compressed column j of a row stands for; metadata is by lane. The layout of the metadata is that
/// of the ISA's figures: for each row, chunk by chunk, [lane in the group: lowest bit].
inline int column_in_sparse(const MmaShape& s, const std::string& e, int selector,
                            const std::vector<std::uint32_t>& metadata, int row, int j) {
  const int g = row % 8, high = row / 8, bits = bits_of_element(e);
  const auto nibble = [&](int lane_in_group, int bit) {
    return static_cast<int>(metadata[static_cast<std::size_t>(4 * g + lane_in_group)] >> bit & 15);
  };
  if (e == "tf32") {
    const int n = s.k == 8 ? nibble(selector, 16 * high + 4 * j)
                           : nibble(2 * selector + j / 4, 16 * high + 4 * (j % 4));
    return 2 * j + (n == 0b1110 ? 1 : 0);
  }
  if (bits == 16) {
    const int chunk = j / 2;
    const int n = s.k == 16 ? nibble(selector, 16 * high + 4 * chunk)
                            : nibble(2 * selector + chunk / 4, 16 * high + 4 * (chunk % 4));
    return 4 * chunk + (n >> (2 * (j % 2)) & 3);
  }
  if (bits == 8) {
    const int chunk = j / 2;
    const int n = s.k == 32 ? nibble(2 * selector + high, 4 * chunk)
                            : nibble(2 * (chunk / 8) + high, 4 * (chunk % 8));
    return 4 * chunk + (n >> (2 * (j % 2)) & 3);
  }
  const int chunk = j / 4;
  const int n = s.k == 64 ? nibble(2 * selector + high, 4 * chunk)
                          : nibble(2 * (chunk / 8) + high, 4 * (chunk % 8));
  return 8 * chunk + 2 * (n >> (2 * (j % 4 / 2)) & 3) + j % 2;
}

}  // namespace warpbook::device::tests
