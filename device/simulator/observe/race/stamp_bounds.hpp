// racecheck: most accesses are settled by comparing stamps, before anyone asks who happened before whom.
#pragma once

#include <cstdint>

#include "device/simulator/observe/race/shadow.hpp"

namespace warpbook::device {

/// An answer about a stamp: negative for yes. They are joined with & and |, and ~ says no; so rows of them stay in vectors,
/// and nothing is compared but once at the end.
using StampAnswer = std::int64_t;

[[gnu::always_inline]] inline bool yes(StampAnswer a) { return a < 0; }
/// All ones or zero.
[[gnu::always_inline]] inline Stamp stamp_mask(StampAnswer a) {
  return a < 0 ? ~Stamp{0} : Stamp{0};
}
/// Whether any bit is set, of those that stamps have: all but the highest.
[[gnu::always_inline]] inline StampAnswer any_bit(Stamp s) {
  return static_cast<StampAnswer>(Stamp{0} - s);
}
[[gnu::always_inline]] inline StampAnswer at_least(Stamp s, Stamp floor) {
  return static_cast<StampAnswer>(floor - 1 - s);
}
[[gnu::always_inline]] inline StampAnswer is_apart(Stamp s) { return any_bit(s & kApart); }

/// What a running warp knows of stamps before it looks at any: enough for most accesses.
struct Settled {
  // Threads that come before those of the warp and are apart from them: in shared memory lower warps, in global memory
  // blocks that began earlier. Nothing is known of an order between them and now.
  Stamp floor, below, field;     ///< floor <= s, and s & field < below
  Stamp above = ~Stamp{0} >> 1;  ///< s & field >= above: higher warps, in shared memory
  /// begin <= s < beside: of the running block before its last barrier, and s >= beside: since then; in global memory,
  /// where no other block has run since it began. 0: not told apart.
  Stamp begin = 0, beside = 0;
  /// Flags have ordered something, or other blocks come to the same memory: all must be looked at.
  bool never = false;

  [[nodiscard]] bool has_past() const { return begin != beside; }
  /// What the block's barrier has ended.
  [[nodiscard, gnu::always_inline]] StampAnswer past(Stamp s) const {
    return at_least(s, begin) & ~at_least(s, beside);
  }
  /// Whether it may race with anything. Past: where has_past().
  template <bool Past>
  [[nodiscard, gnu::always_inline]] StampAnswer minded(Stamp s) const {
    return Past ? at_least(s, floor) & ~past(s) : at_least(s, floor);
  }
  /// Whether a plain access must mind it: no plain one of the same thread in the same segment.
  template <bool Past>
  [[nodiscard, gnu::always_inline]] StampAnswer foreign(Stamp s, Stamp own) const {
    return minded<Past>(s) & any_bit((s ^ own) >> kLaneShift | (s & kStrong));
  }
  /// A plain one of threads that come before those of the warp and are apart from them.
  [[nodiscard, gnu::always_inline]] StampAnswer is_below(Stamp s) const {
    return at_least(s, floor) & ~at_least(s & field, below) & ~any_bit(s & (kStrong | kCopy));
  }
  [[nodiscard, gnu::always_inline]] StampAnswer is_above(Stamp s) const {
    return at_least(s, floor) & at_least(s & field, above) & ~any_bit(s & (kStrong | kCopy));
  }

  /// Whether two stamps of readers, far apart, say more than any that the warp could bring.
  [[nodiscard, gnu::always_inline]] StampAnswer holds_both(Stamp first, Stamp other) const {
    const Stamp unlike = ((first | other) & (kStrong | kCopy)) | (~other & kApart);
    return at_least(first, floor) & at_least(other, floor) & ~at_least(first & field, below) &
           ~at_least(other & field, below) & ~any_bit(unlike);
  }

  /// RaceChecker::insert where comparing stamps will do; false, and nothing done, where it will not.
  [[nodiscard, gnu::always_inline]] bool insert(Stamp& first, Stamp& other, Stamp now) const {
    if (first < floor && other < floor) {
      first = now;
      return true;
    }
    if (never || first < floor || !alike(first, now)) return false;
    const bool open = other < floor, apart = !open && (other & kApart) != 0;
    if (same_step(first, now)) {
      if (apart) {
        if (!lower_lane(first, now)) first = now;
        return true;
      }
      if (!open && !(alike(other, now) && same_step(other, now))) return false;
      if (same_lane(first, now)) {
        first = now;
      } else if (lower_lane(now, first)) {
        other = first;
        first = now;
      } else if (open || !lower_lane(other, now)) {
        other = now;
      }
      return true;
    }
    if ((first & field) < below) {
      if (apart && !alike(other, now)) return false;
      if (apart && (other & field) < below) return true;
      if (apart && same_step(other, now)) {
        if (!lower_lane(other, now)) other = now | kApart;
        return true;
      }
      if (apart && (other & field) < above) return false;
      other = now | kApart;
      return true;
    }
    if ((first & field) >= above) {
      other = first | kApart;
      first = now;
      return true;
    }
    if (beside == 0 || first < beside || warp_of(first) >= warp_of(now)) return false;
    // Another warp of the block.
    if (apart) return true;
    if (!open && !alike(other, now)) return false;
    if (open || warp_of(other) == warp_of(first)) {
      other = now;
      return true;
    }
    return lower_lane(other, now) || (other >= beside && warp_of(other) < warp_of(now));
  }

 private:
  [[nodiscard, gnu::always_inline]] static bool alike(Stamp s, Stamp now) {
    return ((s ^ now) & (kStrong | kCopy)) == 0;
  }
  /// Of the same warp, and no sync of it parts the two.
  [[nodiscard, gnu::always_inline]] static bool same_step(Stamp s, Stamp now) {
    return s >> kWarpShift == now >> kWarpShift;
  }
  [[nodiscard, gnu::always_inline]] static bool same_lane(Stamp s, Stamp now) {
    return s >> kLaneShift == now >> kLaneShift;
  }
  [[nodiscard, gnu::always_inline]] static bool lower_lane(Stamp s, Stamp now) {
    return same_step(s, now) && s >> kLaneShift < now >> kLaneShift;
  }
};

/// Brings in the access `now` where no stamp of the granule minds it and that takes no thought; false for all others.
[[gnu::always_inline]] inline bool take_quietly(const Cells& cell, bool writes, Stamp now,
                                                const Settled& settled) {
  Stamp &writer = *cell.writer(0), &reader = *cell.reader(0);
  Stamp &other_writer = *cell.other_writer(0), &other_reader = *cell.other_reader(0);
  if ((now & kStrong) != 0) {
    return writes && reader < settled.floor && other_reader < settled.floor &&
           settled.insert(writer, other_writer, now);
  }
  if (yes(settled.foreign<false>(writer, now))) return false;
  if (!writes) {
    if (yes(settled.foreign<false>(reader, now))) return settled.insert(reader, other_reader, now);
    reader = now;
    return true;
  }
  if (yes(settled.foreign<false>(reader, now)) ||
      (writer >= settled.floor && other_writer >= settled.floor) ||
      (reader >= settled.floor && other_reader >= settled.floor))
    return false;
  writer = now;
  return true;
}

}  // namespace warpbook::device
