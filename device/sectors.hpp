// Which 32-byte sectors of memory an access touches. Whatever counts, replays or draws sectors asks here.
//
// A sector is the least that moves between L1, L2 and DRAM; a cache line of 128 bytes has four of them, which are cached one by one
// (CUDA C++ Best Practices Guide, "Coalesced Access to Global Memory"). An access touches a sector if it touches any byte of it, and a
// warp's request moves each sector once, however many of its lanes touch it.
#pragma once

#include <algorithm>
#include <cstdint>

#include "device/types.hpp"

namespace warpbook::device {

inline constexpr std::uint32_t kLineBytes = 128;
inline constexpr std::uint32_t kSectorsPerLine = kLineBytes / kSectorBytes;

/// Neighbouring sectors, by number: sector n holds the bytes from n * kSectorBytes on.
struct SectorRange {
  std::uint64_t first = 0, last = 0;
  [[nodiscard]] constexpr std::uint64_t count() const { return last - first + 1; }
};

/// The sectors that `bytes` bytes from `address` on touch; `bytes` > 0.
[[nodiscard]] constexpr SectorRange sectors_of(std::uint64_t address, std::uint64_t bytes) {
  return {address / kSectorBytes, (address + bytes - 1) / kSectorBytes};
}

/// Calls visit(line, sectors) for each cache line of the range, in order. Bit i of `sectors` is the line's sector i.
template <class Visit>
constexpr void each_line(SectorRange range, Visit&& visit) {
  for (std::uint64_t line = range.first / kSectorsPerLine; line <= range.last / kSectorsPerLine;
       ++line) {
    const std::uint64_t begin = line * kSectorsPerLine, end = begin + kSectorsPerLine - 1;
    const std::uint64_t low = std::max(range.first, begin) - begin,
                        high = std::min(range.last, end) - begin;
    visit(line, (std::uint32_t{2} << high) - (std::uint32_t{1} << low));
  }
}

/// The bytes of a sector that an access of `bytes` bytes from `address` on touches: bit i is the sector's byte i.
[[nodiscard]] constexpr std::uint32_t bytes_of_sector(std::uint64_t sector, std::uint64_t address,
                                                      std::uint64_t bytes) {
  const std::uint64_t begin = sector * kSectorBytes;
  const std::uint64_t low = std::max(address, begin) - begin,
                      high = std::min(address + bytes, begin + kSectorBytes) - begin;
  return static_cast<std::uint32_t>((std::uint64_t{1} << high) - (std::uint64_t{1} << low));
}

/// Distinct sectors of a warp's request: the lanes of `mask` access `bytes` bytes each, at base + delta[lane].
[[nodiscard]] std::uint32_t count_sectors(const std::uint64_t* delta, std::uint64_t base,
                                          std::uint32_t mask, std::uint32_t bytes);

}  // namespace warpbook::device
