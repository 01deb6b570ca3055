// How many warps a block has: the step by which masks of lanes and figures of launches go from block to block.
#pragma once

#include <cstdint>

#include "device/types.hpp"

namespace warpbook::lab {

/// The block's threads, rounded up to whole warps.
inline std::uint64_t warps_in(const device::Dim3& block) {
  return (block.count() + device::kLanes - 1) / device::kLanes;
}

}  // namespace warpbook::lab
