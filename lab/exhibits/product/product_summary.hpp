// What the renderers of a product share: how many threads use an element, and what one thread did, in words.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "lab/exhibits/product/product.hpp"

namespace warpbook::lab {

/// How many of the block's threads use each element of a factor, and how many loaded it from global memory.
struct FactorCounts {
  std::vector<std::uint32_t> users, loads;  ///< by element
};
FactorCounts counts_of_a(const ProductExhibit& product);
FactorCounts counts_of_b(const ProductExhibit& product);

/// Which thread of the block stored each element of c.
inline constexpr std::uint32_t kNoThread = ~0u;
std::vector<std::uint32_t> owners_of(const ProductExhibit& product);

/// Null where that thread did nothing with the matrices.
const ProductExhibit::Thread* find_thread(const ProductExhibit& product, std::uint32_t thread);

/// What a thread computes, and with whom it shares what it needs for that.
std::string thread_text(const ProductExhibit& product, std::uint32_t thread,
                        const Strings& strings);

}  // namespace warpbook::lab
