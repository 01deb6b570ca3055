// Which of the libraries' problems an operation of kernels/ is.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include "device/libraries/problem.hpp"

namespace warpbook::lab {

/// What a library is asked for so that it computes, in FP32, what the rungs of `operation` ("sgemm", "convolution_nhwc") do at
/// `scalars`. Nothing where no library has it (a transpose, a scan, what is fused with a bias). A convolution is asked for
/// without its bias.
std::optional<device::libraries::Problem> library_problem(
    const std::string& operation, const std::map<std::string, std::int64_t>& scalars);

}  // namespace warpbook::lab
