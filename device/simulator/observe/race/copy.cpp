// racecheck: asynchronous copies. What one reads and writes is unordered with all that comes after its issue, its own
// thread included, until it is known to be complete.
#include <algorithm>
#include <bit>

#include "device/simulator/observe/race/request.hpp"
#include "device/simulator/run/block_runner.hpp"

namespace warpbook::device {
namespace {

/// Groups of a thread that it has not waited for. Older ones are waited for with the first of these.
constexpr std::size_t kMostGroups = 256;

}  // namespace

std::uint32_t RaceChecker::completion_at(std::uint32_t mbarrier) {
  auto& known = block_->group->mbarriers;
  const auto at = std::find(known.begin(), known.end(), mbarrier);
  if (at != known.end()) return by_mbarrier + static_cast<std::uint32_t>(at - known.begin());
  if (known.size() == kMbarriers) return by_mbarrier + mbarrier / 8 % kMbarriers;
  known.push_back(mbarrier);
  return by_mbarrier + static_cast<std::uint32_t>(known.size() - 1);
}

BlockCopies& RaceChecker::copies() {
  if (!block_->copies) {
    block_->copies = std::make_unique<BlockCopies>();
    const std::size_t threads = std::size_t{facts_.warps} * kLanes;
    for (std::uint32_t kind = 0; kind < kWaited; ++kind) {
      block_->copies->waited[kind].resize(threads);
      block_->copies->passed[kind].resize(threads);
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
  if (owner_ != block_) visit(now, {space, owner_->index, address, bytes});
  const std::uint64_t granule = std::uint64_t{1} << r.shift;
  for (std::uint64_t at = address / granule * granule; at < address + bytes; at += granule) {
    const Cells cell = cells(space, at, granule);
    if (cell.first) touch(r, cell, lane, at, now);
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
    // Their writes may still be under way.
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

/// At a barrier of the whole block.
void RaceChecker::pass_copies() {
  block_->copies->passed = block_->copies->waited;
  block_->copies_passed = nullptr;
}

const SharedClock& RaceChecker::copies_passed() {
  if (!block_->copies_passed) {
    auto passed = std::make_shared<Clock>();
    for (std::uint32_t kind = 0; kind < kWaited; ++kind) {
      const auto& all = block_->copies->passed[kind];
      for (std::uint32_t thread = 0; thread < all.size(); ++thread) {
        if (all[thread] != 0) passed->learn(one_copier(block_->index, thread, kind), all[thread]);
      }
    }
    block_->copies_passed = std::move(passed);
  }
  return block_->copies_passed;
}

/// A thread of another block of the cluster touches the shared memory of `owner_`, which must not have ended.
void RaceChecker::visit(Stamp now, const RacePlace& place) {
  const std::uint32_t completion = is_copy(now) ? 1 + completion_of(now) : 0;
  owner_->visitors[{block_->index, completion << 10 | thread_of(now)}] = {now, place};
}

/// A block ends: what others did to its shared memory must have happened before one of its threads left.
void RaceChecker::tell_visitors(const BlockState& state) {
  const auto known = [&](Stamp s) {
    const auto by = [&](const SharedClock& clock) {
      if (!clock) return false;
      if (is_copy(s))
        return clock->knows_copy(one_copier(block_of(s), thread_of(s), completion_of(s)),
                                 copy_of(s));
      return clock->orders(block_of(s), thread_of(s), segment_of(s), (s & kStrong) != 0);
    };
    if (by(block_->clock)) return true;
    for (const SharedClock& clock : block_->clocks) {
      if (by(clock)) return true;
    }
    return false;
  };
  for (const auto& [who, visit] : block_->visitors) {
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
