// racecheck: the check of an access lane by lane. It compares the access with what the shadow holds of its granules, and records it.
// Where comparing stamps does not suffice, it asks the vector clocks.
#include <algorithm>
#include <array>
#include <bit>
#include <cstring>

#include "device/simulator/observe/race/checker.hpp"
#include "device/simulator/observe/race/request.hpp"
#include "device/simulator/observe/race/stamp_bounds.hpp"

namespace warpbook::device {
namespace {

/// The lanes whose reads need checking: the lowest two where all lanes read one address, because a granule keeps no more readers of one
/// warp. (Strong reads may acquire, so each of their lanes counts.)
std::uint32_t fewest_readers(const std::uint64_t* address, std::uint32_t mask) {
  const std::uint64_t first = address[std::countr_zero(mask)];
  for (std::uint32_t m = mask; m != 0; m &= m - 1) {
    if (address[std::countr_zero(m)] != first) return mask;
  }
  const std::uint32_t rest = mask & (mask - 1);
  return (mask & (~mask + 1)) | (rest & (~rest + 1));
}

}  // namespace

/// Accesses below the floor cannot race with any now. A block's barrier orders all accesses to its shared memory, unless other blocks of
/// the cluster reach that memory, too.
Stamp RaceChecker::floor_of(Space space) const {
  if (space != Space::shared) return launch_floor_;
  const std::uint32_t first =
      block_->group->blocks > 1 ? block_->group->first_segment : block_->epoch_begin;
  return Stamp{first} << kSegmentShift;
}

void RaceChecker::select_owner(const Context& c, Space space) {
  if (space == Space::shared) owner_ = c.shared_block->race.get();
}

bool RaceChecker::is_stale(Stamp s, Stamp floor) const {
  return copy_of(s) < (floor == launch_floor_ ? launch_first_copy_ : block_->group->first_copy);
}

/// Whether a lane of the running warp knows that a copy is complete: its thread or its block's last barrier waited for it, or a clock
/// covers it.
bool RaceChecker::completed(Stamp s, std::uint32_t lane, Stamp floor) const {
  if (is_stale(s, floor)) return true;
  const std::uint32_t copy = copy_of(s), block = block_of(s), thread = thread_of(s),
                      completion = completion_of(s), mine = warp_index_ * kLanes + lane;
  if (block == block_->index && completion < kWaitedKinds) {
    if (copy < block_->copies->published[completion][thread]) return true;
    if (thread == mine && copy < block_->copies->waited[completion][thread]) return true;
  }
  const std::uint64_t copier = copy_component(block, thread, completion);
  if (block_->block_clock && block_->block_clock->covers_copy(copier, copy)) return true;
  if (!block_->acquired) return false;
  const SharedClock& own = block_->thread_clocks[mine];
  return own && own->covers_copy(copier, copy);
}

bool RaceChecker::ordered(Stamp s, std::uint32_t lane, Stamp floor) const {
  if (s < floor) return true;
  if (is_copy(s)) return completed(s, lane, floor);
  const std::uint32_t segment = segment_of(s), block = block_of(s);
  if (block == block_->index) {
    if (segment < block_->epoch_begin) return true;
    if (warp_of(s) == warp_index_) {
      if (lane_of(s) == lane) return true;
      const std::uint32_t synced_below =
          warp_->lane_clocks ? (*warp_->lane_clocks)[lane][lane_of(s)] : warp_->synced_below;
      if (segment < synced_below) return true;
    }
  }
  const bool strong = (s & kStrong) != 0;
  if (block_->block_clock && block_->block_clock->orders(block, thread_of(s), segment, strong))
    return true;
  if (!block_->acquired) return false;
  const SharedClock& own = block_->thread_clocks[warp_index_ * kLanes + lane];
  return own && own->orders(block, thread_of(s), segment, strong);
}

bool RaceChecker::conflicts(Stamp s, Stamp now, std::uint32_t lane, Stamp floor) const {
  return s >= floor && !strong_together(s, now) && !ordered(s, lane, floor);
}

/// Two operations are strong beside each other only if the scope of each includes the thread of the other one. `s` is of this launch.
bool RaceChecker::strong_together(Stamp s, Stamp now) const {
  if ((s & now & kStrong) == 0) return false;
  return !(is_of_block(s) || is_of_block(now)) || block_of(s) == block_->index;
}

/// How much an access does not race with: 0 of a plain one, 1 of a strong one of a block's scope, 2 of any other strong one.
std::uint64_t RaceChecker::strength(Stamp s) const {
  if ((s & kStrong) == 0) return 0;
  return is_of_block(s) ? 1 : 2;
}

/// Orders the accesses of one block: the shadow keeps those of low rank. Weaker accesses rank before stronger ones, because they race
/// with more.
std::uint64_t RaceChecker::rank(Stamp s) const {
  return strength(s) << 62 | (s & ((Stamp{1} << kSegmentShift) - 1)) >> kInstructionShift;
}

/// 2: threads of two blocks, 1: of two warps, 0: of one.
int RaceChecker::distance(Stamp a, Stamp b) const {
  if (block_of(a) != block_of(b)) return 2;
  return warp_of(a) != warp_of(b) ? 1 : 0;
}

/// Brings `now` into a granule's pair of stamps: the lowest access, and the lowest of those most distant from it. Accesses that
/// happened before `now` are dropped, because every later access that races with them races with `now` as well.
void RaceChecker::insert(Stamp& first, Stamp& other, Stamp now, std::uint32_t lane,
                         Stamp floor) const {
  const auto is_lower = [&](Stamp a, Stamp b) {
    if (strength(a) != strength(b)) return strength(a) < strength(b);
    const std::uint32_t block = block_of(a), of_other = block_of(b);
    if (block != of_other) return block < of_other;
    return rank(a) < rank(b);
  };
  // Collect the accesses that can still race: those of the pair that are not ordered before `now`, and `now`.
  Stamp kept[3];
  int count = 0;
  for (Stamp s : {first, other}) {
    if (s < floor || (is_copy(s) && is_stale(s, floor))) continue;
    s &= ~kDistant;
    // A weaker access stays beside the stronger one that follows it, because it races with strong accesses, too.
    const bool races_with_more = strength(s) < strength(now) && !is_copy(s) &&
                                 block_of(s) == block_->index &&
                                 (floor == launch_floor_ || segment_of(s) >= block_->epoch_begin);
    if (races_with_more || !ordered(s, lane, floor)) kept[count++] = s;
  }
  kept[count++] = now;
  // The lowest of them becomes the first stamp ...
  int lowest = 0;
  for (int k = 1; k < count; ++k) {
    if (is_lower(kept[k], kept[lowest])) lowest = k;
  }
  std::swap(kept[0], kept[lowest]);
  first = kept[0];
  if (count == 1) {
    other = 0;
    return;
  }
  // ... and of the others the most distant from it, or the lowest of several, becomes the second.
  int best = 1;
  for (int k = 2; k < count; ++k) {
    const int d = distance(kept[0], kept[k]), most = distance(kept[0], kept[best]);
    if (d > most || (d == most && is_lower(kept[k], kept[best]))) best = k;
  }
  const int distant =
      floor == launch_floor_ ? 2 : 1;  // another block in global memory, another warp in shared
  other = kept[best] | (distance(kept[0], kept[best]) == distant ? kDistant : 0);
}

void RaceChecker::check_granule(const Request& r, const ShadowCells& cell, std::uint32_t lane,
                                std::uint64_t address, Stamp now) {
  // From now on reads must look at these granules again. (No write bypasses this line where others have read, because the fast path for
  // writes fails there.)
  if (r.space == Space::shared) owner_->final_readers[(address >> r.shift) / kLanes] = 0;
  Stamp &writer = *cell.writer(0), &other_writer = *cell.other_writer(0);
  Stamp &reader = *cell.reader(0), &other_reader = *cell.other_reader(0);
  for (const Stamp w : {writer, other_writer}) {
    if (!conflicts(w, now, lane, r.floor)) continue;
    const bool equal = r.writes && ((w | now) & kStrong) == 0 && r.values_known &&
                       instruction_of(w) == instruction_of(now) &&
                       r.leaves_value(w, now, lane, address);
    note_race(r, address, now, w, true, equal);
  }
  if (!r.writes) {
    insert(reader, other_reader, now, lane, r.floor);
    return;
  }
  for (const Stamp s : {reader, other_reader}) {
    if (conflicts(s, now, lane, r.floor)) note_race(r, address, now, s, false, false);
  }
  insert(writer, other_writer, now, lane, r.floor);
}

void RaceChecker::scattered(const DecodedInstruction& o, Context& c, const std::uint64_t* address,
                            std::uint32_t mask, Space space, AccessKind kind, std::uint32_t bytes) {
  if (mask == 0 || exhausted_) return;
  select_owner(c, space);
  const isa::CodeInstruction& info = code_.instructions[o.index];
  Request r{o, c, address, mask, space, kind, bytes};
  r.owner = owner_->index;
  r.writes = kind != AccessKind::load;
  if (!r.writes && !info.strong) mask = fewest_readers(address, mask);
  r.values_known = info.source->opcode == ptx::Word::st;
  r.shift = space == Space::shared ? shared_shift_ : global_shift_;
  r.floor = floor_of(space);
  warp_->accessed |= mask;
  StampBounds bounds = bounds_of(space);
  const Stamp instruction = Stamp{o.index} << kInstructionShift | (info.strong ? kStrong : 0) |
                            (info.of_block ? kOfBlock : 0);
  const std::uint64_t granule = std::uint64_t{1} << r.shift;
  const bool synchronises = info.strong && (info.atomic || info.order);
  for (std::uint32_t m = mask; m != 0; m &= m - 1) {
    const auto lane = static_cast<std::uint32_t>(std::countr_zero(m));
    const std::uint32_t thread = warp_index_ * kLanes + lane;
    if (synchronises && kind != AccessKind::store && hands_on_clocks(space)) {
      acquire(space, address[lane], bytes, thread);
      bounds.slow_only = bounds.slow_only || block_->acquired;
    }
    const ShadowCells at = cells(space, address[lane], bytes);
    const Stamp own = warp_->stamp[lane];
    if (owner_ != block_ && space == Space::shared)
      note_remote_access(own | instruction, {space, owner_->index, address[lane], bytes});
    for (std::uint64_t k = 0; at.first && k * granule < bytes; ++k) {
      const ShadowCells cell = at.from(k);
      if (try_fast_path(cell, r.writes, own | instruction, bounds)) continue;
      check_granule(r, cell, lane, address[lane] + k * granule, own | instruction);
    }
    if (synchronises && kind != AccessKind::load) {
      if (info.releases) fence(1u << lane, info.of_block);
      if (releases_any()) release(space, address[lane], bytes, thread, info.of_block);
    }
  }
}

}  // namespace warpbook::device
