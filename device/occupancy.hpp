// How many blocks of a kernel fit on one multiprocessor, exactly as the hardware allots registers,
// shared memory, warps and block slots.
#pragma once

#include <cstdint>
#include <optional>

#include "device/device.hpp"

namespace warpbook::device {

/// The resources of one block.
struct BlockDemand {
  std::uint32_t threads = 0;
  std::optional<std::uint32_t>
      registers;  ///< a thread; empty: unknown (no cubin), then registers do not limit
  std::uint32_t shared =
      0;  ///< bytes, static and dynamic, without the part that the system reserves
};

/// Zero blocks where even one does not fit; `limiter` then says why. Of several limits that bind
/// alike the first of threads, blocks, registers, shared is named.
Occupancy occupancy_of(const Properties& gpu, const BlockDemand& demand);

/// Registers that the hardware holds against a launch of such a block: those of its warps, rounded
/// up to four warps, in units of 256 (compare with 65,536, the limit a block).
std::uint64_t registers_of_block(std::uint32_t threads, std::uint32_t registers_per_thread);

/// Bytes of shared memory that one block occupies: with the reserved part, rounded up to the unit
/// of allocation.
std::uint64_t shared_of_block(const Properties& gpu, std::uint32_t bytes);

}  // namespace warpbook::device
