// The generator behind the operations random_uniform and random_normal.
#pragma once

#include <array>
#include <cstdint>

namespace warpbook::lab::reference {

/// Philox4x32-10: the four words that a counter gives under a key.
std::array<std::uint32_t, 4> philox(std::array<std::uint32_t, 4> counter,
                                    std::array<std::uint32_t, 2> key);

}  // namespace warpbook::lab::reference
