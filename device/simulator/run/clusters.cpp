// Clusters: blocks that run together on one host thread, access each other's shared memory, and have a barrier of their own
// (PTX ISA 9.0, 9.7.13.3 and 9.7.9.23 to 24; CUDA C++ Programming Guide, "Thread Block Clusters").
#include <algorithm>
#include <bit>

#include "device/simulator/run/block_runner.hpp"

namespace warpbook::device {
namespace {

/// The linear index of the block of `rank` in cluster number `unit`.
std::uint64_t block_of_unit(const LaunchFacts& f, std::uint64_t unit, std::uint32_t rank) {
  const Dim3 clusters{f.grid.x / f.cluster.x, f.grid.y / f.cluster.y, f.grid.z / f.cluster.z};
  const Dim3 at = unflatten(unit, clusters), in = unflatten(rank, f.cluster);
  const std::uint64_t x = std::uint64_t{at.x} * f.cluster.x + in.x,
                      y = std::uint64_t{at.y} * f.cluster.y + in.y,
                      z = std::uint64_t{at.z} * f.cluster.z + in.z;
  return x + f.grid.x * (y + f.grid.y * z);
}

}  // namespace

/// The number of the next unit to run, `launch.units` where none is left. Several are claimed at a time, because
/// adjacent blocks write adjacent memory, whose cache lines then stay with one core. A kernel whose blocks may wait for each
/// other runs on one host thread (Code::order_matters), so no block waits for one that another runner has claimed.
std::uint64_t BlockRunner::claim_unit() {
  if (next_unit_ == claimed_end_) {
    next_unit_ = std::min(launch.next_unit.fetch_add(launch.units_per_claim), launch.units);
    claimed_end_ = std::min(next_unit_ + launch.units_per_claim, launch.units);
  }
  return next_unit_ == claimed_end_ ? launch.units : next_unit_++;
}

/// Makes the next unit resident. False where there is none left, or no room for it.
bool BlockRunner::take_unit(std::vector<std::unique_ptr<BlockState>>& resident,
                            std::uint64_t limit) {
  const std::uint32_t count = launch.unit_blocks;
  if (!resident.empty() && resident.size() + count > limit) return false;
  const std::uint64_t next = claim_unit();
  if (next >= launch.units) return false;
  const std::uint64_t unit = launch.order.empty() ? next : launch.order[next];
  const auto block_at = [&](std::uint32_t rank) {
    return count == 1 ? unit : block_of_unit(launch.facts, unit, rank);
  };
  if (launch.stop.stopped(block_at(0))) return false;
  std::shared_ptr<ClusterState> cluster;
  if (count > 1 || code_.uses_cluster) {
    cluster = std::make_shared<ClusterState>();
    cluster->running = count;
    cluster->arrived.assign(std::size_t{count} * launch.facts.warps, 0);
    cluster->passed = cluster->arrived;
  }
  if (cluster) cluster->blocks.resize(count);
  // The last block that becomes resident runs first, so rank 0 comes last.
  for (std::uint32_t rank = count; rank-- > 0;) {
    auto block = begin_block(block_at(rank));
    block->cluster = cluster;
    block->cluster_rank = rank;
    if (cluster) cluster->blocks[rank] = block.get();
    if (race) race->begin_block(*block);
    resident.push_back(std::move(block));
  }
  return true;
}

/// A block has ended. Its memory stays while other blocks of its cluster run.
void BlockRunner::retire(std::vector<std::unique_ptr<BlockState>>& resident, std::size_t index) {
  end_block(*resident[index]);
  const std::shared_ptr<ClusterState> cluster = resident[index]->cluster;
  if (cluster && --cluster->running != 0) return;
  for (std::size_t k = resident.size(); k-- > 0;) {
    if (k != index && (!cluster || resident[k]->cluster != cluster)) continue;
    resident[k]->cluster.reset();
    spares_.push_back(std::move(resident[k]));
    resident.erase(resident.begin() + static_cast<std::ptrdiff_t>(k));
  }
}

/// barrier.cluster.arrive and .wait. False where the launch ends.
bool BlockRunner::cluster_barrier(BlockState& block, WarpState& warp, Fragment& f,
                                  const BasicBlock& b) {
  ClusterState& cluster = *block.cluster;
  const std::size_t at = std::size_t{block.cluster_rank} * launch.facts.warps + warp.index;
  std::uint32_t &arrived = cluster.arrived[at], &passed = cluster.passed[at];
  const auto misuse = [&](ErrorCode code, std::uint32_t lanes) {
    stop(this->at(code,
                  {{"thread", std::to_string(thread_of(std::countr_zero(lanes)))},
                   {"block", std::to_string(block.index)}},
                  b));
    return false;
  };
  if (b.detail != 1) {
    if (const std::uint32_t twice = f.mask & (arrived | passed); twice != 0)
      return misuse(ErrorCode::cluster_barrier_twice, twice);
    if (race) race->cluster_arrives(block, warp, f.mask, b.detail == 0);
    arrived |= f.mask;
    f.block = b.next;
    ++context.changes;
    settle_cluster(cluster);
    return true;
  }
  if (const std::uint32_t never = f.mask & ~(arrived | passed); never != 0)
    return misuse(ErrorCode::cluster_barrier_unarrived, never);
  // All lanes of a fragment arrived in the same phase, except for those whose phase is complete already.
  if ((f.mask & ~passed) != 0) {
    if ((f.mask & passed) != 0) {
      Fragment& rest = split(warp, f, f.mask & ~passed);
      rest.waiting = Waiting::cluster;
    } else {
      f.waiting = Waiting::cluster;
      return true;
    }
  }
  passed &= ~f.mask;
  if (race) race->cluster_passes(block, warp, f.mask);
  f.block = b.next;
  return true;
}

/// Opens the barrier if all threads of the cluster that have not exited have arrived.
void BlockRunner::settle_cluster(ClusterState& cluster) {
  const std::uint32_t warps = launch.facts.warps;
  bool any = false;
  for (const BlockState* block : cluster.blocks) {
    for (std::uint32_t w = 0; w < warps; ++w) {
      const std::uint32_t arrived = cluster.arrived[block->cluster_rank * std::size_t{warps} + w];
      if ((block->warps[w].live & ~arrived) != 0) return;
      any |= arrived != 0;
    }
  }
  if (!any) return;
  if (race) race->cluster_opens(*cluster.blocks[0]);
  for (BlockState* block : cluster.blocks) {
    for (std::uint32_t w = 0; w < warps; ++w) {
      const std::size_t at = block->cluster_rank * std::size_t{warps} + w;
      cluster.passed[at] |= cluster.arrived[at];
      cluster.arrived[at] = 0;
      for (Fragment& f : block->warps[w].fragments) {
        if (f.waiting != Waiting::cluster) continue;
        cluster.passed[at] &= ~f.mask;
        if (race) race->cluster_passes(*block, block->warps[w], f.mask);
        f.waiting = Waiting::nothing;
        f.block = code_.blocks[f.block].next;
      }
    }
  }
  ++context.changes;
}

/// Lanes have exited. The others may have waited only for them.
void BlockRunner::leave_cluster(BlockState& block, WarpState& warp) {
  const std::size_t at = std::size_t{block.cluster_rank} * launch.facts.warps + warp.index;
  block.cluster->arrived[at] &= warp.live;
  block.cluster->passed[at] &= warp.live;
  settle_cluster(*block.cluster);
}

}  // namespace warpbook::device
