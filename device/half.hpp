// The 16-bit floats of texels and tensors: half (IEEE 754 binary16) and bfloat16.
#pragma once

#include <cstdint>

namespace warpbook::device {

float float_of_half(std::uint16_t half);
/// To nearest, ties to even.
std::uint16_t half_of_float(float value);
float float_of_bfloat(std::uint16_t bfloat);
/// To nearest, ties to even.
std::uint16_t bfloat_of_float(float value);

}  // namespace warpbook::device
