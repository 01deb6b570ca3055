// What the chapter's kernels should compute, in double precision.
#pragma once

#include <span>
#include <string_view>
#include <vector>

namespace warpbook::lessons::activations {

/// "relu", "leaky-relu", "sigmoid", "tanh", "gelu", "gelu-tanh"; `leak` is leaky ReLU's slope left of 0.
double value_of(std::string_view function, double x, double leak);
/// Its slope; at ReLU's corner the one of the left side.
double slope_of(std::string_view function, double x, double leak);

std::vector<double> softmax_of(std::span<const float> row);

/// Within 1e-5 of the truth, or 1e-6 where that is more; NaN and infinities only where the truth is the same.
bool agrees(double got, double truth);

}  // namespace warpbook::lessons::activations
