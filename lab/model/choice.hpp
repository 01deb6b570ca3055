// What of a list is shown first.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace warpbook::lab {

/// Whether the choice is one of `count`; of nothing it is 0.
constexpr bool is_choice(std::uint64_t chosen, std::size_t count) {
  return chosen < std::max<std::size_t>(1, count);
}

}  // namespace warpbook::lab
