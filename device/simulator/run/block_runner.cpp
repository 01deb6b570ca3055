// Runs the blocks of a launch: round after round over the resident blocks, within a block warp after warp, and within a warp
// basic block after basic block.
//
// A warp's lanes may be at different places. Its lanes at one place in one call frame form a fragment. The fragment with the
// lowest rank runs first (isa/flow.hpp orders the ranks), so that lanes which diverged meet again as early as they can.
#include "device/simulator/run/block_runner.hpp"

#include <algorithm>
#include <bit>
#include <chrono>
#include <cstring>
#include <thread>

#include <fmt/format.h>

#include "device/sanitized.hpp"
#include "device/simulator/estimate/traffic.hpp"
#include "device/simulator/execute/async.hpp"
#include "device/simulator/state/texture_objects.hpp"

namespace warpbook::device {
namespace {

// A fragment that keeps branching backwards after reads of memory that other threads may change is probably waiting for
// them. After kSpins such branches it is deferred: the warp's other fragments go first for kTurn basic blocks.
constexpr std::uint32_t kSpins = 64;
constexpr std::uint32_t kTurn = 1024;

/// Rounds without any change after which the launch is declared deadlocked. A round in which mbarrier.try_wait timed out
/// counts for as many that kTimeouts such rounds suffice.
constexpr std::uint32_t kIdleRounds = 20'000;
constexpr std::uint32_t kTimeouts = 1000;
/// Between two looks at memory for which the host is waited.
constexpr std::chrono::microseconds kHostPatience{20};
/// mbarrier.try_wait times out every so many rounds while other blocks make progress.
constexpr std::uint32_t kPatience = 64;

/// With --seed: rounds without progress in random order, after which the order is random no more until there is some. Only rounds
/// in which everyone gets the same turns tell a wait that cannot end from one that was held up.
constexpr std::uint32_t kRandomRounds = 1000;

/// Newcomers run alone until they are one in kGrowth of the resident blocks; then all blocks get a turn.
constexpr std::size_t kGrowth = 4;

/// Thread instructions between checks of the budgets and of the stop token.
constexpr std::uint64_t kCheckEvery = 1u << 21;

std::uint32_t predicate_at(const CallFrame& frame, std::uint32_t row, bool negated) {
  std::uint32_t p;
  std::memcpy(&p, frame.rows.get() + row, sizeof p);
  return negated ? ~p : p;
}

void undefer(WarpState& warp) {
  for (Fragment& f : warp.fragments) f.deferred = false;
}

}  // namespace

BlockRunner::BlockRunner(LaunchState& state)
    : launch(state),
      textures(state.module.memory().objects().table()),
      code_(state.code),
      undefined_(context, code_) {
  free_frames_.resize(code_.functions.size());
  observer.blocks.resize(code_.blocks.size());
  observer.guard_lanes.resize(code_.instructions.size());
  observer.tallies.resize(code_.memos);
  observer.memos.resize(code_.memos);
  observer.table = state.module.memory().table();
  observer.table_version = state.module.memory().version();
  context.module = &state.module;
  context.code = &code_;
  context.observer = &observer;
  context.launch_stop = &state.stop;
  context.textures = &textures;
  context.launch = &state.facts;
  context.memos = observer.memos.data();
  context.tallies = observer.tallies.data();
  GlobalMemory& memory = state.module.memory();
  context.global = memory.base();
  context.global_valid = memory.validity();
  context.parameters = state.request.parameters.data();
  context.parameter_bytes = static_cast<std::uint32_t>(state.request.parameters.size());
  context.check = state.request.observe.initcheck;
  if (state.request.observe.racecheck) {
    race = std::make_unique<RaceChecker>(state.facts, code_, observer, memory.take_race_shadow());
    context.race = race.get();
  }
  // A child grid may be too small to get to a later check, and there may be many of them.
  next_check_ = state.depth == 0 ? kCheckEvery : 0;
  random_.seed(state.request.seed);
}

BlockRunner::~BlockRunner() {
  if (race) launch.module.memory().keep_race_shadow(race->shadow());
}

void BlockRunner::run() {
  if (launch.request.seed != 0)
    run_blocks<PermutePolicy>();
  else if (launch.request.observe.watched_warp.issues != 0)
    run_blocks<WatchPolicy>();
  else if (launch.request.observe.initcheck)
    run_blocks<CheckPolicy>();
  else
    run_blocks<CountPolicy>();
  report_unseen_errors();
  if (race) race->end_launch();
  launch.executed.fetch_add(executed_ - reported_);
  reported_ = executed_;
}

// ---------------------------------------------------------------------------------------------------------------------
// Rounds over the resident blocks

/// Detects that a launch can never end. A round without progress is one in which no block became resident or ended and no
/// memory changed; then either all fragments wait or some spin on memory that no thread changes. How much such a round
/// counts towards kIdleRounds depends on what the blocks may be waiting for:
///
///   try_wait timed out   a clock was read   counts    because
///   before the round     in the round
///   no                   no                 1
///   no                   yes                0         a block may be waiting for time to pass, and time does pass
///   yes                  no                 20        the fragments that timed out did not help the others either
///   yes                  yes                1         fragments that wait for an mbarrier often read a clock, too
///
/// Where a round is a function of memory and of the blocks' state alone (`deterministic`), the digest of that state decides
/// much earlier. It is taken after 1, 2, 4, ... such rounds and compared one round later. If it is the same, every later
/// round will be the same again.
class BlockRunner::DeadlockWatch {
 public:
  explicit DeadlockWatch(bool deterministic) : deterministic_(deterministic) {}

  void reset() {
    rounds_ = 0;
    digest_.reset();
  }
  /// A round without progress. True where the launch is declared deadlocked. `digest()` is called where it is needed.
  template <class Digest>
  bool no_progress(bool clock_was_read, bool waits_expired, Digest&& digest) {
    if (clock_was_read)
      rounds_ += waits_expired ? 1 : 0;
    else
      rounds_ += waits_expired ? kIdleRounds / kTimeouts : 1;
    bool deadlocked = rounds_ >= kIdleRounds;
    if (deterministic_ && !clock_was_read) {
      if (digest_ && std::has_single_bit(rounds_ - 1)) deadlocked |= *digest_ == digest();
      digest_.reset();
      if (std::has_single_bit(rounds_)) digest_ = digest();
    } else {
      digest_.reset();
    }
    return deadlocked;
  }

 private:
  const bool deterministic_;
  std::uint32_t rounds_ = 0;  ///< without progress, as the table counts them
  std::optional<std::uint64_t> digest_;
};

std::uint64_t BlockRunner::block_bytes() const {
  const LaunchFacts& facts = launch.facts;
  const std::uint64_t warp_bytes =
      std::uint64_t{launch.local_stride} * kLanes * 5 / 4 + code_.functions[0].frame_bytes;
  return warp_bytes * facts.warps + std::uint64_t{facts.shared_bytes} * 5 / 4 + sizeof(BlockState);
}

/// Blocks that wait keep their memory, so no more of them may be resident than the budget has room for.
std::uint64_t BlockRunner::resident_limit() const {
  const RunRequest& request = launch.request;
  const std::uint64_t limit =
      request.resident_blocks == 0 ? launch.blocks : request.resident_blocks;
  if (request.budget.memory_bytes == 0) return limit;
  return std::min(limit, request.budget.memory_bytes / block_bytes());
}

/// Gives each resident block a turn, the newest first, until one of them ends. Without `all`, only the newest gets a turn.
template <class Policy>
BlockRunner::Round BlockRunner::run_round(std::vector<std::unique_ptr<BlockState>>& resident,
                                          bool all) {
  Round round;
  for (std::size_t k = resident.size(); k-- > 0;) {
    BlockState& block = *resident[k];
    if (block.live_warps == 0) continue;  // it has ended, but its cluster still needs its memory
    for (const WarpState& w : block.warps) round.issued -= w.issued;
    const BlockStop stopped = run_block<Policy>(block);
    if (stopped == BlockStop::stopped) {
      round.stopped = true;
      return round;
    }
    for (const WarpState& w : block.warps) round.issued += w.issued;
    if (stopped == BlockStop::done) {
      retire(resident, k);
      round.ended = true;
      return round;
    }
    if (!all) return round;
  }
  return round;
}

template <class Policy>
void BlockRunner::run_blocks() {
  std::vector<std::unique_ptr<BlockState>> resident;
  const std::uint64_t limit = resident_limit();
  DeadlockWatch watch(!code_.uses_async && launch.runners == 1);
  std::uint32_t rounds_with_progress = 0, random_rounds = 0;
  random_turns_ = Policy::kPermute;
  std::size_t newcomers = 0;   // blocks that became resident since all had a turn
  bool waits_expired = false;  // mbarrier.try_wait timed out before this round
  for (;;) {
    // Make one more cluster (or block) resident, if there is room.
    const bool started = take_unit(resident, limit);
    if (resident.empty()) return;
    newcomers += started;

    // The newest block runs first, because the others have yielded already. Where thousands of blocks wait, a newcomer must
    // not cost a turn of each of them, so they get theirs only when the newcomers have become numerous.
    const bool all = !started || newcomers * kGrowth >= resident.size();
    if (all) newcomers = 0;
    const std::uint64_t changes = context.changes, clock_reads = context.clock_reads;
    const Round round = run_round<Policy>(resident, all);
    if (round.stopped) return;

    if (round.ended || started || context.changes != changes) {
      watch.reset();
      random_turns_ = Policy::kPermute;
      random_rounds = 0;
      waits_expired =
          code_.uses_async && ++rounds_with_progress % kPatience == 0 && expire_waits(resident);
      continue;
    }

    // There was no progress. A wait for an mbarrier times out now, because the code behind it may be what others wait for.
    const bool deadlocked =
        !random_turns_ && watch.no_progress(context.clock_reads != clock_reads, waits_expired,
                                            [&] { return progress_digest(resident); });
    if (random_turns_ && ++random_rounds == kRandomRounds) random_turns_ = false;
    waits_expired = !deadlocked && code_.uses_async && expire_waits(resident);
    const bool nothing_can_run = round.issued == 0 && !waits_expired;
    if (deadlocked && waits_for_host(resident)) {
      watch.reset();
      std::this_thread::sleep_for(kHostPatience);
      if (check_budgets()) return;
      continue;
    }
    if (deadlocked || nothing_can_run) {
      report_deadlock(resident);
      return;
    }
  }
}

/// Runs the warps of a block in turn until the block ends, a warp yields, or no warp can go on without another block.
template <class Policy>
BlockRunner::BlockStop BlockRunner::run_block(BlockState& block) {
  for (;;) {
    bool moved = false, yielded = false;
    context.wrote_global = false;
    const auto count = static_cast<std::uint32_t>(block.warps.size());
    const std::uint32_t first = random_turns_ ? static_cast<std::uint32_t>(random_() % count) : 0;
    for (std::uint32_t k = 0; k < count; ++k) {
      WarpState& warp = block.warps[(first + k) % count];
      if (warp.live == 0) continue;
      if (block.async && block.async->stirred) settle_phases(block);
      const std::uint64_t before = warp.issued;
      const WarpStop stopped = run_warp<Policy>(block, warp);
      if (observer.sampling)
        observer.traffic->intervals().executed(block.index, warp.index, observer.blocks);
      if (stopped == WarpStop::stopped) return BlockStop::stopped;
      moved |= warp.issued != before;
      yielded |= stopped == WarpStop::yielded;
    }
    block.wrote_global |= context.wrote_global;
    if (block.live_warps == 0) return BlockStop::done;
    if (yielded) return check_budgets() ? BlockStop::stopped : BlockStop::yielded;
    if (!moved) return BlockStop::yielded;  // every warp waits; run_blocks() finds out for what
  }
}

// ---------------------------------------------------------------------------------------------------------------------
// Running a warp

/// With --seed: whether another warp goes on from here.
bool BlockRunner::preempt_randomly() { return random_turns_ && (random_() & 31) == 0; }

/// With --seed: lanes of a fragment may diverge anywhere, except where one instruction waits for several of them.
void BlockRunner::diverge_randomly(WarpState& warp, Fragment& f) {
  if (!random_turns_ || std::has_single_bit(f.mask) || (random_() & 15) != 0) return;
  const std::uint32_t lanes = f.mask & static_cast<std::uint32_t>(random_());
  if (lanes != 0 && lanes != f.mask) split(warp, f, lanes);
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

/// Counts one execution of a basic block by a fragment.
inline void BlockRunner::count_execution(const BasicBlock& b, BlockTally& tally, WarpState& warp,
                                         const Fragment& f) {
  const auto lanes = static_cast<std::uint32_t>(std::popcount(f.mask));
  ++tally.executions;
  tally.lanes += lanes;
  executed_ += std::uint64_t{lanes} * b.instructions;
  warp.issued += b.instructions;
  warp.fetched += std::uint64_t{lanes} * b.fetched_bytes;
  warp.count(f.mask, b.unguarded);
}

/// Records the execution of a basic block where the watched warp does it.
void BlockRunner::record_execution(const BasicBlock& b, std::uint64_t block, const WarpState& warp,
                                   const Fragment& f) {
  const WatchedWarp& watched = launch.request.observe.watched_warp;
  if (block != watched.block || warp.index != watched.warp || b.instructions == 0) return;
  if (observer.issues >= watched.issues) {
    observer.issues_cut |= watched.issues != 0;
    return;
  }
  observer.executions.push_back({static_cast<std::uint32_t>(&b - code_.blocks.data()), f.mask});
  observer.issues += b.instructions;
}

/// Runs one warp until all of its lanes have exited (done), all that have not are waiting (waiting), it lets other warps go
/// first (yielded), or the launch ends (stopped).
///
/// After a basic block its exit says what is next. `several` means that the warp has more than one fragment:
///
///   exit                                       the fragment                              then
///   ----                                       ------------                              ----
///   guard holds for no lane                    goes to `next`                            several: choose anew; else go on
///   guard holds for some lanes                 those take the exit; the others become    as the exit says, then choose anew
///                                              a fragment at `next`
///   fall, branch                               goes to `next`, `target`                  several: choose anew; else go on
///   backward branch after kSpins shared reads  goes to `target`, deferred                several: choose anew
///   ... and no other fragment is ready         goes to `target`                          yield
///   call, ret, brx.idx                         changes its frame, or splits by target    choose anew; error: stop
///   exit                                       is removed                                choose anew
///   bar, try_wait, barrier.cluster             waits, or goes to `next`                  choose anew; error: stop
///   shfl, vote, ... (warp_sync)                waits, splits, or goes to `next`          several: choose anew; else go on
///   nanosleep                                  goes to `next`, deferred                  alone: yield; else choose anew
///   trap                                       -                                         stop
///
/// "Choose anew" merges fragments that met and runs the one that goes first. It yields where only deferred ones were left.
template <class Policy>
BlockRunner::WarpStop BlockRunner::run_warp(BlockState& block, WarpState& warp) {
  if (!warp.started) begin_warp(block, warp);
  enter(block, warp);
  if (warp.fragments.size() > 1) merge(warp);
  const auto next = [&] {
    return Policy::kPermute && random_turns_ ? choose_any(warp) : choose(warp);
  };
  Fragment* f = next();
  if (!f) return warp.live == 0 ? WarpStop::done : WarpStop::waiting;
  set_frame(*f);
  for (;;) {
    // Execute the basic block.
    const BasicBlock& b = code_.blocks[f->block];
    if constexpr (Policy::kPermute) diverge_randomly(warp, *f);
    BlockTally& tally = observer.blocks[f->block];
    count_execution(b, tally, warp, *f);
    if constexpr (Policy::kWatch) record_execution(b, block.index, warp, *f);
    if (executed_ >= next_check_ && check_budgets(&b)) return WarpStop::stopped;
    execute<Policy>(b, *f);
    if constexpr (Policy::kCheck) {
      f->frame->tainted = context.tainted;
      if (context.tainted) undefined_.decide_exit(b, f->mask);
    }

    // Leave it through its exit.
    AfterExit after;
    if (b.guard == kNone) {
      after = take_exit(block, warp, *f, b);
    } else {
      const std::uint32_t taken = f->mask & predicate_at(*f->frame, b.guard, b.guard_negated);
      count_guard(b, tally, warp, *f, taken);
      if (taken == 0) {
        f->block = b.next;
        if (warp.fragments.size() == 1) continue;
        after = AfterExit::choose_anew;
      } else {
        if (taken != f->mask) split(warp, *f, f->mask & ~taken).block = b.next;
        after = take_exit(block, warp, *f, b);
      }
    }
    switch (after) {
      case AfterExit::go_on:
        if constexpr (Policy::kPermute) {
          if (preempt_randomly()) return WarpStop::yielded;
        }
        continue;
      case AfterExit::yield: return WarpStop::yielded;
      case AfterExit::stop: return WarpStop::stopped;
      case AfterExit::choose_anew: break;
    }

    // Choose the fragment that runs next.
    if (warp.turn != 0) {
      --warp.turn;
      if (warp.turn == 0) undefer(warp);
    }
    const bool merging = !Policy::kPermute || !random_turns_ || (random_() & 3) == 0;
    if (warp.fragments.size() > 1 && merging) merge(warp);
    const bool deferring = warp.turn != 0;
    f = next();
    if (!f) return warp.live == 0 ? WarpStop::done : WarpStop::waiting;
    if (deferring && warp.turn == 0) return WarpStop::yielded;  // only deferred ones were ready
    set_frame(*f);
    if constexpr (Policy::kPermute) {
      if (preempt_randomly()) return WarpStop::yielded;
    }
  }
}

/// The lanes of `taken` take an exit behind a guard.
inline void BlockRunner::count_guard(const BasicBlock& b, BlockTally& tally, WarpState& warp,
                                     const Fragment& f, std::uint32_t taken) {
  if (b.exit == Exit::branch) {
    ++tally.branches;
    tally.divergent += taken != 0 && taken != f.mask;
  }
  if (taken == 0) return;
  observer.guard_lanes[b.last_instruction()] += static_cast<std::uint32_t>(std::popcount(taken));
  warp.count(taken, 1);
}

/// A fragment takes the exit of a basic block, as the table of run_warp() says.
inline BlockRunner::AfterExit BlockRunner::take_exit(BlockState& block, WarpState& warp,
                                                     Fragment& f, const BasicBlock& b) {
  const auto unless_several = [&] {
    return warp.fragments.size() > 1 ? AfterExit::choose_anew : AfterExit::go_on;
  };
  switch (b.exit) {
    case Exit::fall: f.block = b.next; return unless_several();
    case Exit::branch: return take_branch(warp, f, b);
    case Exit::branch_table: branch_table(warp, f, b); return AfterExit::choose_anew;
    case Exit::call: return call(warp, f, b) ? AfterExit::choose_anew : AfterExit::stop;
    case Exit::ret: return_from(warp, f); return AfterExit::choose_anew;
    case Exit::exit: exit_lanes(block, warp, f); return AfterExit::choose_anew;
    case Exit::trap: {
      const std::uint32_t thread = thread_of(std::countr_zero(f.mask));
      stop(at(ErrorCode::trap,
              {{"thread", std::to_string(thread)}, {"block", std::to_string(block.index)}}, b));
      return AfterExit::stop;
    }
    case Exit::barrier: arrive(block, warp, f, b); return AfterExit::choose_anew;
    case Exit::warp_sync: return sync(warp, f, b) ? unless_several() : AfterExit::stop;
    case Exit::try_wait: try_wait(warp, f, b); return AfterExit::choose_anew;
    case Exit::cluster_barrier:
      return cluster_barrier(block, warp, f, b) ? AfterExit::choose_anew : AfterExit::stop;
    case Exit::sleep:
      f.block = b.next;
      if (warp.fragments.size() == 1) return AfterExit::yield;
      f.deferred = true;
      warp.turn = kTurn;
      return AfterExit::choose_anew;
  }
  __builtin_unreachable();
}

/// A fragment branches. Where it goes round a loop that reads memory which others may change, it lets them go first now and
/// then.
inline BlockRunner::AfterExit BlockRunner::take_branch(WarpState& warp, Fragment& f,
                                                       const BasicBlock& b) {
  f.block = b.target;
  const bool several = warp.fragments.size() > 1;
  const AfterExit after = several ? AfterExit::choose_anew : AfterExit::go_on;
  const bool backward = code_.blocks[b.target].rank <= b.rank;
  if (!backward || !context.sync_read) return after;
  context.sync_read = false;
  if (++f.spins < kSpins) return after;
  f.spins = 0;
  const bool others_ready = std::ranges::any_of(warp.fragments, [&](const Fragment& other) {
    return &other != &f && other.waiting == Waiting::nothing && !other.deferred;
  });
  if (!others_ready) {
    undefer(warp);
    return AfterExit::yield;
  }
  f.deferred = true;
  warp.turn = kTurn;
  return after;
}

// ---------------------------------------------------------------------------------------------------------------------
// Choosing among a warp's fragments

/// Compares positions from the outermost frame inwards. The position of a fragment inside a call is just before the place
/// to which the call returns.
bool BlockRunner::goes_before(const Fragment& a, const Fragment& b) const {
  const CallFrame *fa = a.frame, *fb = b.frame;
  std::uint64_t pa = 2 * std::uint64_t{code_.blocks[a.block].rank},
                pb = 2 * std::uint64_t{code_.blocks[b.block].rank};
  std::uint32_t callee_a = 0, callee_b = 0;
  const auto up = [&](const CallFrame*& f, std::uint64_t& p, std::uint32_t& callee) {
    p = 2 * std::uint64_t{code_.blocks[f->return_block].rank} - 1;
    callee = f->function;
    f = f->parent;
  };
  while (fa->depth > fb->depth) up(fa, pa, callee_a);
  while (fb->depth > fa->depth) up(fb, pb, callee_b);
  while (fa != fb) {
    if (!fa->parent || !fb->parent) break;
    up(fa, pa, callee_a);
    up(fb, pb, callee_b);
  }
  if (pa != pb) return pa < pb;
  // One instruction called both functions. All lanes of the one go before all of the other, because lanes that diverged
  // inside the one could otherwise be kept from meeting by lanes inside the other.
  if (callee_a != callee_b) return callee_a < callee_b;
  return std::countr_zero(a.mask) < std::countr_zero(b.mask);
}

/// The ready fragment that goes first. Deferred ones are chosen only where no other is ready; then none is deferred any more.
Fragment* BlockRunner::choose(WarpState& warp) {
  Fragment* best = nullptr;
  bool deferred = false;
  for (Fragment& f : warp.fragments) {
    if (f.waiting != Waiting::nothing) continue;
    if (f.deferred) {
      deferred = true;
      continue;
    }
    if (!best || goes_before(f, *best)) best = &f;
  }
  if (best || !deferred) return best;
  undefer(warp);
  warp.turn = 0;
  return choose(warp);
}

/// With --seed: any ready fragment.
Fragment* BlockRunner::choose_any(WarpState& warp) {
  std::uint32_t ready = 0;
  for (const Fragment& f : warp.fragments) ready += f.waiting == Waiting::nothing;
  if (ready == 0) return nullptr;
  std::uint32_t pick = static_cast<std::uint32_t>(random_() % ready);
  for (Fragment& f : warp.fragments) {
    if (f.waiting == Waiting::nothing && pick-- == 0) return &f;
  }
  return nullptr;
}

/// Joins the ready fragments that are at one place in one frame.
void BlockRunner::merge(WarpState& warp) {
  auto& all = warp.fragments;
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (all[i].waiting != Waiting::nothing) continue;
    for (std::size_t k = i + 1; k < all.size();) {
      if (all[k].waiting == Waiting::nothing && all[k].block == all[i].block &&
          all[k].frame == all[i].frame) {
        all[i].mask |= all[k].mask;
        all[i].deferred = all[i].deferred && all[k].deferred;
        all[i].spins = std::min(all[i].spins, all[k].spins);
        all[k] = all.back();
        all.pop_back();
      } else {
        ++k;
      }
    }
  }
}

/// `lanes` leave f and become a fragment of their own.
Fragment& BlockRunner::split(WarpState& warp, Fragment& f, std::uint32_t lanes) {
  Fragment other = f;
  other.mask = lanes;
  f.mask &= ~lanes;
  warp.fragments.push_back(other);
  return warp.fragments.back();
}

void BlockRunner::remove(WarpState& warp, Fragment& f) {
  f = warp.fragments.back();
  warp.fragments.pop_back();
}

// ---------------------------------------------------------------------------------------------------------------------
// The life of blocks, warps and call frames

std::unique_ptr<BlockState> BlockRunner::begin_block(std::uint64_t index) {
  std::unique_ptr<BlockState> block;
  if (spares_.empty()) {
    block = std::make_unique<BlockState>();
  } else {
    block = std::move(spares_.back());
    spares_.pop_back();
  }
  const LaunchFacts& facts = launch.facts;
  const std::uint32_t shared = facts.shared_bytes + facts.reserved_shared;
  block->index = index;
  block->id = unflatten(index, facts.grid);
  block->barriers = {};
  block->barriers_passed = 0;
  block->wrote_global = false;
  block->output.clear();
  if (!block->shared) {
    block->shared = std::make_unique<std::byte[]>(shared + 64);
    block->shared_valid = std::make_unique<std::uint8_t[]>(shared / 4 + 64);
    block->local.resize(std::size_t{launch.local_stride} * kLanes * facts.warps);
    block->local_valid.resize(block->local.size() / 4);
    block->warps.resize(facts.warps);
  } else {
    std::memset(block->shared.get(), 0, shared);
    std::memset(block->shared_valid.get(), 0, shared / 4 + 1);
  }
  // The bytes that libraries reserve are defined from the beginning.
  std::memset(block->shared_valid.get() + facts.shared_bytes / 4, 0xf, facts.reserved_shared / 4);
  if (code_.uses_async) {
    if (!block->async) block->async = std::make_unique<AsyncState>();
    block->async->reset(facts.warps);
  }
  block->live_warps = facts.warps;
  for (std::uint32_t w = 0; w < facts.warps; ++w) {
    WarpState& warp = block->warps[w];
    const std::uint32_t threads = std::min<std::uint32_t>(kLanes, facts.block_threads - w * kLanes);
    warp.index = w;
    warp.lanes = warp.live = threads == kLanes ? ~0u : (1u << threads) - 1;
    warp.fragments.clear();
    warp.turn = 0;
    warp.started = false;
    warp.issued = warp.uniform = warp.fetched = warp.barriers = 0;
    if (!code_.textures.empty()) warp.texture_fetches = {};
    warp.arrived = {};
  }
  return block;
}

void BlockRunner::keep_output(BlockState& block) {
  observer.printed += block.output.size();
  observer.output.emplace_back(block.index, std::move(block.output));
  if (!launch.request.budget.drop_output || observer.printed <= 2 * launch.output_room()) return;
  // Output is ordered by block. So what lies beyond the budget among the blocks of one runner does so among all blocks, too, and need
  // not be kept, however many blocks print. Which bytes are left in the end does not depend on who ran which block.
  std::ranges::sort(observer.output, {}, [](const auto& each) { return each.first; });
  observer.printed = 0;
  for (auto& [index, text] : observer.output) {
    text.resize(std::min<std::uint64_t>(text.size(), launch.output_room() - observer.printed));
    observer.printed += text.size();
  }
  std::erase_if(observer.output, [](const auto& each) { return each.second.empty(); });
}

void BlockRunner::end_block(BlockState& block) {
  if (race) race->end_block(block);
  if (block.async) end_bulk(context, block);
  observer.blocks_writing += block.wrote_global;
  if (observer.traffic) {
    add_to_balance(block);
    observer.traffic->intervals().end_interval(block.index, kNone);
  }
  if (!block.output.empty()) keep_output(block);
  if (!launch.request.progress) return;
  const std::uint64_t done = launch.finished.fetch_add(1) + 1;
  if (done == launch.blocks || done % std::max<std::uint64_t>(1, launch.blocks / 100) == 0) {
    std::lock_guard lock(launch.mutex);
    launch.request.progress(static_cast<double>(done) / static_cast<double>(launch.blocks));
  }
}

void BlockRunner::add_to_balance(const BlockState& block) {
  std::uint64_t all = 0, longest = 0;
  for (const WarpState& warp : block.warps) {
    all += warp.issued;
    longest = std::max(longest, warp.issued);
  }
  Balance& balance = observer.balance;
  balance.instructions += all;
  balance.longest += longest;
  balance.heaviest = std::max(balance.heaviest, all);
}

/// A warp gets its frame when it first runs, so that the warps of a block without barriers can use one frame in turn.
void BlockRunner::begin_warp(BlockState& block, WarpState& warp) {
  warp.started = true;
  warp.fragments.reserve(kLanes + 1);
  if (warp.apart != 0) warp.extra = {};
  warp.apart = 0;
  warp.together = 0;
  warp.stack = {};
  if (launch.local_stride != 0) {
    const std::size_t bytes = std::size_t{launch.local_stride} * kLanes;
    warp.local = block.local.data() + warp.index * bytes;
    warp.local_valid = block.local_valid.data() + warp.index * bytes / 4;
    std::memset(warp.local, 0, bytes);
    std::memset(warp.local_valid, 0, bytes / 4);
  }
  CallFrame* frame = take_frame(0);
  frame->lanes = warp.lanes;
  frame->parent = nullptr;
  frame->depth = 0;
  frame->local_base = 0;
  Fragment f;
  f.block = code_.functions[0].entry;
  f.mask = warp.lanes;
  f.frame = frame;
  warp.fragments.push_back(f);
}

/// Makes the warp the one that the context describes.
void BlockRunner::enter(BlockState& block, WarpState& warp) {
  Context& c = context;
  c.block = &block;
  c.warp = &warp;
  c.block_index = static_cast<std::uint32_t>(block.index);
  c.block_id = block.id;
  c.warp_index = warp.index;
  c.multiprocessor = static_cast<std::uint32_t>(block.index % launch.facts.multiprocessors);
  c.shared_block = &block;
  c.shared = block.shared.get();
  c.shared_valid = block.shared_valid.get();
  c.shared_bytes = launch.facts.shared_bytes + launch.facts.reserved_shared;
  c.local = warp.local;
  c.local_valid = warp.local_valid;
  c.local_bytes = launch.local_stride;
  for (int d = 0; d < 3; ++d) c.tid[d] = launch.tid[d].data() + std::size_t{warp.index} * kLanes;
  c.sync_read = false;
  if (observer.traffic) {
    observer.sampling = observer.traffic->has(block.index);
    c.observed = observer.tracing || !observer.watched.empty() || observer.sampling;
    if (observer.sampling) observer.traffic->intervals().begin_turn(observer.blocks);
  }
  if (race) race->enter(block, warp);
}

CallFrame* BlockRunner::take_frame(std::uint32_t function) {
  const isa::CodeFunction& f = code_.functions[function];
  auto& free = free_frames_[function];
  std::unique_ptr<CallFrame> frame;
  if (!free.empty()) {
    frame = std::move(free.back());
    free.pop_back();
  } else {
    frame = std::make_unique<CallFrame>(f.frame_bytes);
    frame->function = function;
    std::memset(frame->rows.get(), 0, f.frame_bytes);
    std::ranges::copy(f.constants, frame->rows.get() + f.constants_begin);
    frame_bytes_ += f.frame_bytes;
  }
  for (const auto& [row, bytes] : f.cleared) std::memset(frame->rows.get() + row, 0, bytes);
  if (frame->tainted) {
    std::memset(frame->rows.get() + f.defined_begin, 0, f.defined_end - f.defined_begin);
    frame->tainted = false;
  }
  if (context.check && !f.unwritten.empty()) {
    for (const std::uint32_t at : f.unwritten)
      std::memset(frame->rows.get() + at, 0xff, sizeof(std::uint32_t));
    frame->tainted = true;
    observer.undefined_reads.fill({kNone, 0, Space::none, 0, kNone});
  }
  frame->call = nullptr;
  frames_.push_back(std::move(frame));
  return frames_.back().get();
}

/// Lanes leave a frame, and its callers up to but not including `until`. Frames without lanes can be reused.
void BlockRunner::drop_lanes(CallFrame* frame, std::uint32_t lanes, CallFrame* until) {
  while (frame != until) {
    CallFrame* parent = frame->parent;
    frame->lanes &= ~lanes;
    if (frame->lanes == 0) {
      const auto at = std::find_if(frames_.rbegin(), frames_.rend(),
                                   [&](const auto& f) { return f.get() == frame; });
      std::swap(*at, frames_.back());
      free_frames_[frame->function].push_back(std::move(frames_.back()));
      frames_.pop_back();
    }
    frame = parent;
  }
}

void BlockRunner::set_frame(const Fragment& f) {
  context.frame = f.frame->rows.get();
  context.frame_lanes = f.frame->lanes;
  context.local_base = f.frame->local_base;
  context.tainted = f.frame->tainted;
}

/// The lanes of a fragment have executed `exit`.
void BlockRunner::exit_lanes(BlockState& block, WarpState& warp, Fragment& f) {
  const auto add_lanes = [&](std::uint64_t executed, int lanes) {
    observer.longest_lane = std::max(observer.longest_lane, executed);
    observer.threads.add(executed, static_cast<std::uint32_t>(lanes));
  };
  if (warp.apart == 0) {
    add_lanes(warp.uniform, std::popcount(f.mask));
  } else {
    warp.add_extra();
    for (std::uint32_t m = f.mask; m != 0; m &= m - 1)
      add_lanes(warp.uniform + warp.extra[static_cast<std::size_t>(std::countr_zero(m))], 1);
  }
  // From here on the remaining lanes count together, which must not count for the lanes that exited.
  warp.live &= ~f.mask;
  if (race && block.cluster) race->cluster_arrives(block, warp, f.mask, true);
  if (block.async) end_copies(context, block, warp.index, f.mask);
  drop_lanes(f.frame, f.mask, nullptr);
  remove(warp, f);
  if (warp.live == 0) {
    observer.longest_warp = std::max(observer.longest_warp, warp.issued);
    observer.fetches.add(warp.fetched);
    observer.barriers.widen({warp.barriers, warp.barriers});
    if (!code_.textures.empty()) {
      observer.most_texture_fetches = std::max<std::uint64_t>(
          observer.most_texture_fetches, std::ranges::max(warp.texture_fetches));
    }
    --block.live_warps;
    if (!code_.barriers.empty()) {
      for (std::uint32_t id = 0; id < 16; ++id) complete(block, id);
    }
    if (block.cluster) leave_cluster(block, warp);
    return;
  }
  if (block.cluster) leave_cluster(block, warp);
  settle_syncs(warp);
  settle_barriers(block, warp);
}

// ---------------------------------------------------------------------------------------------------------------------
// Budgets

/// True where the launch has to end. Called every few million thread instructions, and at every yield. `running` is the
/// basic block that the error will name.
bool BlockRunner::check_budgets(const BasicBlock* running) {
  const auto over = [&](ErrorCode code, const char* name, std::string value) {
    MessageArguments arguments{{name, std::move(value)}};
    stop(running ? at(code, std::move(arguments), *running)
                 : Error{code, std::move(arguments), {}});
  };
  const std::uint64_t before =
      launch.executed.fetch_add(executed_ - reported_) + (executed_ - reported_);
  reported_ = executed_;
  const Budget& budget = launch.request.budget;
  next_check_ = executed_ + kCheckEvery;
  if (budget.thread_instructions != 0) {
    if (before > budget.thread_instructions) {
      over(ErrorCode::budget_instructions, "count", std::to_string(budget.thread_instructions));
      return true;
    }
    next_check_ =
        executed_ + std::clamp<std::uint64_t>(
                        (budget.thread_instructions - before) / launch.runners, 1, kCheckEvery);
  }
  if (stopped()) return true;
  if (launch.request.stop.stop_requested()) {
    stop(Error{ErrorCode::cancelled, {}, {}});
    return true;
  }
  if (budget.seconds > 0) {
    const std::chrono::duration<double> elapsed =
        std::chrono::steady_clock::now() - launch.tree.begin;
    if (elapsed.count() > budget.seconds * kSlowdown) {
      over(ErrorCode::budget_time, "seconds", fmt::format("{}", budget.seconds));
      return true;
    }
  }
  return false;
}

}  // namespace warpbook::device
