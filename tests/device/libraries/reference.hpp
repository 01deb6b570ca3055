// The truth that libraries are held against: plain loops in float64.
#pragma once

#include <string>
#include <vector>

#include "device/libraries/problem.hpp"

namespace warpbook::tests {

using device::libraries::Problem;
using Numbers = std::vector<float>;

/// What a problem makes of its inputs (those of tensors_of). The y of a backward pass is an input and must be right.
std::vector<double> reference(const Problem& problem, const std::vector<Numbers>& inputs);

/// Inputs for a problem, a repeatable mixture of signs, with the y of a backward pass computed where there is one. With
/// `whole`, small integers, so that sums are exact in any order.
std::vector<Numbers> inputs_for(const Problem& problem, bool whole = false);

/// ||got - truth|| / ||truth||; not a number where any of `got` is none.
double relative_error(const Numbers& got, const std::vector<double>& truth);

}  // namespace warpbook::tests
