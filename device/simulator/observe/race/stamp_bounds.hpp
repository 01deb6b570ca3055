// racecheck's fast path: most accesses are found free of races by comparing stamps, without asking who happened before whom.
#pragma once

#include <cstdint>

#include "device/simulator/observe/race/shadow.hpp"

namespace warpbook::device {

/// A truth value in the sign bit of a 64-bit number: negative is true. Combine them with &, | and ~. Loops over stamps then consist
/// of subtractions and bitwise operations, which the compiler turns into vector instructions, with one test after the loop.
using SignMask = std::int64_t;

[[gnu::always_inline]] inline bool is_true(SignMask m) { return m < 0; }
/// All ones where true, zero where false.
[[gnu::always_inline]] inline Stamp all_ones_if(SignMask m) { return m < 0 ? ~Stamp{0} : Stamp{0}; }
// Stamps are below 2^63, so the sign of a difference tells which one is less.
[[gnu::always_inline]] inline SignMask is_nonzero(Stamp s) {
  return static_cast<SignMask>(Stamp{0} - s);
}
[[gnu::always_inline]] inline SignMask at_least(Stamp s, Stamp floor) {
  return static_cast<SignMask>(floor - 1 - s);
}
[[gnu::always_inline]] inline SignMask is_distant(Stamp s) { return is_nonzero(s & kDistant); }

/// The running warp's place among all stamps: comparing a stamp with these bounds tells, for most stamps, whether its access may
/// race with the warp's.
///
/// Threads are ranked: in shared memory by warp, in global memory by segment, which ranks blocks that began earlier before the running
/// one. "Lower" threads rank below the running warp and are distant from it, "higher" ones above.
///
///   shared memory, by `rank_bits` (the warp):        global memory, by `rank_bits` (the segment):
///
///        lower          own        higher                 lower            running block        other blocks,
///    |------------|--------------|---------|          |-------------|----------------------|   if any ran meanwhile
///    0       lower_end     higher_begin   31        floor  lower_end = block_begin   last_barrier
struct StampBounds {
  Stamp floor;                          ///< s < floor: nothing that can race any more
  Stamp rank_bits;                      ///< the bits of a stamp that rank its thread
  Stamp lower_end;                      ///< (s & rank_bits) < lower_end: of a lower thread
  Stamp higher_begin = ~Stamp{0} >> 1;  ///< (s & rank_bits) >= higher_begin: of a higher thread
  /// In global memory, unless another block has run since this one began: block_begin <= s < last_barrier is an access of the running
  /// block that its last barrier has ordered, and s >= last_barrier one of the present epoch. Both 0: nothing is known of that.
  Stamp block_begin = 0, last_barrier = 0;
  /// A vector clock orders accesses, or other blocks reach this shared memory: stamps alone say too little.
  bool slow_only = false;

  [[nodiscard]] bool has_past() const { return block_begin != last_barrier; }
  /// The running block made this access before its last barrier, so it races with nothing of the block.
  [[nodiscard, gnu::always_inline]] SignMask is_past(Stamp s) const {
    return at_least(s, block_begin) & ~at_least(s, last_barrier);
  }
  /// Whether `s` may race with some access of the running warp. Past: has_past().
  template <bool Past>
  [[nodiscard, gnu::always_inline]] SignMask may_conflict(Stamp s) const {
    return Past ? at_least(s, floor) & ~is_past(s) : at_least(s, floor);
  }
  /// Whether `s` may race with a plain access of the thread and segment of `own`: it may, unless `s` is a plain access of the same
  /// thread and segment.
  template <bool Past>
  [[nodiscard, gnu::always_inline]] SignMask may_conflict_with(Stamp s, Stamp own) const {
    return may_conflict<Past>(s) & is_nonzero((s ^ own) >> kLaneShift | (s & kStrong));
  }
  /// A plain access of a lower thread.
  [[nodiscard, gnu::always_inline]] SignMask is_lower(Stamp s) const {
    return at_least(s, floor) & ~at_least(s & rank_bits, lower_end) &
           ~is_nonzero(s & (kStrong | kCopy));
  }
  /// A plain access of a higher thread.
  [[nodiscard, gnu::always_inline]] SignMask is_higher(Stamp s) const {
    return at_least(s, floor) & at_least(s & rank_bits, higher_begin) &
           ~is_nonzero(s & (kStrong | kCopy));
  }
  /// Whether both stamps of a pair are plain accesses of lower threads, distant from each other. No access of the running warp changes
  /// such a pair.
  [[nodiscard, gnu::always_inline]] SignMask pair_is_final(Stamp first, Stamp other) const {
    const Stamp wrong = ((first | other) & (kStrong | kCopy)) | (~other & kDistant);
    return at_least(first, floor) & at_least(other, floor) &
           ~at_least(first & rank_bits, lower_end) & ~at_least(other & rank_bits, lower_end) &
           ~is_nonzero(wrong);
  }

  /// Does what RaceChecker::insert does, where comparing stamps suffices: brings the access `now` into a granule's pair of writers or
  /// of readers. The caller knows that neither of the pair races with `now`. False, and nothing done, where the slow path must decide.
  ///
  /// The pair holds the lowest access, and the lowest of those most distant from it (checker.hpp). Below, "far" stands for an `other`
  /// with kDistant, "near" for one without it, "-" for a stamp below the floor, and "slow" for false.
  ///
  ///   first is ...             | other is ...                      | first becomes | other becomes
  ///   -------------------------+-----------------------------------+---------------+--------------------------
  ///   -                        | -                                 | now           | as it was
  ///   -                        | set                               | slow
  ///   of another kind than now | any                               | slow            (kinds: plain, strong, copy)
  ///   -------------------------+-----------------------------------+---------------+--------------------------
  ///   of the same warp and     | far                               | lower lane    | as it was
  ///   segment (join_own_warp)  | near, not of this segment or kind | slow
  ///                            | - or near; now: same lane         | now           | as it was
  ///                            | - or near; now: lower lane        | now           | first
  ///                            | - or near; now: higher lane       | as it was     | now, unless a lower lane is there
  ///   -------------------------+-----------------------------------+---------------+--------------------------
  ///   of a lower thread        | far, of another kind than now     | slow
  ///   (join_lower)             | far, of a lower thread            | as it was     | as it was
  ///                            | far, of the same warp and segment | as it was     | lower lane, far
  ///                            | far, of the own warp or block     | slow
  ///                            | far, of a higher thread; near; -  | as it was     | now, far
  ///   -------------------------+-----------------------------------+---------------+--------------------------
  ///   of a higher thread       | any                               | now           | first, far
  ///   -------------------------+-----------------------------------+---------------+--------------------------
  ///   of a lower warp of this  | far                               | as it was     | as it was
  ///   block, in this epoch, in | near, of another kind than now    | slow
  ///   global memory            | - or near, of the warp of first   | as it was     | now
  ///   (join_lower_warp)        | near, of a lower lane than now    | as it was     | as it was
  ///                            | near, of a lower warp than now    | as it was     | as it was
  ///                            | near, of any other warp           | slow
  ///   -------------------------+-----------------------------------+---------------+--------------------------
  ///   of any other thread      | any                               | slow
  [[nodiscard, gnu::always_inline]] bool insert(Stamp& first, Stamp& other, Stamp now) const {
    if (first < floor && other < floor) {
      first = now;
      return true;
    }
    if (slow_only || first < floor || !same_kind(first, now)) return false;
    if (same_segment(first, now)) return join_own_warp(first, other, now);
    if ((first & rank_bits) < lower_end) return join_lower(other, now);
    if ((first & rank_bits) >= higher_begin) {
      other = first | kDistant;
      first = now;
      return true;
    }
    const bool lower_warp =
        last_barrier != 0 && first >= last_barrier && warp_of(first) < warp_of(now);
    return lower_warp && join_lower_warp(first, other, now);
  }

 private:
  [[nodiscard, gnu::always_inline]] bool is_far(Stamp other) const {
    return other >= floor && (other & kDistant) != 0;
  }
  [[nodiscard, gnu::always_inline]] static bool same_kind(Stamp s, Stamp now) {
    return ((s ^ now) & (kStrong | kCopy | kOfBlock)) == 0;
  }
  /// Of the same warp, with no synchronisation of the warp between the two.
  [[nodiscard, gnu::always_inline]] static bool same_segment(Stamp s, Stamp now) {
    return s >> kWarpShift == now >> kWarpShift;
  }
  [[nodiscard, gnu::always_inline]] static bool same_lane(Stamp s, Stamp now) {
    return s >> kLaneShift == now >> kLaneShift;
  }
  /// Of a lower lane of the same warp and segment.
  [[nodiscard, gnu::always_inline]] static bool lower_lane(Stamp s, Stamp now) {
    return same_segment(s, now) && s >> kLaneShift < now >> kLaneShift;
  }

  // The blocks of the table above, for their kind of `first`.
  [[nodiscard, gnu::always_inline]] bool join_own_warp(Stamp& first, Stamp& other,
                                                       Stamp now) const {
    if (is_far(other)) {
      if (!lower_lane(first, now)) first = now;
      return true;
    }
    const bool none = other < floor;
    if (!none && !(same_kind(other, now) && same_segment(other, now))) return false;
    if (same_lane(first, now)) {
      first = now;
    } else if (lower_lane(now, first)) {
      other = first;
      first = now;
    } else if (none || !lower_lane(other, now)) {
      other = now;
    }
    return true;
  }
  [[nodiscard, gnu::always_inline]] bool join_lower(Stamp& other, Stamp now) const {
    if (is_far(other)) {
      if (!same_kind(other, now)) return false;
      if ((other & rank_bits) < lower_end) return true;
      if (same_segment(other, now)) {
        if (!lower_lane(other, now)) other = now | kDistant;
        return true;
      }
      if ((other & rank_bits) < higher_begin) return false;
    }
    other = now | kDistant;
    return true;
  }
  [[nodiscard, gnu::always_inline]] bool join_lower_warp(Stamp first, Stamp& other,
                                                         Stamp now) const {
    if (is_far(other)) return true;
    const bool none = other < floor;
    if (!none && !same_kind(other, now)) return false;
    if (none || warp_of(other) == warp_of(first)) {
      other = now;
      return true;
    }
    return lower_lane(other, now) || (other >= last_barrier && warp_of(other) < warp_of(now));
  }
};

/// Records the access `now` to one granule where comparing stamps shows that it races with nothing. False, and nothing done, where the
/// slow path must decide.
[[gnu::always_inline]] inline bool try_fast_path(const ShadowCells& cell, bool writes, Stamp now,
                                                 const StampBounds& bounds) {
  Stamp &writer = *cell.writer(0), &reader = *cell.reader(0);
  Stamp &other_writer = *cell.other_writer(0), &other_reader = *cell.other_reader(0);
  if ((now & kStrong) != 0) {
    // Strong writes do not race with each other, unless their scope is a block; else only readers might be plain.
    return writes && (now & kOfBlock) == 0 && reader < bounds.floor &&
           other_reader < bounds.floor && bounds.insert(writer, other_writer, now);
  }
  if (is_true(bounds.may_conflict_with<false>(writer, now))) return false;
  if (!writes) {
    if (is_true(bounds.may_conflict_with<false>(reader, now)))
      return bounds.insert(reader, other_reader, now);
    reader = now;
    return true;
  }
  if (is_true(bounds.may_conflict_with<false>(reader, now)) ||
      (writer >= bounds.floor && other_writer >= bounds.floor) ||
      (reader >= bounds.floor && other_reader >= bounds.floor))
    return false;
  writer = now;
  return true;
}

}  // namespace warpbook::device
