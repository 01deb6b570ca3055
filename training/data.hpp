// What networks learn from, made by a seed: the same seed gives the same data, so nothing has to be downloaded or kept.
#pragma once

#include <cstdint>
#include <vector>

#include "training/tensor.hpp"

namespace warpbook::training {

/// Samples one after the other, in no order that has to do with their labels.
struct Dataset {
  Extents sample;  ///< shape of one
  std::vector<float> samples;
  std::vector<std::int32_t> labels;
  std::int64_t classes = 0;
  [[nodiscard]] std::int64_t count() const { return static_cast<std::int64_t>(labels.size()); }
};

/// Points in the plane on `arms` spirals that wind around each other; the arm is the label.
Dataset spiral(std::int64_t points, std::int64_t arms, double noise, std::uint64_t seed);
/// Points on two circles, one within the other.
Dataset circles(std::int64_t points, double noise, std::uint64_t seed);

inline constexpr std::int64_t kShapes = 10;
inline constexpr std::int64_t kImageSide = 32;
/// The colours of each image's ground, and of its shape: the range from which each channel is drawn.
struct ColourRange {
  double low = 0, high = 0;
  [[nodiscard]] double middle() const { return (low + high) / 2; }
};
inline constexpr ColourRange kGroundColours{-1, -0.3}, kShapeColours{0.1, 1};
/// Images of 3 x 32 x 32 with values from -1 to 1. Each shows one of ten shapes, bright on a dark ground, in colours, at a
/// place and of a size of its own, under some noise: disc, ring, square, frame, triangle, plus, cross, bars lying, bars standing, chequers.
Dataset shapes(std::int64_t images, std::uint64_t seed);
/// The first `count` of them, without the others.
Dataset first_shapes(std::int64_t count, std::int64_t images, std::uint64_t seed);
/// The same samples with labels that have nothing to do with them: they can be learned by heart and in no other way.
Dataset with_random_labels(Dataset data, std::uint64_t seed);

}  // namespace warpbook::training
