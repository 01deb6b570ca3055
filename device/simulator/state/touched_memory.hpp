// Memory that the system gave us empty, of which only some pages were ever touched: reading the others would cost more than most
// launches, and they hold nothing but zeros.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "device/launch_memo.hpp"

namespace warpbook::device {

/// A stretch of some memory.
struct Stretch {
  std::uint64_t offset = 0, bytes = 0;
};

/// The stretches of private anonymous memory that may hold anything but zeros, in ascending order. Where the system does not say which
/// pages were touched, and of memory that is too small to ask for, that is all of it.
std::vector<Stretch> touched(std::span<const std::byte> memory);

/// Writes zeros without touching pages that hold nothing else.
void fill_with_zeros(std::span<std::byte> memory);

/// Of what `memory` holds, and where its pages begin.
Fingerprint fingerprint_of_pages(std::span<const std::byte> memory,
                                 std::span<const Stretch> touched);

/// What memory holds, and the same put back into it.
MemoryImage image_of(std::span<const std::byte> memory, std::span<const Stretch> touched);
void put_back(const MemoryImage& image, std::span<std::byte> memory);

}  // namespace warpbook::device
