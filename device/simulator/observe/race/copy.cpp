// racecheck: asynchronous copies. The accesses of a copy are unordered with everything after the instruction that issues it, also of the
// thread that did, until the copy is known to be complete.
#include <algorithm>
#include <bit>

#include "device/simulator/observe/race/request.hpp"
#include "device/simulator/state/block_state.hpp"
#include "device/simulator/state/context.hpp"

namespace warpbook::device {
namespace {

/// Groups that a thread has committed and not waited for. Of more, the oldest is dropped: the wait for the next one covers it.
constexpr std::size_t kMostGroups = 256;

}  // namespace

std::uint32_t RaceChecker::completion_at(std::uint32_t mbarrier) {
  auto& used = block_->group->mbarriers;
  const auto at = std::find(used.begin(), used.end(), mbarrier);
  if (at != used.end()) return by_mbarrier + static_cast<std::uint32_t>(at - used.begin());
  if (used.size() == kMbarriers) return by_mbarrier + mbarrier / 8 % kMbarriers;
  used.push_back(mbarrier);
  return by_mbarrier + static_cast<std::uint32_t>(used.size() - 1);
}

BlockCopies& RaceChecker::copies() {
  if (!block_->copies) {
    block_->copies = std::make_unique<BlockCopies>();
    const std::size_t threads = std::size_t{facts_.warps} * kLanes;
    for (std::uint32_t kind = 0; kind < kWaitedKinds; ++kind) {
      block_->copies->waited[kind].resize(threads);
      block_->copies->published[kind].resize(threads);
    }
    for (auto& groups : block_->copies->groups) groups.resize(threads);
  }
  return *block_->copies;
}

std::uint32_t RaceChecker::begin_copy() {
  copies();
  if (exhausted_ || shadow_->next_copy + 1 >= kMostSegments) {
    exhausted_ = true;
    return kMostSegments - 1;
  }
  block_of_copy_.push_back(block_->index);
  return shadow_->next_copy++;
}

void RaceChecker::copy_touches(const DecodedInstruction& o, Context& c, std::uint32_t copy,
                               std::uint32_t completion, std::uint32_t lane,
                               const BlockState* owner, std::uint64_t address, std::uint32_t bytes,
                               AccessKind kind) {
  if (exhausted_ || bytes == 0) return;
  const bool shared = owner != nullptr;
  const Space space = shared ? Space::shared : Space::global;
  owner_ = shared ? owner->race.get() : block_;
  const std::uint64_t none[kLanes] = {};
  Request r{o, c, none, 1u << lane, space, kind, bytes};
  r.owner = owner_->index;
  r.writes = kind != AccessKind::load;
  r.shift = shared ? shared_shift_ : global_shift_;
  r.floor = floor_of(space);
  const Stamp now = kCopy | Stamp{copy} << kSegmentShift | Stamp{warp_index_} << kWarpShift |
                    Stamp{lane} << kLaneShift | Stamp{o.index} << kInstructionShift |
                    Stamp{completion} << kCompletionShift |
                    (kind == AccessKind::atomic ? kStrong : 0);
  if (owner_ != block_) note_remote_access(now, {space, owner_->index, address, bytes});
  const std::uint64_t granule = std::uint64_t{1} << r.shift;
  for (std::uint64_t at = address / granule * granule; at < address + bytes; at += granule) {
    const ShadowCells cell = cells(space, at, granule);
    if (cell.first) check_granule(r, cell, lane, at, now);
  }
}

void RaceChecker::commit(std::uint32_t lanes, bool bulk) {
  auto& all = copies().groups[bulk ? 1 : 0];
  for (std::uint32_t m = lanes; m != 0; m &= m - 1) {
    auto& groups = all[warp_index_ * kLanes + static_cast<std::uint32_t>(std::countr_zero(m))];
    if (groups.size() >= kMostGroups) groups.erase(groups.begin());
    groups.push_back(shadow_->next_copy);
  }
}

void RaceChecker::wait_groups(std::uint32_t lanes, std::uint32_t left, bool bulk, bool only_read) {
  BlockCopies& all = copies();
  for (std::uint32_t m = lanes; m != 0; m &= m - 1) {
    const std::uint32_t thread =
        warp_index_ * kLanes + static_cast<std::uint32_t>(std::countr_zero(m));
    auto& groups = all.groups[bulk ? 1 : 0][thread];
    if (groups.size() <= left) continue;
    const auto end = groups.end() - static_cast<std::ptrdiff_t>(left);
    const std::uint32_t below = end[-1];
    // A group whose reads are complete may still be writing, so it must be waited for once more.
    if (!only_read) groups.erase(groups.begin(), end);
    if (bulk) all.waited[by_bulk_group_read][thread] = below;
    if (!only_read) all.waited[bulk ? by_bulk_group : by_group][thread] = below;
  }
  warp_->waited |= lanes;
}

void RaceChecker::wait_copies(std::uint32_t lanes) {
  BlockCopies& all = copies();
  for (std::uint32_t m = lanes; m != 0; m &= m - 1) {
    const std::uint32_t thread =
        warp_index_ * kLanes + static_cast<std::uint32_t>(std::countr_zero(m));
    all.waited[by_group][thread] = shadow_->next_copy;
    all.groups[0][thread].clear();
  }
  warp_->waited |= lanes;
}

/// At a barrier of the whole block: all its threads now know of the copies that any of them has waited for.
void RaceChecker::publish_waited_copies() {
  block_->copies->published = block_->copies->waited;
  block_->published_copies = nullptr;
}

const SharedClock& RaceChecker::published_copies() {
  if (!block_->published_copies) {
    auto clock = std::make_shared<VectorClock>();
    for (std::uint32_t kind = 0; kind < kWaitedKinds; ++kind) {
      const auto& all = block_->copies->published[kind];
      for (std::uint32_t thread = 0; thread < all.size(); ++thread) {
        if (all[thread] != 0)
          clock->raise(copy_component(block_->index, thread, kind), all[thread]);
      }
    }
    block_->published_copies = std::move(clock);
  }
  return block_->published_copies;
}

/// A thread of another block of the cluster accesses the shared memory of `owner_`, which must not end before that.
void RaceChecker::note_remote_access(Stamp now, const RacePlace& place) {
  const std::uint32_t completion = is_copy(now) ? 1 + completion_of(now) : 0;
  owner_->remote_accesses[{block_->index, completion << 10 | thread_of(now)}] = {now, place};
}

/// A block ends, and its shared memory with it: reports the accesses of other blocks that did not happen before one of its threads ended.
void RaceChecker::report_late_remote_accesses(const BlockState& state) {
  const auto known = [&](Stamp s) {
    const auto by = [&](const SharedClock& clock) {
      if (!clock) return false;
      if (is_copy(s))
        return clock->covers_copy(copy_component(block_of(s), thread_of(s), completion_of(s)),
                                  copy_of(s));
      return clock->orders(block_of(s), thread_of(s), segment_of(s), (s & kStrong) != 0);
    };
    if (by(block_->block_clock)) return true;
    for (const SharedClock& clock : block_->thread_clocks) {
      if (by(clock)) return true;
    }
    return false;
  };
  for (const auto& [who, visit] : block_->remote_accesses) {
    const auto& [stamp, place] = visit;
    if (known(stamp)) continue;
    const isa::CodeInstruction& i = code_.instructions[instruction_of(stamp)];
    RawFinding f;
    f.code = ErrorCode::block_has_ended;
    f.block = who.first;
    f.thread = thread_of(stamp);
    f.instruction = instruction_of(stamp);
    f.kind = i.atomic ? AccessKind::atomic : i.store ? AccessKind::store : AccessKind::load;
    f.space = Space::shared;
    f.address = place.address;
    f.bytes = place.bytes;
    f.limit = state.index;
    f.table = observer_.table;
    observer_.find(std::move(f));
  }
}

}  // namespace warpbook::device
