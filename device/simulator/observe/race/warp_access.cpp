// racecheck: the check of a whole warp's access, many granules at once, where its addresses have a shape that is known. From the
// cheapest to the most general:
//
//   try_row                one stamp for 32 neighbouring elements that this warp alone accesses
//   reads_change_nothing   shared memory that many warps read: an answer that is remembered for 32 granules
//   GranuleLoops           neighbouring granules in vector instructions, straight in the shadow (contiguous), or gathered into an array
//                          and scattered back (try_addresses)
//   scattered              lane by lane (lane_access.cpp), wherever the others say that stamps do not suffice
#include <algorithm>
#include <array>
#include <bit>
#include <type_traits>

#include "device/simulator/observe/race/checker.hpp"
#include "device/simulator/observe/race/granule_loops.hpp"

namespace warpbook::device {
namespace {

constexpr std::size_t kMostGranules = 4 * kLanes;  ///< of one access: four words per lane

/// Copies the stamps of a shape's granules from a plane to an array, side by side, or back.
template <bool Back>
void move_stamps(Stamp* together, Stamp* plane, const RaceShape& shape, std::size_t each) {
  const auto move = [&](auto count) {
    Stamp* to = together;
    for (std::size_t p = 0; p < shape.addresses; ++p) {
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

/// The stamps of the lanes `lane[p]`, each of them once for each granule of its access.
void spread(Stamp* to, const WarpRace& warp, const std::uint8_t* lane, std::size_t addresses,
            std::size_t each) {
  for (std::size_t p = 0; p < addresses; ++p, to += each)
    std::fill(to, to + each, warp.stamp[lane[p]]);
}

}  // namespace

StampBounds RaceChecker::bounds_of(Space space) const {
  const bool shared = space == Space::shared, alone = block_->group->blocks == 1;
  StampBounds s;
  s.floor = floor_of(space);
  s.slow_only = block_->acquired || block_->block_clock || (shared && !alone);
  if (shared) {
    s.rank_bits = Stamp{31} << kWarpShift;
    s.lower_end = s.slow_only ? 0 : Stamp{warp_index_} << kWarpShift;
    if (!s.slow_only) s.higher_begin = Stamp{warp_index_ + 1} << kWarpShift;
  } else {
    s.rank_bits = ~((Stamp{1} << kSegmentShift) - 1);
    s.lower_end = s.slow_only ? 0 : Stamp{block_->first_segment} << kSegmentShift;
    // All segments since this block began are its own, unless another block has begun some meanwhile.
    if (shadow_->next_segment - block_->first_segment == block_->segments) {
      s.block_begin = Stamp{block_->first_segment} << kSegmentShift;
      s.last_barrier = Stamp{block_->epoch_begin} << kSegmentShift;
    }
  }
  return s;
}

bool RaceChecker::may_use_stamps(const DecodedInstruction& o, Space space) const {
  return (space != Space::shared || block_->group->blocks == 1) &&
         !code_.instructions[o.index].strong;
}

void RaceChecker::learn_shape(std::uint32_t memo, const std::uint64_t* address, std::uint32_t mask,
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
      slots[slot] = static_cast<std::uint8_t>(s.addresses);
      at[s.addresses] = a;
      s.first_lane[s.addresses] = s.second_lane[s.addresses] = lane;
      if (a < low) s.lowest = lane;
      low = std::min(low, a);
      high = std::max(high, a);
      ++s.addresses;
    } else if (const std::size_t p = slots[slot]; s.second_lane[p] == s.first_lane[p]) {
      s.second_lane[p] = lane;
      s.second_lanes |= 1u << lane;
    }
  }
  s.span = high + bytes - low;
  if (s.span > RaceShadow::kPageBytes) {
    s.addresses = 0;
    return;
  }
  const std::uint32_t shift = space == Space::shared ? shared_shift_ : global_shift_;
  for (std::size_t p = 0; p < s.addresses; ++p)
    s.granule[p] = static_cast<std::uint32_t>((at[p] - low) >> shift);
}

/// Remembers the answer for each 32 granules, because many warps read what a few have written.
bool RaceChecker::reads_change_nothing(std::uint64_t offset, std::uint64_t bytes,
                                       const StampBounds& s) {
  const std::uint64_t first = (offset >> shared_shift_) / kLanes,
                      last = ((offset + bytes - 1) >> shared_shift_) / kLanes;
  for (std::uint64_t group = first; group <= last; ++group) {
    // Stored by this warp or a lower one, under this floor. (A stamp below the floor makes the difference wrap round.)
    Stamp& known = owner_->final_readers[group];
    if (known - s.floor <= s.lower_end) continue;
    const ShadowCells at{owner_->shared.data() + group * kLanes, shared_cells_};
    if (!granule_loops().reads_change_nothing(at, kLanes, s)) return false;
    known = s.floor + s.lower_end;
  }
  return true;
}

bool RaceChecker::in_one_page(Space space, std::uint64_t low, std::uint64_t span) {
  return space == Space::shared ||
         (low - kGlobalBase) % RaceShadow::kPageBytes + span <= RaceShadow::kPageBytes;
}

bool RaceChecker::try_row(std::uint64_t base, bool writes, Stamp instruction) {
  const std::array<Stamp, kLanes>& own = warp_->stamp;
  ShadowRow* row = shadow_->row(base);
  if (!row) return false;
  const auto of_others = [&](Stamp s) {
    return s >= launch_floor_ && (s ^ own[0]) >> kLaneShift != 0;
  };
  if (of_others(row->writer) || of_others(row->reader)) return false;
  // One stamp can speak for all lanes only if they are in one segment.
  Stamp differences = 0;
  for (std::size_t i = 0; i < kLanes; ++i)
    differences |= own[i] ^ (own[0] + (Stamp{i} << kLaneShift));
  if (differences != 0) return false;
  (writes ? row->writer : row->reader) = own[0] | instruction;
  return true;
}

void RaceChecker::contiguous(const DecodedInstruction& o, Context& c, std::uint64_t base,
                             Space space, AccessKind kind, std::uint32_t bytes) {
  if (exhausted_) return;
  select_owner(c, space);
  const std::size_t each = granules(space, bytes);
  const std::size_t count = each * kLanes;
  if (may_use_stamps(o, space) && count <= kMostGranules &&
      in_one_page(space, base, std::uint64_t{bytes} * kLanes)) {
    const Stamp instruction = Stamp{o.index} << kInstructionShift;
    const bool writes = kind != AccessKind::load;
    warp_->accessed = ~0u;
    if (space == Space::global && bytes == 1u << global_shift_ &&
        try_row(base, writes, instruction))
      return;
    const ShadowCells at = cells(space, base, std::uint64_t{bytes} * kLanes);
    if (!at.first) return;  // beyond RaceShadow::kLimit nothing is checked
    // By granule, the thread that accesses it: lanes in order, each for all granules of its element.
    alignas(64) std::array<Stamp, kMostGranules> own;
    if (each != 1) {
      for (std::size_t i = 0; i < kLanes; ++i)
        std::fill_n(own.data() + i * each, each, warp_->stamp[i]);
    }
    const GranuleAccesses g{at, each == 1 ? warp_->stamp.data() : own.data(), nullptr, count,
                            instruction};
    const StampBounds s = bounds_of(space);
    const GranuleLoops& loops = granule_loops();
    if (!writes) {
      const bool unchanged = space == Space::shared ? reads_change_nothing(base, bytes * kLanes, s)
                                                    : loops.reads_change_nothing(at, count, s);
      if (unchanged) return;
      if (loops.read_own(g, s) || loops.read(g, s)) return;
    } else if (loops.write(g, s)) {
      return;
    }
  }
  std::array<std::uint64_t, kLanes> address;
  for (std::uint32_t i = 0; i < kLanes; ++i) address[i] = base + std::uint64_t{bytes} * i;
  scattered(o, c, address.data(), ~0u, space, kind, bytes);
}

void RaceChecker::broadcast(const DecodedInstruction& o, Context& c, std::uint64_t address,
                            std::uint32_t readers, Space space, std::uint32_t bytes) {
  if (exhausted_) return;
  select_owner(c, space);
  if (may_use_stamps(o, space)) {
    const ShadowCells at = cells(space, address, bytes);
    if (!at.first) return;
    const StampBounds s = bounds_of(space);
    const std::size_t each = granules(space, bytes);
    const std::uint32_t rest = readers & (readers - 1);
    const Stamp instruction = Stamp{o.index} << kInstructionShift;
    const Stamp first = warp_->stamp[static_cast<std::size_t>(std::countr_zero(readers))];
    const Stamp other =
        rest == 0 ? 0 : warp_->stamp[static_cast<std::size_t>(std::countr_zero(rest))];
    // Each granule needs no writer, and either no other readers than these two, or a pair of readers that they do not change.
    std::size_t k = 0;
    for (; k < each; ++k) {
      const ShadowCells cell = at.from(k);
      if (*cell.writer(0) >= s.floor) break;
      Stamp &reader = *cell.reader(0), &other_reader = *cell.other_reader(0);
      if (!is_true(s.may_conflict_with<false>(reader, first)) &&
          (rest == 0 || !is_true(s.may_conflict_with<false>(other_reader, other)))) {
        reader = first | instruction;
        if (rest != 0) other_reader = other | instruction;
      } else if (!is_true(s.pair_is_final(reader, other_reader))) {
        break;
      }
    }
    if (k == each) {
      warp_->accessed |= readers;
      return;
    }
  }
  std::array<std::uint64_t, kLanes> same;
  same.fill(address);
  scattered(o, c, same.data(), readers, space, AccessKind::load, bytes);
}

bool RaceChecker::try_addresses(const DecodedInstruction& o, const RaceShape& shape,
                                std::uint64_t low, Space space, bool writes, std::size_t each,
                                bool pairs) {
  const ShadowCells at = cells(space, low, shape.span);
  if (!at.first) return true;
  const StampBounds s = bounds_of(space);
  if (!writes && space == Space::shared && shape.span <= kMostGranules * 4 &&
      reads_change_nothing(low, shape.span, s))
    return true;
  // Gather the stamps of the granules into an array, side by side, so that the loops can treat them as neighbours.
  alignas(64) std::array<Stamp, 4 * kMostGranules> stamps;
  alignas(64) std::array<Stamp, kMostGranules> threads, second_readers;
  const std::size_t count = each * shape.addresses;
  const ShadowCells gathered{stamps.data(), kMostGranules};
  const auto gather = [&](Stamp* to, Stamp* from) { move_stamps<false>(to, from, shape, each); };
  const auto scatter = [&](Stamp* from, Stamp* to) { move_stamps<true>(from, to, shape, each); };
  gather(gathered.writer(0), at.writer(0));
  gather(gathered.reader(0), at.reader(0));
  GranuleAccesses g{gathered, threads.data(), nullptr, count, Stamp{o.index} << kInstructionShift};
  if (each == 1 && shape.addresses == kLanes)
    g.threads = warp_->stamp.data();
  else
    spread(threads.data(), *warp_, shape.first_lane.data(), shape.addresses, each);
  const GranuleLoops& loops = granule_loops();
  const auto gather_others = [&] {
    gather(gathered.other_writer(0), at.other_writer(0));
    gather(gathered.other_reader(0), at.other_reader(0));
  };
  if (writes) {
    // The second stamps matter only where the first ones are set, which is rare.
    SignMask accessed = 0;
    for (std::size_t i = 0; i < count; ++i)
      accessed |= at_least(*gathered.writer(i), s.floor) | at_least(*gathered.reader(i), s.floor);
    if (is_true(accessed)) gather_others();
    if (!loops.write(g, s)) return false;
    scatter(gathered.writer(0), at.writer(0));
    if (is_true(accessed)) scatter(gathered.other_writer(0), at.other_writer(0));
    return true;
  }
  if (!pairs && loops.read_own(g, s)) {
    scatter(gathered.reader(0), at.reader(0));
    return true;
  }
  gather_others();
  if (loops.reads_change_nothing(gathered, count, s)) return true;
  if (pairs) {
    spread(second_readers.data(), *warp_, shape.second_lane.data(), shape.addresses, each);
    g.second_readers = second_readers.data();
  }
  if (!loops.read(g, s)) return false;
  scatter(gathered.reader(0), at.reader(0));
  scatter(gathered.other_reader(0), at.other_reader(0));
  return true;
}

void RaceChecker::same_shape(const DecodedInstruction& o, Context& c, const std::uint64_t* address,
                             std::uint32_t mask, Space space, AccessKind kind,
                             std::uint32_t bytes) {
  if (exhausted_) return;
  select_owner(c, space);
  const RaceShape& shape = shapes_[o.memo];
  const bool writes = kind != AccessKind::load;
  const std::size_t each = granules(space, bytes);
  // Where only some addresses have a second reader, those are checked lane by lane afterwards.
  const bool pairs =
      static_cast<std::uint32_t>(std::popcount(shape.second_lanes)) == shape.addresses;
  const std::uint64_t low = address[shape.lowest];
  if (shape.addresses != 0 && each * shape.addresses <= kMostGranules && may_use_stamps(o, space) &&
      !(writes && shape.second_lanes != 0) && in_one_page(space, low, shape.span) &&
      try_addresses(o, shape, low, space, writes, each, pairs)) {
    warp_->accessed |= mask;
    mask = pairs ? 0 : shape.second_lanes;
  }
  scattered(o, c, address, mask, space, kind, bytes);
}

}  // namespace warpbook::device
