// Pooling, forward and backward. x, dx: [planes][h][w]; y, dy, tap: [planes][p][q].
#include <cmath>
#include <limits>

#include "lab/operation/reference/reference.hpp"

namespace warpbook::lab::reference {
namespace {

struct PoolingSizes {
  explicit PoolingSizes(const Given& given)
      : planes(given.size("planes")),
        h(given.size("h")),
        w(given.size("w")),
        r(given.size("r")),
        s(given.size("s")),
        p(given.size("p")),
        q(given.size("q")),
        stride(given.size("stride")),
        pad(given.size("pad")) {}
  std::int64_t planes, h, w, r, s, p, q, stride, pad;
};

/// visit(index in x, tap) for every word of the image in the window of output `index`.
template <class Visit>
void for_each_word(const PoolingSizes& size, std::size_t index, Visit&& visit) {
  const auto output = static_cast<std::int64_t>(index);
  const std::int64_t plane = output / (size.p * size.q);
  const std::int64_t out_row = output / size.q % size.p, out_column = output % size.q;
  for (std::int64_t tap_row = 0; tap_row < size.r; ++tap_row) {
    for (std::int64_t tap_column = 0; tap_column < size.s; ++tap_column) {
      const std::int64_t row = out_row * size.stride - size.pad + tap_row;
      const std::int64_t column = out_column * size.stride - size.pad + tap_column;
      if (row < 0 || row >= size.h || column < 0 || column >= size.w) continue;
      visit(static_cast<std::size_t>((plane * size.h + row) * size.w + column),
            tap_row * size.s + tap_column);
    }
  }
}

std::size_t outputs(const PoolingSizes& size) {
  return static_cast<std::size_t>(size.planes * size.p * size.q);
}

Truth zeros(std::int64_t count) {
  Truth truth;
  truth.values.assign(static_cast<std::size_t>(count), 0);
  truth.magnitudes.assign(static_cast<std::size_t>(count), 0);
  return truth;
}

}  // namespace

Truths pooling_max(const Given& given) {
  const PoolingSizes size(given);
  const std::vector<double>& x = given.input("x");
  Truth y, tap;
  for (std::size_t output = 0; output < outputs(size); ++output) {
    double largest = -std::numeric_limits<double>::infinity();
    std::int64_t winner = -1;
    for_each_word(size, output, [&](std::size_t i, std::int64_t at) {
      if (winner >= 0 && !(x[i] > largest) && !std::isnan(x[i])) return;
      largest = x[i];
      winner = at;
    });
    y.values.push_back(largest);
    tap.values.push_back(static_cast<double>(winner));
  }
  return {{"y", y}, {"tap", tap}};
}

Truths pooling_max_backward(const Given& given) {
  const PoolingSizes size(given);
  const std::vector<double>&dy = given.input("dy"), &tap = given.input("tap");
  Truth dx = zeros(size.planes * size.h * size.w);
  for (std::size_t output = 0; output < dy.size(); ++output) {
    for_each_word(size, output, [&](std::size_t i, std::int64_t at) {
      if (static_cast<double>(at) != tap[output]) return;
      dx.values[i] += dy[output];
      dx.magnitudes[i] += std::abs(dy[output]);
    });
  }
  return {{"dx", dx}};
}

Truths pooling_average(const Given& given) {
  const PoolingSizes size(given);
  const std::vector<double>& x = given.input("x");
  Truth y;
  for (std::size_t output = 0; output < outputs(size); ++output) {
    double sum = 0, magnitude = 0, count = 0;
    for_each_word(size, output, [&](std::size_t i, std::int64_t) {
      sum += x[i];
      magnitude += std::abs(x[i]);
      ++count;
    });
    y.values.push_back(count == 0 ? 0 : sum / count);
    y.magnitudes.push_back(count == 0 ? 0 : magnitude / count);
  }
  return {{"y", y}};
}

Truths pooling_average_backward(const Given& given) {
  const PoolingSizes size(given);
  const std::vector<double>& dy = given.input("dy");
  Truth dx = zeros(size.planes * size.h * size.w);
  for (std::size_t output = 0; output < dy.size(); ++output) {
    double count = 0;
    for_each_word(size, output, [&](std::size_t, std::int64_t) { ++count; });
    for_each_word(size, output, [&](std::size_t i, std::int64_t) {
      dx.values[i] += dy[output] / count;
      dx.magnitudes[i] += std::abs(dy[output]) / count;
    });
  }
  return {{"dx", dx}};
}

}  // namespace warpbook::lab::reference
