#include "lab/markup/contrast.hpp"

#include <algorithm>
#include <cmath>

namespace warpbook::lab {
namespace {

/// WCAG 2.2, "relative luminance".
double luminance(Rgb colour) {
  const auto part = [&](int shift) {
    const double value = static_cast<double>(colour >> shift & 0xFF) / 255;
    return value <= 0.04045 ? value / 12.92 : std::pow((value + 0.055) / 1.055, 2.4);
  };
  return 0.2126 * part(16) + 0.7152 * part(8) + 0.0722 * part(0);
}

}  // namespace

double contrast(Rgb a, Rgb b) {
  constexpr double kGlare = 0.05;
  const auto [darker, brighter] = std::minmax({luminance(a), luminance(b)});
  return (brighter + kGlare) / (darker + kGlare);
}

}  // namespace warpbook::lab
