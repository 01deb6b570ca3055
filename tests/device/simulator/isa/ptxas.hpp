// Asks ptxas which instructions it takes: it is the judge of the instruction table where CUDA 13.0 is installed.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "device/simulator/isa/forms.hpp"

namespace warpbook::device::tests {

/// What ptxas says against each of the samples (kernel_of tells what they may use), compiling for sm_90; empty where it
/// takes one. Nothing where there is no ptxas of CUDA 13.0 in $PATH or /usr/local/cuda.
std::optional<std::vector<std::string>> refusals_of_ptxas(const std::vector<std::string>& samples,
                                                          isa::Dialect dialect = {});

/// Whether ptxas takes a module: "" where it does, else its first error. Nothing where there is no ptxas of CUDA 13.0.
std::optional<std::string> refusal_of_module(const std::string& text);

}  // namespace warpbook::device::tests
