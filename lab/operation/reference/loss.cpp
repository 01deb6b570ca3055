// What a network's answer is measured by, and the gradients.
#include <algorithm>
#include <cmath>

#include "lab/operation/reference/reference.hpp"

namespace warpbook::lab::reference {

/// x, target: [n], loss: [1]
Truths mean_square_error(const Given& given) {
  const std::vector<double>&x = given.input("x"), &target = given.input("target");
  double sum = 0;
  for (std::size_t i = 0; i < x.size(); ++i) sum += (x[i] - target[i]) * (x[i] - target[i]);
  const double mean = sum / static_cast<double>(x.size());
  return {{"loss", {{mean}, {mean}, 0}}};
}

/// x, target, dx: [n], dloss: [1]
Truths mean_square_error_backward(const Given& given) {
  const std::vector<double>&x = given.input("x"), &target = given.input("target");
  Truth dx;
  for (std::size_t i = 0; i < x.size(); ++i)
    dx.values.push_back(2 * (x[i] - target[i]) / static_cast<double>(x.size()) *
                        given.input("dloss")[0]);
  return {{"dx", dx}};
}

/// x, y: [rows][columns], label: [rows], loss, hits: [1]
Truths cross_entropy(const Given& given) {
  const std::vector<double>&x = given.input("x"), &label = given.input("label");
  const auto columns = static_cast<std::size_t>(given.size("columns"));
  Truth y;
  double loss = 0, hits = 0;
  for (std::size_t row = 0; row < label.size(); ++row) {
    const auto begin = x.begin() + static_cast<std::ptrdiff_t>(row * columns);
    const auto end = begin + static_cast<std::ptrdiff_t>(columns);
    const auto largest = std::max_element(begin, end);
    double sum = 0;
    for (auto at = begin; at != end; ++at) sum += std::exp(*at - *largest);
    for (auto at = begin; at != end; ++at) y.values.push_back(std::exp(*at - *largest) / sum);
    const auto labelled = static_cast<std::ptrdiff_t>(label[row]);
    loss += std::log(sum) - (begin[labelled] - *largest);
    hits += largest - begin == labelled ? 1 : 0;
  }
  return {{"y", y},
          {"loss", {{loss / static_cast<double>(label.size())}, {}, 0}},
          {"hits", {{hits}, {}, 0}}};
}

/// y, dx: [rows][columns], label: [rows], dloss: [1]
Truths cross_entropy_backward(const Given& given) {
  const std::vector<double>&y = given.input("y"), &label = given.input("label");
  const auto columns = static_cast<std::size_t>(given.size("columns"));
  Truth dx;
  for (std::size_t i = 0; i < y.size(); ++i) {
    const double wanted = static_cast<double>(i % columns) == label[i / columns] ? 1 : 0;
    dx.values.push_back((y[i] - wanted) * given.input("dloss")[0] /
                        static_cast<double>(label.size()));
  }
  return {{"dx", dx}};
}

}  // namespace warpbook::lab::reference
