// racecheck: mbarriers and the barrier of a cluster. Who arrives brings what it knows and did; who sees the phase completed
// knows what all its arrivals brought. A phase has a clock of its own, so that an arrival for the next one, which may have
// come already, teaches nobody who waited for this one.
#include <bit>

#include "device/simulator/observe/race/request.hpp"
#include "device/simulator/run/block_runner.hpp"

namespace warpbook::device {

void RaceChecker::cut(std::uint32_t lanes) { stamp(*warp_, warp_index_, lanes, new_segment()); }

SharedClock RaceChecker::history(std::uint32_t lane, std::uint32_t copies_below,
                                 std::uint32_t completion) const {
  const std::uint32_t thread = warp_index_ * kLanes + lane;
  auto own = std::make_shared<Clock>();
  if (!block_->clocks.empty() && block_->clocks[thread]) *own = *block_->clocks[thread];
  if (block_->clock) own->join(*block_->clock);
  learn_own(*own, thread);
  own->learn(one_thread(block_->index, thread), segment_of(warp_->stamp[lane]));
  learn_waited(*own, thread);
  if (copies_below != 0) own->learn(one_copier(block_->index, thread, completion), copies_below);
  if (block_->group->blocks > 1 && block_->copies) {
    // Other blocks know nothing of this one's barriers.
    for (std::uint32_t kind = 0; kind < kWaited; ++kind) {
      const auto& passed = block_->copies->passed[kind];
      for (std::uint32_t t = 0; t < passed.size(); ++t) {
        if (passed[t] != 0) own->learn(one_copier(block_->index, t, kind), passed[t]);
      }
    }
  }
  return own;
}

SharedClock RaceChecker::brings(std::uint32_t lane, bool releases) const {
  return releases ? history(lane, 0, by_group) : passes_on(warp_index_ * kLanes + lane);
}

/// An mbarrier is memory too: it must be initialised before others use it.
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
  warp_->touched |= 1u << at;
  if (owner_ != block_) visit(now, {Space::shared, owner_->index, mbarrier, 8});
  for (std::uint32_t k = 0; k < 8; k += 1u << r.shift)
    touch(r, cells(Space::shared, mbarrier + k, 1), at, mbarrier + k, now);
}

void RaceChecker::mbarrier_begins(BlockState& block, std::uint32_t mbarrier) {
  block.race->phases[mbarrier] = {};
}

void RaceChecker::arrives(BlockState& block, std::uint32_t mbarrier, const SharedClock& history) {
  SharedClock& arriving = block.race->phases[mbarrier].arriving;
  arriving = joined(arriving, history);
}

void RaceChecker::phase_ends(BlockState& block, std::uint32_t mbarrier) {
  PhaseClocks& phase = block.race->phases[mbarrier];
  phase.complete = joined(phase.complete, phase.arriving);
  phase.arriving = nullptr;
}

void RaceChecker::sees_phase(std::uint32_t mbarrier, std::uint32_t lane) {
  const auto phase = block_->phases.find(mbarrier);
  if (phase == block_->phases.end() || !phase->second.complete) return;
  make_clocks();
  SharedClock& known = block_->clocks[warp_index_ * kLanes + lane];
  known = join(known, phase->second.complete);
  block_->clocked = true;
}

void RaceChecker::cluster_arrives(const BlockState& block, const WarpState& warp,
                                  std::uint32_t lanes, bool releases) {
  enter(block, warp);
  cut(lanes);
  SharedClock& arriving = block_->group->barrier.arriving;
  auto all = arriving ? std::make_shared<Clock>(*arriving) : std::make_shared<Clock>();
  for (std::uint32_t m = lanes; m != 0; m &= m - 1) {
    if (const auto own = brings(static_cast<std::uint32_t>(std::countr_zero(m)), releases))
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
        block.clocks[warp.index * kLanes + static_cast<std::uint32_t>(std::countr_zero(m))];
    known = join(known, complete);
  }
  block.clocked = true;
}

}  // namespace warpbook::device
