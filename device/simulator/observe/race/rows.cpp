#include "device/simulator/observe/race/rows.hpp"

namespace warpbook::device {
namespace {

/// Whether reading any of the granules would change nothing, whoever of the warp does.
[[gnu::always_inline]] inline bool all_settled(const Cells& cells, std::size_t count,
                                               const Settled& settled) {
  const Stamp *writer = cells.writer(0), *reader = cells.reader(0), *other = cells.other_reader(0);
  const auto open = [&](std::size_t i) {
    return at_least(writer[i], settled.floor) | ~settled.holds_both(reader[i], other[i]);
  };
  if (open(0)) return false;
  StampMask any = 0;
  for (std::size_t i = 0; i < count; ++i) any |= open(i);
  return any == 0;
}

/// K granules a lane, the first at `cells`. Plain loops over contiguous stamps, which the compiler turns into vectors.
template <int K>
[[gnu::always_inline]] inline RaceRow read_row(const Cells& cells, const Stamp* own,
                                               Stamp instruction, const Settled& settled) {
  if (all_settled(cells, kLanes * K, settled)) return RaceRow::done;
  const Stamp floor = settled.floor;
  const Stamp* writer = cells.writer(0);
  Stamp* reader = cells.reader(0);
  StampMask open = 0;
  for (int i = 0; i < kLanes * K; ++i)
    open |= foreign(writer[i], own[i / K], floor) | foreign(reader[i], own[i / K], floor);
  if (open) return RaceRow::look;
  for (int i = 0; i < kLanes * K; ++i) reader[i] = own[i / K] | instruction;
  return RaceRow::done;
}

template <int K>
[[gnu::always_inline]] inline RaceRow write_row(const Cells& cells, const Stamp* own,
                                                Stamp instruction, Stamp floor) {
  Stamp* writer = cells.writer(0);
  const Stamp* reader = cells.reader(0);
  StampMask strange = 0, taken = 0;
  for (int i = 0; i < kLanes * K; ++i) {
    strange |= foreign(writer[i], own[i / K], floor) | foreign(reader[i], own[i / K], floor);
    taken |= at_least(writer[i], floor) | at_least(reader[i], floor);
  }
  if (strange) return RaceRow::look;
  if (taken) {
    // One's own stamp may have another thread's behind it.
    const Stamp *other_writer = cells.other_writer(0), *other_reader = cells.other_reader(0);
    StampMask others = 0;
    for (int i = 0; i < kLanes * K; ++i)
      others |= at_least(other_writer[i], floor) | at_least(other_reader[i], floor);
    if (others) return RaceRow::look;
  }
  for (int i = 0; i < kLanes * K; ++i) writer[i] = own[i / K] | instruction;
  return RaceRow::done;
}

[[gnu::always_inline]] inline RaceRow any_row(std::uint32_t granules, bool writes,
                                              const Cells& cells, const Stamp* own,
                                              Stamp instruction, const Settled& settled) {
  switch (granules) {
    case 1:
      return writes ? write_row<1>(cells, own, instruction, settled.floor)
                    : read_row<1>(cells, own, instruction, settled);
    case 2:
      return writes ? write_row<2>(cells, own, instruction, settled.floor)
                    : read_row<2>(cells, own, instruction, settled);
    case 4:
      return writes ? write_row<4>(cells, own, instruction, settled.floor)
                    : read_row<4>(cells, own, instruction, settled);
    default: return RaceRow::look;
  }
}

RaceRow row_sse2(std::uint32_t granules, bool writes, const Cells& cells, const Stamp* own,
                 Stamp instruction, const Settled& settled) {
  return any_row(granules, writes, cells, own, instruction, settled);
}
bool settled_sse2(const Cells& cells, std::size_t count, const Settled& settled) {
  return all_settled(cells, count, settled);
}

[[gnu::target("avx2")]] RaceRow row_avx2(std::uint32_t granules, bool writes, const Cells& cells,
                                         const Stamp* own, Stamp instruction,
                                         const Settled& settled) {
  return any_row(granules, writes, cells, own, instruction, settled);
}
[[gnu::target("avx2")]] bool settled_avx2(const Cells& cells, std::size_t count,
                                          const Settled& settled) {
  return all_settled(cells, count, settled);
}

}  // namespace

const RaceLoops& race_loops() {
  static const RaceLoops best = __builtin_cpu_supports("avx2") ? RaceLoops{row_avx2, settled_avx2}
                                                               : RaceLoops{row_sse2, settled_sse2};
  return best;
}

}  // namespace warpbook::device
