// Random PTX that is well typed, ends, stays inside its memory and has one result in every order of
// its threads: each thread writes its own bytes; what is shared is written by operations that
// commute, or behind barriers.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "device/types.hpp"

namespace warpbook::device::tests::reference {

struct Program {
  std::string ptx;
  Dim3 grid, block;
  /// True where it has approximate functions, whose bits the ISA leaves open.
  bool approximate = false;
  std::vector<std::uint8_t> in;            ///< only read
  std::vector<std::uint8_t> out;           ///< kSlotBytes a thread, its own
  std::vector<std::uint8_t> accumulators;  ///< of commuting operations
  /// Behind the three pointers: the values of .u32 a, .f32 f, .align 8 .b8 s[24].
  std::uint32_t a = 0, f = 0;
  std::vector<std::uint8_t> s;
};

inline constexpr std::uint32_t kInBytes = 4096, kSlotBytes = 512, kScratchBytes = 256,
                               kAccumulatorBytes = 128;

/// The program of a seed, always the same.
Program generate(std::uint64_t seed);

}  // namespace warpbook::device::tests::reference
