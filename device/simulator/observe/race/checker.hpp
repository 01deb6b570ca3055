// racecheck: finds data races. Two accesses race if they touch a common byte from two threads, at least one of them writes, neither
// happened before the other, and not both are strong operations whose scopes include the other's thread (PTX ISA, "Morally strong
// operations"; a scope of a cluster is taken for one of the GPU).
//
// It decides by what synchronisation has ordered (L. Lamport, "Time, Clocks, and the Ordering of Events in a Distributed System",
// CACM 21(7), 1978) and never by the order in which the simulator happened to run the threads. As in FastTrack (C. Flanagan,
// S. Freund, PLDI 2009) each granule of memory keeps a few accesses, and most accesses are compared with a number instead of a
// vector clock. One block of two warps, time to the right:
//
//             |<---------- epoch 1 ---------->|<------ epoch 2 ------>|
//   warp 0    |-- segment 5 --|-- segment 7 --|---- segment 8 --------|
//                         __syncwarp()  __syncthreads()           __syncthreads()
//   warp 1    |--------- segment 6 -----------|---- segment 9 --------|
//
//   Each access is a stamp of {segment, warp, lane, instruction} (stamp.hpp). A stamp whose segment is below the epoch's first one (8
//   in epoch 2) is ordered before everything now: one comparison. Within the epoch, a warp's own accesses before its last warp
//   sync are ordered (in warp 0, those below 7). All other accesses of the epoch by two threads are unordered, whichever ran first: the
//   writes of warp 0 in segment 7 race with those of warp 1 in segment 6.
//
// Every schedule gives the same findings within a block, for three reasons. The order above depends on the program's synchronisation alone. A
// granule's shadow does not depend on who came first: it keeps the lowest writer and the lowest reader (by block, then thread), and of
// each a second one, the lowest among those most distant from the first: of another block, else of another warp, else of another
// lane. Whichever thread accesses the granule next, one of the two is by another thread, and by another warp or block if any came;
// and the lowest of a set does not depend on the order in which its elements come. Finally, a race that is seen is reported only when
// the epoch ends, by the pair that the shadow then holds (findings.cpp).
//
// Between blocks, and within one through memory, a fence before a strong write releases and a strong read that sees the value acquires
// (vector_clock.hpp); there the schedule decides which value a read sees, and so what is ordered. An asynchronous copy is like a thread of its own: it begins where it is issued, and it ends for those who wait
// for it, its own thread by a group, or any thread that sees its mbarrier's phase completed (copy.cpp). The phases of mbarriers and of a
// cluster's barrier hand on the clocks of those who arrived to those who wait (phase.cpp). The blocks of a cluster access each
// other's shared memory.
//
// checker.cpp has the segments and what orders them; lane_access.cpp the check of one lane's access, and warp_access.cpp the fast
// paths for a whole warp's (stamp_bounds.hpp, granule_loops.hpp).
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

struct StampBounds;

struct WarpRace {
  /// By lane, and by other lane of the warp: what that lane did in segments below happened before.
  using LaneClocks = std::array<std::array<std::uint32_t, kLanes>, kLanes>;

  /// By lane: segment, warp and lane, to which an access adds its instruction.
  alignas(64) std::array<Stamp, kLanes> stamp{};
  /// What any lane of the warp did in segments below happened before what any of them does now.
  std::uint32_t synced_below = 0;
  std::uint32_t accessed = 0;  ///< lanes that accessed memory since their last synchronisation
  std::uint32_t fenced = 0;  ///< lanes with a fence that no barrier or warp sync has published yet
  std::uint32_t waited = 0;  ///< lanes that waited for copies, which no warp sync has published yet
  std::unique_ptr<LaneClocks> lane_clocks;  ///< once only some of the lanes have synchronised
};

/// The addresses that the lanes of an operation access, relative to the lowest: as long as the lanes keep these distances, they need not
/// be sorted again. Of lanes that read one address, two represent all, because a granule keeps no more readers of one warp.
struct RaceShape {
  std::uint32_t addresses = 0;     ///< distinct ones; 0: the shape is not known
  std::uint32_t lowest = 0;        ///< the lane with the lowest address
  std::uint32_t second_lanes = 0;  ///< lanes that are the second at their address
  std::uint64_t span = 0;  ///< bytes from the lowest address to the end of the highest access
  std::array<std::uint32_t, kLanes> granule{};  ///< by address: its granule, from the lowest one's
  /// By address: its lowest lane, and its second one, or the lowest again where it has no second one.
  std::array<std::uint8_t, kLanes> first_lane{}, second_lane{};
};

/// What completes an asynchronous copy. The copies of one thread that are completed by one group kind complete in the order in which
/// the thread issued them; by_mbarrier + i stands for the i-th mbarrier that copies signal.
enum Completion : std::uint32_t { by_group, by_bulk_group_read, by_bulk_group, by_mbarrier };
/// Kinds that a thread waits for itself.
inline constexpr std::uint32_t kWaitedKinds = by_mbarrier;
inline constexpr std::uint32_t kMbarriers = 32 - by_mbarrier;

/// The asynchronous copies of a block's threads, from when it issues the first one.
struct BlockCopies {
  /// By kind and thread: copies below this number are those that the thread has waited for; and the same at the block's last barrier,
  /// which published them to all threads.
  std::array<std::vector<std::uint32_t>, kWaitedKinds> waited, published;
  /// For cp.async and for bulk copies, by thread: the number after the last copy of each group that the thread has committed and
  /// not waited for.
  std::array<std::vector<std::vector<std::uint32_t>>, 2> groups;
};

/// What arrivals hand on to those who wait for their phase. The phases have a clock each, because an arrival for the next
/// phase may come before everyone has seen this one completed.
struct PhaseClocks {
  SharedClock arriving, complete;
};

/// Two accesses that race, the first a write.
struct RacePair {
  Stamp by = 0, other = 0;
  bool other_writes = false;
};

/// A granule that threads of the block accessed unordered in this epoch.
struct PendingRace {
  bool writes = false;                  ///< two writers raced
  bool reads = false;                   ///< a writer and a reader raced
  bool note = false;                    ///< two writers raced, which wrote equal values
  RacePair first;                       ///< as it was seen
  std::optional<RacePair> within_warp;  ///< of one warp, from before it synchronised
  std::uint64_t address = 0;
  std::uint32_t bytes = 0;
};

struct RacePlace {
  Space space = Space::none;
  std::uint32_t owner = 0;  ///< the block whose shared memory it is
  std::uint64_t address = 0;
  std::uint32_t bytes = 0;
};

/// Blocks that access each other's shared memory: one block, or those of a cluster.
struct RaceGroup {
  std::uint32_t blocks = 1, running = 0;
  std::uint32_t first_segment = 0, first_copy = 0;
  std::vector<std::uint32_t> mbarriers;  ///< the first kMbarriers that copies signal
  PhaseClocks barrier;                   ///< the cluster's
  /// The lowest pair of each two instructions, where more than the block's barriers orders threads. By {is a note, instruction, other
  /// instruction}.
  std::map<std::array<std::uint32_t, 3>, std::pair<RacePair, RacePlace>> lowest_pairs;
};

struct BlockRace {
  std::uint32_t index = 0;
  std::shared_ptr<RaceGroup> group;
  std::uint32_t first_segment = 0;
  std::uint32_t segments = 0;  ///< how many it has begun
  /// What it did in segments below happened before its last barrier.
  std::uint32_t epoch_begin = 0;
  std::vector<WarpRace> warps;
  std::vector<Stamp> shared;  ///< the shadow of its shared memory: four planes
  /// By 32 granules of shared memory: floor + lower_end of the StampBounds for which all these granules have final pairs of readers and
  /// no writer. Reads by the same warp, or by higher ones, then change nothing until the next write or barrier.
  std::vector<Stamp> final_readers;
  /// By granule; those of shared memory have the top bit.
  std::unordered_map<std::uint64_t, PendingRace> pending;

  // What orders threads beyond the block's barriers.
  bool acquired = false;       ///< some thread has acquired something since the last barrier
  SharedClock block_clock;     ///< what all threads know of other blocks
  SharedClock block_released;  ///< what fences before the last barrier let any thread release
  std::vector<SharedClock> thread_clocks;  ///< by thread: what it knows beyond block_clock
  /// By thread: what it may release beyond block_released.
  std::vector<SharedClock> thread_released;
  /// By thread: the segment after its last fence of a scope wider than the block, or 0; and after its last one of the block's scope.
  std::vector<std::uint32_t> fence_segments, block_fence_segments;
  /// By word of shared memory: what strong writes released there.
  std::unordered_map<std::uint64_t, SharedClock> word_clocks;
  /// By word of global memory: what strong writes of this block's threads released there to its own threads alone, because the write or
  /// the fence before it has the block's scope.
  std::unordered_map<std::uint64_t, SharedClock> own_word_clocks;
  std::array<SharedClock, 16> arrival_clocks;  ///< by barrier: what bar.arrive brought
  std::unordered_map<std::uint32_t, PhaseClocks> phase_clocks;  ///< by mbarrier

  std::unique_ptr<BlockCopies> copies;
  /// BlockCopies::published as a clock, made when it is first needed.
  SharedClock published_copies;
  /// The last access of each thread of other blocks to this block's shared memory, by {block, completion and thread}.
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::pair<Stamp, RacePlace>> remote_accesses;
};

class RaceChecker {
 public:
  RaceChecker(const LaunchFacts& facts, const isa::Code& code, LaunchObserver& observer,
              std::shared_ptr<RaceShadow> shadow);

  /// For the next launch on the same memory.
  [[nodiscard]] std::shared_ptr<RaceShadow> shadow() const { return shadow_; }

  void begin_block(BlockState& block);
  void end_block(BlockState& block);
  /// The launch ends: reports the races of blocks that never ended.
  void end_launch();
  /// Makes this warp the running one, whose accesses the calls below are.
  void enter(const BlockState& block, const WarpState& warp);

  /// Lanes of a warp synchronised in an operation that names `members`.
  void warp_sync(const WarpState& warp, std::uint32_t members);
  /// All lanes of a warp did bar.arrive.
  void arrive(const WarpState& warp, std::uint32_t barrier);
  /// A barrier opens, and every thread of the block that has not exited was waiting for it.
  void barrier_of_block(std::uint32_t id);
  /// A barrier opens for the waiting warps, while others of the block need not have come.
  void barrier_of_warps(std::uint32_t id, std::uint32_t waiting);
  /// `of_block`: its scope is the block.
  void fence(std::uint32_t lanes, bool of_block);

  // Asynchronous copies (copy.cpp). Those of all lanes of an instruction have one number.
  std::uint32_t begin_copy();
  /// What one of them accesses: shared memory of `owner`, or global memory where that is null. `lane` issued it.
  void copy_touches(const DecodedInstruction& operation, Context& context, std::uint32_t copy,
                    std::uint32_t completion, std::uint32_t lane, const BlockState* owner,
                    std::uint64_t address, std::uint32_t bytes, AccessKind kind);
  void commit(std::uint32_t lanes, bool bulk);
  /// Lanes wait for all but the last `left` groups that they committed.
  void wait_groups(std::uint32_t lanes, std::uint32_t left, bool bulk, bool only_read);
  /// Lanes wait for all cp.async so far.
  void wait_copies(std::uint32_t lanes);
  /// How copies complete that signal this mbarrier. The first kMbarriers that a block or cluster uses have a completion of their own;
  /// more share them.
  [[nodiscard]] std::uint32_t completion_at(std::uint32_t mbarrier);

  // Phases (phase.cpp)
  /// What lanes do from here on is not part of what they release.
  void begin_segment(std::uint32_t lanes);
  /// What a lane knows, and what it did before its present segment. `copies_below` != 0: also its copies below that number, which
  /// `completion` completes.
  [[nodiscard]] SharedClock history(std::uint32_t lane, std::uint32_t copies_below,
                                    std::uint32_t completion) const;
  /// What an arrival of a lane hands on: its history if it releases, else only what its last fence released.
  [[nodiscard]] SharedClock arrival_clock(std::uint32_t lane, bool releases) const;
  /// An operation of a lane on an mbarrier. `plain`: it initialises or invalidates the mbarrier.
  void touch_mbarrier(std::uint32_t instruction, Context& context, BlockState& block,
                      std::uint32_t mbarrier, int lane, bool plain);
  void mbarrier_begins(BlockState& block, std::uint32_t mbarrier);
  void arrives(BlockState& block, std::uint32_t mbarrier, const SharedClock& history);
  void phase_ends(BlockState& block, std::uint32_t mbarrier);
  /// A lane sees that the last phase of an mbarrier is complete.
  void acquire_phase(std::uint32_t mbarrier, std::uint32_t lane);
  void cluster_arrives(const BlockState& block, const WarpState& warp, std::uint32_t lanes,
                       bool releases);
  void cluster_opens(const BlockState& block);
  void cluster_passes(const BlockState& block, const WarpState& warp, std::uint32_t lanes);

  /// These bytes of global memory were just allocated, so earlier accesses to them do not count.
  void forget(Pointer address, std::uint64_t bytes) { shadow_->forget(address, bytes); }

  // The accesses of the running warp: race_contiguous() and its siblings (context.hpp) come here.
  void contiguous(const DecodedInstruction& operation, Context& context, std::uint64_t base,
                  Space space, AccessKind kind, std::uint32_t bytes);
  void broadcast(const DecodedInstruction& operation, Context& context, std::uint64_t address,
                 std::uint32_t readers, Space space, std::uint32_t bytes);
  void same_shape(const DecodedInstruction& operation, Context& context,
                  const std::uint64_t* address, std::uint32_t mask, Space space, AccessKind kind,
                  std::uint32_t bytes);
  void scattered(const DecodedInstruction& operation, Context& context,
                 const std::uint64_t* address, std::uint32_t mask, Space space, AccessKind kind,
                 std::uint32_t bytes);
  /// Remembers the shape of an operation's access for same_shape().
  void learn_shape(std::uint32_t memo, const std::uint64_t* address, std::uint32_t mask,
                   std::uint32_t bytes, Space space);

 private:
  struct Request;  ///< one warp's access

  // warp_access.cpp
  [[nodiscard]] StampBounds bounds_of(Space space) const;
  /// Whether comparing stamps may suffice for this operation.
  [[nodiscard]] bool may_use_stamps(const DecodedInstruction& operation, Space space) const;
  /// Granules of an access.
  [[nodiscard]] std::size_t granules(Space space, std::uint32_t bytes) const {
    return std::max(1u, bytes >> (space == Space::shared ? shared_shift_ : global_shift_));
  }
  /// Whether reads of this shared memory by the running warp change nothing in its shadow.
  [[nodiscard]] bool reads_change_nothing(std::uint64_t offset, std::uint64_t bytes,
                                          const StampBounds& bounds);
  [[nodiscard]] static bool in_one_page(Space space, std::uint64_t low, std::uint64_t span);
  /// Checks accesses to the distinct addresses of a shape. False, and nothing done, where stamps do not suffice.
  bool try_addresses(const DecodedInstruction& operation, const RaceShape& shape, std::uint64_t low,
                     Space space, bool writes, std::size_t each, bool pairs);
  /// Records the access in a ShadowRow. False, and nothing done, unless the running warp alone accesses that row.
  bool try_row(std::uint64_t base, bool writes, Stamp instruction);

  // lane_access.cpp
  /// The shadow from `address` on, of which the caller reads or writes that of `bytes`.
  [[nodiscard]] ShadowCells cells(Space space, std::uint64_t address, std::uint64_t bytes) {
    if (space == Space::shared)
      return ShadowCells{owner_->shared.data(), shared_cells_}.from(address >> shared_shift_);
    return shadow_->at(address, bytes);
  }
  /// Whether the access `s` happened before what `lane` of the running warp does now.
  [[nodiscard]] bool ordered(Stamp s, std::uint32_t lane, Stamp floor) const;
  /// Whether the copy is of an earlier launch or, in shared memory, of a block that has ended.
  [[nodiscard]] bool is_stale(Stamp copy, Stamp floor) const;
  [[nodiscard]] bool completed(Stamp copy, std::uint32_t lane, Stamp floor) const;
  [[nodiscard]] Stamp floor_of(Space space) const;
  void select_owner(const Context& context, Space space);
  void note_remote_access(Stamp now, const RacePlace& place);
  [[nodiscard]] bool conflicts(Stamp s, Stamp now, std::uint32_t lane, Stamp floor) const;
  /// Whether `s` and an access of the running block are two strong operations that do not race with each other.
  [[nodiscard]] bool strong_together(Stamp s, Stamp now) const;
  [[nodiscard]] std::uint64_t strength(Stamp s) const;
  /// Looks for races of one lane's access to one granule, and records the access.
  void check_granule(const Request& r, const ShadowCells& cell, std::uint32_t lane,
                     std::uint64_t address, Stamp now);
  void insert(Stamp& first, Stamp& other, Stamp now, std::uint32_t lane, Stamp floor) const;
  [[nodiscard]] std::uint64_t rank(Stamp s) const;
  [[nodiscard]] int distance(Stamp a, Stamp b) const;

  // checker.cpp
  std::uint32_t new_segment();
  [[nodiscard]] std::uint32_t block_of(Stamp s) const {
    return is_copy(s) ? block_of_copy_[copy_of(s) - launch_first_copy_]
                      : block_of_[segment_of(s) - launch_first_];
  }
  void stamp(WarpRace& warp, std::uint32_t index, std::uint32_t lanes, std::uint32_t segment);
  void begin_warp_segment(WarpRace& warp, std::uint32_t index);
  void publish_in_warp(const WarpState& state, std::uint32_t members);
  void sync_lanes(WarpRace& warp, std::uint32_t members, std::uint32_t segment);
  void publish_in_block();
  static void make_clocks(BlockRace& block, std::uint32_t warps);
  void make_clocks() { make_clocks(*block_, facts_.warps); }
  void add_own_past(VectorClock& clock, std::uint32_t thread) const;
  void add_waited_copies(VectorClock& clock, std::uint32_t thread) const;
  BlockCopies& copies();
  void publish_waited_copies();
  const SharedClock& published_copies();
  SharedClock join(const SharedClock& a, const SharedClock& b);
  [[nodiscard]] SharedClock release_clock(std::uint32_t thread, bool of_block) const;
  /// Whether any thread of the block has something to release.
  [[nodiscard]] bool releases_any() const {
    return block_->block_released || !block_->thread_clocks.empty();
  }
  void acquire(Space space, std::uint64_t address, std::uint32_t bytes, std::uint32_t thread);
  void release(Space space, std::uint64_t address, std::uint32_t bytes, std::uint32_t thread,
               bool of_block);
  using WordClocks = std::unordered_map<std::uint64_t, SharedClock>;
  WordClocks& word_clocks(Space space) {
    return space == Space::shared ? owner_->word_clocks : word_clocks_;
  }
  /// Whether a strong read of this memory may acquire anything.
  [[nodiscard]] bool hands_on_clocks(Space space) {
    return !word_clocks(space).empty() ||
           (space == Space::global && !block_->own_word_clocks.empty());
  }

  // findings.cpp
  void note_race(const Request& r, std::uint64_t address, Stamp now, Stamp before,
                 bool before_writes, bool note);
  void keep_pairs_of_warp(std::uint32_t warp);
  void report_epoch();
  [[nodiscard]] std::optional<RacePair> pair_of(std::uint64_t key, const PendingRace& p,
                                                bool within_warp);
  [[nodiscard]] bool needs_the_block(const RacePair& pair) const;
  [[nodiscard]] bool precedes(const RacePair& a, const RacePlace& at, const RacePair& b,
                              const RacePlace& bt) const;
  void keep_lowest_pair(const RacePair& pair, bool note, const RacePlace& place);
  void report_lowest_pairs(RaceGroup& group);
  void report_late_remote_accesses(const BlockState& block);
  void report(const RacePair& pair, bool note, const RacePlace& place);

  const LaunchFacts& facts_;
  const isa::Code& code_;
  LaunchObserver& observer_;
  std::shared_ptr<RaceShadow> shadow_;
  std::uint32_t shared_shift_ = 2, global_shift_ = 2;  ///< granules of 1 << shift bytes
  std::size_t shared_cells_ = 0;                       ///< of a plane of a block's shared memory
  std::uint32_t launch_first_ = 1;                     ///< the launch's first segment
  Stamp launch_floor_ = 0;
  bool exhausted_ = false;  ///< there are no segments left: from here on no race is found
  std::vector<std::uint32_t> block_of_;  ///< by segment, from the launch's first
  std::uint32_t launch_first_copy_ = 1;
  std::vector<std::uint32_t> block_of_copy_;  ///< by copy, from the launch's first
  std::vector<std::shared_ptr<BlockRace>> running_;
  BlockRace* block_ = nullptr;
  BlockRace* owner_ = nullptr;         ///< the block whose shared memory is accessed
  std::array<SharedClock, 3> joined_;  ///< join()'s last two arguments and their result
  WarpRace* warp_ = nullptr;
  std::uint32_t warp_index_ = 0;
  WordClocks word_clocks_;         ///< by word of global memory
  std::vector<RaceShape> shapes_;  ///< by memo
  std::set<std::tuple<std::uint32_t, std::uint32_t, std::uint32_t>> reported_, noted_;
};

}  // namespace warpbook::device
