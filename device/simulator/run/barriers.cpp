// Barriers of a block (PTX ISA 9.0, 9.7.13.1). They count warps x 32. A warp has arrived when all of its lanes that have not
// exited are at the barrier, wherever in the code that is.
#include <algorithm>
#include <bit>
#include <cstring>

#include "device/simulator/estimate/traffic.hpp"
#include "device/simulator/run/block_runner.hpp"

namespace warpbook::device {
namespace {

std::uint32_t word_at(const CallFrame& frame, std::uint32_t row, int lane) {
  std::uint32_t v;
  std::memcpy(&v, frame.rows.get() + row + 4 * lane, sizeof v);
  return v;
}

}  // namespace

void BlockRunner::arrive(BlockState& block, WarpState& warp, Fragment& f, const BasicBlock& b) {
  const isa::BarrierDetail& d = code_.barriers[b.detail];
  const int first = std::countr_zero(f.mask);
  const std::uint32_t id = word_at(*f.frame, d.id_row, first) & 15;
  const std::uint32_t count = d.count_row == kNone ? 0 : word_at(*f.frame, d.count_row, first);
  // Lanes that name another barrier become a fragment of their own, which arrives there.
  std::uint32_t same = 0;
  for (std::uint32_t m = f.mask; m != 0; m &= m - 1) {
    const int lane = std::countr_zero(m);
    if ((word_at(*f.frame, d.id_row, lane) & 15) == id) same |= 1u << lane;
  }
  if (same != f.mask) arrive(block, warp, split(warp, f, f.mask & ~same), b);
  BarrierState& state = block.barriers[id];
  check_count(warp, f, b, id, count, state);
  if (state.first == kNone) {
    state.first = f.block;
    state.named = count;
  }
  if (count != 0) state.expected = count;
  if (d.kind == isa::BarrierKind::arrive) {
    warp.arrived[id] |= f.mask;
    f.block = b.next;
    if ((warp.arrived[id] & warp.live) == warp.live) {
      warp.arrived[id] = 0;
      state.arrived += kLanes;
      if (race) race->arrive(warp, id);
      complete(block, id);
    }
    return;
  }
  ++warp.barriers;
  f.waiting = Waiting::barrier;
  f.counted = false;
  f.barrier = id;
  f.barrier_count = count;
  f.votes = 0;
  if (d.kind == isa::BarrierKind::reduce) {
    std::uint32_t p;
    std::memcpy(&p, f.frame->rows.get() + d.predicate, sizeof p);
    f.votes = (d.negated ? ~p : p) & f.mask;
  }
  settle_barriers(block, warp);
}

/// Counts a warp at each barrier that all of its lanes have reached.
void BlockRunner::settle_barriers(BlockState& block, WarpState& warp) {
  if (warp.live == 0 || code_.barriers.empty()) return;
  std::uint32_t at[16] = {};
  for (const Fragment& f : warp.fragments) {
    if (f.waiting == Waiting::barrier && !f.counted) at[f.barrier] |= f.mask;
  }
  for (std::uint32_t id = 0; id < 16; ++id) {
    if (at[id] == 0 || at[id] != warp.live) continue;
    check_places(warp, id);
    BarrierState& state = block.barriers[id];
    state.arrived += kLanes;
    for (Fragment& f : warp.fragments) {
      if (f.waiting != Waiting::barrier || f.barrier != id) continue;
      f.counted = true;
      state.popc += static_cast<std::uint32_t>(std::popcount(f.votes));
      state.all = state.all && f.votes == f.mask;
      state.any = state.any || f.votes != 0;
    }
    complete(block, id);
  }
}

/// Opens a barrier that all expected threads have reached.
void BlockRunner::complete(BlockState& block, std::uint32_t id) {
  BarrierState& state = block.barriers[id];
  if (state.arrived == 0) return;
  const std::uint32_t expected = state.expected != 0
                                     ? (state.expected + kLanes - 1) / kLanes * kLanes
                                     : block.live_warps * kLanes;
  if (state.arrived < expected) return;
  check_whole(block, id);
  // A warp that names a count may go on while others, which do not take part, are still on their way.
  if (observer.sampling && state.expected == 0) {
    IntervalSampler& intervals = observer.traffic->intervals();
    intervals.executed(block.index, context.warp_index, observer.blocks);
    intervals.end_interval(block.index, state.first);
  }
  if (race) {
    std::uint32_t waiting = 0;
    for (const WarpState& warp : block.warps) {
      for (const Fragment& f : warp.fragments) {
        if (f.waiting == Waiting::barrier && f.barrier == id && f.counted)
          waiting |= 1u << warp.index;
      }
    }
    // Exited warps count as arrived where no thread named a count. Where one did, a warp that arrived without waiting may
    // have exited since, and its accesses in between are unordered.
    const auto waits = static_cast<std::uint32_t>(std::popcount(waiting));
    if (waits == launch.facts.warps || (state.expected == 0 && waits == block.live_warps))
      race->barrier_of_block(id);
    else
      race->barrier_of_warps(id, waiting);
  }
  for (WarpState& warp : block.warps) {
    for (Fragment& f : warp.fragments) {
      if (f.waiting != Waiting::barrier || f.barrier != id || !f.counted) continue;
      const BasicBlock& b = code_.blocks[f.block];
      const isa::BarrierDetail& d = code_.barriers[b.detail];
      if (d.kind == isa::BarrierKind::reduce) {
        std::byte* row = f.frame->rows.get() + d.d;
        if (d.reduction == isa::Reduction::popc) {
          for (std::uint32_t m = f.mask; m != 0; m &= m - 1)
            std::memcpy(row + 4 * std::countr_zero(m), &state.popc, 4);
        } else {
          const bool result = d.reduction == isa::Reduction::and_ ? state.all : state.any;
          std::uint32_t p;
          std::memcpy(&p, row, sizeof p);
          p = result ? p | f.mask : p & ~f.mask;
          std::memcpy(row, &p, sizeof p);
        }
      }
      f.waiting = Waiting::nothing;
      f.counted = false;
      f.block = b.next;
    }
  }
  state = {};
  ++block.barriers_passed;
}

Error BlockRunner::at(ErrorCode code, MessageArguments arguments, const BasicBlock& b) const {
  Error error{code, std::move(arguments), {}};
  if (b.instructions != 0) {
    error.place =
        isa::place_of(launch.module.parsed(),
                      *code_.instructions[b.first_instruction + b.instructions - 1].source);
  }
  return error;
}

}  // namespace warpbook::device
