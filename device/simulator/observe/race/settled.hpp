// racecheck: most accesses are settled by comparing stamps, before anyone asks who happened before whom.
#pragma once

#include <cstdint>

#include "device/simulator/observe/race/cells.hpp"

namespace warpbook::device {

/// All ones or zero, as wide as a stamp, so that rows of answers stay in vectors.
using StampMask = std::int64_t;

[[gnu::always_inline]] inline StampMask at_least(Stamp s, Stamp floor) {
  return static_cast<std::int64_t>(s) >= static_cast<std::int64_t>(floor) ? -1 : 0;
}

/// Whether a plain access must mind it: not from before `floor`, and no plain one of the same thread in the same segment.
[[gnu::always_inline]] inline StampMask foreign(Stamp s, Stamp own, Stamp floor) {
  const Stamp differs = (s ^ own) >> kLaneShift | (s & kStrong);
  return at_least(s, floor) & (differs != 0 ? -1 : 0);
}

/// What a running warp knows of stamps before it looks at any: enough for most accesses.
struct Settled {
  // Threads that come before those of the warp and are apart from them: in shared memory lower warps, in global memory
  // blocks that began earlier. Nothing is known of an order between them and now.
  Stamp floor, below, field;  ///< floor <= s, and s & field < below
  Stamp above = 0;  ///< s & field >= above: higher warps, in shared memory; 0: not told apart
  /// s >= beside: the running block's own since its last barrier, in global memory; 0: not told apart.
  Stamp beside = 0;
  /// Flags have ordered something, or other blocks come to the same memory: all must be looked at.
  bool never = false;

  /// Whether two stamps of readers, far apart, say more than any that the warp could bring.
  [[nodiscard, gnu::always_inline]] StampMask holds_both(Stamp first, Stamp other) const {
    const Stamp unlike = (first | other) & (kStrong | kCopy);
    return at_least(first, floor) & at_least(other, floor) & ~at_least(first & field, below) &
           ~at_least(other & field, below) & ((unlike | (~other & kApart)) == 0 ? -1 : 0);
  }

  /// RaceChecker::insert where comparing stamps will do; false, and nothing done, where it will not.
  [[nodiscard, gnu::always_inline]] bool insert(Stamp& first, Stamp& other, Stamp now) const {
    if (never || first < floor || !alike(first, now)) return false;
    const bool open = other < floor, apart = !open && (other & kApart) != 0;
    if (lower_lane(first, now)) {
      if (open) other = now;
      return open || apart || (alike(other, now) && lower_lane(other, now));
    }
    if ((first & field) < below) {
      if (apart && !alike(other, now)) return false;
      if (apart && ((other & field) < below || lower_lane(other, now))) return true;
      if (apart && !is_above(other)) return false;
      other = now | kApart;
      return true;
    }
    if (is_above(first)) {
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
  [[nodiscard, gnu::always_inline]] bool is_above(Stamp s) const {
    return above != 0 && (s & field) >= above;
  }
  [[nodiscard, gnu::always_inline]] static bool alike(Stamp s, Stamp now) {
    return ((s ^ now) & (kStrong | kCopy)) == 0;
  }
  /// A lane of the same warp that no sync of it parts from `now`.
  [[nodiscard, gnu::always_inline]] static bool lower_lane(Stamp s, Stamp now) {
    return s >> kWarpShift == now >> kWarpShift && s >> kLaneShift < now >> kLaneShift;
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
  if (foreign(writer, now, settled.floor)) return false;
  if (!writes) {
    if (foreign(reader, now, settled.floor)) return settled.insert(reader, other_reader, now);
    reader = now;
    return true;
  }
  if (foreign(reader, now, settled.floor) ||
      (writer >= settled.floor && other_writer >= settled.floor) ||
      (reader >= settled.floor && other_reader >= settled.floor))
    return false;
  writer = now;
  return true;
}

}  // namespace warpbook::device
