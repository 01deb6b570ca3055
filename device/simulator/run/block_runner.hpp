// One host thread's share of a launch: it takes blocks in order and runs each of them to its end.
//
// The members of BlockRunner are defined in
//   block_runner.cpp    rounds over blocks, the loop that runs a warp, the choice among its fragments, budgets
//   clusters.cpp        which blocks run together, and the barrier of a cluster
//   barriers.cpp        barriers of a block; barrier_check.cpp has synccheck's part
//   warp_sync.cpp       shuffles, votes and matrix instructions, at which the lanes of a warp meet
//   phases.cpp          waits for the phase of an mbarrier
//   calls.cpp           calls, returns and indirect branches; externals.cpp has printf, assert, malloc and free
//   device_runtime.cpp  the functions by which kernels launch kernels
//   deadlock.cpp        what is reported when no block can go on
#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <random>
#include <string>
#include <unordered_map>
#include <vector>

#include "device/simulator/observe/definedness.hpp"
#include "device/simulator/observe/race/checker.hpp"
#include "device/simulator/run/device_runtime.hpp"
#include "device/simulator/run/launch.hpp"
#include "device/simulator/state/block_state.hpp"
#include "device/simulator/state/launch_observer.hpp"
#include "device/simulator/state/launch_stop.hpp"
#include "device/simulator/state/loaded_module.hpp"
#include "device/simulator/texture/unit.hpp"

namespace warpbook::device {

/// The state that all block runners of a launch share. A unit is a cluster, or a block where there are no clusters.
struct LaunchState {
  const RunRequest& request;
  const LoadedModule& module;
  const isa::Code& code;
  LaunchTree& tree;
  std::uint32_t depth = 0;  ///< launches between the host's grid and this one
  LaunchFacts facts;
  std::uint64_t blocks = 0;
  std::uint64_t units = 0;
  std::uint32_t unit_blocks = 1;  ///< blocks per unit
  std::uint32_t runners = 1;
  std::uint64_t units_per_claim = 1;  ///< a runner takes so many at a time
  std::uint32_t local_stride = 0;     ///< bytes of local memory per thread
  std::uint32_t frames_bytes =
      0;  ///< the part of it for functions' own variables; alloca has the rest
  std::vector<std::uint32_t> tid[3];
  std::vector<std::uint64_t>
      order;  ///< of units, with a seed; empty: in the order of their numbers
  /// Code that queues work runs on one host thread.
  DeviceQueue queue;

  // The runners write these, so they have a cache line of their own: every warp reads the members above.
  alignas(64) std::atomic<std::uint64_t> next_unit{0};
  std::atomic<std::uint64_t> finished{0};
  /// Thread instructions, and bytes of output: of this grid and of all before it in the tree, since budgets hold for all
  /// of them together. Each runner adds its own instructions now and then.
  std::atomic<std::uint64_t> executed{tree.executed};
  std::atomic<std::uint64_t> output_bytes{tree.output_bytes};
  alignas(64) std::mutex mutex;
  LaunchStop stop;

  /// Bytes that this grid may still print where output beyond the budget is dropped.
  [[nodiscard]] std::uint64_t output_room() const {
    const std::uint64_t most = request.budget.output_bytes;
    return most - std::min(most, tree.output_bytes);
  }
};

// Choices of a launch that cost nothing where they are not made, because the run loop is compiled once for each.
struct CountPolicy {
  static constexpr bool kCheck = false, kPermute = false, kWatch = false;
};
/// With initcheck.
struct CheckPolicy {
  static constexpr bool kCheck = true, kPermute = false, kWatch = false;
};
/// With a warp whose issues are recorded.
struct WatchPolicy {
  static constexpr bool kCheck = true, kPermute = false, kWatch = true;
};
/// With a seed: warps and lanes take turns at random.
struct PermutePolicy {
  static constexpr bool kCheck = true, kPermute = true, kWatch = true;
};

class BlockRunner {
 public:
  explicit BlockRunner(LaunchState& launch);
  ~BlockRunner();

  /// Takes blocks until there are none left.
  void run();

  LaunchObserver observer;
  Context context;
  LaunchState& launch;
  TextureUnit textures;
  std::unique_ptr<RaceChecker> race;  ///< where racecheck is asked for

 private:
  enum class WarpStop : std::uint8_t { done, waiting, yielded, stopped };
  enum class BlockStop : std::uint8_t { done, yielded, stopped };
  /// What a warp does after the exit of a basic block: the same fragment goes on, another one may go first, the warp lets
  /// other warps go first, or the launch ends.
  enum class AfterExit : std::uint8_t { go_on, choose_anew, yield, stop };
  struct Round {
    std::uint64_t issued = 0;  ///< instructions, of all warps
    bool ended = false;        ///< a block did
    bool stopped = false;      ///< the launch did
  };
  class DeadlockWatch;

  // block_runner.cpp: rounds
  template <class Policy>
  void run_blocks();
  template <class Policy>
  Round run_round(std::vector<std::unique_ptr<BlockState>>& resident, bool all);
  template <class Policy>
  BlockStop run_block(BlockState& block);
  [[nodiscard]] std::uint64_t block_bytes() const;  ///< of the host, for a resident block
  [[nodiscard]] std::uint64_t resident_limit() const;

  // block_runner.cpp: a warp
  template <class Policy>
  WarpStop run_warp(BlockState& block, WarpState& warp);
  template <class Policy>
  void execute(const BasicBlock& b, Fragment& f);
  [[nodiscard]] bool preempt_randomly();
  void diverge_randomly(WarpState& warp, Fragment& f);
  void record_execution(const BasicBlock& b, std::uint64_t block, const WarpState& warp,
                        const Fragment& f);
  // The steps of run_warp(). A call for each basic block would cost more than most of them do.
  [[gnu::always_inline]] void count_execution(const BasicBlock& b, BlockTally& tally,
                                              WarpState& warp, const Fragment& f);
  [[gnu::always_inline]] void count_guard(const BasicBlock& b, BlockTally& tally, WarpState& warp,
                                          const Fragment& f, std::uint32_t taken);
  [[gnu::always_inline]] AfterExit take_exit(BlockState& block, WarpState& warp, Fragment& f,
                                             const BasicBlock& b);
  [[gnu::always_inline]] AfterExit take_branch(WarpState& warp, Fragment& f, const BasicBlock& b);

  // block_runner.cpp: fragments
  Fragment* choose(WarpState& warp);
  Fragment* choose_any(WarpState& warp);
  void merge(WarpState& warp);
  [[nodiscard]] bool goes_before(const Fragment& a, const Fragment& b) const;
  Fragment& split(WarpState& warp, Fragment& f, std::uint32_t lanes);
  void remove(WarpState& warp, Fragment& f);

  // block_runner.cpp: the life of blocks, warps and frames
  std::unique_ptr<BlockState> begin_block(std::uint64_t index);
  /// Takes what a block printed, as far as the budget lets it be printed.
  void keep_output(BlockState& block);
  void end_block(BlockState& block);
  void add_to_balance(const BlockState& block);
  void begin_warp(BlockState& block, WarpState& warp);
  void enter(BlockState& block, WarpState& warp);
  CallFrame* take_frame(std::uint32_t function);
  void drop_lanes(CallFrame* frame, std::uint32_t lanes, CallFrame* until);
  void set_frame(const Fragment& f);
  void exit_lanes(BlockState& block, WarpState& warp, Fragment& f);

  // block_runner.cpp: budgets
  bool check_budgets(const BasicBlock* running = nullptr);
  void stop(Error why) { context.stop(std::move(why)); }
  [[nodiscard]] bool stopped() const { return context.stopped(); }
  [[nodiscard]] std::uint32_t thread_of(int lane) const { return context.thread_of(lane); }

  // clusters.cpp
  std::uint64_t claim_unit();
  bool take_unit(std::vector<std::unique_ptr<BlockState>>& resident, std::uint64_t limit);
  void retire(std::vector<std::unique_ptr<BlockState>>& resident, std::size_t index);
  bool cluster_barrier(BlockState& block, WarpState& warp, Fragment& f, const BasicBlock& b);
  void settle_cluster(ClusterState& cluster);
  void leave_cluster(BlockState& block, WarpState& warp);

  // barriers.cpp, barrier_check.cpp
  void arrive(BlockState& block, WarpState& warp, Fragment& f, const BasicBlock& b);
  void settle_barriers(BlockState& block, WarpState& warp);
  void complete(BlockState& block, std::uint32_t id);
  void check_count(const WarpState& warp, const Fragment& f, const BasicBlock& b, std::uint32_t id,
                   std::uint32_t count, const BarrierState& state);
  void check_places(const WarpState& warp, std::uint32_t id);
  void check_whole(const BlockState& block, std::uint32_t id);
  void report_barrier(ErrorCode code, const WarpState& warp, std::uint32_t lanes,
                      const BasicBlock& at, MessageArguments arguments);
  /// An error at the last instruction of a basic block.
  Error at(ErrorCode code, MessageArguments arguments, const BasicBlock& b) const;

  // warp_sync.cpp
  bool sync(WarpState& warp, Fragment& f, const BasicBlock& b);
  void settle_syncs(WarpState& warp);
  void finish_sync(WarpState& warp, std::uint32_t members, std::uint32_t key);
  bool sync_matrix(WarpState& warp, Fragment& f, const BasicBlock& b);
  void finish_matrix(WarpState& warp, std::uint32_t key);
  bool run_matrix(const isa::MatrixDetail& detail, CallFrame& frame, const BasicBlock& b);
  void incomplete(const WarpState& warp, Message who, const BasicBlock& b);

  // phases.cpp
  void try_wait(WarpState& warp, Fragment& f, const BasicBlock& b);
  void settle_phases(BlockState& block);
  bool expire_waits(const std::vector<std::unique_ptr<BlockState>>& resident);
  Message waits_for_phase(Message who, const BlockState& block, const Fragment& f) const;

  // calls.cpp
  bool call(WarpState& warp, Fragment& f, const BasicBlock& b);
  bool enter_function(WarpState& warp, Fragment& f, std::uint32_t function,
                      const isa::CallDetail& detail, std::uint32_t next);
  void return_from(WarpState& warp, Fragment& f);
  void branch_table(WarpState& warp, Fragment& f, const BasicBlock& b);

  // externals.cpp
  void external(WarpState& warp, Fragment& f, const isa::CallDetail& detail, const BasicBlock& b);
  void print(const Fragment& f, const isa::CallDetail& detail, const BasicBlock& b);
  void assert_fail(const Fragment& f, const isa::CallDetail& detail, const BasicBlock& b);
  void heap(const Fragment& f, const isa::CallDetail& detail, const BasicBlock& b);
  std::uint64_t argument(const CallFrame& frame, const isa::ParameterPlace& place, int lane) const;
  bool read_string(std::uint64_t address, std::string& to, const Fragment& f, const BasicBlock& b,
                   int lane);
  bool read_bytes(std::uint64_t address, void* to, std::uint32_t bytes, int lane);
  bool write_bytes(std::uint64_t address, const void* from, std::uint32_t bytes, int lane);
  void put_result(const CallFrame& frame, const isa::ParameterPlace& place, int lane,
                  std::uint64_t value);
  Pointer allocate_on_heap(std::string_view call, std::uint64_t bytes, const BasicBlock& b,
                           int lane);
  Expected<void> release_to_heap(std::string_view call, Pointer address);
  void refresh_allocations();

  // device_runtime.cpp
  friend class RuntimeCall;
  void device_runtime(const Fragment& f, const isa::CallDetail& detail, const BasicBlock& b);
  void report_unseen_errors();

  // deadlock.cpp
  void report_deadlock(const std::vector<std::unique_ptr<BlockState>>& blocks);
  /// A digest of all state, except memory, that decides what the blocks do next: places, masks, registers. If it is the
  /// same before and after a round that changed no memory, then every later round is the same again.
  [[nodiscard]] std::uint64_t progress_digest(
      const std::vector<std::unique_ptr<BlockState>>& blocks) const;
  [[nodiscard]] Message who_waits(const BlockState& block) const;
  [[nodiscard]] std::optional<std::uint64_t> spin_address(const Fragment& f) const;
  [[nodiscard]] std::string spins_on(const Fragment& f) const;
  [[nodiscard]] bool waits_for_host(const std::vector<std::unique_ptr<BlockState>>& blocks) const;

  const isa::Code& code_;
  /// By function. Their constants are in place.
  std::vector<std::vector<std::unique_ptr<CallFrame>>> free_frames_;
  std::vector<std::unique_ptr<CallFrame>> frames_;  ///< in use
  std::vector<std::unique_ptr<BlockState>> spares_;
  std::uint64_t next_unit_ = 0, claimed_end_ = 0;  ///< units that are claimed and have not run yet
  UndefinedTracker undefined_;
  std::uint64_t executed_ = 0;    ///< thread instructions
  std::uint64_t next_check_ = 0;  ///< the value of executed_ at which the budgets are checked again
  std::uint64_t reported_ = 0;    ///< the part of executed_ that LaunchState::executed has
  std::uint64_t frame_bytes_ = 0;
  std::uint64_t heap_allocations_ = 0;  ///< by malloc, less those that free released
  // Of the device runtime, by block << 32 | thread.
  std::unordered_map<std::uint64_t, CudaError> last_errors_;
  std::map<std::uint64_t, RawFinding>
      unseen_errors_;  ///< launches refused to threads that have not asked for the error yet
  std::mt19937_64 random_;
  /// With --seed: warps and lanes take turns at random. Not while it is found out whether a wait can end.
  bool random_turns_ = false;
};

/// "0-15, 17".
std::string lanes_in_words(std::uint32_t mask);

}  // namespace warpbook::device
