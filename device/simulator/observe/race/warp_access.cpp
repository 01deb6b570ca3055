// racecheck: accesses of whole warps whose shape an operation's memo knows, many granules at a time. What comparing stamps
// does not settle goes lane by lane (access.cpp).
#include <algorithm>
#include <array>
#include <bit>
#include <type_traits>

#include "device/simulator/observe/race/checker.hpp"
#include "device/simulator/observe/race/granule_loops.hpp"

namespace warpbook::device {
namespace {

constexpr std::size_t kMost =
    4 * kLanes;  ///< granules that a warp touches at once: four words a lane

/// The stamps of one plane, from where they lie apart to where they lie side by side, or back.
template <bool Back>
void move_stamps(Stamp* together, Stamp* plane, const RaceShape& shape, std::size_t each) {
  const auto move = [&](auto count) {
    Stamp* to = together;
    for (std::size_t p = 0; p < shape.places; ++p) {
      Stamp* from = plane + shape.granule[p];
      for (std::size_t k = 0; k < count; ++k, ++to) (Back ? from[k] : *to) = Back ? *to : from[k];
    }
  };
  if (each == 1)
    move(std::integral_constant<std::size_t, 1>{});
  else if (each == 4)
    move(std::integral_constant<std::size_t, 4>{});
  else
    move(each);
}

/// The stamps of `lane[p]`, each as often as it has granules.
void spread(Stamp* to, const WarpRace& warp, const std::uint8_t* lane, std::size_t places,
            std::size_t each) {
  for (std::size_t p = 0; p < places; ++p, to += each)
    std::fill(to, to + each, warp.stamp[lane[p]]);
}

}  // namespace

Settled RaceChecker::settled(Space space) const {
  const bool shared = space == Space::shared, alone = block_->group->blocks == 1;
  Settled s;
  s.floor = floor_of(space);
  s.never = block_->clocked || block_->clock || (shared && !alone);
  if (shared) {
    s.field = Stamp{31} << kWarpShift;
    s.below = s.never ? 0 : Stamp{warp_index_} << kWarpShift;
    if (!s.never) s.above = Stamp{warp_index_ + 1} << kWarpShift;
  } else {
    s.field = ~((Stamp{1} << kSegmentShift) - 1);
    s.below = s.never ? 0 : Stamp{block_->begin} << kSegmentShift;
    // Unless other blocks have made segments meanwhile.
    if (shadow_->next_segment - block_->begin == block_->segments) {
      s.begin = Stamp{block_->begin} << kSegmentShift;
      s.beside = Stamp{block_->barrier_first} << kSegmentShift;
    }
  }
  return s;
}

bool RaceChecker::by_stamps(const DecodedInstruction& o, Space space) const {
  return (space != Space::shared || block_->group->blocks == 1) &&
         !code_.instructions[o.index].strong;
}

void RaceChecker::learn(std::uint32_t memo, const std::uint64_t* address, std::uint32_t mask,
                        std::uint32_t bytes, Space space) {
  RaceShape& s = shapes_[memo];
  s = {};
  std::array<std::uint8_t, 2 * kLanes> slots;
  slots.fill(kLanes);
  std::uint64_t low = ~std::uint64_t{0}, high = 0;
  std::array<std::uint64_t, kLanes> at;
  for (std::uint32_t m = mask; m != 0; m &= m - 1) {
    const auto lane = static_cast<std::uint8_t>(std::countr_zero(m));
    const std::uint64_t a = address[lane];
    std::size_t slot = a * 0x9e3779b97f4a7c15u >> 58;
    while (slots[slot] != kLanes && at[slots[slot]] != a) slot = (slot + 1) % slots.size();
    if (slots[slot] == kLanes) {
      slots[slot] = static_cast<std::uint8_t>(s.places);
      at[s.places] = a;
      s.own[s.places] = s.also[s.places] = lane;
      if (a < low) s.lowest = lane;
      low = std::min(low, a);
      high = std::max(high, a);
      ++s.places;
    } else if (const std::size_t p = slots[slot]; s.also[p] == s.own[p]) {
      s.also[p] = lane;
      s.seconds |= 1u << lane;
    }
  }
  s.span = high + bytes - low;
  if (s.span > RaceShadow::kPieceBytes) {
    s.places = 0;
    return;
  }
  const std::uint32_t shift = space == Space::shared ? shared_shift_ : global_shift_;
  for (std::size_t p = 0; p < s.places; ++p)
    s.granule[p] = static_cast<std::uint32_t>((at[p] - low) >> shift);
}

/// In shared memory, where many warps read what a few have written: what is known of 32 granules stays known.
bool RaceChecker::held(std::uint64_t offset, std::uint64_t bytes, const Settled& s) {
  const std::uint64_t first = (offset >> shared_shift_) / kLanes,
                      last = ((offset + bytes - 1) >> shared_shift_) / kLanes;
  for (std::uint64_t group = first; group <= last; ++group) {
    Stamp& known = owner_->held[group];
    if (known - s.floor <= s.below) continue;
    const Cells at{owner_->shared.data() + group * kLanes, shared_cells_};
    if (!race_loops().held(at, kLanes, s)) return false;
    known = s.floor + s.below;
  }
  return true;
}

bool RaceChecker::in_one_piece(Space space, std::uint64_t low, std::uint64_t span) {
  return space == Space::shared ||
         (low - kGlobalBase) % RaceShadow::kPieceBytes + span <= RaceShadow::kPieceBytes;
}

bool RaceChecker::alone_in_row(std::uint64_t base, bool writes, Stamp instruction) {
  const std::array<Stamp, kLanes>& own = warp_->stamp;
  RaceRow* row = shadow_->row(base);
  if (!row) return false;
  const auto strange = [&](Stamp s) {
    return s >= launch_floor_ && (s ^ own[0]) >> kLaneShift != 0;
  };
  if (strange(row->writer) || strange(row->reader)) return false;
  Stamp apart = 0;  // lanes of different segments
  for (std::size_t i = 0; i < kLanes; ++i) apart |= own[i] ^ (own[0] + (Stamp{i} << kLaneShift));
  if (apart != 0) return false;
  (writes ? row->writer : row->reader) = own[0] | instruction;
  return true;
}

void RaceChecker::row(const DecodedInstruction& o, Context& c, std::uint64_t base, Space space,
                      AccessKind kind, std::uint32_t bytes) {
  if (exhausted_) return;
  reach(c, space);
  const std::size_t each = granules(space, bytes);
  const std::size_t count = each * kLanes;
  if (by_stamps(o, space) && count <= kMost &&
      in_one_piece(space, base, std::uint64_t{bytes} * kLanes)) {
    const Stamp instruction = Stamp{o.index} << kInstructionShift;
    const bool writes = kind != AccessKind::load;
    warp_->touched = ~0u;
    if (space == Space::global && bytes == 1u << global_shift_ &&
        alone_in_row(base, writes, instruction))
      return;
    const Cells at = cells(space, base, std::uint64_t{bytes} * kLanes);
    if (!at.first) return;
    alignas(64) std::array<Stamp, kMost> own;
    if (each != 1) {
      for (std::size_t i = 0; i < kLanes; ++i)
        std::fill_n(own.data() + i * each, each, warp_->stamp[i]);
    }
    const RaceGranules g{at, each == 1 ? warp_->stamp.data() : own.data(), nullptr, count,
                         instruction};
    const Settled s = settled(space);
    const RaceLoops& loops = race_loops();
    if (!writes) {
      if (space == Space::shared ? held(base, bytes * kLanes, s) : loops.held(at, count, s)) return;
      if (loops.take(g, s) || loops.read(g, s)) return;
    } else if (loops.write(g, s)) {
      return;
    }
  }
  std::array<std::uint64_t, kLanes> address;
  for (std::uint32_t i = 0; i < kLanes; ++i) address[i] = base + std::uint64_t{bytes} * i;
  lanes(o, c, address.data(), ~0u, space, kind, bytes);
}

void RaceChecker::place(const DecodedInstruction& o, Context& c, std::uint64_t address,
                        std::uint32_t readers, Space space, std::uint32_t bytes) {
  if (exhausted_) return;
  reach(c, space);
  if (by_stamps(o, space)) {
    const Cells at = cells(space, address, bytes);
    if (!at.first) return;
    const Settled s = settled(space);
    const std::size_t each = granules(space, bytes);
    const std::uint32_t rest = readers & (readers - 1);
    const Stamp instruction = Stamp{o.index} << kInstructionShift;
    const Stamp first = warp_->stamp[static_cast<std::size_t>(std::countr_zero(readers))];
    const Stamp other =
        rest == 0 ? 0 : warp_->stamp[static_cast<std::size_t>(std::countr_zero(rest))];
    std::size_t k = 0;
    for (; k < each; ++k) {
      const Cells cell = at.from(k);
      if (*cell.writer(0) >= s.floor) break;
      Stamp &reader = *cell.reader(0), &other_reader = *cell.other_reader(0);
      if (!yes(s.foreign<false>(reader, first)) &&
          (rest == 0 || !yes(s.foreign<false>(other_reader, other)))) {
        reader = first | instruction;
        if (rest != 0) other_reader = other | instruction;
      } else if (!yes(s.holds_both(reader, other_reader))) {
        break;
      }
    }
    if (k == each) {
      warp_->touched |= readers;
      return;
    }
  }
  std::array<std::uint64_t, kLanes> same;
  same.fill(address);
  lanes(o, c, same.data(), readers, space, AccessKind::load, bytes);
}

bool RaceChecker::places(const DecodedInstruction& o, const RaceShape& shape, std::uint64_t low,
                         Space space, bool writes, std::size_t each, bool pairs) {
  const Cells at = cells(space, low, shape.span);
  if (!at.first) return true;
  const Settled s = settled(space);
  if (!writes && space == Space::shared && shape.span <= kMost * 4 && held(low, shape.span, s))
    return true;
  alignas(64) std::array<Stamp, 4 * kMost> stamps;
  alignas(64) std::array<Stamp, kMost> own, also;
  const std::size_t count = each * shape.places;
  const Cells together{stamps.data(), kMost};
  const auto gather = [&](Stamp* to, Stamp* from) { move_stamps<false>(to, from, shape, each); };
  const auto scatter = [&](Stamp* from, Stamp* to) { move_stamps<true>(from, to, shape, each); };
  gather(together.writer(0), at.writer(0));
  gather(together.reader(0), at.reader(0));
  RaceGranules g{together, own.data(), nullptr, count, Stamp{o.index} << kInstructionShift};
  if (each == 1 && shape.places == kLanes)
    g.own = warp_->stamp.data();
  else
    spread(own.data(), *warp_, shape.own.data(), shape.places, each);
  const RaceLoops& loops = race_loops();
  const auto gather_others = [&] {
    gather(together.other_writer(0), at.other_writer(0));
    gather(together.other_reader(0), at.other_reader(0));
  };
  if (writes) {
    StampAnswer taken = 0;
    for (std::size_t i = 0; i < count; ++i)
      taken |= at_least(*together.writer(i), s.floor) | at_least(*together.reader(i), s.floor);
    if (yes(taken)) gather_others();
    if (!loops.write(g, s)) return false;
    scatter(together.writer(0), at.writer(0));
    if (yes(taken)) scatter(together.other_writer(0), at.other_writer(0));
    return true;
  }
  if (!pairs && loops.take(g, s)) {
    scatter(together.reader(0), at.reader(0));
    return true;
  }
  gather_others();
  if (loops.held(together, count, s)) return true;
  if (pairs) {
    spread(also.data(), *warp_, shape.also.data(), shape.places, each);
    g.also = also.data();
  }
  if (!loops.read(g, s)) return false;
  scatter(together.reader(0), at.reader(0));
  scatter(together.other_reader(0), at.other_reader(0));
  return true;
}

void RaceChecker::known(const DecodedInstruction& o, Context& c, const std::uint64_t* address,
                        std::uint32_t mask, Space space, AccessKind kind, std::uint32_t bytes) {
  if (exhausted_) return;
  reach(c, space);
  const RaceShape& shape = shapes_[o.memo];
  const bool writes = kind != AccessKind::load;
  const std::size_t each = granules(space, bytes);
  // Where some places have two readers and some have one, the second ones come after.
  const bool pairs = static_cast<std::uint32_t>(std::popcount(shape.seconds)) == shape.places;
  const std::uint64_t low = address[shape.lowest];
  if (shape.places != 0 && each * shape.places <= kMost && by_stamps(o, space) &&
      !(writes && shape.seconds != 0) && in_one_piece(space, low, shape.span) &&
      places(o, shape, low, space, writes, each, pairs)) {
    warp_->touched |= mask;
    mask = pairs ? 0 : shape.seconds;
  }
  lanes(o, c, address, mask, space, kind, bytes);
}

}  // namespace warpbook::device
