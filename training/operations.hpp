// What a network is made of, forward and backward: each function is a launch or two of an operation of kernels/, on tensors.
// Nothing here remembers anything; tape.hpp does that.
#pragma once

#include <cstdint>

#include "training/engine.hpp"
#include "training/tensor.hpp"

namespace warpbook::training {

/// x + y and x * y, each repeated to the other's shape where needed (NumPy's rule).
Tensor add(Engine& engine, const Tensor& x, const Tensor& y);
Tensor multiply(Engine& engine, const Tensor& x, const Tensor& y);
/// The gradient of what was broadcast from `shape`: dy summed along the axes that were repeated. dy itself where none was.
Tensor sum_to(Engine& engine, const Tensor& dy, const Extents& shape);
/// The sum of all elements, of shape {1}.
Tensor sum(Engine& engine, const Tensor& x);

/// a: [m][k], b: [k][n], each with any strides -> [m][n]
Tensor matmul(Engine& engine, const Tensor& a, const Tensor& b);

enum class Activation : std::uint8_t { relu, sigmoid, tanh, gelu };
constexpr auto enum_names(Activation) {
  return device::checked_names<Activation>("relu", "sigmoid", "tanh", "gelu");
}
using device::name_of;

Tensor activate(Engine& engine, Activation activation, const Tensor& x);
Tensor activate_backward(Engine& engine, Activation activation, const Tensor& x, const Tensor& dy);

/// Row by row of x: [rows][columns].
Tensor softmax(Engine& engine, const Tensor& x);
Tensor softmax_backward(Engine& engine, const Tensor& y, const Tensor& dy);

/// The mean of (x - target)^2, of shape {1}; both of one shape.
Tensor mean_square_error(Engine& engine, const Tensor& x, const Tensor& target);
Tensor mean_square_error_backward(Engine& engine, const Tensor& x, const Tensor& target,
                                  const Tensor& dloss);

struct CrossEntropy {
  Tensor probabilities;  ///< softmax(x)
  Tensor loss;           ///< {1}: the mean of -log(the label's probability)
  Tensor hits;           ///< {1}, i32: rows whose label has the largest word
};
/// x: [rows][columns], labels: [rows], i32
CrossEntropy cross_entropy(Engine& engine, const Tensor& x, const Tensor& labels);
/// Of x: [rows][1], which answers with the number of a label, 0 to `classes` - 1: how many rows come nearest to the number of their
/// label; {1}, i32.
Tensor nearest_number_hits(Engine& engine, const Tensor& x, const Tensor& labels,
                           std::int64_t classes);
Tensor cross_entropy_backward(Engine& engine, const Tensor& probabilities, const Tensor& labels,
                              const Tensor& dloss);

/// NCHW: image, channel, row, column. NHWC: the channel last, in weights and images alike.
enum class Layout : std::uint8_t { nchw, nhwc };
constexpr auto enum_names(Layout) { return device::checked_names<Layout>("nchw", "nhwc"); }

struct Convolving {
  Layout layout = Layout::nchw;
  std::int64_t stride = 1, pad = 0, dilation = 1;
};
/// x: [n][c][h][w], weights: [k][c][r][s], bias: [k] -> [n][k][p][q], or all of them in NHWC.
Tensor convolve(Engine& engine, const Convolving& how, const Tensor& x, const Tensor& weights,
                const Tensor& bias);
Tensor convolve_backward_data(Engine& engine, const Convolving& how, const Tensor& dy,
                              const Tensor& weights, const Extents& x_shape);
Tensor convolve_backward_filter(Engine& engine, const Convolving& how, const Tensor& x,
                                const Tensor& dy, const Extents& weights_shape);
Tensor convolve_backward_bias(Engine& engine, const Convolving& how, const Tensor& dy);

/// A window of r x s words.
struct Window {
  std::int64_t r = 2, s = 2, stride = 2, pad = 0;
};
struct PooledMax {
  Tensor y;
  Tensor tap;  ///< i32: which word of its window each y was
};
/// x: [n][c][h][w]
PooledMax pool_max(Engine& engine, const Window& window, const Tensor& x);
Tensor pool_max_backward(Engine& engine, const Window& window, const Tensor& dy, const Tensor& tap,
                         const Extents& x_shape);
Tensor pool_average(Engine& engine, const Window& window, const Tensor& x);
Tensor pool_average_backward(Engine& engine, const Window& window, const Tensor& dy,
                             const Extents& x_shape);

}  // namespace warpbook::training
