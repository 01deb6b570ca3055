// Bulk copies and reductions, st.async and red.async (PTX ISA 9.0, 9.7.9.25.4, 9.7.9.12 and 9.7.13.8): issued by one
// thread, done in the background, and waited for through an mbarrier or by bulk groups.
#include <algorithm>
#include <bit>
#include <cstring>

#include "device/sectors.hpp"
#include "device/simulator/execute/async.hpp"
#include "device/simulator/execute/bulk_reduce.hpp"
#include "device/simulator/execute/common_handlers.hpp"
#include "device/simulator/isa/code.hpp"
#include "device/simulator/observe/race/checker.hpp"
#include "device/simulator/state/block_state.hpp"
#include "device/simulator/state/cluster.hpp"
#include "device/simulator/state/launch_observer.hpp"

namespace warpbook::device {
namespace {

constexpr std::uint32_t kChunk = 16;           ///< bytes: what sizes and addresses are multiples of
constexpr std::size_t kMostOperations = 4096;  ///< of a block; beyond them the oldest land

std::uint32_t load_word(const std::byte* from) {
  return __atomic_load_n(reinterpret_cast<const std::uint32_t*>(from), __ATOMIC_RELAXED);
}
void store_word(std::byte* to, std::uint32_t v) {
  __atomic_store_n(reinterpret_cast<std::uint32_t*>(to), v, __ATOMIC_RELAXED);
}

/// Keeps an operation until it is waited for, in the block whose mbarrier it signals or which issued it.
void keep(Context& c, BlockState& keeper, const BulkOperation& operation) {
  AsyncState& async = *keeper.async;
  if (async.bulk.size() >= kMostOperations) {
    if (async.bulk.front().mbarrier != kNone) {
      settle_mbarrier(c, keeper, async.bulk.front().mbarrier);
    } else {
      land_bulk(c, async.bulk.front());
      async.bulk.erase(async.bulk.begin());
    }
  }
  if (operation.target_block && operation.reduction == ptx::Word::unknown) {
    hide_bytes(c, *operation.target_block, static_cast<std::uint32_t>(operation.target),
               operation.bytes);
  }
  async.bulk.push_back(operation);
  async.stirred = true;
  ++c.changes;
}

}  // namespace

void land_bulk(Context& c, const BulkOperation& b) {
  const std::byte* from = b.carries        ? b.data.data()
                          : b.source_block ? b.source_block->shared.get() + b.source
                                           : c.global + (b.source - kGlobalBase);
  const std::uint8_t* from_valid = b.carries ? nullptr
                                   : b.source_block
                                       ? b.source_block->shared_valid.get() + b.source / 4
                                       : c.global_valid + (b.source - kGlobalBase) / 4;
  std::byte* to = b.target_block ? b.target_block->shared.get() + b.target
                                 : c.global + (b.target - kGlobalBase);
  std::uint8_t* to_valid = b.target_block ? b.target_block->shared_valid.get() + b.target / 4
                                          : c.global_valid + (b.target - kGlobalBase) / 4;
  ++c.changes;
  if (b.reduction != ptx::Word::unknown) {
    reduce_bytes(b.reduction, b.type, to, from, b.bytes);
    return;
  }
  for (std::uint32_t k = 0; k < b.bytes; k += 4) {
    store_word(to + k, load_word(from + k));
    const std::uint8_t valid = from_valid ? from_valid[k / 4] : 0xf;
    if (b.target_block)
      to_valid[k / 4] = valid;
    else
      __atomic_fetch_or(&to_valid[k / 4], valid, __ATOMIC_RELAXED);
  }
}

void wait_for_bulk_groups(Context& c, std::uint32_t left) {
  AsyncState& async = *c.block->async;
  const WarpAsync& warp = async.warps[c.warp_index];
  std::erase_if(async.bulk, [&](const BulkOperation& b) {
    if (b.mbarrier != kNone || b.warp != c.warp_index || !(c.mask >> b.lane & 1)) return false;
    if (std::uint64_t{b.group} + left >= warp.bulk_committed[b.lane]) return false;
    land_bulk(c, b);
    return true;
  });
}

void end_bulk(Context& c, BlockState& block) {
  for (const BulkOperation& b : block.async->bulk) {
    land_bulk(c, b);
    report_mbarrier(c, b.actor, ErrorCode::bulk_not_waited, 0, 0);
  }
  block.async->bulk.clear();
}

namespace isa::async_handlers {
namespace {

void count_range(const DecodedInstruction& o, Context& c, bool global, std::uint64_t address,
                 std::uint32_t bytes) {
  AccessTally& t = c.tallies[o.memo];
  if (global) {
    t.global_requests += 1;
    t.global_sectors += sectors_of(address, bytes).count();
    t.global_lanes += bytes / kChunk;
  } else {
    t.shared_requests += 1;
    t.shared_wavefronts += (bytes + 127) / 128;
    t.shared_ideal += (bytes + 127) / 128;
    t.shared_lanes += bytes / kChunk;
  }
}

void observe_range(const DecodedInstruction& o, Context& c, int lane, Space space, AccessKind kind,
                   std::uint64_t address, std::uint32_t bytes) {
  if (!c.observed) return;
  std::uint64_t at[kLanes] = {};
  for (std::uint32_t k = 0; k < bytes; k += kChunk) {
    at[lane] = address + k;
    observe(o, c, at, 1u << lane, space, kind, std::min(bytes - k, kChunk));
  }
}

/// One end of a bulk copy. False, and a finding, where it may not be touched.
bool place_end(const DecodedInstruction& o, Context& c, int lane, const AsyncAddress& end,
               AccessKind kind, std::uint32_t bytes, BlockState*& block, std::uint64_t& at) {
  at = address_in_lane(end, c.frame, lane);
  const bool global = end.space == StateSpace::global;
  if (global) {
    if (!admit_range(o, c, lane, Space::global, kind, at, bytes, kChunk, 0)) return false;
    if (kind != AccessKind::load) c.wrote_global = true;
  } else {
    const SharedPlace place = shared_place(o, c, end, at, lane, kind, bytes, kChunk);
    if (!place.block) return false;
    block = place.block;
    at = place.offset;
  }
  count_range(o, c, global, at, bytes);
  observe_range(o, c, lane, global ? Space::global : Space::shared, kind, at, bytes);
  return true;
}

}  // namespace

void bulk_copy(const DecodedInstruction& o, Context& c) {
  const AsyncDetail& d = c.code->asyncs[o.f];
  if (c.race) c.race->begin_segment(c.mask);
  for (std::uint32_t m = c.mask; m != 0; m &= m - 1) {
    const int lane = std::countr_zero(m);
    BulkOperation b;
    b.actor = {o.index, c.block_index, c.thread_of(lane)};
    std::memcpy(&b.bytes, c.frame + d.count + 4 * lane, sizeof b.bytes);
    if (b.bytes % kChunk != 0) {
      report_access(o, c, ErrorCode::bulk_size, lane, Space::shared, AccessKind::load, 0, 1,
                    b.bytes);
      continue;
    }
    // Nothing to copy, and nothing that an mbarrier would count.
    if (b.bytes == 0) continue;
    if (!place_end(o, c, lane, d.source, AccessKind::load, b.bytes, b.source_block, b.source))
      continue;
    if (d.prefetch) continue;
    b.reduction = d.reduction;
    b.type = d.type;
    const AccessKind kind =
        d.reduction == ptx::Word::unknown ? AccessKind::store : AccessKind::atomic;
    if (!place_end(o, c, lane, d.target, kind, b.bytes, b.target_block, b.target)) continue;
    b.warp = c.warp_index;
    b.lane = static_cast<std::uint32_t>(lane);
    const std::uint32_t copy = c.race ? c.race->begin_copy() : 0;
    if (d.bulk_group) {
      if (c.race) {
        c.race->copy_touches(o, c, copy, by_bulk_group_read, b.lane, b.source_block, b.source,
                             b.bytes, AccessKind::load);
        c.race->copy_touches(o, c, copy, by_bulk_group, b.lane, b.target_block, b.target, b.bytes,
                             kind);
      }
      b.group = c.block->async->warps[c.warp_index].bulk_committed[b.lane];
      keep(c, *c.block, b);
      continue;
    }
    const SharedPlace mbarrier = shared_place(
        o, c, d.barrier, address_in_lane(d.barrier, c.frame, lane), lane, AccessKind::atomic, 8, 8);
    if (!mbarrier.block) continue;
    b.mbarrier = mbarrier.offset;
    if (c.race) {
      const std::uint32_t completion = c.race->completion_at(b.mbarrier);
      b.history = c.race->history(b.lane, copy + 1, completion);
      c.race->copy_touches(o, c, copy, completion, b.lane, b.source_block, b.source, b.bytes,
                           AccessKind::load);
    }
    if (d.mask == kNone) {
      if (c.race) {
        c.race->copy_touches(o, c, copy, c.race->completion_at(b.mbarrier), b.lane, b.target_block,
                             b.target, b.bytes, kind);
      }
      keep(c, *mbarrier.block, b);
      continue;
    }
    std::uint16_t ranks;
    std::memcpy(&ranks, c.frame + d.mask + 2 * lane, sizeof ranks);
    for (std::uint32_t rank = 0; rank < 16; ++rank) {
      if (!(ranks >> rank & 1)) continue;
      BlockState* block = block_of_rank(c, rank);
      if (!block || (block != c.block && block->live_warps == 0)) {
        report_access(o, c, block ? ErrorCode::block_has_ended : ErrorCode::no_such_rank, lane,
                      Space::shared, kind, b.target, kChunk,
                      block ? block->index : c.launch->cluster.count());
        continue;
      }
      b.target_block = block;
      if (c.race) {
        c.race->copy_touches(o, c, copy, c.race->completion_at(b.mbarrier), b.lane, block, b.target,
                             b.bytes, kind);
      }
      keep(c, *block, b);
    }
  }
}

void bulk_commit_group(const DecodedInstruction&, Context& c) {
  auto& committed = c.block->async->warps[c.warp_index].bulk_committed;
  for (std::uint32_t m = c.mask; m != 0; m &= m - 1)
    ++committed[static_cast<std::size_t>(std::countr_zero(m))];
  if (c.race) c.race->commit(c.mask, true);
}

void bulk_wait_group(const DecodedInstruction& o, Context& c) {
  wait_for_bulk_groups(c, static_cast<std::uint32_t>(o.immediate));
  if (c.race)
    c.race->wait_groups(c.mask, static_cast<std::uint32_t>(o.immediate), true, o.bulk_wait.read);
}

void store_async(const DecodedInstruction& o, Context& c) {
  const AsyncDetail& d = c.code->asyncs[o.f];
  const AccessKind kind =
      d.reduction == ptx::Word::unknown ? AccessKind::store : AccessKind::atomic;
  if (c.race) c.race->begin_segment(c.mask);
  for (std::uint32_t m = c.mask; m != 0; m &= m - 1) {
    const int lane = std::countr_zero(m);
    BulkOperation b;
    b.actor = {o.index, c.block_index, c.thread_of(lane)};
    b.bytes = d.bytes * d.elements;
    const SharedPlace target = shared_place(
        o, c, d.target, address_in_lane(d.target, c.frame, lane), lane, kind, b.bytes, b.bytes);
    if (!target.block) continue;
    const SharedPlace mbarrier = shared_place(
        o, c, d.barrier, address_in_lane(d.barrier, c.frame, lane), lane, AccessKind::atomic, 8, 8);
    if (!mbarrier.block) continue;
    b.target_block = target.block;
    b.target = target.offset;
    b.carries = true;
    b.reduction = d.reduction;
    b.type = d.type;
    for (std::uint32_t e = 0; e < d.elements; ++e) {
      std::memcpy(b.data.data() + e * d.bytes,
                  c.frame + d.values[e] + d.bytes * static_cast<std::uint32_t>(lane), d.bytes);
    }
    b.mbarrier = mbarrier.offset;
    if (c.race) {
      const std::uint32_t copy = c.race->begin_copy(),
                          completion = c.race->completion_at(b.mbarrier);
      b.lane = static_cast<std::uint32_t>(lane);
      b.history = c.race->history(b.lane, copy + 1, completion);
      c.race->copy_touches(o, c, copy, completion, b.lane, b.target_block, b.target, b.bytes, kind);
    }
    AccessTally& t = c.tallies[o.memo];
    t.shared_requests += 1;
    t.shared_wavefronts += 1;
    t.shared_ideal += 1;
    t.shared_lanes += 1;
    observe_range(o, c, lane, Space::shared, kind, b.target, b.bytes);
    keep(c, *mbarrier.block, b);
  }
}

}  // namespace isa::async_handlers
}  // namespace warpbook::device
