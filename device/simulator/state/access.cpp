#include "device/simulator/state/access.hpp"

#include <algorithm>
#include <bit>

#include "device/address_set.hpp"
#include "device/sectors.hpp"

namespace warpbook::device {
std::uint32_t learn_sectors(AccessMemo& m, std::uint64_t base, std::uint32_t bytes, bool narrow) {
  std::uint64_t delta[kLanes];
  for (std::size_t i = 0; i < kLanes; ++i) {
    // The deltas of narrow addresses may be negative.
    delta[i] = narrow ? static_cast<std::uint64_t>(static_cast<std::int32_t>(m.delta.narrow[i]))
                      : m.delta.wide[i];
  }
  const std::uint32_t sectors = count_sectors(delta, base, m.mask, bytes);
  m.sectors[base % kSectorBytes] = static_cast<std::uint8_t>(sectors);
  return sectors;
}

Wavefronts count_wavefronts(const std::uint64_t* offset, std::uint32_t mask, std::uint32_t bytes) {
  const std::uint32_t groups = bytes <= 4 ? 1 : bytes / 4;
  const std::uint32_t lanes = kLanes / groups;
  constexpr std::uint8_t kEnd = 0xff;
  Wavefronts result;
  for (std::uint32_t g = 0; g < groups; ++g) {
    const std::uint32_t part =
        mask & static_cast<std::uint32_t>(((1ull << lanes) - 1) << (g * lanes));
    if (part == 0) continue;
    // Each bank's words are a chain: most have one.
    std::array<std::uint64_t, 2 * kLanes> word;
    std::array<std::uint8_t, 2 * kLanes> next;
    std::array<std::uint8_t, 32> last, in_bank{};
    last.fill(kEnd);
    std::uint32_t words = 0, most = 1;
    for (std::uint32_t m = part; m != 0; m &= m - 1) {
      const std::uint64_t at = offset[std::countr_zero(m)];
      for (std::uint64_t w = at / 4; w <= (at + bytes - 1) / 4; ++w) {
        std::uint8_t k = last[w % 32];
        while (k != kEnd && word[k] != w) k = next[k];
        if (k != kEnd) continue;
        word[words] = w;
        next[words] = last[w % 32];
        last[w % 32] = static_cast<std::uint8_t>(words++);
        most = std::max<std::uint32_t>(most, ++in_bank[w % 32]);
      }
    }
    result.taken += most;
    result.ideal += (words + 31) / 32;
    result.words += words;
  }
  return result;
}

std::uint32_t count_collisions(const std::uint64_t* address, std::uint32_t mask) {
  AddressSet seen;
  std::uint32_t collisions = 0;
  for (std::uint32_t m = mask; m != 0; m &= m - 1)
    collisions += !seen.insert(address[std::countr_zero(m)]);
  return collisions;
}

std::uint32_t two_of_each(const std::uint64_t* address, std::uint32_t mask) {
  AddressSet once, twice;
  std::uint32_t lanes = 0;
  for (std::uint32_t m = mask; m != 0; m &= m - 1) {
    const std::uint64_t at = address[std::countr_zero(m)];
    if (once.insert(at) || twice.insert(at)) lanes |= m & (~m + 1);
  }
  return lanes;
}

}  // namespace warpbook::device
