// The observations of one block runner: counts, findings, the trace. At the end they are merged into the launch record.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "device/launch_record.hpp"
#include "device/simulator/state/context.hpp"
#include "device/simulator/state/memory.hpp"

namespace warpbook::device {

/// How often a basic block ran.
struct BlockTally {
  std::uint64_t executions = 0, lanes = 0;
  std::uint64_t branches = 0, divergent = 0;
};

/// The watched warp runs a basic block with these lanes.
struct Execution {
  std::uint32_t block = 0;  ///< index in Code::blocks
  std::uint32_t lanes = 0;
};

/// Writes to one watched allocation.
struct WatchedWrites {
  std::string name;
  Pointer begin = 0, end = 0;
  std::uint32_t element = 1;
  std::vector<std::uint32_t> writes;
  std::vector<std::int64_t> writer;
};

/// A finding before it is put into words.
struct RawFinding {
  ErrorCode code{};
  std::uint32_t block = 0, thread = 0, instruction = 0;
  AccessKind kind = AccessKind::load;
  Space space = Space::none;
  std::uint64_t address = 0;
  std::uint32_t bytes = 0;
  std::uint64_t limit = 0;        ///< size of the space, for shared and local
  std::uint32_t decided = kNone;  ///< of initcheck: the instruction that depends on it
  MessageArguments said;          ///< arguments that only this error code has
  std::optional<Party> other;     ///< of racecheck: without its place, which in_words() finds
  std::shared_ptr<const AllocationTable> table;
  MessageArguments words;  ///< more arguments of the error
};

/// The last read of undefined bytes by a lane, or where else its undefined value comes from: a register that nothing has
/// written (instruction: kNone), or another lane that takes no part in a shuffle (bytes: 0).
struct UndefinedRead {
  std::uint32_t instruction = 0;
  std::uint64_t address = 0;
  Space space = Space::none;
  std::uint32_t bytes = 0;
  std::uint32_t writer = kNone;  ///< the asynchronous copy that was still writing there
};

class TrafficSampler;

/// How evenly the instructions of a launch are spread over its warps and blocks.
struct Balance {
  std::uint64_t instructions = 0;  ///< of all warps
  std::uint64_t longest = 0;       ///< of each block's longest warp, summed over the blocks
  std::uint64_t heaviest = 0;      ///< of the block that has the most
};

/// How evenly work is shared, by Jain's index: (sum of the shares)^2 / (their number x sum of their squares). It is 1 where
/// all shares are equal, and k/n where k of n workers do all (Jain, Chiu and Hawe, "A Quantitative Measure of Fairness",
/// DEC-TR-301, 1984).
struct Sharing {
  std::uint64_t workers = 0;
  double sum = 0, squares = 0;
  /// So many workers have this share each.
  void add(std::uint64_t share, std::uint32_t many = 1) {
    workers += many;
    const auto value = static_cast<double>(share);
    sum += many * value;
    squares += many * value * value;
  }
  Sharing& operator+=(const Sharing& other) {
    workers += other.workers;
    sum += other.sum;
    squares += other.squares;
    return *this;
  }
  [[nodiscard]] double evenness() const {
    return squares == 0 ? 1 : sum * sum / (static_cast<double>(workers) * squares);
  }
};

struct LaunchObserver {
  static constexpr std::size_t kFindings = 1000, kNotes = 100;

  std::vector<BlockTally> blocks;          ///< by Code::blocks
  std::vector<std::uint64_t> guard_lanes;  ///< by instruction: lanes whose guard held
  std::vector<AccessTally> tallies;        ///< by memo
  std::vector<AccessMemo> memos;
  std::uint64_t longest_warp = 0, longest_lane = 0, blocks_writing = 0;
  Sharing threads;  ///< of instructions, by thread
  Sharing fetches;  ///< of the bytes loaded from global memory, by warp
  /// At which a warp waited; before the first warp has ended, the least is above the most.
  Extremes barriers{~0ull, 0};
  std::uint64_t most_texture_fetches = 0;  ///< of one thread
  Balance balance;                         ///< where an estimate is wanted

  std::size_t trace_limit = 0;
  bool tracing = false, trace_cut = false;
  std::uint32_t requests = 0;
  std::vector<Access> trace;
  std::vector<Execution> executions;  ///< of the watched warp
  std::uint64_t issues = 0;           ///< the instructions of these
  bool issues_cut = false;
  std::vector<WatchedWrites> watched;
  std::vector<Pointer> written;             ///< allocations that stores were admitted to, ascending
  std::shared_ptr<TrafficSampler> traffic;  ///< where an estimate is wanted
  bool sampling = false;                    ///< the running block is one of its sample

  std::vector<RawFinding> findings;
  std::uint64_t findings_total = 0;
  std::vector<RawFinding> notes;
  std::unordered_map<Pointer, RawFinding>
      mallocs;  ///< of this launch, not freed; where leaks are asked for
  std::array<UndefinedRead, kLanes> undefined_reads{};
  std::vector<std::pair<std::uint64_t, std::string>> output;  ///< by block
  std::uint64_t printed = 0;  ///< bytes of it, since it was last cut

  std::shared_ptr<const AllocationTable> table;
  std::uint64_t table_version = 0;

  void find(RawFinding finding);
  void wrote(const Allocation& allocation);
};

}  // namespace warpbook::device
