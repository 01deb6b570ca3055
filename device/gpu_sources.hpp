// Where a row of the GPU table is from: mostly one of NVIDIA's documents. gpu_table.cpp says at each row what was read where, and what was
// derived.
#pragma once

#include <string_view>

namespace warpbook::device {

/// For the name of a row, "H200"; empty for any other.
std::string_view source_of_gpu(std::string_view name);

}  // namespace warpbook::device
