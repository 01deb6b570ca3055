// A GPU that is not here, described to cuDNN from its published specification.
#pragma once

#include <string>
#include <string_view>

#include "device/error.hpp"

namespace warpbook::device::libraries {

inline constexpr std::string_view kHere = "here";

struct DescribedGpu {
  std::string name;  ///< as the GPU table has it
  std::string json;  ///< cuDNN's device properties, of 23 fields
  Message how;       ///< how the description was obtained
};

/// Of a row of the GPU table; its multiprocessor's figures are of its compute capability (CUDA C++ Programming Guide, "Technical
/// Specifications per Compute Capability"). Empty for kHere, the GPU of this machine. Error: no_such_gpu.
Expected<DescribedGpu> describe(std::string_view gpu);

}  // namespace warpbook::device::libraries
