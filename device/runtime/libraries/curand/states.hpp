// Where the sequences of a generator begin: as curand_init(seed, sequence, offset) of NVIDIA's curand_kernel.h sets them.
#pragma once

#include <cstdint>
#include <vector>

#include "device/runtime/libraries/curand/arguments.hpp"

namespace warpbook::device::libraries::curand {

/// The states of sequences 0, 1, ..., which lie 2^67 numbers apart. Each has given `rows` numbers, and the first `ahead` of them
/// one more.
std::vector<Xorwow> xorwow_states(std::uint64_t seed, int sequences, std::uint64_t rows, int ahead);

/// As xorwow_states(), with sequences that lie 2^76 numbers apart.
std::vector<Mrg32k3a> mrg32k3a_states(std::uint64_t seed, int sequences, std::uint64_t rows,
                                      int ahead);

}  // namespace warpbook::device::libraries::curand
