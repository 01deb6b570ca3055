// What the ISA bounds by an error: the approximate functions (PTX ISA 9.0, 9.7.3 and 9.7.4), against the host's.
#include <algorithm>
#include <bit>
#include <cmath>

#include "tests/device/simulator/execute/truth.hpp"

namespace warpbook::device::tests {
namespace {

using reference::Format;
using reference::Wide;

bool has(const Piece& p, std::string_view modifier) {
  return std::find(p.modifiers.begin(), p.modifiers.end(), modifier) != p.modifiers.end();
}

double value_of(const Format& f, Wide bits) {
  const auto exponent_mask = (Wide{1} << f.exponent_bits) - 1;
  const auto e = static_cast<int>(bits >> f.fraction_bits & exponent_mask);
  const double m = std::ldexp(
      static_cast<double>(static_cast<std::uint64_t>(bits & ((Wide{1} << f.fraction_bits) - 1))),
      -f.fraction_bits);
  const double v = e == static_cast<int>(exponent_mask) ? (m == 0 ? HUGE_VAL : NAN)
                   : e == 0                             ? std::ldexp(m, 1 - f.bias())
                                                        : std::ldexp(1 + m, e - f.bias());
  return (bits & f.sign()) != 0 ? -v : v;
}

double flushed(const Format& f, double v) {
  return std::fabs(v) < std::ldexp(1.0, 1 - f.bias()) ? std::copysign(0.0, v) : v;
}

/// The function and the error that the ISA allows, per opcode and format. False for what is exact.
bool bound(const Piece& p, const Format& f, double a, double b, Band& band) {
  const bool single = f.fraction_bits == 23, brain = f.fraction_bits == 7;
  const std::string& op = p.opcode;
  if (op == "sin" || op == "cos") {
    band.truth = op == "sin" ? std::sin(a) : std::cos(a);
    // Beyond 100 pi the ISA says nothing; anything that a sine can be will do.
    band.absolute = std::fabs(a) <= 3.1415927 ? 0x1p-20 : std::fabs(a) < 314 ? 0x1p-14 : 2;
  } else if (op == "ex2") {
    band.truth = std::exp2(a);
    band.relative = single ? 0x1p-22 : brain ? 0x1p-7 : 0x1p-9;
  } else if (op == "lg2") {
    band.truth = std::log2(a);
    if (a > 0.5 && a < 2)
      band.absolute = 0x1p-22;
    else
      band.relative = 0x1p-22;
  } else if (op == "tanh") {
    band.truth = std::tanh(a);
    band.relative = single ? 0x1p-10 : 0;
    band.absolute = single ? 0 : brain ? 0x1p-8 : 0x1p-10;
  } else if (op == "rsqrt") {
    band.truth = 1 / std::sqrt(a);
    band.relative = f.fraction_bits == 52 ? (has(p, "ftz") ? 0x1p-19 : 0x1p-48) : 0x1p-22;
  } else if (!has(p, "approx") && !has(p, "full")) {
    return false;
  } else if (op == "rcp") {
    band.truth = 1 / a;
    band.relative = f.fraction_bits == 52 ? 0x1p-19 : 0x1p-23;
  } else if (op == "sqrt") {
    band.truth = std::sqrt(a);
    band.relative = 0x1p-22;
  } else if (op == "div") {
    band.truth = a / b;
    band.relative = 0x1p-22;
    // .approx multiplies by a reciprocal, which is zero for what is beyond 2^126.
    if (has(p, "approx") && std::fabs(b) > 0x1p126 && !std::isinf(b) && !std::isnan(b))
      band.truth = std::isnan(a) || std::isinf(a) ? NAN : 0;
  } else {
    return false;
  }
  return true;
}

}  // namespace

bool evaluate_approximate(const Piece& p, const std::vector<Wide>& in, Wanted& d) {
  const std::string& type = p.modifiers.empty() ? p.opcode : p.modifiers.back();
  const Format* f = type == "f32"                        ? &reference::kSingle
                    : type == "f64"                      ? &reference::kDouble
                    : type == "f16" || type == "f16x2"   ? &reference::kHalf
                    : type == "bf16" || type == "bf16x2" ? &reference::kBrain
                                                         : nullptr;
  if (!f) return false;
  const int width = 1 + f->exponent_bits + f->fraction_bits, parts = type.ends_with("x2") ? 2 : 1;
  for (int part = 0; part < parts; ++part) {
    const auto operand = [&](std::size_t k) {
      if (k >= in.size()) return 0.0;
      Wide bits = in[k] >> (width * part);
      if (f->fraction_bits == 52 && has(p, "ftz"))
        bits &= ~Wide{0xffffffff};  // the upper half counts
      const double v = value_of(*f, bits);
      return has(p, "ftz") ? flushed(*f, v) : v;
    };
    Band band;
    band.at = width * part;
    band.format = *f;
    if (!bound(p, *f, operand(0), operand(1), band)) return false;
    // Half a unit of the last rounding; subnormal results may be flushed where .ftz says so.
    const double least = std::ldexp(1.0, 1 - f->bias() - f->fraction_bits);
    band.relative += f->fraction_bits < 23 ? std::ldexp(1.0, -1 - f->fraction_bits) : 0;
    band.absolute += has(p, "ftz") ? std::ldexp(1.0, 1 - f->bias()) : least;
    d.bands.push_back(band);
  }
  return true;
}

bool Wanted::meets(Wide got, int width) const {
  if (any_nan) {
    const auto v = static_cast<std::uint64_t>(got);
    return std::isnan(std::bit_cast<double>(v));
  }
  if (bands.empty()) return reference::low_bits(got, width) == reference::low_bits(bits, width);
  for (const Band& b : bands) {
    const double v = value_of(b.format, got >> b.at);
    if (std::isnan(b.truth) != std::isnan(v)) return false;
    if (std::isnan(v) || v == b.truth) continue;
    const double most = value_of(b.format, b.format.infinity() - 1);
    // What is at the limit may have become infinity, and the other way round.
    const double margin = b.absolute + b.relative * std::min(std::fabs(b.truth), most);
    const bool overflowed = std::isinf(v) && std::fabs(b.truth) + margin >= most;
    const bool stayed = std::isinf(b.truth) && std::fabs(v) + margin >= most;
    const bool same_side = std::signbit(v) == std::signbit(b.truth);
    if ((overflowed || stayed) && same_side) continue;
    if (!(std::fabs(v - b.truth) <= margin)) return false;
  }
  return true;
}

}  // namespace warpbook::device::tests
