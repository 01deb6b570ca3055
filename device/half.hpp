// Half floats, of texels and of tensors.
#pragma once

#include <cstdint>

namespace warpbook::device {

float float_of_half(std::uint16_t half);
/// To nearest, ties to even.
std::uint16_t half_of_float(float value);

}  // namespace warpbook::device
