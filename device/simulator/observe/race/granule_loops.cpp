#include "device/simulator/observe/race/granule_loops.hpp"

namespace warpbook::device {
namespace {

// Each loop first asks whether some granule needs the slow path, and changes stamps only where none does. The questions are SignMasks
// without branches, so that both loops stay vector instructions. Where most calls fail, they fail at the first granule; the
// loops without a second reader test that one before all others.

[[gnu::always_inline]] inline bool all_final(const ShadowCells& cells, std::size_t count,
                                             const StampBounds& bounds) {
  const Stamp *writer = cells.writer(0), *reader = cells.reader(0), *other = cells.other_reader(0);
  const auto not_final = [&](std::size_t i) {
    return at_least(writer[i], bounds.floor) | ~bounds.pair_is_final(reader[i], other[i]);
  };
  if (is_true(not_final(0))) return false;
  SignMask any = 0;
  for (std::size_t i = 0; i < count; ++i) any |= not_final(i);
  return !is_true(any);
}

[[gnu::always_inline]] inline bool all_own(const GranuleAccesses& g, const StampBounds& bounds) {
  const Stamp *writer = g.cells.writer(0), *thread = g.threads;
  Stamp* reader = g.cells.reader(0);
  const auto needs_slow_path = [&](std::size_t i) {
    return bounds.may_conflict_with<false>(writer[i], thread[i]) |
           bounds.may_conflict_with<false>(reader[i], thread[i]);
  };
  if (is_true(needs_slow_path(0))) return false;
  SignMask any = 0;
  for (std::size_t i = 0; i < g.count; ++i) any |= needs_slow_path(i);
  if (is_true(any)) return false;
  for (std::size_t i = 0; i < g.count; ++i) reader[i] = thread[i] | g.instruction;
  return true;
}

/// Past: bounds.has_past(). Pairs: there are second readers.
///
/// The cases are those of StampBounds::insert for a pair of readers. They decide by themselves, because SignMasks have no "else":
///   replaces  the present pair cannot race with a plain access of these threads: they take its place
///   joins     the first reader is lower: the thread becomes the distant second one
///   leads     the first reader is higher: the thread becomes the first one, and the old first one the distant second one
///   none of them, and the pair is final: nothing changes
template <bool Past, bool Pairs>
[[gnu::always_inline]] inline bool read_any(const GranuleAccesses& g, const StampBounds& bounds) {
  const Stamp* writer = g.cells.writer(0);
  Stamp *reader = g.cells.reader(0), *other = g.cells.other_reader(0);
  const Stamp *thread = g.threads, *second = g.second_readers;
  const auto replaces = [&](std::size_t i) {
    const SignMask first = ~bounds.may_conflict_with<Past>(reader[i], thread[i]);
    return Pairs ? first & ~bounds.may_conflict_with<Past>(other[i], second[i]) : first;
  };
  const auto joins = [&](std::size_t i) {
    return bounds.is_lower(reader[i]) &
           (~bounds.may_conflict<Past>(other[i]) | ~is_distant(other[i]) |
            bounds.is_higher(other[i]) | ~bounds.may_conflict_with<Past>(other[i], thread[i]));
  };
  const auto leads = [&](std::size_t i) { return bounds.is_higher(reader[i]); };
  SignMask needs_slow_path = 0, any_past = 0;
  for (std::size_t i = 0; i < g.count; ++i) {
    if (Past) any_past |= bounds.is_past(writer[i]);
    needs_slow_path |=
        bounds.may_conflict_with<Past>(writer[i], thread[i]) |
        ~(replaces(i) | joins(i) | leads(i) | bounds.pair_is_final(reader[i], other[i]));
    if (Pairs) needs_slow_path |= bounds.may_conflict_with<Past>(writer[i], second[i]);
  }
  if (is_true(any_past)) {
    // The first writer was before the last barrier, but the second one may have come since: an atomic operation, or another block.
    const Stamp* other_writer = g.cells.other_writer(0);
    for (std::size_t i = 0; i < g.count; ++i)
      needs_slow_path |= bounds.may_conflict<true>(other_writer[i]);
  }
  if (is_true(needs_slow_path)) return false;
  for (std::size_t i = 0; i < g.count; ++i) {
    const Stamp replace = all_ones_if(replaces(i)), join = all_ones_if(joins(i)),
                lead = all_ones_if(leads(i));
    const Stamp now = thread[i] | g.instruction;
    const Stamp old = all_ones_if(bounds.may_conflict<Past>(other[i])) & other[i];
    const Stamp new_second = Pairs ? second[i] | g.instruction : old;
    other[i] = (replace & new_second) | (join & (now | kDistant)) |
               (lead & (reader[i] | kDistant)) | (~(replace | join | lead) & other[i]);
    reader[i] = ((replace | lead) & now) | (~(replace | lead) & reader[i]);
  }
  return true;
}

template <bool Past>
[[gnu::always_inline]] inline bool read(const GranuleAccesses& g, const StampBounds& bounds) {
  return g.second_readers ? read_any<Past, true>(g, bounds) : read_any<Past, false>(g, bounds);
}

template <bool Past>
[[gnu::always_inline]] inline bool write(const GranuleAccesses& g, const StampBounds& bounds) {
  Stamp* writer = g.cells.writer(0);
  const Stamp *reader = g.cells.reader(0), *thread = g.threads;
  SignMask needs_slow_path = 0, accessed = 0;
  for (std::size_t i = 0; i < g.count; ++i) {
    needs_slow_path |= bounds.may_conflict_with<Past>(writer[i], thread[i]) |
                       bounds.may_conflict_with<Past>(reader[i], thread[i]);
    accessed |= at_least(writer[i], bounds.floor) | at_least(reader[i], bounds.floor);
  }
  if (is_true(needs_slow_path)) return false;
  if (is_true(accessed)) {
    // Each first stamp is of the writing thread itself or past; a second one may be of another thread.
    Stamp* other_writer = g.cells.other_writer(0);
    const Stamp* other_reader = g.cells.other_reader(0);
    SignMask second = 0;
    for (std::size_t i = 0; i < g.count; ++i) {
      second |=
          bounds.may_conflict<Past>(other_writer[i]) | bounds.may_conflict<Past>(other_reader[i]);
    }
    if (is_true(second)) return false;
    if (Past) {
      for (std::size_t i = 0; i < g.count; ++i) other_writer[i] = 0;
    }
  }
  for (std::size_t i = 0; i < g.count; ++i) writer[i] = thread[i] | g.instruction;
  return true;
}

bool reads_change_nothing_sse2(const ShadowCells& cells, std::size_t count,
                               const StampBounds& bounds) {
  return all_final(cells, count, bounds);
}
bool read_own_sse2(const GranuleAccesses& g, const StampBounds& bounds) {
  return all_own(g, bounds);
}
bool read_sse2(const GranuleAccesses& g, const StampBounds& bounds) {
  return bounds.has_past() ? read<true>(g, bounds) : read<false>(g, bounds);
}
bool write_sse2(const GranuleAccesses& g, const StampBounds& bounds) {
  return bounds.has_past() ? write<true>(g, bounds) : write<false>(g, bounds);
}

[[gnu::target("avx2")]] bool reads_change_nothing_avx2(const ShadowCells& cells, std::size_t count,
                                                       const StampBounds& bounds) {
  return all_final(cells, count, bounds);
}
[[gnu::target("avx2")]] bool read_own_avx2(const GranuleAccesses& g, const StampBounds& bounds) {
  return all_own(g, bounds);
}
[[gnu::target("avx2")]] bool read_avx2(const GranuleAccesses& g, const StampBounds& bounds) {
  return bounds.has_past() ? read<true>(g, bounds) : read<false>(g, bounds);
}
[[gnu::target("avx2")]] bool write_avx2(const GranuleAccesses& g, const StampBounds& bounds) {
  return bounds.has_past() ? write<true>(g, bounds) : write<false>(g, bounds);
}

}  // namespace

const GranuleLoops& granule_loops() {
  static const GranuleLoops best =
      __builtin_cpu_supports("avx2")
          ? GranuleLoops{reads_change_nothing_avx2, read_own_avx2, read_avx2, write_avx2}
          : GranuleLoops{reads_change_nothing_sse2, read_own_sse2, read_sse2, write_sse2};
  return best;
}

}  // namespace warpbook::device
