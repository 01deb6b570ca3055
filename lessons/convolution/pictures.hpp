// The grey pictures that classic filters are shown on, and these filters.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "lab/model/picture.hpp"

namespace warpbook::lessons::convolution {

inline constexpr std::int64_t kPictureSide = 24;
/// Below the root; lessons/convolution/draw-photograph draws it.
inline constexpr const char* kPhotograph = "lessons/convolution/photograph.png";
/// The longer side of a picture from a file at most: it runs at once, and its pixels can be seen one by one.
inline constexpr std::uint64_t kMostPictureSide = 144;

/// Grey from 0 to 255, row by row.
struct Square {
  std::int64_t side = 0;
  std::vector<float> pixels;
};
/// A bright disc and a dark bar on a flat ground.
Square shapes();
/// The middle of a grey picture: the kernel takes squares.
Square middle_of(const lab::Picture& picture);

/// "blur", "edge", "sharpen", "emboss".
std::vector<std::string> classic_filters();
/// The nine weights of one of them, row by row.
std::vector<float> classic_weights(const std::string& name);

}  // namespace warpbook::lessons::convolution
