// How many warps a block has, the step by which masks of lanes and figures of launches go from block to block; and the colours that
// tell blocks apart.
#pragma once

#include <cstdint>

#include "device/types.hpp"

namespace warpbook::lab {

/// The block's threads, rounded up to whole warps.
inline std::uint64_t warps_in(const device::Dim3& block) {
  return (block.count() + device::kLanes - 1) / device::kLanes;
}

inline constexpr unsigned kBlockColours = 6;
/// A block's colour (linear) wherever blocks are told apart by colour: its neighbours on all sides have others.
inline unsigned block_colour(const device::Dim3& grid, std::uint64_t block) {
  // Steps of 1, 2 and 3 along x, y and z.
  const std::uint64_t x = grid.x > 0 ? grid.x : 1, y = grid.y > 0 ? grid.y : 1;
  return static_cast<unsigned>((block % x + 2 * (block / x % y) + 3 * (block / x / y)) %
                               kBlockColours);
}

}  // namespace warpbook::lab
