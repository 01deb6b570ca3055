// racecheck: segments, and what orders them.
#include "device/simulator/observe/race/checker.hpp"

#include <algorithm>
#include <bit>

#include "device/simulator/run/block_runner.hpp"

namespace warpbook::device {
namespace {

/// log2 of the narrowest access, as a granule: what is narrower than a granule would be taken for its neighbour.
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
  // Stamps of earlier launches are told by their segments, so cells are kept, unless they stand for other granules or
  // the numbers run out.
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
  std::vector<Stamp> shared = std::move(b.shared), held = std::move(b.held);
  std::vector<WarpRace> warps = std::move(b.warps);
  b = {};
  b.shared = std::move(shared);
  b.held = std::move(held);
  b.warps = std::move(warps);
  b.shared.resize(4 * shared_cells_);
  b.held.resize(shared_cells_ / kLanes + 1);
  b.warps.resize(facts_.warps);
  b.index = static_cast<std::uint32_t>(state.index);
  b.begin = b.barrier_first = shadow_->next_segment;
  if (state.cluster && state.cluster->race) {
    b.group = state.cluster->race;
  } else {
    b.group = std::make_shared<RaceGroup>();
    b.group->begin = b.begin;
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
    WarpRace& warp = b.warps[w];
    warp.first = new_segment();
    warp.touched = warp.fenced = warp.waited = 0;
    warp.meetings.reset();
    stamp(warp, w, ~0u, warp.first);
  }
}

void RaceChecker::enter(const BlockState& block, const WarpState& warp) {
  block_ = owner_ = block.race.get();
  warp_ = &block_->warps[warp.index];
  warp_index_ = warp.index;
}

void RaceChecker::end_block(BlockState& state) {
  block_ = owner_ = state.race.get();
  resolve();
  tell_visitors(state);
  if (--block_->group->running == 0) tell_met(*block_->group);
  std::erase(running_, state.race);
  block_->flags.clear();
  block_->clock = block_->released = block_->copies_passed = nullptr;
  block_->clocks.clear();
  block_->passing.clear();
  block_->phases.clear();
  block_->copies.reset();
}

void RaceChecker::end_launch() {
  for (const auto& block : running_) {
    block_ = owner_ = block.get();
    resolve();
    tell_met(*block_->group);
  }
  running_.clear();
}

void RaceChecker::make_clocks(BlockRace& block, std::uint32_t warps) {
  if (!block.clocks.empty()) return;
  const std::size_t threads = std::size_t{warps} * kLanes;
  block.clocks.resize(threads);
  block.passing.resize(threads);
  block.fences.assign(threads, 0);
}

void RaceChecker::warp_sync(const WarpState& state, std::uint32_t named) {
  WarpRace& warp = block_->warps[state.index];
  const std::uint32_t members = named & state.lanes;
  if (std::popcount(members) < 2) return;
  if (block_->clocked || warp.fenced != 0 || (warp.waited & members) != 0) {
    make_clocks();
    SharedClock known, passing;
    const std::uint32_t base = state.index * kLanes;
    if (const std::uint32_t waited = warp.waited & members; waited != 0) {
      auto copies = std::make_shared<Clock>();
      for (std::uint32_t m = waited; m != 0; m &= m - 1)
        learn_waited(*copies, base + static_cast<std::uint32_t>(std::countr_zero(m)));
      known = copies;
      if (members == state.lanes) warp.waited = 0;
    }
    for (std::uint32_t m = members; m != 0; m &= m - 1) {
      const std::uint32_t thread = base + static_cast<std::uint32_t>(std::countr_zero(m));
      known = joined(known, block_->clocks[thread]);
      passing = joined(passing, passes_on(thread));
    }
    for (std::uint32_t m = members; m != 0; m &= m - 1) {
      const std::uint32_t thread = base + static_cast<std::uint32_t>(std::countr_zero(m));
      block_->clocks[thread] = known;
      block_->passing[thread] = passing;
      block_->fences[thread] = 0;
    }
    warp.fenced &= ~members;
    block_->clocked = true;
  }
  // Without any access since, there is nothing new to order.
  if ((warp.touched & members) == 0 && !warp.meetings) return;
  if (!block_->pending.empty()) capture(state.index);
  const std::uint32_t segment = new_segment();
  if (members == state.lanes) {
    warp.first = segment;
    warp.meetings.reset();
  } else {
    if (!warp.meetings) {
      warp.meetings = std::make_unique<WarpRace::Meetings>();
      for (auto& row : *warp.meetings) row.fill(warp.first);
    }
    std::array<std::uint32_t, kLanes> together{};
    for (std::uint32_t m = members; m != 0; m &= m - 1) {
      const auto& row = (*warp.meetings)[static_cast<std::size_t>(std::countr_zero(m))];
      for (std::size_t x = 0; x < kLanes; ++x) together[x] = std::max(together[x], row[x]);
    }
    for (std::uint32_t m = members; m != 0; m &= m - 1)
      together[static_cast<std::size_t>(std::countr_zero(m))] = segment;
    for (std::uint32_t m = members; m != 0; m &= m - 1)
      (*warp.meetings)[static_cast<std::size_t>(std::countr_zero(m))] = together;
  }
  stamp(warp, state.index, members, segment);
  warp.touched &= ~members;
}

/// What a thread knows of its own block without any flag: what came before the last barrier and the last sync.
void RaceChecker::learn_own(Clock& clock, std::uint32_t thread) const {
  const WarpRace& warp = block_->warps[thread / kLanes];
  clock.learn(whole_block(block_->index), block_->barrier_first);
  if (!warp.meetings) {
    clock.learn(one_warp(block_->index, thread / kLanes), warp.first);
    return;
  }
  for (std::uint32_t x = 0; x < kLanes; ++x) {
    clock.learn(one_thread(block_->index, thread / kLanes * kLanes + x),
                (*warp.meetings)[thread % kLanes][x]);
  }
}

/// The copies that a thread has waited for itself, unless its block's last barrier has passed them on.
void RaceChecker::learn_waited(Clock& clock, std::uint32_t thread) const {
  if (!block_->copies) return;
  for (std::uint32_t kind = 0; kind < kWaited; ++kind) {
    const std::uint32_t below = block_->copies->waited[kind][thread];
    if (below > block_->copies->passed[kind][thread])
      clock.learn(one_copier(block_->index, thread, kind), below);
  }
}

/// What a thread's atomic or volatile write releases.
SharedClock RaceChecker::passes_on(std::uint32_t thread) const {
  if (block_->clocks.empty()) return block_->released;
  SharedClock passed = joined(block_->released, block_->passing[thread]);
  if (block_->fences[thread] == 0) return passed;
  auto own = std::make_shared<Clock>();
  learn_own(*own, thread);
  own->learn(one_thread(block_->index, thread), block_->fences[thread]);
  learn_waited(*own, thread);
  return joined(joined(passed, own), joined(block_->clock, block_->clocks[thread]));
}

void RaceChecker::fence_lane(std::uint32_t lane) {
  make_clocks();
  const std::uint32_t segment = new_segment();
  stamp(*warp_, warp_index_, 1u << lane, segment);
  block_->fences[warp_index_ * kLanes + lane] = segment;
  warp_->fenced |= 1u << lane;
}

void RaceChecker::fence(std::uint32_t lanes) {
  make_clocks();
  const std::uint32_t segment = new_segment();
  stamp(*warp_, warp_index_, lanes, segment);
  for (std::uint32_t m = lanes; m != 0; m &= m - 1)
    block_->fences[warp_index_ * kLanes + static_cast<std::uint32_t>(std::countr_zero(m))] =
        segment;
  warp_->fenced |= lanes;
}

void RaceChecker::acquire(Space space, std::uint64_t address, std::uint32_t bytes,
                          std::uint32_t thread) {
  const auto& known = flags(space);
  if (known.empty()) return;
  for (std::uint64_t word = address / 4; word <= (address + bytes - 1) / 4; ++word) {
    const auto found = known.find(word);
    if (found == known.end()) continue;
    make_clocks();
    block_->clocks[thread] = joined(block_->clocks[thread], found->second);
    block_->clocked = true;
  }
}

void RaceChecker::release(Space space, std::uint64_t address, std::uint32_t bytes,
                          std::uint32_t thread) {
  SharedClock passed = passes_on(thread);
  if (!passed) return;
  // And this access itself.
  auto itself = std::make_shared<Clock>();
  itself->learn(strong_ones(block_->index, thread),
                segment_of(block_->warps[thread / kLanes].stamp[thread % kLanes]) + 1);
  passed = joined(passed, itself);
  if (block_->copies) passed = joined(passed, copies_passed());
  for (std::uint64_t word = address / 4; word <= (address + bytes - 1) / 4; ++word) {
    SharedClock& flag = flags(space)[word];
    flag = joined(flag, passed);
  }
}

void RaceChecker::arrive(const WarpState& state, std::uint32_t id) {
  WarpRace& warp = block_->warps[state.index];
  make_clocks();
  auto own = std::make_shared<Clock>();
  const std::uint32_t segment = new_segment();
  for (std::uint32_t lane = 0; lane < kLanes; ++lane) {
    const std::uint32_t thread = state.index * kLanes + lane;
    if (block_->clocks[thread]) own->join(*block_->clocks[thread]);
    learn_waited(*own, thread);
  }
  own->learn(whole_block(block_->index), block_->barrier_first);
  own->learn(one_warp(block_->index, state.index), segment);
  block_->arrived[id] = joined(block_->arrived[id], own);
  stamp(warp, state.index, ~0u, segment);
}

void RaceChecker::barrier(std::uint32_t id, std::uint32_t waiting, bool all) {
  resolve();
  const auto each_thread = [&](std::uint32_t w, auto&& visit) {
    for (std::uint32_t lane = 0; lane < kLanes; ++lane) visit(w * kLanes + lane);
  };
  if (all) {
    if (!block_->clocks.empty()) {
      for (std::uint32_t w = 0; w < facts_.warps; ++w) {
        each_thread(w, [&](std::uint32_t t) {
          if (block_->fences[t] != 0 || block_->passing[t])
            block_->released = joined(block_->released, passes_on(t));
        });
      }
      for (std::uint32_t w = 0; w < facts_.warps; ++w) {
        each_thread(
            w, [&](std::uint32_t t) { block_->clock = joined(block_->clock, block_->clocks[t]); });
      }
      if (block_->clock) {
        auto others = std::make_shared<Clock>(*block_->clock);
        others->forget(block_->index);
        block_->clock = others->empty() ? nullptr : others;
      }
      block_->clocks.clear();
      block_->passing.clear();
      block_->fences.clear();
      block_->clocked = false;
    }
    if (block_->copies) pass_copies();
    block_->arrived[id] = nullptr;
    block_->barrier_first = shadow_->next_segment;
    for (std::uint32_t w = 0; w < facts_.warps; ++w) {
      WarpRace& warp = block_->warps[w];
      warp.first = new_segment();
      warp.touched = warp.fenced = warp.waited = 0;
      warp.meetings.reset();
      stamp(warp, w, ~0u, warp.first);
    }
    return;
  }
  // Some warps only: they know each other's past from here on, and that of those that arrived without waiting.
  make_clocks();
  auto together = std::make_shared<Clock>();
  SharedClock passing;
  if (block_->arrived[id]) together->join(*block_->arrived[id]);
  together->learn(whole_block(block_->index), block_->barrier_first);
  for (std::uint32_t m = waiting; m != 0; m &= m - 1) {
    const auto w = static_cast<std::uint32_t>(std::countr_zero(m));
    WarpRace& warp = block_->warps[w];
    each_thread(w, [&](std::uint32_t t) {
      if (block_->clocks[t]) together->join(*block_->clocks[t]);
      learn_waited(*together, t);
      if (block_->fences[t] != 0 || block_->passing[t]) passing = joined(passing, passes_on(t));
      block_->fences[t] = 0;
    });
    warp.first = new_segment();
    warp.touched = warp.fenced = 0;
    warp.meetings.reset();
    stamp(warp, w, ~0u, warp.first);
    together->learn(one_warp(block_->index, w), warp.first);
  }
  for (std::uint32_t m = waiting; m != 0; m &= m - 1) {
    each_thread(static_cast<std::uint32_t>(std::countr_zero(m)), [&](std::uint32_t t) {
      block_->clocks[t] = together;
      block_->passing[t] = passing;
    });
  }
  block_->arrived[id] = nullptr;
  block_->clocked = true;
}

/// One pair is joined again and again, by the lanes of a warp.
SharedClock RaceChecker::join(const SharedClock& a, const SharedClock& b) {
  if (joined_[0] != a || joined_[1] != b) joined_ = {a, b, joined(a, b)};
  return joined_[2];
}

void race_row(const DecodedInstruction& o, Context& c, std::uint64_t base, Space space,
              AccessKind kind, std::uint32_t bytes) {
  c.race->row(o, c, base, space, kind, bytes);
}

void race_place(const DecodedInstruction& o, Context& c, std::uint64_t address,
                std::uint32_t readers, Space space, std::uint32_t bytes) {
  c.race->place(o, c, address, readers, space, bytes);
}

void race_known(const DecodedInstruction& o, Context& c, const std::uint64_t* address,
                std::uint32_t mask, Space space, AccessKind kind, std::uint32_t bytes) {
  c.race->known(o, c, address, mask, space, kind, bytes);
}

void race_lanes(const DecodedInstruction& o, Context& c, const std::uint64_t* address,
                std::uint32_t mask, Space space, AccessKind kind, std::uint32_t bytes) {
  c.race->lanes(o, c, address, mask, space, kind, bytes);
}

void race_fence(Context& c) { c.race->fence(c.mask); }

}  // namespace warpbook::device
