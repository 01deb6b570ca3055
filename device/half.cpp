#include "device/half.hpp"

#include <bit>

namespace warpbook::device {
namespace {
#include "device/narrow.inc"
}  // namespace

float float_of_half(std::uint16_t half) { return half_to_float(half); }

std::uint16_t half_of_float(float value) {
  return static_cast<std::uint16_t>(narrowed_bits<Half>(static_cast<double>(value)));
}

float float_of_bfloat(std::uint16_t bfloat) { return brain_to_float(bfloat); }

std::uint16_t bfloat_of_float(float value) {
  return static_cast<std::uint16_t>(narrowed_bits<Brain>(static_cast<double>(value)));
}

}  // namespace warpbook::device
