// racecheck: one warp's access, while it is checked.
#pragma once

#include <cstring>

#include "device/simulator/observe/race/checker.hpp"

namespace warpbook::device {

struct RaceChecker::Request {
  const DecodedInstruction& operation;
  const Context& context;
  const std::uint64_t* address;  ///< by lane
  std::uint32_t mask;
  Space space;
  AccessKind kind;
  std::uint32_t bytes;  ///< per lane
  bool writes = false;
  bool values_known = false;  ///< the operation's registers hold what it stores
  std::uint32_t owner = 0;    ///< the block whose shared memory it is
  std::uint32_t shift = 2;
  Stamp floor = 0;

  /// The value that a lane is about to store at one byte of its access.
  [[nodiscard]] std::byte value(std::uint32_t lane, std::uint64_t byte) const {
    const DecodedInstruction& o = operation;
    const std::uint32_t element = static_cast<std::uint32_t>(byte) / o.bytes,
                        width = o.memory.register_bytes;
    const std::uint32_t rows[] = {o.d, o.b, o.c, o.e};
    return context.frame[rows[element & 3] + lane * width + byte % o.bytes];
  }
  /// Whether this store leaves the same value in the granule as the access `before` of the same instruction did.
  [[nodiscard]] bool leaves_value(Stamp before, Stamp now, std::uint32_t lane,
                                  std::uint64_t at) const {
    // If a lower lane of this same access is `before`, memory does not hold its value yet.
    const std::uint32_t first = lane_of(before);
    const bool together = segment_of(before) == segment_of(now) &&
                          warp_of(before) == warp_of(now) && (mask >> first & 1) &&
                          address[first] <= at && at < address[first] + bytes;
    const std::byte* memory =
        space == Space::shared ? context.shared + at : context.global + (at - kGlobalBase);
    for (std::uint64_t k = 0; k < std::uint64_t{1} << shift; ++k) {
      const std::byte old = together ? value(first, at + k - address[first]) : memory[k];
      if (old != value(lane, at + k - address[lane])) return false;
    }
    return true;
  }
};

}  // namespace warpbook::device
