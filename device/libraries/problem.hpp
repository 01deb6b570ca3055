// A problem for a library: its kind with its shapes, layout and precision.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "device/error.hpp"

namespace warpbook::device::libraries {

using device::name_of;

enum class ProblemKind : std::uint8_t { convolution, matmul, softmax, activation, pooling };
constexpr auto enum_names(ProblemKind) {
  return checked_names<ProblemKind>("convolution", "matmul", "softmax", "activation", "pooling");
}
/// The direction: the result, the gradient of the data (dgrad), or that of the filters (wgrad; convolution only).
enum class Pass : std::uint8_t { forward, data, filter };
constexpr auto enum_names(Pass) { return checked_names<Pass>("forward", "data", "filter"); }
enum class Layout : std::uint8_t { nchw, nhwc };
constexpr auto enum_names(Layout) { return checked_names<Layout>("nchw", "nhwc"); }
/// fp32: multiplied and added in FP32. tf32: FP32 in memory, and a library may round its inputs for tensor cores. fp16,
/// bf16: in memory, added up in FP32.
enum class Precision : std::uint8_t { fp32, tf32, fp16, bf16 };
constexpr auto enum_names(Precision) {
  return checked_names<Precision>("fp32", "tf32", "fp16", "bf16");
}
enum class Activation : std::uint8_t { relu, sigmoid, tanh, gelu };
constexpr auto enum_names(Activation) {
  return checked_names<Activation>("relu", "sigmoid", "tanh", "gelu");
}
/// An average counts the padding, too, or only the elements inside the image.
enum class Pooling : std::uint8_t { max, average_all, average_inside };
constexpr auto enum_names(Pooling) {
  return checked_names<Pooling>("max", "average_all", "average_inside");
}

/// By their names, as the command line spells them.
bool parse(std::string_view name, Pass& pass);
bool parse(std::string_view name, Layout& layout);
bool parse(std::string_view name, Precision& precision);

/// Images N x C x H x W; filters are K x C / groups x R x S, a matrix is 1 x 1 x rows x columns.
struct Shape {
  std::int64_t n = 1, c = 1, h = 1, w = 1;
  [[nodiscard]] std::int64_t count() const { return n * c * h * w; }
  [[nodiscard]] std::array<std::int64_t, 4> extents() const { return {n, c, h, w}; }
  friend bool operator==(const Shape&, const Shape&) = default;
};
template <class V>
void fields(V&& visit, Is<Shape> auto& v) {
  visit("n", v.n);
  visit("c", v.c);
  visit("h", v.h);
  visit("w", v.w);
}

/// Along the height and along the width.
struct Along {
  std::int64_t h = 1, w = 1;
  friend bool operator==(const Along&, const Along&) = default;
};
template <class V>
void fields(V&& visit, Is<Along> auto& v) {
  visit("h", v.h);
  visit("w", v.w);
}

struct Problem {
  ProblemKind kind = ProblemKind::convolution;
  Pass pass = Pass::forward;
  Layout layout = Layout::nchw;
  Precision precision = Precision::fp32;
  Activation activation = Activation::relu;
  Pooling pooling = Pooling::max;
  Shape image;               ///< not of a matmul; softmax goes along C
  std::int64_t filters = 1;  ///< K, of a convolution; each has the channels of its group
  /// Of a convolution: parts that channels and filters are cut into, in their order; a filter sees the channels of its own
  /// part alone. 1: all of them; as many as channels: depthwise.
  std::int64_t groups = 1;
  Along window;  ///< R x S, of convolution and pooling
  Along stride, dilation;
  Along pad{0, 0};
  std::int64_t m = 1, n = 1, k = 1;  ///< of a matmul: A[m][k] B[k][n], both row-major
  friend bool operator==(const Problem&, const Problem&) = default;
};
template <class V>
void fields(V&& visit, Is<Problem> auto& v) {
  visit("kind", v.kind);
  visit("pass", v.pass);
  visit("layout", v.layout);
  visit("precision", v.precision);
  visit("activation", v.activation);
  visit("pooling", v.pooling);
  visit("image", v.image);
  visit("filters", v.filters);
  visit("groups", v.groups);
  visit("window", v.window);
  visit("stride", v.stride);
  visit("dilation", v.dilation);
  visit("pad", v.pad);
  visit("m", v.m);
  visit("n", v.n);
  visit("k", v.k);
}

/// Of a convolution or a pooling: the extent of its result.
Shape result_of(const Problem& problem);
/// Of a convolution: the extent of its filters.
Shape filters_of(const Problem& problem);

/// An input or output tensor. Its numbers are always in the order of `shape`, last extent
/// fastest, whatever the layout: a library brings them into its own.
struct Tensor {
  std::string name;  ///< "x", "w", "dy", ...
  Shape shape;
};
struct Tensors {
  std::vector<Tensor> inputs;
  Tensor output;
};
/// The inputs, in this order, and the output.
///   convolution  x w -> y         dy w -> dx     x dy -> dw
///   matmul       a b -> c
///   softmax      x -> y           y dy -> dx
///   activation   x -> y           x y dy -> dx
///   pooling      x -> y           x y dy -> dx
Tensors tensors_of(const Problem& problem);

/// Whether there is such a problem at all; a library may refuse it all the same. Error: bad_problem.
Expected<void> check(const Problem& problem);

/// Multiplications with an addition each, of a convolution or a matmul; else 0.
std::int64_t multiply_adds(const Problem& problem);

}  // namespace warpbook::device::libraries
