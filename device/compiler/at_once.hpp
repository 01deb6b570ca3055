// How many programs compile at the same time.
#pragma once

#include <algorithm>
#include <cstddef>
#include <thread>

namespace warpbook::device {

/// One for each processor, but no more than four: each may take 2 GB of memory.
inline std::size_t compiles_at_once() {
  constexpr unsigned kMost = 4;
  static const std::size_t count = std::clamp(std::thread::hardware_concurrency(), 1u, kMost);
  return count;
}

}  // namespace warpbook::device
