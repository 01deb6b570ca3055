// The libraries' algorithms on a GPU, for its record.
#pragma once

#include "tests/gpu/recording.hpp"

namespace warpbook::tests {

/// Every algorithm that cuDNN and cuBLAS have for the problems of the book's pages, timed in turns, and cuDNN's own description of
/// the GPU. Where a library is not installed, the run says so and goes on without it. The record is saved
/// after each problem.
void time_libraries(Recording& recording);

}  // namespace warpbook::tests
