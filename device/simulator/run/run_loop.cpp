// The loop that runs warps: block of code after block of code, its operations, then its exit.
#include <algorithm>
#include <bit>
#include <cstring>
#include <optional>

#include "device/simulator/run/block_runner.hpp"

namespace warpbook::device {
namespace {

constexpr std::uint32_t kSpins =
    64;  ///< backward branches after reads of shared state, until others go first
constexpr std::uint32_t kTurn = 1024;  ///< blocks of code that the others then have
constexpr std::uint32_t kIdleRounds =
    20'000;  ///< rounds over all resident blocks without any change: nobody will come
constexpr std::size_t kGrowth =
    4;  ///< all blocks get a turn each time that so large a part of them is new

constexpr std::uint32_t kTimeouts =
    1000;  ///< of mbarrier.try_wait while nothing else happens: nobody will come
constexpr std::uint32_t kPatience = 64;  ///< rounds until mbarrier.try_wait has waited long enough

std::uint32_t predicate_at(const CallFrame& frame, std::uint32_t row, bool negated) {
  std::uint32_t p;
  std::memcpy(&p, frame.rows.get() + row, sizeof p);
  return negated ? ~p : p;
}

}  // namespace

/// For --seed: whether another warp goes on from here. That is no sign of waiting.
bool BlockRunner::preempt_randomly() {
  if ((random_() & 31) != 0) return false;
  ++context.clock_reads;
  return true;
}

template <class Policy>
void BlockRunner::execute(const BasicBlock& b, Fragment& f) {
  Context& c = context;
  c.mask = f.mask;
  c.clock = executed_;
  c.tainted = f.frame->tainted;
  const DecodedInstruction* op = b.first;
  const DecodedInstruction* const end = op + b.operations;
  if (f.mask == c.frame_lanes) {
    for (; op != end; ++op) {
      if constexpr (Policy::kCheck) {
        if (c.tainted) undefined_.foresee(*op);
      }
      op->full(*op, c);
      if constexpr (Policy::kCheck) {
        if (c.tainted) undefined_.propagate(*op);
      }
    }
  } else {
    for (; op != end; ++op) {
      if constexpr (Policy::kCheck) {
        if (c.tainted) undefined_.foresee(*op);
      }
      op->masked(*op, c);
      if constexpr (Policy::kCheck) {
        if (c.tainted) undefined_.propagate(*op);
      }
    }
  }
}

template <class Policy>
BlockRunner::WarpStop BlockRunner::run_warp(BlockState& block, WarpState& warp) {
  if (!warp.started) begin_warp(block, warp);
  enter(block, warp);
  if (warp.fragments.size() > 1) merge(warp);
  Fragment* f = Policy::kPermute ? choose_any(warp) : choose(warp);
  if (!f) return warp.live == 0 ? WarpStop::done : WarpStop::waiting;
  set_frame(*f);
  for (;;) {
    const BasicBlock& b = code_.blocks[f->block];
    if constexpr (Policy::kPermute) {
      if (std::has_single_bit(f->mask) == false && (random_() & 15) == 0) {
        // Lanes may run apart wherever they please, but for what waits for them.
        const std::uint32_t lanes = f->mask & static_cast<std::uint32_t>(random_());
        if (lanes != 0 && lanes != f->mask) split(warp, *f, lanes);
      }
    }
    BlockTally& tally = observer.blocks[f->block];
    const auto lanes = static_cast<std::uint32_t>(std::popcount(f->mask));
    ++tally.executions;
    tally.lanes += lanes;
    executed_ += std::uint64_t{lanes} * b.instructions;
    warp.issued += b.instructions;
    warp.count(f->mask, b.unguarded);
    if (executed_ >= next_check_ && check_budgets(&b)) return WarpStop::stopped;
    execute<Policy>(b, *f);
    if constexpr (Policy::kCheck) {
      f->frame->tainted = context.tainted;
      if (context.tainted) undefined_.decide_exit(b, f->mask);
    }

    // The guard of the exit: lanes for which it does not hold go on to the next block.
    bool again = warp.fragments.size() > 1;
    if (b.guard != kNone) {
      const std::uint32_t taken = f->mask & predicate_at(*f->frame, b.guard, b.guard_negated);
      if (b.exit == Exit::branch) {
        ++tally.branches;
        tally.divergent += taken != 0 && taken != f->mask;
      }
      if (taken != 0) {
        const std::uint32_t last = b.first_instruction + b.instructions - 1;
        observer.guard_lanes[last] += static_cast<std::uint32_t>(std::popcount(taken));
        warp.count(taken, 1);
      }
      if (taken == 0) {
        f->block = b.next;
        if (again) goto reschedule;
        continue;
      }
      if (taken != f->mask) {
        Fragment& rest = split(warp, *f, f->mask & ~taken);
        rest.block = b.next;
        again = true;
      }
    }

    switch (b.exit) {
      case Exit::fall: f->block = b.next; break;
      case Exit::branch: {
        f->block = b.target;
        if (code_.blocks[b.target].rank <= b.rank && context.sync_read) {
          context.sync_read = false;
          if (++f->spins < kSpins) break;
          f->spins = 0;
          bool others = false;
          for (Fragment& other : warp.fragments)
            others |= &other != f && other.waiting == Waiting::nothing && !other.deferred;
          if (!others) {
            for (Fragment& all : warp.fragments) all.deferred = false;
            return WarpStop::yielded;
          }
          f->deferred = true;
          warp.turn = kTurn;
        }
        break;
      }
      case Exit::branch_table:
        branch_table(warp, *f, b);
        again = true;
        break;
      case Exit::call:
        if (!call(warp, *f, b)) return WarpStop::stopped;
        again = true;
        break;
      case Exit::ret:
        return_from(warp, *f);
        again = true;
        break;
      case Exit::exit:
        exit_lanes(block, warp, *f);
        again = true;
        break;
      case Exit::trap: {
        const std::uint32_t thread = thread_of(std::countr_zero(f->mask));
        stop(at(ErrorCode::trap,
                {{"thread", std::to_string(thread)}, {"block", std::to_string(block.index)}}, b));
        return WarpStop::stopped;
      }
      case Exit::barrier:
        arrive(block, warp, *f, b);
        again = true;
        break;
      case Exit::warp_sync:
        if (!sync(warp, *f, b)) return WarpStop::stopped;
        again = warp.fragments.size() > 1;
        break;
      case Exit::try_wait:
        try_wait(warp, *f, b);
        again = true;
        break;
      case Exit::cluster_barrier:
        if (!cluster_barrier(block, warp, *f, b)) return WarpStop::stopped;
        again = true;
        break;
      case Exit::sleep:
        f->block = b.next;
        if (warp.fragments.size() == 1) return WarpStop::yielded;
        f->deferred = true;
        warp.turn = kTurn;
        break;
    }
    if (!again) {
      if constexpr (Policy::kPermute) {
        if (preempt_randomly()) return WarpStop::yielded;
      }
      continue;
    }

  reschedule:
    if (warp.turn != 0) {
      --warp.turn;
      if (warp.turn == 0) {
        for (Fragment& all : warp.fragments) all.deferred = false;
      }
    }
    if (warp.fragments.size() > 1 && (!Policy::kPermute || (random_() & 3) == 0)) merge(warp);
    const std::uint64_t deferred_before = warp.turn;
    f = Policy::kPermute ? choose_any(warp) : choose(warp);
    if (!f) return warp.live == 0 ? WarpStop::done : WarpStop::waiting;
    // All that could run have been spinning: let other warps go first.
    if (deferred_before != 0 && warp.turn == 0) return WarpStop::yielded;
    set_frame(*f);
    if constexpr (Policy::kPermute) {
      if (preempt_randomly()) return WarpStop::yielded;
    }
  }
}

template <class Policy>
BlockRunner::BlockStop BlockRunner::run_block(BlockState& block) {
  bool yielded = false;
  for (;;) {
    bool moved = false;
    yielded = false;
    context.wrote_global = false;
    const auto count = static_cast<std::uint32_t>(block.warps.size());
    const std::uint32_t first =
        Policy::kPermute ? static_cast<std::uint32_t>(random_() % count) : 0;
    for (std::uint32_t k = 0; k < count; ++k) {
      WarpState& warp = block.warps[(first + k) % count];
      if (warp.live == 0) continue;
      if (block.async && block.async->stirred) settle_phases(block);
      const std::uint64_t before = warp.issued;
      const WarpStop stopped = run_warp<Policy>(block, warp);
      if (stopped == WarpStop::stopped) return BlockStop::stopped;
      moved |= warp.issued != before;
      yielded |= stopped == WarpStop::yielded;
    }
    block.wrote_global |= context.wrote_global;
    if (block.live_warps == 0) return BlockStop::done;
    if (yielded) return check_budgets() ? BlockStop::stopped : BlockStop::yielded;
    if (!moved)
      return BlockStop::yielded;  // everybody waits; the caller finds that nobody can come
  }
}

template <class Policy>
void BlockRunner::run_blocks() {
  std::vector<std::unique_ptr<BlockState>> resident;
  std::uint64_t limit =
      launch.request.resident_blocks == 0 ? launch.blocks : launch.request.resident_blocks;
  // Blocks that wait keep their memory: no more of them at a time than the budget has room for.
  if (const std::uint64_t most = launch.request.budget.memory_bytes; most != 0)
    limit = std::min(limit, most / block_bytes());
  std::uint32_t idle = 0, rounds = 0;
  std::size_t fresh = 0;  // blocks that became resident since all had a turn
  std::optional<std::uint64_t> stood;
  // Nothing random, nothing under way elsewhere: the next round follows from memory and from what progress_digest() digests.
  const bool exact = !Policy::kPermute && !code_.uses_async && launch.runners == 1;
  bool expired = false;
  for (;;) {
    const bool started = take_unit(resident, limit);
    if (resident.empty()) return;
    fresh += started;
    // The newest block goes first: the others have yielded already and get their turn after it. Where thousands wait, not
    // each newcomer costs a turn of all.
    const bool all = !started || fresh * kGrowth >= resident.size();
    if (all) fresh = 0;
    const std::uint64_t changes = context.changes, clock_reads = context.clock_reads;
    std::uint64_t issued = 0;
    bool ended = false;
    for (std::size_t k = resident.size(); k-- > 0;) {
      if (resident[k]->live_warps == 0) continue;  // its memory stays for its cluster
      for (const WarpState& w : resident[k]->warps) issued -= w.issued;
      const BlockStop stopped = run_block<Policy>(*resident[k]);
      if (stopped == BlockStop::stopped) return;
      for (const WarpState& w : resident[k]->warps) issued += w.issued;
      if (stopped == BlockStop::done) {
        retire(resident, k);
        ended = true;
        break;
      }
      if (!all) break;
    }
    if (ended || started || context.changes != changes) {
      idle = 0;
      stood.reset();
      expired = code_.uses_async && ++rounds % kPatience == 0 && expire_waits(resident);
      continue;
    }
    // Nobody moved at all, or everybody has been spinning on memory that nobody changes. A wait for an mbarrier ends
    // after a while: what comes after it may be what the others wait for.
    // Whoever looks at a clock may be waiting for time to pass; but those that wait for an mbarrier look at it too.
    const bool timed = context.clock_reads != clock_reads;
    idle += timed ? expired : expired ? kIdleRounds / kTimeouts : 1;
    bool lost = idle >= kIdleRounds;
    if (exact && !timed) {
      // After 1, 2, 4, ... such rounds, and after one more: what stands as it stood stands so for ever.
      if (stood && std::has_single_bit(idle - 1)) lost |= *stood == progress_digest(resident);
      stood.reset();
      if (std::has_single_bit(idle)) stood = progress_digest(resident);
    } else {
      stood.reset();
    }
    expired = !lost && code_.uses_async && expire_waits(resident);
    if (lost || (issued == 0 && !expired)) {
      report_deadlock(resident);
      return;
    }
  }
}

void BlockRunner::run() {
  if (launch.request.seed != 0)
    run_blocks<PermutePolicy>();
  else if (launch.request.observe.initcheck)
    run_blocks<CheckPolicy>();
  else
    run_blocks<CountPolicy>();
  if (race) race->end_launch();
  launch.executed.fetch_add(executed_ - reported_);
  reported_ = executed_;
}

}  // namespace warpbook::device
