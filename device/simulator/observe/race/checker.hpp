// racecheck: accesses to one place by two threads, one of them a write, with nothing between that orders them. It reasons
// on what happened before what, never on the order in which the threads happened to run.
//
// Within a block, what orders are its barriers and the syncs of its warps; what two threads did between the same two is
// unordered, whoever ran first. Findings there wait for the end of the epoch and name the lowest threads that took part,
// so that every schedule gives the same ones. Between blocks, and within one through memory, a fence before an atomic or
// volatile write releases and an atomic or volatile read acquires (clock.hpp).
//
// An asynchronous copy is a thread of its own that begins where it is issued and ends where somebody waits for it: its
// thread by a group (copy.cpp), or whoever sees the phase of its mbarrier completed. An mbarrier's phase and the barrier of
// a cluster pass on what those knew who arrived (phase.cpp). The blocks of a cluster look at one another's shared memory.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <tuple>
#include <unordered_map>
#include <vector>

#include "device/simulator/observe/race/shadow.hpp"
#include "device/simulator/observe/race/vector_clock.hpp"
#include "device/simulator/state/block_state.hpp"
#include "device/simulator/state/launch_observer.hpp"

namespace warpbook::device {

struct Settled;

struct WarpRace {
  /// By lane, the known segment of each other: where lanes met in parts, not all at once.
  using Meetings = std::array<std::array<std::uint32_t, kLanes>, kLanes>;

  alignas(64)
      std::array<Stamp, kLanes> stamp{};  ///< of the lanes' accesses now, but for the instruction
  std::uint32_t first =
      0;  ///< what the warp did in segments below happened before, for all its lanes
  std::uint32_t touched = 0;  ///< lanes that accessed memory since they last met others
  std::uint32_t fenced = 0;   ///< lanes with a fence that no barrier or sync has passed on yet
  std::uint32_t waited = 0;   ///< lanes that waited for copies, which no meeting has passed on yet
  std::unique_ptr<Meetings> meetings;
};

/// The places that the lanes of an operation touch, each once or, of those that read, twice: more readers than two of a
/// warp change nothing.
struct RaceShape {
  std::uint32_t places = 0;   ///< 0: not known
  std::uint32_t lowest = 0;   ///< the lane with the lowest address
  std::uint32_t seconds = 0;  ///< lanes that are the second at their place
  std::uint64_t span = 0;     ///< bytes from the lowest place to the end of the highest
  std::array<std::uint32_t, kLanes> granule{};  ///< by place, from the lowest
  std::array<std::uint8_t, kLanes> own{},
      also{};  ///< by place: its first lane, and its second or the first
};

/// What completes an asynchronous copy. Those of one kind complete in the order in which their thread began them; from
/// by_mbarrier on, those of one mbarrier do.
enum Completion : std::uint32_t { by_group, by_bulk_group_read, by_bulk_group, by_mbarrier };
inline constexpr std::uint32_t kWaited = by_mbarrier;  ///< kinds that a thread waits for itself
inline constexpr std::uint32_t kMbarriers = 32 - by_mbarrier;

/// The copies of a block's threads, from when it issues one.
struct BlockCopies {
  /// By kind and thread: what the thread waited for is below, now and at the block's last barrier.
  std::array<std::vector<std::uint32_t>, kWaited> waited, passed;
  /// By thread: where its groups end that it has not waited for, of cp.async and in bulk.
  std::array<std::vector<std::vector<std::uint32_t>>, 2> groups;
};

/// What arrivals bring to those who wait for their phase.
struct PhaseClocks {
  SharedClock arriving, complete;
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

/// Where a race lies.
struct RacePlace {
  Space space = Space::none;
  std::uint32_t owner = 0;  ///< the block whose shared memory it is
  std::uint64_t address = 0;
  std::uint32_t bytes = 0;
};

/// Blocks that reach each other's shared memory: one, or a cluster.
struct RaceGroup {
  std::uint32_t blocks = 1, running = 0;
  std::uint32_t begin = 0, first_copy = 0;  ///< its first segment and copy
  std::vector<std::uint32_t> mbarriers;     ///< those that copies signal, the first kMbarriers
  PhaseClocks barrier;                      ///< the cluster's
  /// The lowest pair of each two instructions, where what orders threads is more than the block's barriers: {note,
  /// instruction, other instruction}.
  std::map<std::array<std::uint32_t, 3>, std::pair<RacePair, RacePlace>> met;
};

struct BlockRace {
  std::uint32_t index = 0;
  std::shared_ptr<RaceGroup> group;
  std::uint32_t begin = 0;     ///< its first segment
  std::uint32_t segments = 0;  ///< how many it has made
  std::uint32_t barrier_first =
      0;  ///< what it did in segments below happened before its last barrier
  std::vector<WarpRace> warps;
  std::vector<Stamp> shared;  ///< cells of its shared memory
  /// By 32 granules of it: all of them hold two readers of warps below that in the stamp, and no writer, while its segment is
  /// the floor. A write there finds readers to look at, so it does not go unseen (RaceChecker::touch).
  std::vector<Stamp> held;
  std::unordered_map<std::uint64_t, PendingRace>
      pending;  ///< by granule; shared ones have the top bit

  // What synchronises through memory.
  bool clocked = false;  ///< some thread learned something since the last barrier
  SharedClock clock;     ///< what all threads know of other blocks
  SharedClock released;  ///< what fences before the last barrier let any thread pass on
  std::vector<SharedClock> clocks, passing;  ///< by thread: what it knows, and what it may pass on
  std::vector<std::uint32_t> fences;         ///< by thread: the segment after its last fence, or 0
  std::unordered_map<std::uint64_t, SharedClock> flags;   ///< by word of shared memory
  std::array<SharedClock, 16> arrived;                    ///< by barrier: what bar.arrive brought
  std::unordered_map<std::uint32_t, PhaseClocks> phases;  ///< by mbarrier

  std::unique_ptr<BlockCopies> copies;
  SharedClock copies_passed;  ///< BlockCopies::passed for other blocks; made when it is asked for
  /// The last access of each thread of other blocks to its shared memory: {stamp, place}.
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::pair<Stamp, RacePlace>> visitors;
};

class RaceChecker {
 public:
  RaceChecker(const LaunchFacts& facts, const isa::Code& code, LaunchObserver& observer,
              std::shared_ptr<RaceShadow> shadow);

  /// For the next launch on the same memory.
  [[nodiscard]] std::shared_ptr<RaceShadow> shadow() const { return shadow_; }

  void begin_block(BlockState& block);
  void end_block(BlockState& block);
  /// The launch ends: tells what blocks that never ended have met.
  void end_launch();
  void enter(const BlockState& block, const WarpState& warp);

  /// Lanes of the running warp met in an operation that names `members`.
  void warp_sync(const WarpState& warp, std::uint32_t members);
  /// All lanes of a warp did bar.arrive.
  void arrive(const WarpState& warp, std::uint32_t barrier);
  /// A barrier opens for the warps of `waiting`; `all`: for every one that has not exited.
  void barrier(std::uint32_t id, std::uint32_t waiting, bool all);
  void fence(std::uint32_t lanes);

  // Asynchronous copies (copy.cpp). Those of all lanes of an instruction have one number.
  std::uint32_t begin_copy();
  /// What one of them touches: shared memory of `owner`, or global memory where that is null. `lane` issued it.
  void copy_touches(const DecodedInstruction& operation, Context& context, std::uint32_t copy,
                    std::uint32_t completion, std::uint32_t lane, const BlockState* owner,
                    std::uint64_t address, std::uint32_t bytes, AccessKind kind);
  void commit(std::uint32_t lanes, bool bulk);
  /// Lanes wait for all but the last `left` groups that they committed.
  void wait_groups(std::uint32_t lanes, std::uint32_t left, bool bulk, bool only_read);
  /// Lanes wait for all cp.async so far.
  void wait_copies(std::uint32_t lanes);
  /// How copies complete that signal this mbarrier: each in a way of its own, for the first kMbarriers that a block or
  /// cluster uses so.
  [[nodiscard]] std::uint32_t completion_at(std::uint32_t mbarrier);

  // Phases (phase.cpp)
  /// What lanes do from here on is not part of what they release.
  void cut(std::uint32_t lanes);
  /// What a lane knows, and did before the last cut; `copies_below` != 0: with its copies below, which `completion` completes.
  [[nodiscard]] SharedClock history(std::uint32_t lane, std::uint32_t copies_below,
                                    std::uint32_t completion) const;
  /// What an arrival of a lane brings: its history or, where it releases nothing, what its last fence did.
  [[nodiscard]] SharedClock brings(std::uint32_t lane, bool releases) const;
  void touch_mbarrier(std::uint32_t instruction, Context& context, BlockState& block,
                      std::uint32_t mbarrier, int lane, bool plain);
  void mbarrier_begins(BlockState& block, std::uint32_t mbarrier);
  void arrives(BlockState& block, std::uint32_t mbarrier, const SharedClock& history);
  void phase_ends(BlockState& block, std::uint32_t mbarrier);
  void sees_phase(std::uint32_t mbarrier, std::uint32_t lane);
  void cluster_arrives(const BlockState& block, const WarpState& warp, std::uint32_t lanes,
                       bool releases);
  void cluster_opens(const BlockState& block);
  void cluster_passes(const BlockState& block, const WarpState& warp, std::uint32_t lanes);

  /// Nobody has touched these bytes of global memory: they were just allocated.
  void forget(Pointer address, std::uint64_t bytes) { shadow_->forget(address, bytes); }

  void row(const DecodedInstruction& operation, Context& context, std::uint64_t base, Space space,
           AccessKind kind, std::uint32_t bytes);
  void place(const DecodedInstruction& operation, Context& context, std::uint64_t address,
             std::uint32_t readers, Space space, std::uint32_t bytes);
  /// The shape of an operation's access, until it learns another.
  void learn(std::uint32_t memo, const std::uint64_t* address, std::uint32_t mask,
             std::uint32_t bytes, Space space);
  void known(const DecodedInstruction& operation, Context& context, const std::uint64_t* address,
             std::uint32_t mask, Space space, AccessKind kind, std::uint32_t bytes);
  void lanes(const DecodedInstruction& operation, Context& context, const std::uint64_t* address,
             std::uint32_t mask, Space space, AccessKind kind, std::uint32_t bytes);

 private:
  struct Request;  ///< one warp's access

  // shapes.cpp
  [[nodiscard]] Settled settled(Space space) const;
  /// Whether comparing stamps may settle it.
  [[nodiscard]] bool by_stamps(const DecodedInstruction& operation, Space space) const;
  /// Of an access.
  [[nodiscard]] std::size_t granules(Space space, std::uint32_t bytes) const {
    return std::max(1u, bytes >> (space == Space::shared ? shared_shift_ : global_shift_));
  }
  /// Whether reading shared memory would change nothing.
  [[nodiscard]] bool held(std::uint64_t offset, std::uint64_t bytes, const Settled& settled);
  [[nodiscard]] static bool in_one_piece(Space space, std::uint64_t low, std::uint64_t span);
  /// False, and nothing done, where they do not.
  bool places(const DecodedInstruction& operation, const RaceShape& shape, std::uint64_t low,
              Space space, bool writes, std::size_t each, bool pairs);
  /// The running warp alone touches a row of global memory, in its lanes' order; false, and nothing done, otherwise.
  bool alone_in_row(std::uint64_t base, bool writes, Stamp instruction);

  // access.cpp
  /// From `address` on, `bytes` of which are looked at or set.
  [[nodiscard]] Cells cells(Space space, std::uint64_t address, std::uint64_t bytes) {
    if (space == Space::shared)
      return Cells{owner_->shared.data(), shared_cells_}.from(address >> shared_shift_);
    return shadow_->at(address, bytes);
  }
  [[nodiscard]] bool ordered(Stamp s, std::uint32_t lane, Stamp floor) const;
  /// A copy of an earlier launch or, in shared memory, of a block that is no more.
  [[nodiscard]] bool forgotten(Stamp copy, Stamp floor) const;
  [[nodiscard]] bool completed(Stamp copy, std::uint32_t lane, Stamp floor) const;
  [[nodiscard]] Stamp floor_of(Space space) const;
  void reach(const Context& context, Space space);
  void visit(Stamp now, const RacePlace& place);
  [[nodiscard]] bool conflicts(Stamp s, Stamp now, std::uint32_t lane, Stamp floor) const;
  void touch(const Request& r, const Cells& cell, std::uint32_t lane, std::uint64_t address,
             Stamp now);
  void insert(Stamp& first, Stamp& other, Stamp now, std::uint32_t lane, Stamp floor) const;
  [[nodiscard]] std::uint64_t rank(Stamp s) const;
  [[nodiscard]] int distance(Stamp a, Stamp b) const;

  // race.cpp
  std::uint32_t new_segment();
  [[nodiscard]] std::uint32_t block_of(Stamp s) const {
    return is_copy(s) ? block_of_copy_[copy_of(s) - launch_first_copy_]
                      : block_of_[segment_of(s) - launch_first_];
  }
  void stamp(WarpRace& warp, std::uint32_t index, std::uint32_t lanes, std::uint32_t segment);
  static void make_clocks(BlockRace& block, std::uint32_t warps);
  void make_clocks() { make_clocks(*block_, facts_.warps); }
  void learn_own(Clock& clock, std::uint32_t thread) const;
  void learn_waited(Clock& clock, std::uint32_t thread) const;
  BlockCopies& copies();
  void pass_copies();
  const SharedClock& copies_passed();
  SharedClock join(const SharedClock& a, const SharedClock& b);
  [[nodiscard]] SharedClock passes_on(std::uint32_t thread) const;
  /// Whether any thread of the block has something to pass on.
  [[nodiscard]] bool passes_any() const { return block_->released || !block_->clocks.empty(); }
  void fence_lane(std::uint32_t lane);
  void acquire(Space space, std::uint64_t address, std::uint32_t bytes, std::uint32_t thread);
  void release(Space space, std::uint64_t address, std::uint32_t bytes, std::uint32_t thread);
  std::unordered_map<std::uint64_t, SharedClock>& flags(Space space) {
    return space == Space::shared ? owner_->flags : flags_;
  }

  // findings.cpp
  void found(const Request& r, std::uint64_t address, Stamp now, Stamp before, bool before_writes,
             bool note);
  void capture(std::uint32_t warp);
  void resolve();
  [[nodiscard]] std::optional<RacePair> pair_of(std::uint64_t key, const PendingRace& p,
                                                bool within);
  [[nodiscard]] bool before(const RacePair& a, const RacePlace& at, const RacePair& b,
                            const RacePlace& bt) const;
  void meet(const RacePair& pair, bool note, const RacePlace& place);
  void tell_met(RaceGroup& group);
  void tell_visitors(const BlockState& block);
  void report(const RacePair& pair, bool note, const RacePlace& place);

  const LaunchFacts& facts_;
  const isa::Code& code_;
  LaunchObserver& observer_;
  std::shared_ptr<RaceShadow> shadow_;
  std::uint32_t shared_shift_ = 2, global_shift_ = 2;
  std::size_t shared_cells_ = 0;
  std::uint32_t launch_first_ = 1;
  Stamp launch_floor_ = 0;
  bool exhausted_ = false;               ///< segments ran out: nothing more is found
  std::vector<std::uint32_t> block_of_;  ///< by segment, from the launch's first
  std::uint32_t launch_first_copy_ = 1;
  std::vector<std::uint32_t> block_of_copy_;  ///< by copy, from the launch's first
  std::vector<std::shared_ptr<BlockRace>> running_;
  BlockRace* block_ = nullptr;
  BlockRace* owner_ = nullptr;         ///< whose shared memory is accessed
  std::array<SharedClock, 3> joined_;  ///< the last two that were joined, and both
  WarpRace* warp_ = nullptr;
  std::uint32_t warp_index_ = 0;
  std::unordered_map<std::uint64_t, SharedClock> flags_;  ///< by word of global memory
  std::vector<RaceShape> shapes_;                         ///< by memo
  std::set<std::tuple<std::uint32_t, std::uint32_t, std::uint32_t>> reported_, noted_;
};

}  // namespace warpbook::device
