// One host thread's share of a launch: it takes blocks in order and runs each to its end.
#pragma once

#include <atomic>
#include <chrono>
#include <memory>
#include <mutex>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "device/simulator/observe/definedness.hpp"
#include "device/simulator/observe/race/checker.hpp"
#include "device/simulator/run/launch.hpp"
#include "device/simulator/state/block_state.hpp"
#include "device/simulator/state/launch_observer.hpp"
#include "device/simulator/state/launch_stop.hpp"
#include "device/simulator/state/loaded_module.hpp"
#include "device/simulator/texture/unit.hpp"

namespace warpbook::device {

/// What all workers of a launch share.
struct LaunchState {
  const RunRequest& request;
  const LoadedModule& module;
  const isa::Code& code;
  LaunchFacts facts;
  std::uint64_t blocks = 0;
  std::uint64_t units = 0;  ///< blocks / blocks of a cluster
  std::uint32_t unit_blocks = 1;
  std::uint32_t runners = 1;
  std::uint64_t units_a_claim = 1;  ///< a worker takes so many at a time
  std::uint32_t local_stride = 0;   ///< bytes of local memory a thread
  std::uint32_t frames_bytes = 0;   ///< of them for functions' own variables; alloca has the rest
  std::vector<std::uint32_t> tid[3];
  std::vector<std::uint64_t> order;  ///< of units, with a seed; empty: as they are numbered
  std::chrono::steady_clock::time_point begin;

  // What workers write is a cache line of its own: they read all the above for every warp.
  alignas(64) std::atomic<std::uint64_t> next_unit{0};
  std::atomic<std::uint64_t> finished{0};
  std::atomic<std::uint64_t> executed{0};  ///< thread instructions, brought up to date now and then
  std::atomic<std::uint64_t> output_bytes{0};
  alignas(64) std::mutex mutex;
  LaunchStop stop;
};

/// Run-time choices that cost nothing where they are not made.
struct CountPolicy {
  static constexpr bool kCheck = false, kPermute = false;
};
struct CheckPolicy {
  static constexpr bool kCheck = true, kPermute = false;
};
struct PermutePolicy {
  static constexpr bool kCheck = true, kPermute = true;
};

class BlockRunner {
 public:
  explicit BlockRunner(LaunchState& launch);
  ~BlockRunner();

  /// Takes blocks until there are none.
  void run();

  LaunchObserver observer;
  Context context;
  LaunchState& launch;
  TextureUnit textures;
  std::unique_ptr<RaceChecker> race;  ///< where racecheck is asked for

  // For handlers outside of the run loop.
  [[nodiscard]] std::uint32_t thread_of(int lane) const { return context.thread_of(lane); }
  void stop(Error why) { context.stop(std::move(why)); }
  [[nodiscard]] bool stopped() const { return context.stopped(); }

 private:
  enum class WarpStop : std::uint8_t { done, waiting, yielded, stopped };
  enum class BlockStop : std::uint8_t { done, yielded, stopped };

  template <class Policy>
  void run_blocks();
  template <class Policy>
  BlockStop run_block(BlockState& block);
  template <class Policy>
  WarpStop run_warp(BlockState& block, WarpState& warp);
  template <class Policy>
  void execute(const BasicBlock& b, Fragment& f);
  bool preempt_randomly();

  // Scheduling (schedule.cpp)
  Fragment* choose(WarpState& warp);
  Fragment* choose_any(WarpState& warp);
  void merge(WarpState& warp);
  [[nodiscard]] bool goes_before(const Fragment& a, const Fragment& b) const;
  Fragment& split(WarpState& warp, Fragment& f, std::uint32_t lanes);
  void remove(WarpState& warp, Fragment& f);

  // Blocks and frames (blocks.cpp)
  std::unique_ptr<BlockState> begin_block(std::uint64_t index);
  [[nodiscard]] std::uint64_t block_bytes() const;  ///< of the host, for a block that is under way
  void end_block(BlockState& block);
  // Units of blocks that run together (clusters.cpp).
  std::uint64_t claim_unit();
  bool take_unit(std::vector<std::unique_ptr<BlockState>>& resident, std::uint64_t limit);
  void retire(std::vector<std::unique_ptr<BlockState>>& resident, std::size_t index);
  void add_to_balance(const BlockState& block);
  void begin_warp(BlockState& block, WarpState& warp);
  void enter(BlockState& block, WarpState& warp);
  CallFrame* take_frame(std::uint32_t function);
  void drop_lanes(CallFrame* frame, std::uint32_t lanes, CallFrame* until);
  void set_frame(const Fragment& f);
  void exit_lanes(BlockState& block, WarpState& warp, Fragment& f);
  /// `running`: where it is, for the error to name.
  bool check_budgets(const BasicBlock* running = nullptr);

  // When nothing moves (deadlock.cpp)
  void report_deadlock(const std::vector<std::unique_ptr<BlockState>>& blocks);
  /// A digest of all that decides what the blocks do next, but for memory: places, masks, registers. Where it is the same
  /// before and after a round that changed no memory, every later round is the same again.
  [[nodiscard]] std::uint64_t progress_digest(
      const std::vector<std::unique_ptr<BlockState>>& blocks) const;
  [[nodiscard]] std::string who_waits(const BlockState& block) const;
  [[nodiscard]] std::string spins_on(const Fragment& f) const;

  // Exits (calls.cpp, barriers.cpp, warp_sync.cpp, matrix.cpp)
  bool call(WarpState& warp, Fragment& f, const BasicBlock& b);
  bool enter_function(WarpState& warp, Fragment& f, std::uint32_t function,
                      const isa::CallDetail& detail, std::uint32_t next);
  void return_from(WarpState& warp, Fragment& f);
  void external(WarpState& warp, Fragment& f, const isa::CallDetail& detail, const BasicBlock& b);
  void print(const Fragment& f, const isa::CallDetail& detail, const BasicBlock& b);
  void assert_fail(const Fragment& f, const isa::CallDetail& detail, const BasicBlock& b);
  void heap(const Fragment& f, const isa::CallDetail& detail, const BasicBlock& b);
  std::uint64_t argument(const CallFrame& frame, const isa::ParameterPlace& place, int lane) const;
  bool read_string(std::uint64_t address, std::string& to, const Fragment& f, const BasicBlock& b,
                   int lane);
  bool read_bytes(std::uint64_t address, void* to, std::uint32_t bytes, int lane);
  void branch_table(WarpState& warp, Fragment& f, const BasicBlock& b);
  void arrive(BlockState& block, WarpState& warp, Fragment& f, const BasicBlock& b);
  void settle_barriers(BlockState& block, WarpState& warp);
  void complete(BlockState& block, std::uint32_t id);
  void check_count(const WarpState& warp, const Fragment& f, const BasicBlock& b, std::uint32_t id,
                   std::uint32_t count, const BarrierState& state);
  void check_places(const WarpState& warp, std::uint32_t id);
  void report_barrier(ErrorCode code, const WarpState& warp, std::uint32_t lanes,
                      const BasicBlock& at,
                      std::vector<std::pair<std::string, std::string>> arguments);
  bool sync(WarpState& warp, Fragment& f, const BasicBlock& b);
  bool sync_matrix(WarpState& warp, Fragment& f, const BasicBlock& b);
  void finish_matrix(WarpState& warp, std::uint32_t key);
  void incomplete(const WarpState& warp, std::string who, const BasicBlock& b);
  bool run_matrix(const isa::MatrixDetail& detail, CallFrame& frame, const BasicBlock& b);
  void settle_syncs(WarpState& warp);
  void finish_sync(WarpState& warp, std::uint32_t members, std::uint32_t key);
  // mbarriers (phases.cpp) and the barrier of a cluster (clusters.cpp)
  void try_wait(WarpState& warp, Fragment& f, const BasicBlock& b);
  void settle_phases(BlockState& block);
  bool expire_waits(const std::vector<std::unique_ptr<BlockState>>& resident);
  std::string mbarrier_in_words(const BlockState& block, const Fragment& f) const;
  bool cluster_barrier(BlockState& block, WarpState& warp, Fragment& f, const BasicBlock& b);
  void settle_cluster(ClusterState& cluster);
  void leave_cluster(BlockState& block, WarpState& warp);
  Error at(ErrorCode code, std::vector<std::pair<std::string, std::string>> arguments,
           const BasicBlock& b) const;

  const isa::Code& code_;
  std::vector<std::vector<std::unique_ptr<CallFrame>>>
      free_frames_;                                 ///< by function: their constants are in place
  std::vector<std::unique_ptr<CallFrame>> frames_;  ///< in use
  std::vector<std::unique_ptr<BlockState>> spares_;
  std::uint64_t next_unit_ = 0, claimed_end_ = 0;  ///< units claimed and not yet run
  UndefinedTracker undefined_;
  std::uint64_t executed_ = 0, next_check_ = 0, reported_ = 0;
  std::uint64_t frame_bytes_ = 0;
  std::uint64_t heap_allocations_ = 0;  ///< malloc's, less free's
  std::mt19937_64 random_;
};

/// "0-15, 17".
std::string lanes_in_words(std::uint32_t mask);

}  // namespace warpbook::device
