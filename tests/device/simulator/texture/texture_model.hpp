// What a texture fetch gives, said as plainly as can be: doubles, loops, one texel at a time (CUDA C++ Programming Guide,
// "Texture Fetching").
#pragma once

#include <cmath>
#include <cstdint>
#include <functional>
#include <random>
#include <vector>

#include "device/texture.hpp"

namespace warpbook::device::tests {

struct TextureModel {
  int dimensions = 2;
  long size[3] = {1, 1, 1};
  AddressMode mode[3] = {AddressMode::clamp, AddressMode::clamp, AddressMode::clamp};
  bool linear = false, normalised = false;
  double border = 0;
  std::function<double(long, long, long)> texel;

  /// One step of the texture's continuation past its edges; -1: border.
  static long walk(long i, long n, AddressMode mode) {
    while (i < 0 || i >= n) {
      if (mode == AddressMode::border) return -1;
      if (mode == AddressMode::clamp)
        i = i < 0 ? 0 : n - 1;
      else if (mode == AddressMode::wrap)
        i += i < 0 ? n : -n;
      else
        i = i < 0 ? -1 - i : 2 * n - 1 - i;
    }
    return i;
  }
  /// In texels; NaN is 0, and so is what repeats too far away to have a fraction.
  double coordinate(float u, int k) const {
    if (std::isnan(u)) return 0;
    const bool repeats = mode[k] == AddressMode::wrap || mode[k] == AddressMode::mirror;
    if (!normalised) return std::fmin(std::fmax(static_cast<double>(u), -1e6), 1e6);
    if (repeats)
      return std::fabs(u) >= 16777216.0f
                 ? 0
                 : std::fmod(static_cast<double>(u), 2.0) * static_cast<double>(size[k]);
    return std::fmin(std::fmax(static_cast<double>(u) * static_cast<double>(size[k]), -1e6), 1e6);
  }
  double at(long x, long y, long z) const {
    const long i = walk(x, size[0], mode[0]);
    const long j = dimensions > 1 ? walk(y, size[1], mode[1]) : 0;
    const long k = dimensions > 2 ? walk(z, size[2], mode[2]) : 0;
    return i < 0 || j < 0 || k < 0 ? border : texel(i, j, k);
  }
  double fetch(const float (&u)[3], const long (&offset)[3] = {0, 0, 0}) const {
    double x[3] = {};
    for (int k = 0; k < dimensions; ++k)
      x[k] = coordinate(u[k], k) + static_cast<double>(offset[k]);
    if (!linear)
      return at(static_cast<long>(std::floor(x[0])), static_cast<long>(std::floor(x[1])),
                static_cast<long>(std::floor(x[2])));
    double sum = 0;
    for (int corner = 0; corner < (1 << dimensions); ++corner) {
      long i[3] = {};
      double weight = 1;
      for (int k = 0; k < dimensions; ++k) {
        const double below = std::floor(x[k] - 0.5);
        const double alpha = std::floor((x[k] - 0.5 - below) * 256 + 0.5) / 256;  // 1.8 fixed point
        const bool upper = (corner & (1 << k)) != 0;
        weight *= upper ? alpha : 1 - alpha;
        i[k] = static_cast<long>(below) + (upper ? 1 : 0);
      }
      if (weight > 0) sum += weight * at(i[0], i[1], i[2]);
    }
    return sum;
  }
};

/// Edges of textures of a few texels, far away, no number at all, and many in between.
inline std::vector<float> edge_coordinates(bool normalised, std::mt19937& random,
                                           std::size_t count) {
  std::vector<float> values = {
      0,           -0.0f,    1,         -1,          0.5f,        -0.5f,
      0.25f,       2,        3,         4,           5,           5.5f,
      4.999f,      6,        -2.25f,    1e-30f,      -1e-30f,     1e20f,
      -1e20f,      1e38f,    -1e38f,    16777216.0f, 16777218.0f, -16777216.0f,
      123456.5f,   INFINITY, -INFINITY, NAN,         0.9999999f,  0.501953125f,
      0.498046875f};
  const float span = normalised ? 3.0f : 9.0f;
  while (values.size() < count)
    values.push_back(span *
                     (2 * static_cast<float>(random() >> 8) / static_cast<float>(1 << 24) - 1));
  return values;
}

}  // namespace warpbook::device::tests
