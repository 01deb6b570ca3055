// racecheck: accesses to one place by two threads, one of them a write, with nothing between that orders them. It reasons
// on what happened before what, never on the order in which the threads happened to run.
//
// Within a block, what orders are its barriers and the syncs of its warps; what two threads did between the same two is
// unordered, whoever ran first. Findings there wait for the end of the epoch and name the lowest threads that took part,
// so that every schedule gives the same ones. Between blocks, and within one through memory, a fence before an atomic or
// volatile write releases and an atomic or volatile read acquires (race_clock.hpp).
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <tuple>
#include <unordered_map>
#include <vector>

#include "device/simulator/machine/state.hpp"
#include "device/simulator/observe/race_cells.hpp"
#include "device/simulator/observe/race_clock.hpp"
#include "device/simulator/observe/recorder.hpp"

namespace warpbook::device {

struct WarpRace {
  /// By lane, the known segment of each other: where lanes met in parts, not all at once.
  using Meetings = std::array<std::array<std::uint32_t, kLanes>, kLanes>;

  alignas(64)
      std::array<Stamp, kLanes> stamp{};  ///< of the lanes' accesses now, but for the instruction
  std::uint32_t first =
      0;  ///< what the warp did in segments below happened before, for all its lanes
  std::uint32_t touched = 0;  ///< lanes that accessed memory since they last met others
  std::uint32_t fenced = 0;   ///< lanes with a fence that no barrier or sync has passed on yet
  std::unique_ptr<Meetings> meetings;
};

/// Two accesses, the first a write.
struct RacePair {
  Stamp by = 0, other = 0;
  bool other_writes = false;
};

/// A granule that two threads of the block accessed unordered, until the epoch's end.
struct PendingRace {
  bool writes = false, reads = false,
       note = false;               ///< two writers; a writer and a reader; equal values only
  RacePair first;                  ///< as it was met
  std::optional<RacePair> within;  ///< of one warp, before it met again
  std::uint64_t address = 0;
  std::uint32_t bytes = 0;
};

struct BlockRace {
  std::uint32_t index = 0;
  std::uint32_t begin = 0;  ///< its first segment
  std::uint32_t barrier_first =
      0;  ///< what it did in segments below happened before its last barrier
  std::vector<WarpRace> warps;
  std::vector<Stamp> shared;  ///< cells of its shared memory
  std::unordered_map<std::uint64_t, PendingRace>
      pending;  ///< by granule; shared ones have the top bit

  // What synchronises through memory.
  bool clocked = false;  ///< some thread learned something since the last barrier
  SharedClock clock;     ///< what all threads know of other blocks
  SharedClock released;  ///< what fences before the last barrier let any thread pass on
  std::vector<SharedClock> clocks, passing;  ///< by thread: what it knows, and what it may pass on
  std::vector<std::uint32_t> fences;         ///< by thread: the segment after its last fence, or 0
  std::unordered_map<std::uint64_t, SharedClock> flags;  ///< by word of shared memory
  std::array<SharedClock, 16> arrived;                   ///< by barrier: what bar.arrive brought
};

class RaceChecker {
 public:
  RaceChecker(const LaunchFacts& facts, const isa::Code& code, Recorder& recorder,
              std::shared_ptr<RaceShadow> shadow);

  /// For the next launch on the same memory.
  [[nodiscard]] std::shared_ptr<RaceShadow> shadow() const { return shadow_; }

  void begin_block(BlockState& block);
  void end_block(BlockState& block);
  void enter(const BlockState& block, const WarpState& warp);

  /// Lanes of the running warp met in an operation that names `members`.
  void warp_sync(const WarpState& warp, std::uint32_t members);
  /// All lanes of a warp did bar.arrive.
  void arrive(const WarpState& warp, std::uint32_t barrier);
  /// A barrier opens for the warps of `waiting`; `all`: for every one that has not exited.
  void barrier(std::uint32_t id, std::uint32_t waiting, bool all);
  void fence(std::uint32_t lanes);
  /// Nobody has touched these bytes of global memory: they were just allocated.
  void forget(Pointer address, std::uint64_t bytes) { shadow_->forget(address, bytes); }

  void row(const Operation& operation, Context& context, std::uint64_t base, Space space,
           AccessKind kind, std::uint32_t bytes);
  void lanes(const Operation& operation, Context& context, const std::uint64_t* address,
             std::uint32_t mask, Space space, AccessKind kind, std::uint32_t bytes);

 private:
  struct Request;  ///< one warp's access

  // race_access.cpp
  [[nodiscard]] Cells cells(Space space, std::uint64_t address);
  [[nodiscard]] bool ordered(Stamp s, std::uint32_t lane, Stamp floor) const;
  [[nodiscard]] bool conflicts(Stamp s, Stamp now, std::uint32_t lane, Stamp floor) const;
  void touch(const Request& r, const Cells& cell, std::uint32_t lane, std::uint64_t address,
             Stamp now);
  void insert(Stamp& first, Stamp& other, Stamp now, std::uint32_t lane, Stamp floor) const;
  [[nodiscard]] std::uint64_t rank(Stamp s) const;
  [[nodiscard]] int distance(Stamp a, Stamp b) const;

  // race.cpp
  std::uint32_t new_segment();
  [[nodiscard]] std::uint32_t block_of(Stamp s) const {
    return block_of_[segment_of(s) - launch_first_];
  }
  void stamp(WarpRace& warp, std::uint32_t index, std::uint32_t lanes, std::uint32_t segment);
  void make_clocks();
  void learn_own(Clock& clock, std::uint32_t thread) const;
  [[nodiscard]] SharedClock passes_on(std::uint32_t thread) const;
  void fence_lane(std::uint32_t lane);
  void acquire(Space space, std::uint64_t address, std::uint32_t bytes, std::uint32_t thread);
  void release(Space space, std::uint64_t address, std::uint32_t bytes, std::uint32_t thread);
  std::unordered_map<std::uint64_t, SharedClock>& flags(Space space) {
    return space == Space::shared ? block_->flags : flags_;
  }

  // race_findings.cpp
  void found(const Request& r, std::uint64_t address, Stamp now, Stamp before, bool before_writes,
             bool note);
  void capture(std::uint32_t warp);
  void resolve();
  [[nodiscard]] std::optional<RacePair> pair_of(std::uint64_t key, const PendingRace& p,
                                                bool within);
  void report(const RacePair& pair, bool note, Space space, std::uint64_t address,
              std::uint32_t bytes);

  const LaunchFacts& facts_;
  const isa::Code& code_;
  Recorder& recorder_;
  std::shared_ptr<RaceShadow> shadow_;
  std::uint32_t shared_shift_ = 2, global_shift_ = 2;
  std::size_t shared_cells_ = 0;
  std::uint32_t launch_first_ = 1;
  Stamp launch_floor_ = 0;
  bool exhausted_ = false;               ///< segments ran out: nothing more is found
  std::vector<std::uint32_t> block_of_;  ///< by segment, from the launch's first
  BlockRace* block_ = nullptr;
  WarpRace* warp_ = nullptr;
  std::uint32_t warp_index_ = 0;
  std::unordered_map<std::uint64_t, SharedClock> flags_;  ///< by word of global memory
  std::set<std::tuple<std::uint32_t, std::uint32_t, std::uint32_t>> reported_, noted_;
};

}  // namespace warpbook::device
