// The libraries' algorithms on a GPU, for its record.
#pragma once

#include "device/records/record.hpp"

namespace warpbook::tests {

/// Every algorithm that cuDNN and cuBLAS have for the problems of the book's pages, timed in turns, and cuDNN's own description of
/// the GPU. A library that is not here is told of and left out.
void time_libraries(device::Record& record);

}  // namespace warpbook::tests
