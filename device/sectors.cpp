#include "device/sectors.hpp"

#include <bit>

#include "device/address_set.hpp"

namespace warpbook::device {

std::uint32_t count_sectors(const std::uint64_t* delta, std::uint64_t base, std::uint32_t mask,
                            std::uint32_t bytes) {
  // Most requests have ascending addresses. Then a sector can only be shared with the lane before, and no set is needed.
  std::uint32_t count = 0;
  std::uint64_t previous = 0;
  bool ascending = true, first = true;
  for (std::uint32_t m = mask; m != 0; m &= m - 1) {
    const SectorRange lane = sectors_of(base + delta[std::countr_zero(m)], bytes);
    if (first || lane.first > previous) {
      count += static_cast<std::uint32_t>(lane.count());
    } else if (lane.first == previous) {
      count += static_cast<std::uint32_t>(lane.last - lane.first);
    } else {
      ascending = false;
      break;
    }
    previous = lane.last;
    first = false;
  }
  if (ascending) return count;
  AddressSet seen;
  count = 0;
  for (std::uint32_t m = mask; m != 0; m &= m - 1) {
    const SectorRange lane = sectors_of(base + delta[std::countr_zero(m)], bytes);
    for (std::uint64_t s = lane.first; s <= lane.last; ++s) count += seen.insert(s);
  }
  return count;
}

}  // namespace warpbook::device
