#include "lessons/activations/truth.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

namespace warpbook::lessons::activations {
namespace {

constexpr double kCubic = 0.044715;  ///< of GELU's form with tanh

double normal_distribution(double x) { return 0.5 * std::erfc(-x / std::numbers::sqrt2); }

double sigmoid(double x) {
  return x < 0 ? std::exp(x) / (1 + std::exp(x)) : 1 / (1 + std::exp(-x));
}

double inner(double x) { return std::sqrt(2 / std::numbers::pi) * (x + kCubic * x * x * x); }

}  // namespace

double value_of(std::string_view function, double x, double leak) {
  if (function == "relu") return x < 0 ? 0 : x;
  if (function == "leaky-relu") return x > 0 ? x : leak * x;
  if (function == "sigmoid") return sigmoid(x);
  if (function == "tanh") return std::tanh(x);
  if (x == -std::numeric_limits<double>::infinity()) return 0;
  if (function == "gelu") return x * normal_distribution(x);
  return 0.5 * x * (1 + std::tanh(inner(x)));
}

double slope_of(std::string_view function, double x, double leak) {
  if (function == "relu") return x <= 0 ? 0 : 1;
  if (function == "leaky-relu") return x > 0 ? 1 : leak;
  if (function == "sigmoid") return sigmoid(x) * sigmoid(-x);
  if (function == "tanh") return 1 / (std::cosh(x) * std::cosh(x));
  if (std::isinf(x)) return x < 0 ? 0 : 1;
  if (function == "gelu") {
    const double density = std::exp(-x * x / 2) / std::sqrt(2 * std::numbers::pi);
    return normal_distribution(x) + x * density;
  }
  const double t = std::tanh(inner(x));
  const double of_inner = std::sqrt(2 / std::numbers::pi) * (1 + 3 * kCubic * x * x);
  return 0.5 * (1 + t) + 0.5 * x * (1 - t * t) * of_inner;
}

std::vector<double> softmax_of(std::span<const float> row) {
  std::vector<double> y(row.begin(), row.end());
  if (y.empty()) return y;
  const double greatest = *std::ranges::max_element(y);
  double sum = 0;
  for (double& one : y) {
    one = std::exp(one - greatest);
    sum += one;
  }
  for (double& one : y) one /= sum;
  return y;
}

bool agrees(double got, double truth) {
  if (std::isnan(truth)) return std::isnan(got);
  if (std::isinf(truth)) return got == truth;
  return std::abs(got - truth) <= std::max(1e-6, 1e-5 * std::abs(truth));
}

}  // namespace warpbook::lessons::activations
