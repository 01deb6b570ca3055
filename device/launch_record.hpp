// The record of one launch: geometry, counters by instruction and by source line, a bounded trace, findings, output.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "device/error.hpp"
#include "device/types.hpp"

namespace warpbook::device {

enum class Space : std::uint8_t { none, global, shared, local, constant, param, texture };
constexpr auto enum_names(Space) {
  return checked_names<Space>("none", "global", "shared", "local", "constant", "param", "texture");
}

enum class AccessKind : std::uint8_t { load, store, atomic };
constexpr auto enum_names(AccessKind) {
  return checked_names<AccessKind>("load", "store", "atomic");
}

/// Counters of one PTX instruction, one source line, or a whole launch. All are sums over the launch.
struct Counters {
  std::uint64_t warp_instructions = 0;  ///< times a warp issued it
  std::uint64_t thread_instructions =
      0;  ///< lanes whose guard held, summed (directives and labels do not count)
  std::uint64_t branches = 0;              ///< conditional branches issued
  std::uint64_t divergent_branches = 0;    ///< of these, those that parted the warp
  std::uint64_t global_requests = 0;       ///< warp instructions that reached global memory
  std::uint64_t global_sectors = 0;        ///< distinct 32-byte sectors a request, summed, at L1
  std::uint64_t global_bytes_asked = 0;    ///< lanes x bytes; bytes moved is 32 x global_sectors
  std::uint64_t global_load_sectors = 0;   ///< the part of global_sectors that loads asked for
  std::uint64_t global_store_sectors = 0;  ///< the part that stores asked for
  std::uint64_t shared_requests = 0;       ///< warp instructions that reached shared memory
  std::uint64_t shared_wavefronts = 0;     ///< passes over the 32 banks that they took
  std::uint64_t shared_wavefronts_ideal =
      0;  ///< passes that the bytes alone would need; the rest are conflicts
  std::uint64_t shared_bytes = 0;  ///< lanes x bytes
  std::uint64_t local_requests = 0;
  std::uint64_t local_bytes = 0;  ///< lanes x bytes
  std::uint64_t constant_requests = 0;
  std::uint64_t texture_requests =
      0;  ///< warp instructions that fetched from a texture or reached a surface
  std::uint64_t atomics = 0;  ///< lanes that performed an atomic operation
  std::uint64_t atomic_collisions =
      0;                       ///< lanes that found another lane of their warp at the same address
  std::uint64_t shuffles = 0;  ///< warp instructions: shfl
  std::uint64_t votes = 0;     ///< warp instructions: vote, match, redux, activemask
  std::uint64_t barriers = 0;  ///< warp instructions: bar, barrier
  std::uint64_t tensor_operations = 0;  ///< warp instructions: wmma, mma
  // The same accesses as the hardware would issue them (estimated): neighbours joined into wider ones, as ptxas does.
  std::uint64_t issued_global_loads = 0, issued_global_stores = 0;  ///< warp instructions: LDG, STG
  std::uint64_t issued_shared_loads = 0, issued_shared_stores = 0;  ///< warp instructions: LDS, STS

  Counters& operator+=(const Counters& other);
  friend bool operator==(const Counters&, const Counters&) = default;
};
template <class V>
void fields(V&& visit, Is<Counters> auto& v) {
  for_each_counter(v, visit);
}

/// Visits every counter with its JSON name: `visit(std::string_view name, std::uint64_t value)`.
template <class Self, class Visit>
void for_each_counter(Self& c, Visit&& visit) {
  visit("warp_instructions", c.warp_instructions);
  visit("thread_instructions", c.thread_instructions);
  visit("branches", c.branches);
  visit("divergent_branches", c.divergent_branches);
  visit("global_requests", c.global_requests);
  visit("global_sectors", c.global_sectors);
  visit("global_bytes_asked", c.global_bytes_asked);
  visit("global_load_sectors", c.global_load_sectors);
  visit("global_store_sectors", c.global_store_sectors);
  visit("shared_requests", c.shared_requests);
  visit("shared_wavefronts", c.shared_wavefronts);
  visit("shared_wavefronts_ideal", c.shared_wavefronts_ideal);
  visit("shared_bytes", c.shared_bytes);
  visit("local_requests", c.local_requests);
  visit("local_bytes", c.local_bytes);
  visit("constant_requests", c.constant_requests);
  visit("texture_requests", c.texture_requests);
  visit("atomics", c.atomics);
  visit("atomic_collisions", c.atomic_collisions);
  visit("shuffles", c.shuffles);
  visit("votes", c.votes);
  visit("barriers", c.barriers);
  visit("tensor_operations", c.tensor_operations);
  visit("issued_global_loads", c.issued_global_loads);
  visit("issued_global_stores", c.issued_global_stores);
  visit("issued_shared_loads", c.issued_shared_loads);
  visit("issued_shared_stores", c.issued_shared_stores);
}

/// One reason why a launch cannot be faster, or what it costs one line.
struct EstimateBound {
  std::string
      name;  ///< "issue", "fp32", ..., "dram", "latency": estimate/estimate.hpp has them all
  double seconds = 0;  ///< that the launch would take if nothing else held it up
  friend bool operator==(const EstimateBound&, const EstimateBound&) = default;
};
template <class V>
void fields(V&& visit, Is<EstimateBound> auto& v) {
  visit("name", v.name);
  visit("seconds", v.seconds);
}

/// One static PTX instruction of the kernel or of a function that it called.
struct InstructionCounters {
  std::string text;                     ///< as written in the PTX: "ld.global.f32 %f1, [%rd8];"
  std::uint32_t ptx_line = 0;           ///< in the PTX text, from 1
  SourcePlace place;                    ///< of the source, from .loc; the innermost inlined place
  std::vector<SourcePlace> inlined_at;  ///< outwards, the caller's own line last
  Counters counters;
  /// Of a conditional branch, where there is a cubin: the branches in its machine code that came of it. None: both
  /// sides became predicated instructions, and a warp that parts here in PTX does not part on the hardware.
  std::optional<std::uint32_t> machine_branches;
  double estimated = 0;  ///< its part of the launch's estimated time, in seconds
  friend bool operator==(const InstructionCounters&, const InstructionCounters&) = default;
};
template <class V>
void fields(V&& visit, Is<InstructionCounters> auto& v) {
  visit("text", v.text);
  visit("ptx_line", v.ptx_line);
  visit("place", v.place);
  visit("inlined_at", v.inlined_at);
  visit("counters", v.counters);
  visit("machine_branches", v.machine_branches);
  visit("estimated", v.estimated);
}

/// Memory instructions in machine code. A static count: how many there are, not how often they run.
struct AccessInstructions {
  std::uint32_t global_loads = 0;   ///< LDG
  std::uint32_t global_stores = 0;  ///< STG
  std::uint32_t shared_loads = 0;   ///< LDS
  std::uint32_t shared_stores = 0;  ///< STS
  AccessInstructions& operator+=(const AccessInstructions& other);
  AccessInstructions& operator*=(std::uint32_t copies);
  [[nodiscard]] bool any() const {
    return (global_loads | global_stores | shared_loads | shared_stores) != 0;
  }
  friend bool operator==(const AccessInstructions&, const AccessInstructions&) = default;
};
template <class V>
void fields(V&& visit, Is<AccessInstructions> auto& v) {
  visit("global_loads", v.global_loads);
  visit("global_stores", v.global_stores);
  visit("shared_loads", v.shared_loads);
  visit("shared_stores", v.shared_stores);
}

/// All instructions that came from a line of the kernel's own file. Code that was inlined from another file counts at the line
/// of the kernel's file from which it was called.
struct LineCounters {
  std::string file;
  std::uint32_t line = 0;
  std::uint64_t threads =
      0;  ///< the most lanes, summed over warps, that any one of its instructions ran with
  Counters counters;
  /// The basis of `counters.issued_...`: the memory instructions that the line should become, with loops unrolled as often as
  /// the cubin has them...
  AccessInstructions predicted;
  std::optional<AccessInstructions> machine;  ///< ...and those in the cubin, where there is one
  /// The line's part of the launch's estimated time by what takes it, the longest first. With the time to launch, the parts of
  /// all lines add up to the estimate (estimate/by_line.hpp). Empty where there is none.
  std::vector<EstimateBound> estimated;
  friend bool operator==(const LineCounters&, const LineCounters&) = default;
};
template <class V>
void fields(V&& visit, Is<LineCounters> auto& v) {
  visit("file", v.file);
  visit("line", v.line);
  visit("threads", v.threads);
  visit("counters", v.counters);
  visit("predicted", v.predicted);
  visit("machine", v.machine);
  visit("estimated", v.estimated);
}

/// One lane's access. `request` numbers the warp instruction it was part of, so that lanes of one request group.
struct Access {
  std::uint64_t address = 0;  ///< a device address; for shared and local, the offset in that space
  std::uint32_t instruction = 0;  ///< index into LaunchRecord::instructions
  std::uint32_t block = 0;        ///< linear, x fastest
  std::uint32_t thread = 0;       ///< linear in its block, x fastest
  std::uint32_t request = 0;
  std::uint8_t bytes = 0;
  Space space = Space::global;
  AccessKind kind = AccessKind::load;
  /// Barriers that the threads of the block had passed by then; the last count that fits stands for more.
  std::uint16_t barriers = 0;
  friend bool operator==(const Access&, const Access&) = default;
};
template <class V>
void fields(V&& visit, Is<Access> auto& v) {
  visit("address", v.address);
  visit("instruction", v.instruction);
  visit("block", v.block);
  visit("thread", v.thread);
  visit("request", v.request);
  visit("bytes", v.bytes);
  visit("space", v.space);
  visit("kind", v.kind);
  visit("barriers", v.barriers);
}

/// One allocation that the launch could have touched.
struct AllocationInfo {
  std::string name;  ///< "y"; "unnamed" where none was given
  Pointer address = 0;
  std::uint64_t bytes = 0;
  ElementType type = ElementType::u8;
  friend bool operator==(const AllocationInfo&, const AllocationInfo&) = default;
};
template <class V>
void fields(V&& visit, Is<AllocationInfo> auto& v) {
  visit("name", v.name);
  visit("address", v.address);
  visit("bytes", v.bytes);
  visit("type", v.type);
}

/// Who did something.
struct Party {
  std::uint32_t block = 0;   ///< linear
  std::uint32_t thread = 0;  ///< linear in its block
  std::uint32_t instruction = 0;
  SourcePlace place;
  AccessKind kind = AccessKind::load;
  friend bool operator==(const Party&, const Party&) = default;
};
template <class V>
void fields(V&& visit, Is<Party> auto& v) {
  visit("block", v.block);
  visit("thread", v.thread);
  visit("instruction", v.instruction);
  visit("place", v.place);
  visit("kind", v.kind);
}

/// A thing that a checker found. Occurrences at the same instruction with the same code share one entry per thread up
/// to the first 1,000; `LaunchRecord::findings_total` counts them all.
struct Finding {
  Error error;  ///< arguments hold name, index, address, bytes, thread, block
  Party by;
  std::optional<Party> other;
  std::string allocation;  ///< its name, or empty
  /// Index in it, which may be past its end or before its start. Elements are as wide as the access where the allocation
  /// holds u8, which is also the type of an allocation without one.
  std::int64_t element = 0;
  std::uint64_t address = 0;
  std::uint32_t bytes = 0;
  Space space = Space::none;
  friend bool operator==(const Finding&, const Finding&) = default;
};
template <class V>
void fields(V&& visit, Is<Finding> auto& v) {
  visit("error", v.error);
  visit("by", v.by);
  visit("other", v.other);
  visit("allocation", v.allocation);
  visit("element", v.element);
  visit("address", v.address);
  visit("bytes", v.bytes);
  visit("space", v.space);
}

/// An instruction that the watched warp issued.
struct Issue {
  std::uint32_t instruction = 0;  ///< index in the record's instructions
  /// A bit for each lane that executes it. Where the instruction has a guard of its own, these are the lanes that it is asked of.
  std::uint32_t lanes = 0;
  friend bool operator==(const Issue&, const Issue&) = default;
};
template <class V>
void fields(V&& visit, Is<Issue> auto& v) {
  visit("instruction", v.instruction);
  visit("lanes", v.lanes);
}

/// For one watched buffer: who wrote each element, and how often.
struct WriteMap {
  std::string name;
  std::vector<std::uint32_t> writes;  ///< by element
  std::vector<std::int64_t>
      writer;  ///< last writer as block x threads per block + thread; -1: none
  friend bool operator==(const WriteMap&, const WriteMap&) = default;
};
template <class V>
void fields(V&& visit, Is<WriteMap> auto& v) {
  visit("name", v.name);
  visit("writes", v.writes);
  visit("writer", v.writer);
}

/// How long the launch would take on a described GPU, by the timing model (device/simulator/estimate/).
struct Estimate {
  double seconds = 0;
  double low = 0, high = 0;  ///< a band around it (estimate/calibration.hpp says from what)
  Evidence time;             ///< estimated, on the GPU
  std::vector<EstimateBound> bounds;    ///< the longest first
  std::string limiter;                  ///< the name of the first
  std::uint32_t resident_blocks = 0;    ///< of a multiprocessor
  double occupancy = 0;                 ///< warps resident / warps possible
  std::string occupancy_limiter;        ///< "threads", "blocks", "registers", "shared"
  double waves = 0;                     ///< blocks / blocks resident on the whole GPU
  double operations = 0;                ///< floating-point; a multiply-add counts two
  double l2_bytes = 0, dram_bytes = 0;  ///< moved
  double l1_hits = 0, l2_hits = 0;      ///< of the sectors that loads asked for there; 0 to 1
  double peak_operations = 0, peak_bytes = 0;  ///< a second: the roofs of operations and of DRAM
  std::uint64_t blocks = 0, blocks_run = 0;    ///< fewer run than there are: the rest was scaled
  /// Executed machine instructions were counted by line from the cubin; otherwise PTX instructions are counted instead.
  bool machine_code = false;
  friend bool operator==(const Estimate&, const Estimate&) = default;
};
template <class V>
void fields(V&& visit, Is<Estimate> auto& v) {
  visit("seconds", v.seconds);
  visit("low", v.low);
  visit("high", v.high);
  visit("time", v.time);
  visit("bounds", v.bounds);
  visit("limiter", v.limiter);
  visit("resident_blocks", v.resident_blocks);
  visit("occupancy", v.occupancy);
  visit("occupancy_limiter", v.occupancy_limiter);
  visit("waves", v.waves);
  visit("operations", v.operations);
  visit("l2_bytes", v.l2_bytes);
  visit("dram_bytes", v.dram_bytes);
  visit("l1_hits", v.l1_hits);
  visit("l2_hits", v.l2_hits);
  visit("peak_operations", v.peak_operations);
  visit("peak_bytes", v.peak_bytes);
  visit("blocks", v.blocks);
  visit("blocks_run", v.blocks_run);
  visit("machine_code", v.machine_code);
}

/// The least and the greatest of a number that every warp has.
struct Extremes {
  std::uint64_t least = 0, most = 0;
  void widen(const Extremes& by) {
    least = std::min(least, by.least);
    most = std::max(most, by.most);
  }
  friend bool operator==(const Extremes&, const Extremes&) = default;
};
template <class V>
void fields(V&& visit, Is<Extremes> auto& v) {
  visit("least", v.least);
  visit("most", v.most);
}

struct LaunchRecord {
  std::string kernel;  ///< as the source names it
  Dim3 grid, block, cluster;
  std::uint32_t static_shared = 0, dynamic_shared = 0;  ///< bytes a block
  double seconds = 0;  ///< counters merged and host threads started, compile and copies not
  Evidence
      time;  ///< of `seconds`: measured on the GPU, or on this CPU as the simulation's own wall time
  std::uint64_t seed = 0;
  std::uint32_t host_threads = 1;
  bool counted = false;  ///< false: the back end cannot count; totals and lines are empty

  Counters total;
  std::vector<InstructionCounters> instructions;
  std::vector<LineCounters> lines;   ///< by file, then line
  std::uint64_t longest_warp = 0;    ///< instructions issued by the busiest warp
  std::uint64_t longest_lane = 0;    ///< instructions of the busiest thread
  double mean_active_lanes = 0;      ///< thread_instructions / warp_instructions
  std::uint64_t blocks_writing = 0;  ///< blocks that stored to global memory at least once
  /// Jain's index of the threads' instructions: 1 where all threads execute the same number, k/n where k of n do all.
  double thread_evenness = 1;
  /// The same of the bytes that warps load from global memory; 1 where none does.
  double fetch_evenness = 1;
  Extremes warp_barriers;                  ///< how often a warp waits at a barrier of its block
  std::uint64_t most_texture_fetches = 0;  ///< of one thread

  std::vector<AllocationInfo> allocations;
  std::vector<Access> trace;  ///< the first accesses, blocks in index order
  bool trace_cut = false;     ///< more happened than the trace holds
  std::vector<Issue> issues;  ///< of the watched warp, in the order in which it issued them
  bool issues_cut = false;    ///< it issued more
  std::vector<WriteMap> written;

  std::vector<Finding> findings;  ///< the first 1,000, in the order of blocks
  std::uint64_t findings_total = 0;
  std::vector<Finding>
      notes;  ///< no errors: threads that write the same value to one place; the first 100
  std::optional<Error> error;  ///< the launch's own failure; set also where findings are errors
  std::string output;          ///< the output of printf, ordered by block
  /// Where it was asked for, nothing stopped the launch, and no kernel launched another: the model has no launches from
  /// a GPU.
  std::optional<Estimate> estimate;
  /// Grids that kernels launched, directly or through each other. Their counters, findings and output are in this record,
  /// too; its geometry, evenness and trace are those of the grid that the host launched.
  std::uint64_t children = 0;

  friend bool operator==(const LaunchRecord&, const LaunchRecord&) = default;
};
template <class V>
void fields(V&& visit, Is<LaunchRecord> auto& v) {
  visit("kernel", v.kernel);
  visit("grid", v.grid);
  visit("block", v.block);
  visit("cluster", v.cluster);
  visit("static_shared", v.static_shared);
  visit("dynamic_shared", v.dynamic_shared);
  visit("seconds", v.seconds);
  visit("time", v.time);
  visit("seed", v.seed);
  visit("host_threads", v.host_threads);
  visit("counted", v.counted);
  visit("total", v.total);
  visit("instructions", v.instructions);
  visit("lines", v.lines);
  visit("longest_warp", v.longest_warp);
  visit("longest_lane", v.longest_lane);
  visit("mean_active_lanes", v.mean_active_lanes);
  visit("blocks_writing", v.blocks_writing);
  visit("thread_evenness", v.thread_evenness);
  visit("fetch_evenness", v.fetch_evenness);
  visit("warp_barriers", v.warp_barriers);
  visit("most_texture_fetches", v.most_texture_fetches);
  visit("allocations", v.allocations);
  visit("trace", v.trace);
  visit("trace_cut", v.trace_cut);
  visit("issues", v.issues);
  visit("issues_cut", v.issues_cut);
  visit("written", v.written);
  visit("findings", v.findings);
  visit("findings_total", v.findings_total);
  visit("notes", v.notes);
  visit("error", v.error);
  visit("output", v.output);
  visit("estimate", v.estimate);
  visit("children", v.children);
}

}  // namespace warpbook::device
