// A GPU that is not here, described to cuDNN from its published specification.
#pragma once

#include <string>
#include <vector>

#include "device/error.hpp"

namespace warpbook::device {
struct Properties;
}

namespace warpbook::device::libraries {

struct DescribedGpu {
  std::string name;  ///< as the GPU table has it
  std::string json;  ///< cuDNN's device properties, of 23 fields
  std::string how;   ///< how the description was obtained, in English
};

/// Error: gpu_not_described, for one whose figures are not published.
Expected<DescribedGpu> describe(const Properties& gpu);

/// The names of those of the GPU table that have a description.
std::vector<std::string> described_gpus();

}  // namespace warpbook::device::libraries
