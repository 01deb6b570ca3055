// What an operation's kernels were recorded to take on the GPU that a lesson simulates, beside their estimates.
#pragma once

#include <string>

#include "lab/experiment/lesson.hpp"

namespace warpbook::lab {

/// A part for Lab::side_by_side(), with the exhibit "recorded-<operation>": the rungs that have not changed since, at the size at which
/// they were recorded. Where there is no record of the simulated GPU, and on a real one, it shows nothing.
Lab::Part recorded_times(const std::string& operation);

}  // namespace warpbook::lab
