// The life of blocks, warps and frames.
#include <algorithm>
#include <bit>
#include <cstring>

#include <fmt/format.h>

#include "device/sanitized.hpp"
#include "device/simulator/estimate/traffic.hpp"
#include "device/simulator/execute/async.hpp"
#include "device/simulator/run/block_runner.hpp"
#include "device/simulator/state/texture_objects.hpp"

namespace warpbook::device {
namespace {

constexpr std::uint64_t kCheckEvery =
    1u << 21;  ///< thread instructions between looks at budgets and the stop token

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
  next_check_ = kCheckEvery;
  random_.seed(state.request.seed);
}

BlockRunner::~BlockRunner() {
  if (race) launch.module.memory().keep_race_shadow(race->shadow());
}

std::uint64_t BlockRunner::block_bytes() const {
  const LaunchFacts& facts = launch.facts;
  const std::uint64_t a_warp =
      std::uint64_t{launch.local_stride} * kLanes * 5 / 4 + code_.functions[0].frame_bytes;
  return a_warp * facts.warps + std::uint64_t{facts.shared_bytes} * 5 / 4 + sizeof(BlockState);
}

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
  // What libraries keep there is in place when a block begins.
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
    warp.issued = warp.uniform = 0;
    warp.arrived = {};
  }
  return block;
}

void BlockRunner::end_block(BlockState& block) {
  if (race) race->end_block(block);
  if (block.async) end_bulk(context, block);
  observer.blocks_writing += block.wrote_global;
  if (observer.traffic) add_to_balance(block);
  if (!block.output.empty()) observer.output.emplace_back(block.index, std::move(block.output));
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

/// A warp gets its frame when it first runs: blocks without barriers then use one frame, warp after warp.
void BlockRunner::begin_warp(BlockState& block, WarpState& warp) {
  warp.started = true;
  warp.fragments.reserve(kLanes + 1);
  std::memset(warp.extra.data(), 0, sizeof warp.extra);
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
  frame->call = nullptr;
  frames_.push_back(std::move(frame));
  return frames_.back().get();
}

/// Lanes leave a frame, and its callers up to but not including `until`. Frames without lanes are free again.
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

/// The lanes of a fragment are done for good.
void BlockRunner::exit_lanes(BlockState& block, WarpState& warp, Fragment& f) {
  for (std::uint32_t m = f.mask; m != 0; m &= m - 1) {
    observer.longest_lane =
        std::max(observer.longest_lane,
                 warp.uniform + warp.extra[static_cast<std::size_t>(std::countr_zero(m))]);
  }
  // What the others count together from here on must not count for these.
  warp.live &= ~f.mask;
  if (race && block.cluster) race->cluster_arrives(block, warp, f.mask, true);
  if (block.async) end_copies(context, block, warp.index, f.mask);
  drop_lanes(f.frame, f.mask, nullptr);
  remove(warp, f);
  if (warp.live == 0) {
    observer.longest_warp = std::max(observer.longest_warp, warp.issued);
    --block.live_warps;
    for (WarpState& other : block.warps) settle_barriers(block, other);
    for (std::uint32_t id = 0; id < 16; ++id) complete(block, id);
    if (block.cluster) leave_cluster(block, warp);
    return;
  }
  if (block.cluster) leave_cluster(block, warp);
  settle_syncs(warp);
  settle_barriers(block, warp);
}

/// True where the launch has to end. Called every few million thread instructions, and at every yield.
bool BlockRunner::check_budgets(const BasicBlock* running) {
  const auto over = [&](ErrorCode code, const char* name, std::string value) {
    std::vector<std::pair<std::string, std::string>> arguments{{name, std::move(value)}};
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
    const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - launch.begin;
    if (elapsed.count() > budget.seconds * kSlowdown) {
      over(ErrorCode::budget_time, "seconds", fmt::format("{}", budget.seconds));
      return true;
    }
  }
  return false;
}

}  // namespace warpbook::device
