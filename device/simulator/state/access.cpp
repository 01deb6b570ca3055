#include "device/simulator/state/access.hpp"

#include <algorithm>
#include <bit>

namespace warpbook::device {
namespace {

/// A set of at most 128 numbers that is empty again without being cleared.
class SmallSet {
 public:
  /// True where `key` was not there.
  bool insert(std::uint64_t key) {
    std::uint32_t slot = static_cast<std::uint32_t>((key * 0x9e3779b97f4a7c15u) >> 56);
    while (used_[slot]) {
      if (keys_[slot] == key) return false;
      slot = (slot + 1) & 255;
    }
    used_[slot] = true;
    keys_[slot] = key;
    return true;
  }

 private:
  std::array<bool, 256> used_{};
  std::array<std::uint64_t, 256> keys_;
};

}  // namespace

std::uint32_t count_sectors(const std::uint64_t* delta, std::uint64_t base, std::uint32_t mask,
                            std::uint32_t bytes) {
  // Most accesses ascend, and then only a sector's first lane counts.
  std::uint32_t count = 0;
  std::uint64_t previous = 0;
  bool ascending = true, first = true;
  for (std::uint32_t m = mask; m != 0; m &= m - 1) {
    const std::uint64_t at = base + delta[std::countr_zero(m)];
    const std::uint64_t from = at / kSectorBytes, to = (at + bytes - 1) / kSectorBytes;
    if (first || from > previous) {
      count += static_cast<std::uint32_t>(to - from + 1);
    } else if (from == previous) {
      count += static_cast<std::uint32_t>(to - from);
    } else {
      ascending = false;
      break;
    }
    previous = to;
    first = false;
  }
  if (ascending) return count;
  SmallSet seen;
  count = 0;
  for (std::uint32_t m = mask; m != 0; m &= m - 1) {
    const std::uint64_t at = base + delta[std::countr_zero(m)];
    for (std::uint64_t s = at / kSectorBytes; s <= (at + bytes - 1) / kSectorBytes; ++s)
      count += seen.insert(s);
  }
  return count;
}

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
  SmallSet seen;
  std::uint32_t collisions = 0;
  for (std::uint32_t m = mask; m != 0; m &= m - 1)
    collisions += !seen.insert(address[std::countr_zero(m)]);
  return collisions;
}

std::uint32_t two_of_each(const std::uint64_t* address, std::uint32_t mask) {
  SmallSet once, twice;
  std::uint32_t lanes = 0;
  for (std::uint32_t m = mask; m != 0; m &= m - 1) {
    const std::uint64_t at = address[std::countr_zero(m)];
    if (once.insert(at) || twice.insert(at)) lanes |= m & (~m + 1);
  }
  return lanes;
}

}  // namespace warpbook::device
