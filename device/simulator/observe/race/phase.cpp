// racecheck: mbarriers and the barrier of a cluster. A thread that arrives hands on what it knows and did, and a thread that sees the
// phase completed knows what all arrivals of the phase handed on. The clocks of the arriving and of the completed phase are separate,
// because an arrival for the next phase may already have come, and does not order a thread that waited for this one.
#include <bit>

#include "device/simulator/observe/race/request.hpp"
#include "device/simulator/state/block_state.hpp"
#include "device/simulator/state/context.hpp"

namespace warpbook::device {

void RaceChecker::begin_segment(std::uint32_t lanes) {
  stamp(*warp_, warp_index_, lanes, new_segment());
}

SharedClock RaceChecker::history(std::uint32_t lane, std::uint32_t copies_below,
                                 std::uint32_t completion) const {
  const std::uint32_t thread = warp_index_ * kLanes + lane;
  auto own = std::make_shared<VectorClock>();
  if (!block_->thread_clocks.empty() && block_->thread_clocks[thread])
    *own = *block_->thread_clocks[thread];
  if (block_->block_clock) own->join(*block_->block_clock);
  add_own_past(*own, thread);
  own->raise(thread_component(block_->index, thread), segment_of(warp_->stamp[lane]));
  add_waited_copies(*own, thread);
  if (copies_below != 0)
    own->raise(copy_component(block_->index, thread, completion), copies_below);
  if (block_->group->blocks > 1 && block_->copies) {
    // Other blocks know nothing of this block's barriers, so the copies that those published must be in the clock.
    for (std::uint32_t kind = 0; kind < kWaitedKinds; ++kind) {
      const auto& published = block_->copies->published[kind];
      for (std::uint32_t t = 0; t < published.size(); ++t) {
        if (published[t] != 0) own->raise(copy_component(block_->index, t, kind), published[t]);
      }
    }
  }
  return own;
}

SharedClock RaceChecker::arrival_clock(std::uint32_t lane, bool releases) const {
  return releases ? history(lane, 0, by_group) : release_clock(warp_index_ * kLanes + lane, true);
}

/// An mbarrier is memory, too: its initialisation races with uses that nothing orders after it.
void RaceChecker::touch_mbarrier(std::uint32_t instruction, Context& c, BlockState& block,
                                 std::uint32_t mbarrier, int lane, bool plain) {
  if (exhausted_) return;
  owner_ = block.race.get();
  const auto at = static_cast<std::uint32_t>(lane);
  DecodedInstruction o;
  o.index = instruction;
  const std::uint64_t address[kLanes] = {};
  Request r{o, c, address, 1u << at, Space::shared, AccessKind::atomic, 8};
  r.writes = true;
  r.owner = owner_->index;
  r.shift = shared_shift_;
  r.floor = floor_of(Space::shared);
  const Stamp now =
      warp_->stamp[at] | Stamp{instruction} << kInstructionShift | (plain ? 0 : kStrong);
  warp_->accessed |= 1u << at;
  if (owner_ != block_) note_remote_access(now, {Space::shared, owner_->index, mbarrier, 8});
  for (std::uint32_t k = 0; k < 8; k += 1u << r.shift)
    check_granule(r, cells(Space::shared, mbarrier + k, 1), at, mbarrier + k, now);
}

void RaceChecker::mbarrier_begins(BlockState& block, std::uint32_t mbarrier) {
  block.race->phase_clocks[mbarrier] = {};
}

void RaceChecker::arrives(BlockState& block, std::uint32_t mbarrier, const SharedClock& history) {
  SharedClock& arriving = block.race->phase_clocks[mbarrier].arriving;
  arriving = joined(arriving, history);
}

void RaceChecker::phase_ends(BlockState& block, std::uint32_t mbarrier) {
  PhaseClocks& phase = block.race->phase_clocks[mbarrier];
  phase.complete = joined(phase.complete, phase.arriving);
  phase.arriving = nullptr;
}

void RaceChecker::acquire_phase(std::uint32_t mbarrier, std::uint32_t lane) {
  const auto phase = block_->phase_clocks.find(mbarrier);
  if (phase == block_->phase_clocks.end() || !phase->second.complete) return;
  make_clocks();
  SharedClock& known = block_->thread_clocks[warp_index_ * kLanes + lane];
  known = join(known, phase->second.complete);
  block_->acquired = true;
}

void RaceChecker::cluster_arrives(const BlockState& block, const WarpState& warp,
                                  std::uint32_t lanes, bool releases) {
  enter(block, warp);
  begin_segment(lanes);
  SharedClock& arriving = block_->group->barrier.arriving;
  auto all = arriving ? std::make_shared<VectorClock>(*arriving) : std::make_shared<VectorClock>();
  for (std::uint32_t m = lanes; m != 0; m &= m - 1) {
    if (const auto own = arrival_clock(static_cast<std::uint32_t>(std::countr_zero(m)), releases))
      all->join(*own);
  }
  arriving = std::move(all);
}

void RaceChecker::cluster_opens(const BlockState& block) {
  PhaseClocks& barrier = block.race->group->barrier;
  barrier.complete = joined(barrier.complete, barrier.arriving);
  barrier.arriving = nullptr;
}

void RaceChecker::cluster_passes(const BlockState& state, const WarpState& warp,
                                 std::uint32_t lanes) {
  BlockRace& block = *state.race;
  const SharedClock& complete = block.group->barrier.complete;
  if (!complete) return;
  make_clocks(block, facts_.warps);
  for (std::uint32_t m = lanes; m != 0; m &= m - 1) {
    SharedClock& known =
        block.thread_clocks[warp.index * kLanes + static_cast<std::uint32_t>(std::countr_zero(m))];
    known = join(known, complete);
  }
  block.acquired = true;
}

}  // namespace warpbook::device
