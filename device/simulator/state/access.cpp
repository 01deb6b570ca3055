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

namespace {

constexpr std::uint64_t kBanks = 32;

/// Calls `each(word)` for every four-byte word that the lanes access.
template <class Each>
void for_words(const std::uint64_t* offset, std::uint32_t lanes, std::uint32_t bytes, Each&& each) {
  for (std::uint32_t m = lanes; m != 0; m &= m - 1) {
    const std::uint64_t at = offset[std::countr_zero(m)];
    for (std::uint64_t w = at / 4; w <= (at + bytes - 1) / 4; ++w) each(w);
  }
}

/// The words are in 64 rows of banks from `first` on, as they nearly always are: one bit each, and no branch.
BankWords words_near(const std::uint64_t* offset, std::uint32_t lanes, std::uint32_t bytes,
                     std::uint64_t first) {
  std::array<std::uint64_t, kBanks> rows{};
  std::array<std::uint8_t, kBanks> in_bank{};
  BankWords result;
  for_words(offset, lanes, bytes, [&](std::uint64_t w) {
    std::uint64_t& seen = rows[w % kBanks];
    const std::uint64_t row = w / kBanks - first;
    const auto added = static_cast<std::uint8_t>(~seen >> row & 1);
    seen |= std::uint64_t{1} << row;
    result.all += added;
    in_bank[w % kBanks] = static_cast<std::uint8_t>(in_bank[w % kBanks] + added);
    result.fullest = std::max<std::uint32_t>(result.fullest, in_bank[w % kBanks]);
  });
  return result;
}

/// The words are anywhere: each bank's are a chain, and most have one.
BankWords words_far_apart(const std::uint64_t* offset, std::uint32_t lanes, std::uint32_t bytes) {
  constexpr std::uint8_t kEnd = 0xff;
  std::array<std::uint64_t, 4 * kLanes> word;
  std::array<std::uint8_t, 4 * kLanes> next;
  std::array<std::uint8_t, kBanks> last, in_bank{};
  last.fill(kEnd);
  BankWords result;
  for_words(offset, lanes, bytes, [&](std::uint64_t w) {
    std::uint8_t k = last[w % kBanks];
    while (k != kEnd && word[k] != w) k = next[k];
    if (k != kEnd || result.all == word.size()) return;
    word[result.all] = w;
    next[result.all] = last[w % kBanks];
    last[w % kBanks] = static_cast<std::uint8_t>(result.all++);
    result.fullest = std::max<std::uint32_t>(result.fullest, ++in_bank[w % kBanks]);
  });
  return result;
}

}  // namespace

BankWords count_bank_words(const std::uint64_t* offset, std::uint32_t mask, std::uint32_t bytes) {
  if (mask == 0) return {};
  std::uint64_t lowest = ~std::uint64_t{0}, highest = 0;
  for (std::uint32_t m = mask; m != 0; m &= m - 1) {
    const std::uint64_t at = offset[std::countr_zero(m)];
    lowest = std::min(lowest, at);
    highest = std::max(highest, at + bytes - 1);
  }
  constexpr std::uint64_t kRow = 4 * kBanks;
  return highest / kRow - lowest / kRow < 64 ? words_near(offset, mask, bytes, lowest / kRow)
                                             : words_far_apart(offset, mask, bytes);
}

Wavefronts count_wavefronts(const std::uint64_t* offset, std::uint32_t mask, std::uint32_t bytes) {
  const std::uint32_t groups = bytes <= 4 ? 1 : bytes / 4;
  const std::uint32_t lanes = kLanes / groups;
  Wavefronts result;
  for (std::uint32_t g = 0; g < groups; ++g) {
    const std::uint32_t part =
        mask & static_cast<std::uint32_t>(((1ull << lanes) - 1) << (g * lanes));
    const BankWords of = count_bank_words(offset, part, bytes);
    result.taken += of.fullest;
    result.ideal += (of.all + 31) / 32;
    result.words += of.all;
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
