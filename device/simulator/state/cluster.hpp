// The shared memory of a cluster (PTX ISA 9.0, 5.1.7 and 6.4.1.1). An address in it is a block's own offset, or that offset
// with the block's rank + 1 above bit 24; generic ones have the window of shared memory above that.
#pragma once

#include <cstdint>

#include "device/simulator/state/context.hpp"

namespace warpbook::device {

inline constexpr std::uint32_t kRankShift = 24;
inline constexpr std::uint64_t kOffsetMask = (std::uint64_t{1} << kRankShift) - 1;

/// The rank of the running block in its cluster.
std::uint32_t cluster_rank(const Context& context);

/// The block of a rank in the running block's cluster, or null.
BlockState* block_of_rank(const Context& context, std::uint64_t rank);

/// The part of `lanes` whose addresses are in the same block as the address of the first of them. Their addresses become
/// offsets, and Context::shared is that block's memory until leave_shared(). `reachable` is false where there is no such
/// block or it has ended; that has been reported.
std::uint32_t enter_shared(const DecodedInstruction& operation, Context& context, AccessKind kind,
                           std::uint32_t bytes, std::uint64_t* address, std::uint32_t lanes,
                           bool& reachable);
void leave_shared(Context& context);

/// Calls `body(lanes)` once for each block that `lanes` reach in shared memory, and `miss(lanes)` where there is none.
template <class Body, class Miss>
inline void each_block(const DecodedInstruction& o, Context& c, AccessKind kind,
                       std::uint32_t bytes, std::uint64_t* address, std::uint32_t lanes,
                       Body&& body, Miss&& miss) {
  std::uint64_t ranks = 0;
  for (std::uint32_t m = lanes; m != 0; m &= m - 1)
    ranks |= address[__builtin_ctz(m)] >> kRankShift;
  if (ranks == 0) {
    body(lanes);
    return;
  }
  while (lanes != 0) {
    bool reachable = false;
    const std::uint32_t group = enter_shared(o, c, kind, bytes, address, lanes, reachable);
    if (reachable)
      body(group);
    else
      miss(group);
    leave_shared(c);
    lanes &= ~group;
  }
}

}  // namespace warpbook::device
