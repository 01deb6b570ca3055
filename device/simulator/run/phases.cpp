// Fragments that wait for the phase of an mbarrier (mbarrier.try_wait; PTX ISA 9.0, 9.7.13.15.16).
#include <bit>
#include <cstring>

#include <fmt/format.h>

#include "device/simulator/execute/async.hpp"
#include "device/simulator/run/block_runner.hpp"

namespace warpbook::device {
namespace {

/// Gives lanes of a fragment the result of try_wait.
void answer(const isa::Code& code, const Fragment& f, const BasicBlock& b, std::uint32_t lanes,
            bool complete, bool check) {
  const isa::AsyncDetail& d = code.asyncs[b.detail];
  if (d.d != kNone) {
    std::byte* row = f.frame->rows.get() + d.d;
    std::uint32_t p;
    std::memcpy(&p, row, sizeof p);
    p = complete ? p | lanes : p & ~lanes;
    std::memcpy(row, &p, sizeof p);
  }
  if (!check) return;
  for (const std::uint32_t at : code.dependences[b.first_instruction + b.instructions - 1].writes) {
    std::uint32_t undefined;
    std::memcpy(&undefined, f.frame->rows.get() + at, sizeof undefined);
    undefined &= ~lanes;
    std::memcpy(f.frame->rows.get() + at, &undefined, sizeof undefined);
  }
}

/// Lanes of the fragment whose phase is complete. The context is that of the fragment's warp.
std::uint32_t complete_lanes(Context& c, const isa::Code& code, const Fragment& f,
                             const BasicBlock& b) {
  const isa::AsyncDetail& d = code.asyncs[b.detail];
  const std::byte* rows = f.frame->rows.get();
  DecodedInstruction o;
  o.index = b.first_instruction + b.instructions - 1;
  std::uint32_t complete = 0;
  for (std::uint32_t m = f.mask; m != 0; m &= m - 1) {
    const int lane = std::countr_zero(m);
    const std::uint64_t address = address_in_lane(d.barrier, rows, lane);
    const SharedPlace place =
        shared_place(o, c, d.barrier, address, lane, AccessKind::atomic, 8, 8);
    if (place.block && place.block != c.block) {
      report_access(o, c, ErrorCode::mbarrier_remote, lane, Space::shared, AccessKind::atomic,
                    address, 8, 0);
    }
    // A phase that no thread can complete counts as complete, so that the finding is not hidden by a deadlock.
    if (place.block != c.block) {
      complete |= 1u << lane;
      continue;
    }
    std::uint64_t state = 0;
    if (d.parity)
      std::memcpy(&state, rows + d.state + 4 * lane, 4);
    else
      std::memcpy(&state, rows + d.state + 8 * lane, 8);
    const Actor who{o.index, c.block_index, c.thread_of(lane)};
    if (!phase_complete(c, *c.block, place.offset, state, d.parity, who)) continue;
    complete |= 1u << lane;
    if (!c.race) continue;
    c.race->touch_mbarrier(o.index, c, *c.block, place.offset, lane, false);
    if (!d.relaxed) c.race->acquire_phase(place.offset, static_cast<std::uint32_t>(lane));
  }
  return complete;
}

}  // namespace

/// Lanes whose phase is complete go on. The others wait until it is, or until the wait times out.
void BlockRunner::try_wait(WarpState& warp, Fragment& f, const BasicBlock& b) {
  const std::uint32_t complete = complete_lanes(context, code_, f, b);
  const std::uint32_t waiting = f.mask & ~complete;
  if (complete != 0) answer(code_, f, b, complete, true, context.check);
  if (waiting == 0) {
    f.block = b.next;
    return;
  }
  if (complete == 0) {
    f.waiting = Waiting::phase;
    return;
  }
  Fragment& rest = split(warp, f, waiting);
  rest.waiting = Waiting::phase;
  f.block = b.next;
}

/// An mbarrier of this block was signalled: fragments whose phase is now complete go on.
void BlockRunner::settle_phases(BlockState& block) {
  block.async->stirred = false;
  for (WarpState& warp : block.warps) {
    for (std::size_t k = 0; k < warp.fragments.size(); ++k) {
      if (warp.fragments[k].waiting != Waiting::phase) continue;
      enter(block, warp);
      const BasicBlock& b = code_.blocks[warp.fragments[k].block];
      const std::uint32_t complete = complete_lanes(context, code_, warp.fragments[k], b);
      if (complete == 0) continue;
      if (complete != warp.fragments[k].mask)
        split(warp, warp.fragments[k], warp.fragments[k].mask & ~complete);
      Fragment& f = warp.fragments[k];
      answer(code_, f, b, complete, true, context.check);
      f.waiting = Waiting::nothing;
      f.block = b.next;
    }
  }
}

/// All waits time out, and try_wait's result is false. True if any fragment waited.
bool BlockRunner::expire_waits(const std::vector<std::unique_ptr<BlockState>>& resident) {
  bool any = false;
  for (const auto& block : resident) {
    if (!block->async) continue;
    for (WarpState& warp : block->warps) {
      for (Fragment& f : warp.fragments) {
        if (f.waiting != Waiting::phase) continue;
        const BasicBlock& b = code_.blocks[f.block];
        answer(code_, f, b, f.mask, false, context.check);
        f.waiting = Waiting::nothing;
        f.block = b.next;
        any = true;
      }
    }
  }
  return any;
}

/// `who` waits, with what is missing at the mbarrier that the fragment waits for.
Message BlockRunner::waits_for_phase(Message who, const BlockState& block,
                                     const Fragment& f) const {
  const BasicBlock& b = code_.blocks[f.block];
  const std::uint64_t address = address_in_lane(code_.asyncs[b.detail].barrier, f.frame->rows.get(),
                                                std::countr_zero(f.mask));
  const std::uint64_t offset = address & 0xffffff;
  for (const Mbarrier& m : block.async->mbarriers) {
    if (m.offset != offset) continue;
    const SourcePlace place =
        isa::place_of(launch.module.parsed(), *code_.instructions[m.initialised].source);
    return {m.transactions == 0 ? "phrase.who.phase" : "phrase.who.phase-bytes",
            {{"who", std::move(who)},
             {"phase", m.phase},
             {"offset", m.offset},
             {"first", place.line},
             {"missing", m.pending},
             {"arrivals", m.expected},
             {"bytes", m.transactions}},
            {}};
  }
  return who;
}

}  // namespace warpbook::device
