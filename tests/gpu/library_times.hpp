// The libraries' algorithms on a GPU, for its record.
#pragma once

#include "tests/gpu/recording.hpp"

namespace warpbook::tests {

/// Every algorithm that cuDNN and cuBLAS have for the problems of the book's pages, timed in turns, and cuDNN's own description of
/// the GPU. A library that is not here is told of and left out; after each problem the record is saved.
void time_libraries(Recording& recording);

}  // namespace warpbook::tests
