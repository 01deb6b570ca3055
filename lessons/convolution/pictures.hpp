// The small grey picture that classic filters are shown on, and these filters.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace warpbook::lessons::convolution {

inline constexpr std::int64_t kPictureSide = 24;

/// Grey from 0 to 255, row by row: a bright disc and a dark bar on a flat ground.
std::vector<float> picture();

/// "blur", "edge", "sharpen", "emboss".
std::vector<std::string> classic_filters();
/// The nine weights of one of them, row by row.
std::vector<float> classic_weights(const std::string& name);

}  // namespace warpbook::lessons::convolution
