// A step of each optimiser, elementwise over [n].
#include <cmath>

#include "lab/operation/reference/reference.hpp"

namespace warpbook::lab::reference {
namespace {

void add(Truth& truth, double value, double magnitude) {
  truth.values.push_back(value);
  truth.magnitudes.push_back(magnitude);
}

}  // namespace

Truths sgd_momentum(const Given& given) {
  const std::vector<double>&w = given.input("w"), &dw = given.input("dw"), &v = given.input("v");
  const double rate = given.real("rate"), momentum = given.real("momentum");
  Truth w_next, v_next;
  for (std::size_t i = 0; i < w.size(); ++i) {
    const double velocity = momentum * v[i] + dw[i];
    const double magnitude = std::abs(momentum * v[i]) + std::abs(dw[i]);
    add(v_next, velocity, magnitude);
    add(w_next, w[i] - rate * velocity, std::abs(w[i]) + rate * magnitude);
  }
  return {{"w_next", w_next}, {"v_next", v_next}};
}

/// Where the inputs make an average of squares negative, which no training does, the step is not a number.
Truths adam(const Given& given) {
  const std::vector<double>&w = given.input("w"), &dw = given.input("dw");
  const std::vector<double>&mean = given.input("mean"), &square = given.input("square");
  const double mean_decay = given.real("mean_decay"), square_decay = given.real("square_decay");
  Truth w_next, mean_next, square_next;
  for (std::size_t i = 0; i < w.size(); ++i) {
    const double old_mean = mean_decay * mean[i], new_mean = (1 - mean_decay) * dw[i];
    const double old_square = square_decay * square[i];
    const double new_square = (1 - square_decay) * dw[i] * dw[i];
    const double of_mean = old_mean + new_mean, of_square = old_square + new_square;
    const double mean_magnitude = std::abs(old_mean) + std::abs(new_mean);
    const double square_magnitude = std::abs(old_square) + new_square;
    add(mean_next, of_mean, mean_magnitude);
    add(square_next, of_square, square_magnitude);
    const double root = std::sqrt(of_square / given.real("square_share"));
    const double scale =
        given.real("rate") / given.real("mean_share") / (root + given.real("epsilon"));
    // A relative error of the average of squares becomes half of it in the root.
    add(w_next, w[i] - scale * of_mean,
        std::abs(w[i]) +
            scale * (mean_magnitude + std::abs(of_mean) * square_magnitude / std::abs(of_square)));
  }
  return {{"w_next", w_next}, {"mean_next", mean_next}, {"square_next", square_next}};
}

}  // namespace warpbook::lab::reference
