// The arithmetic of cp.reduce.async.bulk and red.async.
#pragma once

#include <cstddef>
#include <cstdint>

#include "device/simulator/ptx/module.hpp"

namespace warpbook::device {

/// Whether the operation exists for the type (PTX ISA 9.0, 9.7.9.25.4.2), in global or in shared memory.
bool reduces(ptx::Word operation, ptx::Type type, bool global);

/// to[i] = to[i] operation from[i] for the elements in `bytes`, each atomically.
void reduce_bytes(ptx::Word operation, ptx::Type type, std::byte* to, const std::byte* from,
                  std::uint32_t bytes);

}  // namespace warpbook::device
