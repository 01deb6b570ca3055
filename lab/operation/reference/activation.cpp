// Activations, their slopes, and both fused with a bias. A NaN stays one; at the infinities each takes its limit.
#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "lab/operation/reference/reference.hpp"

namespace warpbook::lab::reference {
namespace {

using Function = double (*)(double);

double relu(double x) { return x < 0 ? 0 : x; }
double relu_slope(double x) { return x <= 0 ? 0 : 1; }

double sigmoid(double x) {
  return x < 0 ? std::exp(x) / (1 + std::exp(x)) : 1 / (1 + std::exp(-x));
}
double sigmoid_slope(double x) { return 0.25 / (std::cosh(x / 2) * std::cosh(x / 2)); }

double tanh_of(double x) { return std::tanh(x); }
double tanh_slope(double x) { return 1 / (std::cosh(x) * std::cosh(x)); }

double normal_distribution(double x) { return 0.5 * std::erfc(-x / std::numbers::sqrt2); }
double gelu(double x) {
  return x == -std::numeric_limits<double>::infinity() ? 0 : x * normal_distribution(x);
}
double gelu_slope(double x) {
  if (std::isinf(x)) return x < 0 ? 0 : 1;
  const double density = std::exp(-x * x / 2) / std::sqrt(2 * std::numbers::pi);
  return normal_distribution(x) + x * density;
}

/// x, y: [n]
Truths forward(const Given& given, Function function) {
  Truth y;
  for (const double x : given.input("x")) y.values.push_back(function(x));
  return {{"y", y}};
}

/// x, dy, dx: [n]
Truths backward(const Given& given, Function slope) {
  const std::vector<double>&x = given.input("x"), &dy = given.input("dy");
  Truth dx;
  // dy itself where the slope is 1: a product would turn its sign bit of 0 where the slope is 0.
  for (std::size_t i = 0; i < x.size(); ++i)
    dx.values.push_back(slope(x[i]) == 0 ? 0 : dy[i] * slope(x[i]));
  return {{"dx", dx}};
}

/// x, y: [n][k][pixels], bias: [k]. The sum is a float; its rounding is no error of the activation's.
Truths with_bias(const Given& given, Function function) {
  const std::vector<double>&x = given.input("x"), &bias = given.input("bias");
  const auto k = static_cast<std::size_t>(given.size("k"));
  const auto pixels = static_cast<std::size_t>(given.size("pixels"));
  Truth y;
  for (std::size_t i = 0; i < x.size(); ++i)
    y.values.push_back(function(static_cast<float>(x[i] + bias[i / pixels % k])));
  return {{"y", y}};
}

}  // namespace

Truths activation_relu(const Given& given) { return forward(given, relu); }
Truths activation_relu_backward(const Given& given) { return backward(given, relu_slope); }
Truths activation_relu_bias(const Given& given) { return with_bias(given, relu); }
Truths activation_sigmoid(const Given& given) { return forward(given, sigmoid); }
Truths activation_sigmoid_backward(const Given& given) { return backward(given, sigmoid_slope); }
Truths activation_sigmoid_bias(const Given& given) { return with_bias(given, sigmoid); }
Truths activation_tanh(const Given& given) { return forward(given, tanh_of); }
Truths activation_tanh_backward(const Given& given) { return backward(given, tanh_slope); }
Truths activation_tanh_bias(const Given& given) { return with_bias(given, tanh_of); }
Truths activation_gelu(const Given& given) { return forward(given, gelu); }
/// The slope is a sum of two terms that nearly cancel about x = -0.75, so its error is measured by what they are without
/// their signs, and below 2^-4 by that, as GELU's own.
Truths activation_gelu_backward(const Given& given) {
  Truths truths = backward(given, gelu_slope);
  const std::vector<double>&x = given.input("x"), &dy = given.input("dy");
  for (std::size_t i = 0; i < x.size(); ++i) {
    const double terms =
        normal_distribution(x[i]) + std::abs(gelu_slope(x[i]) - normal_distribution(x[i]));
    truths.at("dx").magnitudes.push_back(std::abs(dy[i]) * std::max(terms, 0.0625));
  }
  return truths;
}
Truths activation_gelu_bias(const Given& given) { return with_bias(given, gelu); }

}  // namespace warpbook::lab::reference
