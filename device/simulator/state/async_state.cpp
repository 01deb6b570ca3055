#include "device/simulator/state/async_state.hpp"

#include <bit>
#include <cstring>

#include "device/simulator/state/block_state.hpp"
#include "device/simulator/state/context.hpp"

namespace warpbook::device {

void hide_bytes(const Context& c, BlockState& block, std::uint32_t offset, std::uint32_t bytes) {
  if (!c.check) return;
  std::memset(block.shared_valid.get() + offset / 4, 0, bytes / 4);
}

std::uint32_t writer_at(const Context& c, std::uint64_t offset, std::uint32_t bytes) {
  const auto meets = [&](std::uint64_t at, std::uint64_t length) {
    return at < offset + bytes && offset < at + length;
  };
  for (const WarpAsync& warp : c.block->async->warps) {
    for (const PendingCopy& copy : warp.copies) {
      for (std::uint32_t m = copy.lanes; m != 0; m &= m - 1) {
        if (meets(copy.target[static_cast<std::size_t>(std::countr_zero(m))], copy.bytes))
          return copy.instruction;
      }
    }
  }
  for (const BulkOperation& bulk : c.block->async->bulk) {
    if (bulk.target_block == c.block && meets(bulk.target, bulk.bytes))
      return bulk.actor.instruction;
  }
  return kNone;
}

}  // namespace warpbook::device
