#include <algorithm>
#include <cmath>
#include <limits>

#include "lab/operation/reference/reference.hpp"

namespace warpbook::lab::reference {

/// x, y: [rows][columns]
Truths softmax(const Given& given) {
  const std::vector<double>& x = given.input("x");
  const auto columns = static_cast<std::size_t>(given.size("columns"));
  Truth y;
  for (std::size_t row = 0; row < x.size(); row += columns) {
    double maximum = -std::numeric_limits<double>::infinity(), sum = 0;
    for (std::size_t i = 0; i < columns; ++i) maximum = std::max(maximum, x[row + i]);
    for (std::size_t i = 0; i < columns; ++i) sum += std::exp(x[row + i] - maximum);
    for (std::size_t i = 0; i < columns; ++i)
      y.values.push_back(std::exp(x[row + i] - maximum) / sum);
  }
  return {{"y", y}};
}

/// y, dy, dx: [rows][columns]
Truths softmax_backward(const Given& given) {
  const std::vector<double>&y = given.input("y"), &dy = given.input("dy");
  const auto columns = static_cast<std::size_t>(given.size("columns"));
  Truth dx;
  for (std::size_t row = 0; row < y.size(); row += columns) {
    double dot = 0, magnitude = 0;
    for (std::size_t i = row; i < row + columns; ++i) {
      dot += y[i] * dy[i];
      magnitude += std::abs(y[i] * dy[i]);
    }
    for (std::size_t i = row; i < row + columns; ++i) {
      dx.values.push_back(y[i] * (dy[i] - dot));
      dx.magnitudes.push_back(std::abs(y[i]) * (std::abs(dy[i]) + magnitude));
    }
  }
  return {{"dx", dx}};
}

}  // namespace warpbook::lab::reference
