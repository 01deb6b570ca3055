// racecheck: segments, and the synchronisation that orders them.
#include "device/simulator/observe/race/checker.hpp"

#include <algorithm>
#include <bit>

#include "device/simulator/state/block_state.hpp"
#include "device/simulator/state/context.hpp"

namespace warpbook::device {
namespace {

/// log2 of a granule's bytes. A granule is no wider than the narrowest access, because two narrow accesses to different bytes of one
/// granule would look like a race.
std::uint32_t shift_of(std::uint32_t least) {
  return static_cast<std::uint32_t>(std::countr_zero(std::max(least, 1u)));
}

}  // namespace

RaceChecker::RaceChecker(const LaunchFacts& facts, const isa::Code& code, LaunchObserver& observer,
                         std::shared_ptr<RaceShadow> shadow)
    : facts_(facts),
      code_(code),
      observer_(observer),
      shadow_(std::move(shadow)),
      shared_shift_(shift_of(code.least_shared)),
      shapes_(code.memos) {
  global_shift_ = shift_of(code.least_global);
  // The shadow of earlier launches is kept, because their stamps are below this launch's floor. It is useless if its granules have
  // another size, and it must go before the segment numbers run out.
  if (!shadow_ || shadow_->shift() != global_shift_ ||
      std::max(shadow_->next_segment, shadow_->next_copy) > kMostSegments / 2) {
    shadow_ = std::make_shared<RaceShadow>(global_shift_);
  }
  launch_first_ = shadow_->next_segment;
  launch_first_copy_ = shadow_->next_copy;
  shadow_->floor = launch_floor_ = Stamp{launch_first_} << kSegmentShift;
  shared_cells_ = ((facts.shared_bytes + facts.reserved_shared) >> shared_shift_) + kLanes;
}

std::uint32_t RaceChecker::new_segment() {
  if (shadow_->next_segment + 1 >= kMostSegments) {
    exhausted_ = true;
    return kMostSegments - 1;
  }
  block_of_.push_back(block_->index);
  ++block_->segments;
  return shadow_->next_segment++;
}

void RaceChecker::stamp(WarpRace& warp, std::uint32_t index, std::uint32_t lanes,
                        std::uint32_t segment) {
  for (std::uint32_t m = lanes; m != 0; m &= m - 1) {
    const auto lane = static_cast<std::uint32_t>(std::countr_zero(m));
    warp.stamp[lane] =
        Stamp{segment} << kSegmentShift | Stamp{index} << kWarpShift | Stamp{lane} << kLaneShift;
  }
}

void RaceChecker::begin_block(BlockState& state) {
  if (!state.race) state.race = std::make_shared<BlockRace>();
  BlockRace& b = *state.race;
  // The vectors are as long for every block, so that they are not allocated anew.
  std::vector<Stamp> shared = std::move(b.shared), final_readers = std::move(b.final_readers);
  std::vector<WarpRace> warps = std::move(b.warps);
  b = {};
  b.shared = std::move(shared);
  b.final_readers = std::move(final_readers);
  b.warps = std::move(warps);
  b.shared.resize(4 * shared_cells_);
  b.final_readers.resize(shared_cells_ / kLanes + 1);
  b.warps.resize(facts_.warps);
  b.index = static_cast<std::uint32_t>(state.index);
  b.first_segment = b.epoch_begin = shadow_->next_segment;
  if (state.cluster && state.cluster->race) {
    b.group = state.cluster->race;
  } else {
    b.group = std::make_shared<RaceGroup>();
    b.group->first_segment = b.first_segment;
    b.group->first_copy = shadow_->next_copy;
    if (state.cluster) {
      b.group->blocks = static_cast<std::uint32_t>(state.cluster->blocks.size());
      state.cluster->race = b.group;
    }
  }
  ++b.group->running;
  running_.push_back(state.race);
  block_ = owner_ = &b;
  for (std::uint32_t w = 0; w < facts_.warps; ++w) {
    begin_warp_segment(b.warps[w], w);
    b.warps[w].fenced = b.warps[w].waited = 0;
  }
}

/// All lanes of a warp have synchronised: they begin a segment together.
void RaceChecker::begin_warp_segment(WarpRace& warp, std::uint32_t index) {
  warp.synced_below = new_segment();
  warp.accessed = 0;
  warp.lane_clocks.reset();
  stamp(warp, index, ~0u, warp.synced_below);
}

void RaceChecker::enter(const BlockState& block, const WarpState& warp) {
  block_ = owner_ = block.race.get();
  warp_ = &block_->warps[warp.index];
  warp_index_ = warp.index;
}

void RaceChecker::end_block(BlockState& state) {
  block_ = owner_ = state.race.get();
  report_epoch();
  report_late_remote_accesses(state);
  if (--block_->group->running == 0) report_lowest_pairs(*block_->group);
  std::erase(running_, state.race);
  block_->word_clocks.clear();
  block_->own_word_clocks.clear();
  block_->block_clock = block_->block_released = block_->published_copies = nullptr;
  block_->thread_clocks.clear();
  block_->thread_released.clear();
  block_->phase_clocks.clear();
  block_->copies.reset();
}

void RaceChecker::end_launch() {
  for (const auto& block : running_) {
    block_ = owner_ = block.get();
    report_epoch();
    report_lowest_pairs(*block_->group);
  }
  running_.clear();
}

void RaceChecker::make_clocks(BlockRace& block, std::uint32_t warps) {
  if (!block.thread_clocks.empty()) return;
  const std::size_t threads = std::size_t{warps} * kLanes;
  block.thread_clocks.resize(threads);
  block.thread_released.resize(threads);
  block.fence_segments.assign(threads, 0);
  block.block_fence_segments.assign(threads, 0);
}

void RaceChecker::warp_sync(const WarpState& state, std::uint32_t named) {
  WarpRace& warp = block_->warps[state.index];
  const std::uint32_t members = named & state.lanes;
  if (std::popcount(members) < 2) return;
  if (block_->acquired || warp.fenced != 0 || (warp.waited & members) != 0)
    publish_in_warp(state, members);
  // If no lane has accessed memory since the last sync, there is nothing new to order.
  if ((warp.accessed & members) == 0 && !warp.lane_clocks) return;
  if (!block_->pending.empty()) keep_pairs_of_warp(state.index);
  const std::uint32_t segment = new_segment();
  if (members == state.lanes) {
    warp.synced_below = segment;
    warp.lane_clocks.reset();
  } else {
    sync_lanes(warp, members, segment);
  }
  stamp(warp, state.index, members, segment);
  warp.accessed &= ~members;
}

/// Joins what `members` know, may release and have waited for, and gives it to each of them.
void RaceChecker::publish_in_warp(const WarpState& state, std::uint32_t members) {
  WarpRace& warp = block_->warps[state.index];
  make_clocks();
  SharedClock known, may_release;
  const std::uint32_t base = state.index * kLanes;
  if (const std::uint32_t waited = warp.waited & members; waited != 0) {
    auto copies = std::make_shared<VectorClock>();
    for (std::uint32_t m = waited; m != 0; m &= m - 1)
      add_waited_copies(*copies, base + static_cast<std::uint32_t>(std::countr_zero(m)));
    known = copies;
    if (members == state.lanes) warp.waited = 0;
  }
  for (std::uint32_t m = members; m != 0; m &= m - 1) {
    const std::uint32_t thread = base + static_cast<std::uint32_t>(std::countr_zero(m));
    known = joined(known, block_->thread_clocks[thread]);
    may_release = joined(may_release, release_clock(thread, false));
  }
  for (std::uint32_t m = members; m != 0; m &= m - 1) {
    const std::uint32_t thread = base + static_cast<std::uint32_t>(std::countr_zero(m));
    block_->thread_clocks[thread] = known;
    block_->thread_released[thread] = may_release;
    block_->fence_segments[thread] = 0;
  }
  warp.fenced &= ~members;
  block_->acquired = true;
}

/// Some lanes of a warp synchronise: each of them now knows of every lane what any of them knew.
void RaceChecker::sync_lanes(WarpRace& warp, std::uint32_t members, std::uint32_t segment) {
  if (!warp.lane_clocks) {
    warp.lane_clocks = std::make_unique<WarpRace::LaneClocks>();
    for (auto& clock : *warp.lane_clocks) clock.fill(warp.synced_below);
  }
  std::array<std::uint32_t, kLanes> together{};
  for (std::uint32_t m = members; m != 0; m &= m - 1) {
    const auto& clock = (*warp.lane_clocks)[static_cast<std::size_t>(std::countr_zero(m))];
    for (std::size_t lane = 0; lane < kLanes; ++lane)
      together[lane] = std::max(together[lane], clock[lane]);
  }
  for (std::uint32_t m = members; m != 0; m &= m - 1)
    together[static_cast<std::size_t>(std::countr_zero(m))] = segment;
  for (std::uint32_t m = members; m != 0; m &= m - 1)
    (*warp.lane_clocks)[static_cast<std::size_t>(std::countr_zero(m))] = together;
}

/// Adds what the last barrier and the last warp sync have ordered before a thread's present segment.
void RaceChecker::add_own_past(VectorClock& clock, std::uint32_t thread) const {
  const WarpRace& warp = block_->warps[thread / kLanes];
  clock.raise(block_component(block_->index), block_->epoch_begin);
  if (!warp.lane_clocks) {
    clock.raise(warp_component(block_->index, thread / kLanes), warp.synced_below);
    return;
  }
  for (std::uint32_t lane = 0; lane < kLanes; ++lane) {
    clock.raise(thread_component(block_->index, thread / kLanes * kLanes + lane),
                (*warp.lane_clocks)[thread % kLanes][lane]);
  }
}

/// Adds the copies that a thread has waited for itself, except those that its block's last barrier has published to all threads.
void RaceChecker::add_waited_copies(VectorClock& clock, std::uint32_t thread) const {
  if (!block_->copies) return;
  for (std::uint32_t kind = 0; kind < kWaitedKinds; ++kind) {
    const std::uint32_t below = block_->copies->waited[kind][thread];
    if (below > block_->copies->published[kind][thread])
      clock.raise(copy_component(block_->index, thread, kind), below);
  }
}

/// What a strong write of a thread releases: everything that its last fence, and the fences that barriers and warp syncs have published
/// to it, put before. To the threads of its own block (`of_block`) a fence of the block's scope releases as well.
SharedClock RaceChecker::release_clock(std::uint32_t thread, bool of_block) const {
  if (block_->thread_clocks.empty()) return block_->block_released;
  SharedClock clock = joined(block_->block_released, block_->thread_released[thread]);
  std::uint32_t fenced_below = block_->fence_segments[thread];
  if (of_block) fenced_below = std::max(fenced_below, block_->block_fence_segments[thread]);
  if (fenced_below == 0) return clock;
  auto own = std::make_shared<VectorClock>();
  add_own_past(*own, thread);
  own->raise(thread_component(block_->index, thread), fenced_below);
  add_waited_copies(*own, thread);
  return joined(joined(clock, own), joined(block_->block_clock, block_->thread_clocks[thread]));
}

void RaceChecker::fence(std::uint32_t lanes, bool of_block) {
  make_clocks();
  const std::uint32_t segment = new_segment();
  stamp(*warp_, warp_index_, lanes, segment);
  auto& fenced = of_block ? block_->block_fence_segments : block_->fence_segments;
  for (std::uint32_t m = lanes; m != 0; m &= m - 1)
    fenced[warp_index_ * kLanes + static_cast<std::uint32_t>(std::countr_zero(m))] = segment;
  // Barriers and warp syncs order the block's own threads by themselves. They publish only what other blocks may learn.
  if (!of_block) warp_->fenced |= lanes;
}

void RaceChecker::acquire(Space space, std::uint64_t address, std::uint32_t bytes,
                          std::uint32_t thread) {
  const auto acquire_from = [&](const WordClocks& known, std::uint64_t word) {
    const auto found = known.find(word);
    if (found == known.end()) return;
    make_clocks();
    block_->thread_clocks[thread] = joined(block_->thread_clocks[thread], found->second);
    block_->acquired = true;
  };
  for (std::uint64_t word = address / 4; word <= (address + bytes - 1) / 4; ++word) {
    acquire_from(word_clocks(space), word);
    if (space == Space::global) acquire_from(block_->own_word_clocks, word);
  }
}

void RaceChecker::release(Space space, std::uint64_t address, std::uint32_t bytes,
                          std::uint32_t thread, bool of_block) {
  const std::uint64_t first = address / 4, last = (address + bytes - 1) / 4;
  const auto release_to = [&](WordClocks& clocks, SharedClock clock) {
    if (!clock) return;
    // Whoever reads the value that this access leaves is ordered after the access itself.
    auto this_access = std::make_shared<VectorClock>();
    this_access->raise(strong_component(block_->index, thread),
                       segment_of(block_->warps[thread / kLanes].stamp[thread % kLanes]) + 1);
    clock = joined(clock, this_access);
    if (block_->copies) clock = joined(clock, published_copies());
    for (std::uint64_t word = first; word <= last; ++word) {
      SharedClock& flag = clocks[word];
      flag = joined(flag, clock);
    }
  };
  if (space == Space::shared) {
    release_to(owner_->word_clocks, release_clock(thread, true));
    return;
  }
  if (!of_block) release_to(word_clocks_, release_clock(thread, false));
  const bool fenced_for_block =
      !block_->block_fence_segments.empty() &&
      block_->block_fence_segments[thread] > block_->fence_segments[thread];
  if (of_block || fenced_for_block)
    release_to(block_->own_word_clocks, release_clock(thread, true));
}

void RaceChecker::arrive(const WarpState& state, std::uint32_t id) {
  WarpRace& warp = block_->warps[state.index];
  make_clocks();
  auto own = std::make_shared<VectorClock>();
  const std::uint32_t segment = new_segment();
  for (std::uint32_t lane = 0; lane < kLanes; ++lane) {
    const std::uint32_t thread = state.index * kLanes + lane;
    if (block_->thread_clocks[thread]) own->join(*block_->thread_clocks[thread]);
    add_waited_copies(*own, thread);
  }
  own->raise(block_component(block_->index), block_->epoch_begin);
  own->raise(warp_component(block_->index, state.index), segment);
  block_->arrival_clocks[id] = joined(block_->arrival_clocks[id], own);
  stamp(warp, state.index, ~0u, segment);
}

void RaceChecker::barrier_of_block(std::uint32_t id) {
  report_epoch();
  if (!block_->thread_clocks.empty()) publish_in_block();
  if (block_->copies) publish_waited_copies();
  block_->arrival_clocks[id] = nullptr;
  block_->epoch_begin = shadow_->next_segment;
  for (std::uint32_t w = 0; w < facts_.warps; ++w) {
    begin_warp_segment(block_->warps[w], w);
    block_->warps[w].fenced = block_->warps[w].waited = 0;
  }
}

/// From here on all threads of the block know what any of them knew, and may release what the fences of any of them allow. What they know
/// of their own block needs no clock any more, because the barrier orders it.
void RaceChecker::publish_in_block() {
  const auto threads = static_cast<std::uint32_t>(block_->thread_clocks.size());
  for (std::uint32_t t = 0; t < threads; ++t) {
    if (block_->fence_segments[t] != 0 || block_->thread_released[t])
      block_->block_released = joined(block_->block_released, release_clock(t, false));
  }
  for (std::uint32_t t = 0; t < threads; ++t)
    block_->block_clock = joined(block_->block_clock, block_->thread_clocks[t]);
  if (block_->block_clock) {
    auto others = std::make_shared<VectorClock>(*block_->block_clock);
    others->forget(block_->index);
    block_->block_clock = others->empty() ? nullptr : others;
  }
  block_->thread_clocks.clear();
  block_->thread_released.clear();
  block_->fence_segments.clear();
  block_->block_fence_segments.clear();
  block_->acquired = false;
}

/// The waiting warps know each other's past from here on, and that of the warps that arrived without waiting. The others of the
/// block do not, so the epoch goes on and clocks must say who knows what.
void RaceChecker::barrier_of_warps(std::uint32_t id, std::uint32_t waiting) {
  report_epoch();
  make_clocks();
  const auto each_thread = [](std::uint32_t warp, auto&& visit) {
    for (std::uint32_t lane = 0; lane < kLanes; ++lane) visit(warp * kLanes + lane);
  };
  auto together = std::make_shared<VectorClock>();
  SharedClock may_release;
  if (block_->arrival_clocks[id]) together->join(*block_->arrival_clocks[id]);
  together->raise(block_component(block_->index), block_->epoch_begin);
  for (std::uint32_t m = waiting; m != 0; m &= m - 1) {
    const auto w = static_cast<std::uint32_t>(std::countr_zero(m));
    each_thread(w, [&](std::uint32_t t) {
      if (block_->thread_clocks[t]) together->join(*block_->thread_clocks[t]);
      add_waited_copies(*together, t);
      if (block_->fence_segments[t] != 0 || block_->thread_released[t])
        may_release = joined(may_release, release_clock(t, false));
      block_->fence_segments[t] = 0;
    });
    begin_warp_segment(block_->warps[w], w);
    block_->warps[w].fenced = 0;
    together->raise(warp_component(block_->index, w), block_->warps[w].synced_below);
  }
  for (std::uint32_t m = waiting; m != 0; m &= m - 1) {
    each_thread(static_cast<std::uint32_t>(std::countr_zero(m)), [&](std::uint32_t t) {
      block_->thread_clocks[t] = together;
      block_->thread_released[t] = may_release;
    });
  }
  block_->arrival_clocks[id] = nullptr;
  block_->acquired = true;
}

/// Remembers its last result, because the lanes of a warp join the same two clocks one after the other.
SharedClock RaceChecker::join(const SharedClock& a, const SharedClock& b) {
  if (joined_[0] != a || joined_[1] != b) joined_ = {a, b, joined(a, b)};
  return joined_[2];
}

void race_contiguous(const DecodedInstruction& o, Context& c, std::uint64_t base, Space space,
                     AccessKind kind, std::uint32_t bytes) {
  c.race->contiguous(o, c, base, space, kind, bytes);
}

void race_broadcast(const DecodedInstruction& o, Context& c, std::uint64_t address,
                    std::uint32_t readers, Space space, std::uint32_t bytes) {
  c.race->broadcast(o, c, address, readers, space, bytes);
}

void race_same_shape(const DecodedInstruction& o, Context& c, const std::uint64_t* address,
                     std::uint32_t mask, Space space, AccessKind kind, std::uint32_t bytes) {
  c.race->same_shape(o, c, address, mask, space, kind, bytes);
}

void race_scattered(const DecodedInstruction& o, Context& c, const std::uint64_t* address,
                    std::uint32_t mask, Space space, AccessKind kind, std::uint32_t bytes) {
  c.race->scattered(o, c, address, mask, space, kind, bytes);
}

void race_fence(const DecodedInstruction& o, Context& c) {
  c.race->fence(c.mask, c.code->instructions[o.index].of_block);
}

}  // namespace warpbook::device
