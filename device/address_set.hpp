// A set for the addresses of one warp's access.
#pragma once

#include <array>
#include <cstdint>

namespace warpbook::device {

/// Holds at most 128 numbers, in a hash table on the stack that needs no allocation.
class AddressSet {
 public:
  /// True if `key` was not in the set yet.
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

}  // namespace warpbook::device
