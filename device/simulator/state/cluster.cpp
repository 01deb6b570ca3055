#include "device/simulator/state/cluster.hpp"

#include <bit>

#include "device/simulator/state/block_state.hpp"

namespace warpbook::device {

std::uint32_t cluster_rank(const Context& c) {
  const Dim3 &block = c.block_id, &cluster = c.launch->cluster;
  return block.x % cluster.x +
         cluster.x * (block.y % cluster.y + cluster.y * (block.z % cluster.z));
}

BlockState* block_of_rank(const Context& c, std::uint64_t rank) {
  const ClusterState* cluster = c.block->cluster.get();
  if (!cluster) return rank == 0 ? c.block : nullptr;
  return rank < cluster->blocks.size() ? cluster->blocks[rank] : nullptr;
}

std::uint32_t enter_shared(const DecodedInstruction& o, Context& c, AccessKind kind,
                           std::uint32_t bytes, std::uint64_t* address, std::uint32_t lanes,
                           bool& reachable) {
  const std::uint64_t rank = address[std::countr_zero(lanes)] >> kRankShift;
  BlockState* block = rank == 0 ? c.block : block_of_rank(c, rank - 1);
  const bool ended = block && block != c.block && block->live_warps == 0;
  reachable = block && !ended;
  std::uint32_t group = 0;
  for (std::uint32_t m = lanes; m != 0; m &= m - 1) {
    const int i = std::countr_zero(m);
    if (address[i] >> kRankShift != rank) continue;
    group |= 1u << i;
    if (!reachable) {
      report_access(o, c, ended ? ErrorCode::block_has_ended : ErrorCode::no_such_rank, i,
                    Space::shared, kind, address[i], bytes,
                    ended ? block->index : c.launch->cluster.count());
    }
    address[i] &= kOffsetMask;
  }
  if (reachable) {
    c.shared_block = block;
    c.shared = block->shared.get();
    c.shared_valid = block->shared_valid.get();
  }
  return group;
}

void leave_shared(Context& c) {
  c.shared_block = c.block;
  c.shared = c.block->shared.get();
  c.shared_valid = c.block->shared_valid.get();
}

}  // namespace warpbook::device
