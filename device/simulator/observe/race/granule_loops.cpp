#include "device/simulator/observe/race/granule_loops.hpp"

namespace warpbook::device {
namespace {

[[gnu::always_inline]] inline bool all_held(const Cells& cells, std::size_t count,
                                            const Settled& settled) {
  const Stamp *writer = cells.writer(0), *reader = cells.reader(0), *other = cells.other_reader(0);
  const auto open = [&](std::size_t i) {
    return at_least(writer[i], settled.floor) | ~settled.holds_both(reader[i], other[i]);
  };
  if (yes(open(0))) return false;
  StampAnswer any = 0;
  for (std::size_t i = 0; i < count; ++i) any |= open(i);
  return !yes(any);
}

[[gnu::always_inline]] inline bool all_taken(const RaceGranules& g, const Settled& settled) {
  const Stamp *writer = g.cells.writer(0), *own = g.own;
  Stamp* reader = g.cells.reader(0);
  const auto strange = [&](std::size_t i) {
    return settled.foreign<false>(writer[i], own[i]) | settled.foreign<false>(reader[i], own[i]);
  };
  if (yes(strange(0))) return false;
  StampAnswer any = 0;
  for (std::size_t i = 0; i < g.count; ++i) any |= strange(i);
  if (yes(any)) return false;
  for (std::size_t i = 0; i < g.count; ++i) reader[i] = own[i] | g.instruction;
  return true;
}

template <bool Past, bool Pairs>
[[gnu::always_inline]] inline bool read_any(const RaceGranules& g, const Settled& settled) {
  const Stamp* writer = g.cells.writer(0);
  Stamp *reader = g.cells.reader(0), *other = g.cells.other_reader(0);
  const Stamp *own = g.own, *also = g.also;
  const auto takes = [&](std::size_t i) {
    const StampAnswer taken = ~settled.foreign<Past>(reader[i], own[i]);
    return Pairs ? taken & ~settled.foreign<Past>(other[i], also[i]) : taken;
  };
  const auto joins = [&](std::size_t i) {
    return settled.is_below(reader[i]) &
           (~settled.minded<Past>(other[i]) | ~is_apart(other[i]) | settled.is_above(other[i]) |
            ~settled.foreign<Past>(other[i], own[i]));
  };
  const auto leads = [&](std::size_t i) { return settled.is_above(reader[i]); };
  StampAnswer strange = 0, past = 0;
  for (std::size_t i = 0; i < g.count; ++i) {
    if (Past) past |= settled.past(writer[i]);
    strange |= settled.foreign<Past>(writer[i], own[i]) |
               ~(takes(i) | joins(i) | leads(i) | settled.holds_both(reader[i], other[i]));
    if (Pairs) strange |= settled.foreign<Past>(writer[i], also[i]);
  }
  if (yes(past)) {
    // What is over may have something behind it that is not: an atomic operation since, or what another block wrote.
    const Stamp* other_writer = g.cells.other_writer(0);
    for (std::size_t i = 0; i < g.count; ++i) strange |= settled.minded<true>(other_writer[i]);
  }
  if (yes(strange)) return false;
  for (std::size_t i = 0; i < g.count; ++i) {
    const Stamp take = stamp_mask(takes(i)), join = stamp_mask(joins(i)),
                lead = stamp_mask(leads(i));
    const Stamp now = own[i] | g.instruction;
    const Stamp old = stamp_mask(settled.minded<Past>(other[i])) & other[i];
    const Stamp beside = Pairs ? also[i] | g.instruction : old;
    other[i] = (take & beside) | (join & (now | kApart)) | (lead & (reader[i] | kApart)) |
               (~(take | join | lead) & other[i]);
    reader[i] = ((take | lead) & now) | (~(take | lead) & reader[i]);
  }
  return true;
}

template <bool Past>
[[gnu::always_inline]] inline bool read(const RaceGranules& g, const Settled& settled) {
  return g.also ? read_any<Past, true>(g, settled) : read_any<Past, false>(g, settled);
}

template <bool Past>
[[gnu::always_inline]] inline bool write(const RaceGranules& g, const Settled& settled) {
  Stamp* writer = g.cells.writer(0);
  const Stamp *reader = g.cells.reader(0), *own = g.own;
  StampAnswer strange = 0, taken = 0;
  for (std::size_t i = 0; i < g.count; ++i) {
    strange |= settled.foreign<Past>(writer[i], own[i]) | settled.foreign<Past>(reader[i], own[i]);
    taken |= at_least(writer[i], settled.floor) | at_least(reader[i], settled.floor);
  }
  if (yes(strange)) return false;
  if (yes(taken)) {
    // One's own stamp may have another thread's behind it.
    Stamp* other_writer = g.cells.other_writer(0);
    const Stamp* other_reader = g.cells.other_reader(0);
    StampAnswer others = 0;
    for (std::size_t i = 0; i < g.count; ++i) {
      others |= settled.minded<Past>(other_writer[i]) | settled.minded<Past>(other_reader[i]);
    }
    if (yes(others)) return false;
    if (Past) {
      for (std::size_t i = 0; i < g.count; ++i) other_writer[i] = 0;
    }
  }
  for (std::size_t i = 0; i < g.count; ++i) writer[i] = own[i] | g.instruction;
  return true;
}

bool held_sse2(const Cells& cells, std::size_t count, const Settled& settled) {
  return all_held(cells, count, settled);
}
bool take_sse2(const RaceGranules& g, const Settled& settled) { return all_taken(g, settled); }
bool read_sse2(const RaceGranules& g, const Settled& settled) {
  return settled.has_past() ? read<true>(g, settled) : read<false>(g, settled);
}
bool write_sse2(const RaceGranules& g, const Settled& settled) {
  return settled.has_past() ? write<true>(g, settled) : write<false>(g, settled);
}

[[gnu::target("avx2")]] bool held_avx2(const Cells& cells, std::size_t count,
                                       const Settled& settled) {
  return all_held(cells, count, settled);
}
[[gnu::target("avx2")]] bool take_avx2(const RaceGranules& g, const Settled& settled) {
  return all_taken(g, settled);
}
[[gnu::target("avx2")]] bool read_avx2(const RaceGranules& g, const Settled& settled) {
  return settled.has_past() ? read<true>(g, settled) : read<false>(g, settled);
}
[[gnu::target("avx2")]] bool write_avx2(const RaceGranules& g, const Settled& settled) {
  return settled.has_past() ? write<true>(g, settled) : write<false>(g, settled);
}

}  // namespace

const RaceLoops& race_loops() {
  static const RaceLoops best = __builtin_cpu_supports("avx2")
                                    ? RaceLoops{held_avx2, take_avx2, read_avx2, write_avx2}
                                    : RaceLoops{held_sse2, take_sse2, read_sse2, write_sse2};
  return best;
}

}  // namespace warpbook::device
