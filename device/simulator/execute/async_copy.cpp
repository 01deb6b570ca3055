// cp.async: small copies from global into shared memory, which each thread waits for by groups of its own or through an
// mbarrier (PTX ISA 9.0, 9.7.9.25.3 and 9.7.13.15.18).
#include <algorithm>
#include <bit>
#include <cstring>

#include "device/simulator/execute/async.hpp"
#include "device/simulator/execute/common_handlers.hpp"
#include "device/simulator/isa/code.hpp"
#include "device/simulator/observe/race/checker.hpp"
#include "device/simulator/state/block_state.hpp"

namespace warpbook::device {
namespace {

/// The greatest numbers for one warp. Beyond them the oldest land, as they may at any time, so that a loop without a wait
/// cannot fill the host's memory.
constexpr std::size_t kMostCopies = 256;
constexpr std::size_t kMostArrivals = 4096;

/// Reads global memory, which another host thread may be writing.
void read_global(const Context& c, std::uint64_t address, std::byte* to, std::uint32_t bytes) {
  const std::byte* from = c.global + (address - kGlobalBase);
  std::uint32_t k = 0;
  for (; k + 4 <= bytes; k += 4) {
    const std::uint32_t v =
        __atomic_load_n(reinterpret_cast<const std::uint32_t*>(from + k), __ATOMIC_RELAXED);
    std::memcpy(to + k, &v, sizeof v);
  }
  for (; k < bytes; ++k) {
    const std::uint8_t v =
        __atomic_load_n(reinterpret_cast<const std::uint8_t*>(from + k), __ATOMIC_RELAXED);
    std::memcpy(to + k, &v, 1);
  }
}

}  // namespace

std::uint64_t address_in_lane(const isa::AsyncAddress& a, const std::byte* rows, int lane) {
  if (a.narrow) {
    std::uint32_t v;
    std::memcpy(&v, rows + a.row + 4 * lane, sizeof v);
    return static_cast<std::uint32_t>(v + static_cast<std::uint32_t>(a.addend));
  }
  std::uint64_t v;
  std::memcpy(&v, rows + a.row + 8 * lane, sizeof v);
  return v + static_cast<std::uint64_t>(a.addend);
}

void land_copy(Context& c, BlockState& block, PendingCopy& copy, std::uint32_t lanes) {
  lanes &= copy.lanes;
  copy.lanes &= ~lanes;
  for (std::uint32_t m = lanes; m != 0; m &= m - 1) {
    const auto i = static_cast<std::size_t>(std::countr_zero(m));
    std::byte value[16] = {};
    const std::uint32_t taken = copy.taken[i];
    if (taken != 0) read_global(c, copy.source[i], value, taken);
    std::memcpy(block.shared.get() + copy.target[i], value, copy.bytes);
    for (std::uint32_t k = 0; k < copy.bytes; k += 4) {
      // The zeros behind the source's bytes are written, too.
      const std::uint32_t from_source = taken <= k       ? 0
                                        : taken - k >= 4 ? 0xf
                                                         : (1u << (taken - k)) - 1;
      const std::uint32_t valid =
          from_source == 0
              ? 0xf
              : (c.global_valid[(copy.source[i] - kGlobalBase + k) / 4] & from_source) |
                    (~from_source & 0xf);
      block.shared_valid[(copy.target[i] + k) / 4] = static_cast<std::uint8_t>(valid);
    }
  }
  if (lanes != 0) ++c.changes;
}

void wait_for_groups(Context& c, std::uint32_t left, bool everything) {
  WarpAsync& warp = c.block->async->warps[c.warp_index];
  for (PendingCopy& copy : warp.copies) {
    std::uint32_t ready = copy.lanes & c.mask;
    if (!everything) {
      for (std::uint32_t m = ready; m != 0; m &= m - 1) {
        const auto i = static_cast<std::size_t>(std::countr_zero(m));
        if (std::uint64_t{copy.group[i]} + left >= warp.committed[i]) ready &= ~(m & (~m + 1));
      }
    }
    if (ready != 0) land_copy(c, *c.block, copy, ready);
  }
  std::erase_if(warp.copies, [](const PendingCopy& copy) { return copy.lanes == 0; });
}

void end_copies(Context& c, BlockState& block, std::uint32_t warp, std::uint32_t lanes) {
  auto& copies = block.async->warps[warp].copies;
  for (PendingCopy& copy : copies) land_copy(c, block, copy, lanes);
  std::erase_if(copies, [](const PendingCopy& copy) { return copy.lanes == 0; });
}

namespace isa::async_handlers {

void copy(const DecodedInstruction& o, Context& c) {
  const AsyncDetail& d = c.code->asyncs[o.f];
  PendingCopy p;
  std::uint64_t source[kLanes] = {}, target[kLanes] = {};
  std::uint32_t whole = 0, ignored = 0;
  if (d.ignore != kNone) {
    std::memcpy(&ignored, c.frame + d.ignore, sizeof ignored);
    if (d.ignore_negated) ignored = ~ignored;
  }
  for (std::uint32_t m = c.mask; m != 0; m &= m - 1) {
    const int lane = std::countr_zero(m);
    const auto i = static_cast<std::size_t>(lane);
    source[i] = address_in_lane(d.source, c.frame, lane);
    target[i] = address_in_lane(d.target, c.frame, lane);
    std::uint32_t taken = d.bytes;
    if (d.count != kNone) std::memcpy(&taken, c.frame + d.count + 4 * lane, sizeof taken);
    if (taken > d.bytes) {
      report_access(o, c, ErrorCode::async_size, lane, Space::shared, AccessKind::store, target[i],
                    d.bytes, taken);
      taken = d.bytes;
    }
    if (ignored >> lane & 1) taken = 0;
    p.taken[i] = static_cast<std::uint8_t>(taken);
    if (taken == d.bytes) whole |= m & (~m + 1);
  }
  std::uint32_t good =
      admit(o, c, target, c.mask, Space::shared, AccessKind::store, d.bytes, false);
  std::uint32_t read = whole & good;
  if (read != 0) {
    const std::uint32_t readable =
        admit(o, c, source, read, Space::global, AccessKind::load, d.bytes, false);
    good &= ~(read & ~readable);
    read = readable;
  }
  // A lane that takes only a part of its bytes may be at the very end of an array.
  for (std::uint32_t m = good & ~whole; m != 0; m &= m - 1) {
    const int lane = std::countr_zero(m);
    const std::uint32_t taken = p.taken[static_cast<std::size_t>(lane)];
    if (taken == 0) continue;
    if (admit_range(o, c, lane, Space::global, AccessKind::load, source[lane], taken, d.bytes, 0))
      read |= 1u << lane;
    else
      good &= ~(1u << lane);
  }
  if (c.observed) {
    observe(o, c, source, read, Space::global, AccessKind::load, d.bytes);
    observe(o, c, target, good, Space::shared, AccessKind::store, d.bytes);
  }
  if (good == 0) return;
  AsyncState& async = *c.block->async;
  WarpAsync& warp = async.warps[c.warp_index];
  p.instruction = o.index;
  p.number = async.copies++;
  p.lanes = good;
  p.bytes = d.bytes;
  for (std::uint32_t m = good; m != 0; m &= m - 1) {
    const auto i = static_cast<std::size_t>(std::countr_zero(m));
    p.source[i] = source[i];
    p.target[i] = static_cast<std::uint32_t>(target[i]);
    p.group[i] = warp.committed[i];
    hide_bytes(c, *c.block, p.target[i], d.bytes);
  }
  if (c.race) {
    const std::uint32_t number = c.race->begin_copy();
    for (std::uint32_t m = good; m != 0; m &= m - 1) {
      const auto i = static_cast<std::uint32_t>(std::countr_zero(m));
      if (read >> i & 1)
        c.race->copy_touches(o, c, number, by_group, i, nullptr, source[i], p.taken[i],
                             AccessKind::load);
      c.race->copy_touches(o, c, number, by_group, i, c.block, target[i], d.bytes,
                           AccessKind::store);
    }
  }
  if (warp.copies.size() >= kMostCopies) {
    land_copy(c, *c.block, warp.copies.front(), ~0u);
    warp.copies.erase(warp.copies.begin());
  }
  warp.copies.push_back(p);
  ++c.changes;
}

void commit_group(const DecodedInstruction&, Context& c) {
  auto& committed = c.block->async->warps[c.warp_index].committed;
  for (std::uint32_t m = c.mask; m != 0; m &= m - 1)
    ++committed[static_cast<std::size_t>(std::countr_zero(m))];
  if (c.race) c.race->commit(c.mask, false);
}

void wait_group(const DecodedInstruction& o, Context& c) {
  wait_for_groups(c, static_cast<std::uint32_t>(o.immediate), o.immediate < 0);
  if (!c.race) return;
  if (o.immediate < 0)
    c.race->wait_copies(c.mask);
  else
    c.race->wait_groups(c.mask, static_cast<std::uint32_t>(o.immediate), false, false);
}

void copy_arrive(const DecodedInstruction& o, Context& c) {
  const AsyncDetail& d = c.code->asyncs[o.f];
  AsyncState& async = *c.block->async;
  const std::uint32_t copies_below = c.race ? c.race->begin_copy() : 0;
  if (c.race) c.race->begin_segment(c.mask);
  for (std::uint32_t m = c.mask; m != 0; m &= m - 1) {
    const int lane = std::countr_zero(m);
    const std::uint64_t address = address_in_lane(d.barrier, c.frame, lane);
    const SharedPlace place =
        shared_place(o, c, d.barrier, address, lane, AccessKind::atomic, 8, 8);
    if (!place.block) continue;
    const Actor who{o.index, c.block_index, c.thread_of(lane)};
    if (place.block != c.block) {
      report_access(o, c, ErrorCode::mbarrier_remote, lane, Space::shared, AccessKind::atomic,
                    address, 8, 0);
      continue;
    }
    Mbarrier* mbarrier = mbarrier_at(c, *c.block, place.offset, who);
    if (!mbarrier) continue;
    std::shared_ptr<const VectorClock> history;
    if (c.race) {
      c.race->touch_mbarrier(o.index, c, *c.block, place.offset, lane, false);
      history = c.race->history(static_cast<std::uint32_t>(lane), copies_below, by_group);
    }
    if (!d.no_increment && !expect_arrival(c, *c.block, *mbarrier, who)) continue;
    PendingArrival* last = async.arrivals.empty() ? nullptr : &async.arrivals.back();
    if (last && last->mbarrier == place.offset && last->warp == c.warp_index &&
        last->number == async.copies && last->actor.instruction == o.index &&
        !(last->lanes >> lane & 1)) {
      last->lanes |= 1u << lane;
      last->history = joined(last->history, history);
      continue;
    }
    if (async.arrivals.size() >= kMostArrivals)
      settle_mbarrier(c, *c.block, async.arrivals.front().mbarrier);
    async.arrivals.push_back(
        {place.offset, c.warp_index, 1u << lane, async.copies, who, std::move(history)});
  }
  async.stirred = true;
  ++c.changes;
}

}  // namespace isa::async_handlers
}  // namespace warpbook::device
