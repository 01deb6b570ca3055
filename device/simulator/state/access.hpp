// The counts and the memo of each memory operation. Each block runner has its own, so nothing here is shared.
#pragma once

#include <array>
#include <cstdint>

#include "device/types.hpp"

namespace warpbook::device {

/// Counts of one memory operation. A generic operation may reach several spaces.
struct AccessTally {
  std::uint64_t global_requests = 0, global_sectors = 0, global_lanes = 0;
  std::uint64_t shared_requests = 0, shared_wavefronts = 0, shared_ideal = 0, shared_lanes = 0;
  std::uint64_t local_requests = 0, local_lanes = 0;
  std::uint64_t constant_requests = 0;
  std::uint64_t texture_requests = 0;
  std::uint64_t atomics = 0, collisions = 0;
};

/// How the lanes' addresses relate to each other.
enum class Pattern : std::uint8_t {
  unit,     ///< lane after lane without gaps, all 32 of them
  uniform,  ///< one address
  other
};

/// The shape of an operation's last access. While its lanes keep the same distances, everything that depends on distances
/// alone (sectors, wavefronts, alignment, extent) is looked up here.
struct alignas(64) AccessMemo {
  union {
    std::array<std::uint64_t, kLanes> wide;    ///< address - base, by lane, for 64-bit addresses
    std::array<std::uint32_t, kLanes> narrow;  ///< for 32-bit ones
  } delta{};
  std::uint32_t mask = 0;          ///< lanes of the access; 0: there has been none yet
  std::int64_t low = 0, high = 0;  ///< least and greatest delta
  bool aligned = false;            ///< every delta is a multiple of the access
  Pattern pattern = Pattern::other;
  std::uint8_t wavefronts = 0, ideal = 0;
  std::uint8_t lanes = 0;
  std::uint32_t readers =
      0;  ///< for racecheck: for each address, the two lowest lanes that read it
  Pointer begin = 1, last = 0;  ///< addresses where an access may start in the allocation seen last
  std::array<std::uint8_t, kSectorBytes> sectors{};  ///< by base % 32; 0: not known yet
};

/// Fills in and gives memo.sectors for accesses of `bytes`, the lowest lane's at `base`.
std::uint32_t learn_sectors(AccessMemo& memo, std::uint64_t base, std::uint32_t bytes, bool narrow);

/// The distinct four-byte words that lanes ask for together. Lanes that ask for one word share it.
struct BankWords {
  std::uint32_t all = 0;
  std::uint32_t fullest = 0;  ///< those of the bank, of 32, that has most: passes over the banks
};
BankWords count_bank_words(const std::uint64_t* offset, std::uint32_t mask, std::uint32_t bytes);

struct Wavefronts {
  std::uint32_t taken = 0;  ///< passes over the banks
  std::uint32_t ideal = 0;  ///< passes if no two words of a pass shared a bank
  std::uint32_t words = 0;  ///< distinct ones, summed over the passes that they are asked for in
};
/// Passes over 32 four-byte banks: a whole warp at once for up to 4 bytes per lane, half a warp for 8, a quarter for 16 (CUDA
/// Programming Guide, "Shared Memory" of compute capability 5.x and later).
Wavefronts count_wavefronts(const std::uint64_t* offset, std::uint32_t mask, std::uint32_t bytes);

/// Lanes that share their address with a lane before them.
std::uint32_t count_collisions(const std::uint64_t* address, std::uint32_t mask);

/// For each address, the two lowest lanes that have it.
std::uint32_t two_of_each(const std::uint64_t* address, std::uint32_t mask);

}  // namespace warpbook::device
