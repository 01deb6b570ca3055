#include "training/operations.hpp"

namespace warpbook::training {
namespace {

/// PREFIX0 to PREFIX3
void put_four(Sizes& sizes, const std::string& prefix, const Extents& four) {
  for (std::size_t axis = 0; axis < kMostAxes; ++axis)
    sizes[prefix + std::to_string(axis)] = four[axis];
}

Tensor elementwise(Engine& engine, std::string_view operation, const Tensor& x, const Tensor& y) {
  const Extents shape = broadcast_shape(operation, x.shape, y.shape);
  const Tensor of_x = x.broadcast_to(shape), of_y = y.broadcast_to(shape);
  const Tensor out = engine.empty(std::string(operation), shape);
  Sizes sizes;
  put_four(sizes, "d", as_four(shape, 1));
  put_four(sizes, "x", as_four(of_x.strides, 0));
  put_four(sizes, "y", as_four(of_y.strides, 0));
  engine.run(operation, {{"x", &of_x}, {"y", &of_y}, {"out", &out}}, sizes);
  return out;
}

void want_same(std::string_view operation, const Tensor& first, const Tensor& second) {
  if (first.shape != second.shape)
    refuse_shape(operation, text_of(first.shape) + ", " + text_of(second.shape), "same");
}

void want_axes(std::string_view operation, const Tensor& tensor, std::size_t axes) {
  if (tensor.shape.size() != axes)
    refuse_shape(operation, text_of(tensor.shape), axes == 2 ? "two-axes" : "four-axes");
}

std::string backward_of(std::string_view operation) { return std::string(operation) + "_backward"; }

std::string activation_named(Activation activation) {
  return "activation_" + std::string(name_of(activation));
}

// ---- convolution

struct ConvolutionAxes {
  std::size_t channel, row, column;
};
ConvolutionAxes axes_of(Layout layout) {
  return layout == Layout::nchw ? ConvolutionAxes{1, 2, 3} : ConvolutionAxes{3, 1, 2};
}

std::string convolution_named(std::string_view pass, Layout layout) {
  return "convolution" + std::string(pass) + (layout == Layout::nhwc ? "_nhwc" : "");
}

Sizes convolution_sizes(const Convolving& how, const Extents& x, const Extents& weights) {
  const ConvolutionAxes axes = axes_of(how.layout);
  if (x[axes.channel] != weights[axes.channel])
    refuse_shape("convolution", text_of(x) + ", " + text_of(weights), "channels");
  return {{"n", x[0]},
          {"c", x[axes.channel]},
          {"h", x[axes.row]},
          {"w", x[axes.column]},
          {"k", weights[0]},
          {"r", weights[axes.row]},
          {"s", weights[axes.column]},
          {"stride", how.stride},
          {"pad", how.pad},
          {"dilation", how.dilation}};
}

std::int64_t outputs_along(std::int64_t extent, std::int64_t window, std::int64_t stride,
                           std::int64_t pad, std::int64_t dilation) {
  const std::int64_t places = extent + 2 * pad - dilation * (window - 1);
  return places <= 0 ? 0 : (places + stride - 1) / stride;
}

Extents convolved_shape(const Convolving& how, const Extents& x, const Extents& weights) {
  const ConvolutionAxes axes = axes_of(how.layout);
  Extents shape(4);
  shape[0] = x[0];
  shape[axes.channel] = weights[0];
  for (const std::size_t axis : {axes.row, axes.column})
    shape[axis] = outputs_along(x[axis], weights[axis], how.stride, how.pad, how.dilation);
  return shape;
}

// ---- pooling

Sizes pooling_sizes(const Window& window, const Extents& x) {
  return {{"planes", x[0] * x[1]}, {"h", x[2]},      {"w", x[3]},
          {"r", window.r},         {"s", window.s},  {"stride", window.stride},
          {"pad", window.pad}};
}

Extents pooled_shape(const Window& window, const Extents& x) {
  return {x[0], x[1], outputs_along(x[2], window.r, window.stride, window.pad, 1),
          outputs_along(x[3], window.s, window.stride, window.pad, 1)};
}

}  // namespace

Tensor add(Engine& engine, const Tensor& x, const Tensor& y) {
  return elementwise(engine, "broadcast_add", x, y);
}

Tensor multiply(Engine& engine, const Tensor& x, const Tensor& y) {
  return elementwise(engine, "broadcast_multiply", x, y);
}

Tensor sum_to(Engine& engine, const Tensor& dy, const Extents& shape) {
  if (dy.shape == shape) return dy;
  const Tensor dense = engine.contiguous(dy);
  const Tensor out = engine.empty("sum", shape);
  Sizes sizes;
  put_four(sizes, "d", as_four(dense.shape, 1));
  put_four(sizes, "k", as_four(shape, 1));
  engine.run("broadcast_backward", {{"dy", &dense}, {"out", &out}}, sizes);
  return out;
}

Tensor sum(Engine& engine, const Tensor& x) {
  const Tensor dense = engine.contiguous(x);
  const Tensor out = engine.empty("sum", {1});
  engine.run("reduction", {{"x", &dense}, {"out", &out}}, {{"n", dense.count()}});
  return out;
}

Tensor matmul(Engine& engine, const Tensor& a, const Tensor& b) {
  want_axes("matmul", a, 2);
  want_axes("matmul", b, 2);
  if (a.shape[1] != b.shape[0])
    refuse_shape("matmul", text_of(a.shape) + ", " + text_of(b.shape), "matmul");
  const Tensor c = engine.empty("matmul", {a.shape[0], b.shape[1]});
  engine.run("sgemm_strided", {{"a", &a}, {"b", &b}, {"c", &c}},
             {{"m", a.shape[0]},
              {"n", b.shape[1]},
              {"k", a.shape[1]},
              {"a_row", a.strides[0]},
              {"a_column", a.strides[1]},
              {"b_row", b.strides[0]},
              {"b_column", b.strides[1]}});
  return c;
}

Tensor activate(Engine& engine, Activation activation, const Tensor& x) {
  const std::string operation = activation_named(activation);
  const Tensor dense = engine.contiguous(x), y = engine.empty(operation, x.shape);
  engine.run(operation, {{"x", &dense}, {"y", &y}}, {{"n", x.count()}});
  return y;
}

Tensor activate_backward(Engine& engine, Activation activation, const Tensor& x, const Tensor& dy) {
  const std::string operation = backward_of(activation_named(activation));
  const Tensor of_x = engine.contiguous(x), of_dy = engine.contiguous(dy);
  const Tensor dx = engine.empty(operation, x.shape);
  engine.run(operation, {{"x", &of_x}, {"dy", &of_dy}, {"dx", &dx}}, {{"n", x.count()}});
  return dx;
}

Tensor softmax(Engine& engine, const Tensor& x) {
  want_axes("softmax", x, 2);
  const Tensor dense = engine.contiguous(x), y = engine.empty("softmax", x.shape);
  engine.run("softmax", {{"x", &dense}, {"y", &y}},
             {{"rows", x.shape[0]}, {"columns", x.shape[1]}});
  return y;
}

Tensor softmax_backward(Engine& engine, const Tensor& y, const Tensor& dy) {
  const Tensor dense = engine.contiguous(dy), dx = engine.empty("softmax_backward", y.shape);
  engine.run("softmax_backward", {{"y", &y}, {"dy", &dense}, {"dx", &dx}},
             {{"rows", y.shape[0]}, {"columns", y.shape[1]}});
  return dx;
}

Tensor mean_square_error(Engine& engine, const Tensor& x, const Tensor& target) {
  want_same("mean_square_error", x, target);
  const Tensor of_x = engine.contiguous(x), of_target = engine.contiguous(target);
  const Tensor loss = engine.empty("mean_square_error", {1});
  engine.run("mean_square_error", {{"x", &of_x}, {"target", &of_target}, {"loss", &loss}},
             {{"n", x.count()}});
  return loss;
}

Tensor mean_square_error_backward(Engine& engine, const Tensor& x, const Tensor& target,
                                  const Tensor& dloss) {
  const Tensor of_x = engine.contiguous(x), of_target = engine.contiguous(target);
  const Tensor dx = engine.empty("mean_square_error_backward", x.shape);
  engine.run("mean_square_error_backward",
             {{"x", &of_x}, {"target", &of_target}, {"dloss", &dloss}, {"dx", &dx}},
             {{"n", x.count()}});
  return dx;
}

CrossEntropy cross_entropy(Engine& engine, const Tensor& x, const Tensor& labels) {
  want_axes("cross_entropy", x, 2);
  if (labels.count() != x.shape[0])
    refuse_shape("cross_entropy", text_of(x.shape) + ", " + text_of(labels.shape), "labels");
  const Tensor dense = engine.contiguous(x);
  CrossEntropy result;
  result.probabilities = engine.empty("cross_entropy.y", x.shape);
  result.loss = engine.empty("cross_entropy.loss", {1});
  result.hits = engine.empty("cross_entropy.hits", {1}, device::ElementType::i32);
  engine.run("cross_entropy",
             {{"x", &dense},
              {"label", &labels},
              {"y", &result.probabilities},
              {"loss", &result.loss},
              {"hits", &result.hits}},
             {{"rows", x.shape[0]}, {"columns", x.shape[1]}});
  return result;
}

/// The number j nearest to x has the largest -(x - j)^2. Without x^2, which all j share, that is 2 j x - j^2: a linear layer.
Tensor nearest_number_hits(Engine& engine, const Tensor& x, const Tensor& labels,
                           std::int64_t classes) {
  std::vector<float> slopes, shifts;
  for (std::int64_t j = 0; j < classes; ++j) {
    slopes.push_back(static_cast<float>(2 * j));
    shifts.push_back(static_cast<float>(-j * j));
  }
  const Tensor weights = engine.upload("number.weights", {1, classes}, slopes),
               bias = engine.upload("number.bias", {classes}, shifts);
  return cross_entropy(engine, add(engine, matmul(engine, x, weights), bias), labels).hits;
}

Tensor cross_entropy_backward(Engine& engine, const Tensor& probabilities, const Tensor& labels,
                              const Tensor& dloss) {
  const Tensor dx = engine.empty("cross_entropy_backward", probabilities.shape);
  engine.run("cross_entropy_backward",
             {{"y", &probabilities}, {"label", &labels}, {"dloss", &dloss}, {"dx", &dx}},
             {{"rows", probabilities.shape[0]}, {"columns", probabilities.shape[1]}});
  return dx;
}

Tensor convolve(Engine& engine, const Convolving& how, const Tensor& x, const Tensor& weights,
                const Tensor& bias) {
  want_axes("convolution", x, 4);
  want_axes("convolution", weights, 4);
  const Tensor dense = engine.contiguous(x);
  const Tensor y = engine.empty("convolution", convolved_shape(how, x.shape, weights.shape));
  engine.run(convolution_named("", how.layout),
             {{"x", &dense}, {"weights", &weights}, {"bias", &bias}, {"y", &y}},
             convolution_sizes(how, x.shape, weights.shape));
  return y;
}

Tensor convolve_backward_data(Engine& engine, const Convolving& how, const Tensor& dy,
                              const Tensor& weights, const Extents& x_shape) {
  const Tensor dense = engine.contiguous(dy), dx = engine.empty("convolution_backward_data", x_shape);
  engine.run(convolution_named("_backward_data", how.layout),
             {{"dy", &dense}, {"weights", &weights}, {"dx", &dx}},
             convolution_sizes(how, x_shape, weights.shape));
  return dx;
}

Tensor convolve_backward_filter(Engine& engine, const Convolving& how, const Tensor& x,
                                const Tensor& dy, const Extents& weights_shape) {
  const Tensor of_x = engine.contiguous(x), of_dy = engine.contiguous(dy);
  const Tensor dweights = engine.empty("convolution_backward_filter", weights_shape);
  engine.run(convolution_named("_backward_filter", how.layout),
             {{"x", &of_x}, {"dy", &of_dy}, {"dweights", &dweights}},
             convolution_sizes(how, x.shape, weights_shape));
  return dweights;
}

Tensor convolve_backward_bias(Engine& engine, const Convolving& how, const Tensor& dy) {
  if (how.layout == Layout::nhwc) return sum_to(engine, dy, {dy.shape[3]});
  const Tensor dense = engine.contiguous(dy);
  const Tensor dbias = engine.empty("convolution_backward_bias", {dy.shape[1]});
  engine.run("convolution_backward_bias", {{"dy", &dense}, {"dbias", &dbias}},
             {{"n", dy.shape[0]}, {"k", dy.shape[1]}, {"pixels", dy.shape[2] * dy.shape[3]}});
  return dbias;
}

PooledMax pool_max(Engine& engine, const Window& window, const Tensor& x) {
  want_axes("pooling_max", x, 4);
  const Tensor dense = engine.contiguous(x);
  const Extents shape = pooled_shape(window, x.shape);
  PooledMax pooled;
  pooled.y = engine.empty("pooling_max", shape);
  pooled.tap = engine.empty("pooling_max.tap", shape, device::ElementType::i32);
  engine.run("pooling_max", {{"x", &dense}, {"y", &pooled.y}, {"tap", &pooled.tap}},
             pooling_sizes(window, x.shape));
  return pooled;
}

Tensor pool_max_backward(Engine& engine, const Window& window, const Tensor& dy, const Tensor& tap,
                         const Extents& x_shape) {
  const Tensor dense = engine.contiguous(dy), dx = engine.empty("pooling_max_backward", x_shape);
  engine.run("pooling_max_backward", {{"dy", &dense}, {"tap", &tap}, {"dx", &dx}},
             pooling_sizes(window, x_shape));
  return dx;
}

Tensor pool_average(Engine& engine, const Window& window, const Tensor& x) {
  want_axes("pooling_average", x, 4);
  const Tensor dense = engine.contiguous(x);
  const Tensor y = engine.empty("pooling_average", pooled_shape(window, x.shape));
  engine.run("pooling_average", {{"x", &dense}, {"y", &y}}, pooling_sizes(window, x.shape));
  return y;
}

Tensor pool_average_backward(Engine& engine, const Window& window, const Tensor& dy,
                             const Extents& x_shape) {
  const Tensor dense = engine.contiguous(dy), dx = engine.empty("pooling_average_backward", x_shape);
  engine.run("pooling_average_backward", {{"dy", &dense}, {"dx", &dx}},
             pooling_sizes(window, x_shape));
  return dx;
}

}  // namespace warpbook::training
