// Convolutions, forward and backward, in both layouts. All of them are sums over the same products: output (image, filter,
// out_row, out_column) sees channel, row and column of x through weight (filter, channel, tap_row, tap_column).
#include <cmath>

#include "lab/operation/reference/reference.hpp"

namespace warpbook::lab::reference {
namespace {

enum class Layout { nchw, nhwc };

struct ConvolutionSizes {
  explicit ConvolutionSizes(const Given& given)
      : n(given.size("n")),
        c(given.size("c")),
        h(given.size("h")),
        w(given.size("w")),
        k(given.size("k")),
        r(given.size("r")),
        s(given.size("s")),
        p(given.size("p")),
        q(given.size("q")),
        stride(given.size("stride")),
        pad(given.size("pad")),
        dilation(given.size("dilation")) {}
  std::int64_t n, c, h, w, k, r, s, p, q, stride, pad, dilation;
};

/// Where element (outer, channel, row, column) lies in a tensor of `channels` x `rows` x `columns`.
std::size_t place(Layout layout, std::int64_t outer, std::int64_t channel, std::int64_t channels,
                  std::int64_t row, std::int64_t rows, std::int64_t column, std::int64_t columns) {
  const std::int64_t index = layout == Layout::nchw
                                 ? ((outer * channels + channel) * rows + row) * columns + column
                                 : ((outer * rows + row) * columns + column) * channels + channel;
  return static_cast<std::size_t>(index);
}

/// visit(index in x, index in the weights, index in y) for every product.
template <class Visit>
void for_each_product(const ConvolutionSizes& size, Layout layout, Visit&& visit) {
  for (std::int64_t image = 0; image < size.n; ++image)
    for (std::int64_t filter = 0; filter < size.k; ++filter)
      for (std::int64_t out_row = 0; out_row < size.p; ++out_row)
        for (std::int64_t out_column = 0; out_column < size.q; ++out_column)
          for (std::int64_t channel = 0; channel < size.c; ++channel)
            for (std::int64_t tap_row = 0; tap_row < size.r; ++tap_row)
              for (std::int64_t tap_column = 0; tap_column < size.s; ++tap_column) {
                const std::int64_t row = out_row * size.stride - size.pad + tap_row * size.dilation;
                const std::int64_t column =
                    out_column * size.stride - size.pad + tap_column * size.dilation;
                if (row < 0 || row >= size.h || column < 0 || column >= size.w) continue;
                visit(place(layout, image, channel, size.c, row, size.h, column, size.w),
                      place(layout, filter, channel, size.c, tap_row, size.r, tap_column, size.s),
                      place(layout, image, filter, size.k, out_row, size.p, out_column, size.q));
              }
}

Truth zeros(std::int64_t count, std::int64_t products) {
  Truth truth;
  truth.values.assign(static_cast<std::size_t>(count), 0);
  truth.products = static_cast<std::uint64_t>(products);
  return truth;
}

Truths forward(const Given& given, Layout layout) {
  const ConvolutionSizes size(given);
  const std::vector<double>&x = given.input("x"), &weights = given.input("weights");
  const std::vector<double>& bias = given.input("bias");
  Truth y = zeros(size.n * size.k * size.p * size.q, size.c * size.r * size.s);
  for_each_product(size, layout, [&](std::size_t of_x, std::size_t of_weights, std::size_t of_y) {
    y.values[of_y] += x[of_x] * weights[of_weights];
  });
  for (std::size_t i = 0; i < y.values.size(); ++i) {
    const auto k = static_cast<std::size_t>(size.k);
    const auto pixels = static_cast<std::size_t>(size.p * size.q);
    y.values[i] += bias[layout == Layout::nchw ? i / pixels % k : i % k];
  }
  return {{"y", y}};
}

Truths backward_data(const Given& given, Layout layout) {
  const ConvolutionSizes size(given);
  const std::vector<double>&dy = given.input("dy"), &weights = given.input("weights");
  Truth dx = zeros(size.n * size.c * size.h * size.w, size.k * size.r * size.s);
  for_each_product(size, layout, [&](std::size_t of_x, std::size_t of_weights, std::size_t of_y) {
    dx.values[of_x] += dy[of_y] * weights[of_weights];
  });
  return {{"dx", dx}};
}

Truths backward_filter(const Given& given, Layout layout) {
  const ConvolutionSizes size(given);
  const std::vector<double>&x = given.input("x"), &dy = given.input("dy");
  Truth dweights = zeros(size.k * size.c * size.r * size.s, size.n * size.p * size.q);
  for_each_product(size, layout, [&](std::size_t of_x, std::size_t of_weights, std::size_t of_y) {
    dweights.values[of_weights] += x[of_x] * dy[of_y];
  });
  return {{"dweights", dweights}};
}

}  // namespace

Truths convolution(const Given& given) { return forward(given, Layout::nchw); }
Truths convolution_nhwc(const Given& given) { return forward(given, Layout::nhwc); }
Truths convolution_backward_data(const Given& given) { return backward_data(given, Layout::nchw); }
Truths convolution_backward_data_nhwc(const Given& given) {
  return backward_data(given, Layout::nhwc);
}
Truths convolution_backward_filter(const Given& given) {
  return backward_filter(given, Layout::nchw);
}
Truths convolution_backward_filter_nhwc(const Given& given) {
  return backward_filter(given, Layout::nhwc);
}

/// dy: [n][k][pixels], dbias: [k]
Truths convolution_backward_bias(const Given& given) {
  const std::vector<double>& dy = given.input("dy");
  const auto k = static_cast<std::size_t>(given.size("k"));
  const auto pixels = static_cast<std::size_t>(given.size("pixels"));
  Truth dbias;
  dbias.values.assign(k, 0);
  dbias.magnitudes.assign(k, 0);
  for (std::size_t i = 0; i < dy.size(); ++i) {
    dbias.values[i / pixels % k] += dy[i];
    dbias.magnitudes[i / pixels % k] += std::abs(dy[i]);
  }
  return {{"dbias", dbias}};
}

}  // namespace warpbook::lab::reference
