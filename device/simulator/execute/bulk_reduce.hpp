// The arithmetic of cp.reduce.async.bulk and red.async.
#pragma once

#include <cstddef>
#include <cstdint>

#include "device/simulator/ptx/module.hpp"

namespace warpbook::device {

/// to[i] = to[i] operation from[i] for the elements in `bytes`, each atomically.
void reduce_bytes(ptx::Word operation, ptx::Type type, std::byte* to, const std::byte* from,
                  std::uint32_t bytes);

}  // namespace warpbook::device
