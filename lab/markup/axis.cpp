#include "lab/markup/axis.hpp"

#include <algorithm>
#include <cmath>

namespace warpbook::lab {
namespace {
constexpr double kPlay = 1e-9;
}  // namespace

double round_step(double least) {
  const double power = std::pow(10.0, std::floor(std::log10(least)));
  for (const double factor : {1.0, 2.0, 5.0}) {
    if (factor * power >= least * (1 - kPlay)) return factor * power;
  }
  return 10 * power;
}

std::vector<double> multiples_of(double step, double low, double high) {
  const double first = std::ceil(low / step - kPlay), last = std::floor(high / step + kPlay);
  std::vector<double> multiples;
  for (std::size_t i = 0; first + static_cast<double>(i) <= last; ++i) {
    const double multiple = (first + static_cast<double>(i)) * step;
    multiples.push_back(multiple == 0 ? 0 : multiple);  // no minus zero
  }
  return multiples;
}

bool is_positive(double value) { return std::isfinite(value) && value > 0; }

double log_share(double value, double low, double high) {
  return (std::log10(value) - std::log10(low)) / (std::log10(high) - std::log10(low));
}

std::vector<double> decades_of(double low, double high, std::size_t most) {
  std::vector<double> decades;
  if (!is_positive(low) || !is_positive(high) || most == 0) return decades;
  const int first = static_cast<int>(std::ceil(std::log10(low))),
            last = static_cast<int>(std::floor(std::log10(high)));
  const int step = std::max(1, (last - first) / static_cast<int>(most) + 1);
  for (int exponent = first; exponent <= last; exponent += step)
    decades.push_back(std::pow(10.0, exponent));
  return decades;
}

std::vector<double> log_ticks(double low, double high) {
  constexpr std::size_t kDecades = 5;
  constexpr int kFewDecades = 3;
  if (!is_positive(low) || !is_positive(high)) return {};
  if (std::log10(high) - std::log10(low) >= kFewDecades) return decades_of(low, high, kDecades);
  std::vector<double> ticks;
  const int first = static_cast<int>(std::floor(std::log10(low)));
  for (int exponent = first; exponent <= first + kFewDecades; ++exponent) {
    for (const double factor : {1.0, 2.0, 5.0}) {
      const double tick = factor * std::pow(10.0, exponent);
      if (tick >= low && tick <= high) ticks.push_back(tick);
    }
  }
  return ticks;
}

}  // namespace warpbook::lab
