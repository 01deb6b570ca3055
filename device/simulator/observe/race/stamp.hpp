// A stamp is one access to memory as racecheck remembers it: who made it, when, and by which instruction, in 64 bits.
//
//   bit 63  62  61        37 36   32 31   27 26           7 6          2   1   0
//      +---+---+------------+-------+-------+--------------+------------+---+---+
//      | 0 | C |  segment   | warp  | lane  | instruction  | completion | D | S |
//      +---+---+------------+-------+-------+--------------+------------+---+---+
//   C  kCopy: an asynchronous copy made the access, and `segment` is the number of that copy.
//   completion (of copies): the mechanism that completes the copy (checker.hpp, Completion). Of a strong access, the lowest of these
//      bits is kOfBlock.
//   D  kDistant: this is the second stamp of a pair, and its thread is in another warp (shared memory) or in another block
//      (global memory) than the thread of the first stamp.
//   S  kStrong: the access is a strong operation of PTX's memory model (atomic, volatile or relaxed).
//   0  as a whole: no access.
//
// A thread's execution is divided into segments. A new one begins wherever the thread synchronises with others: at a barrier, a
// warp sync, a fence. Segments are numbered as they begin, over all blocks and all launches of a device. Because `segment` is in the
// highest bits, one comparison of whole stamps tells that an access is older than this launch, or older than the block's last
// barrier. Therefore the shadow memory is never cleared: what is below the floor counts as no access.
//
// A copy has a number of its own because the segments of its thread say nothing about it: only waiting for the copy orders its
// accesses before later ones.
#pragma once

#include <cstdint>

namespace warpbook::device {

using Stamp = std::uint64_t;

inline constexpr int kCompletionShift = 2, kInstructionShift = 7, kLaneShift = 27, kWarpShift = 32,
                     kSegmentShift = 37;
inline constexpr Stamp kStrong = 1;  ///< two strong accesses do not race with each other
/// Of a strong access that is no copy: its scope is .cta, so it is strong beside accesses of its own block alone (PTX ISA, "Scope" and
/// "Morally strong operations").
inline constexpr Stamp kOfBlock = Stamp{1} << kCompletionShift;
inline constexpr Stamp kDistant = 2;
inline constexpr std::uint32_t kMostInstructions = 1u << 20;
/// Leaves bit 63 clear, so that differences of stamps can be read as signed numbers (stamp_bounds.hpp, SignMask).
inline constexpr std::uint32_t kMostSegments = 1u << 25;
inline constexpr Stamp kCopy = Stamp{kMostSegments} << kSegmentShift;

[[nodiscard]] inline bool is_copy(Stamp s) { return (s & kCopy) != 0; }
/// Copies are numbered as they begin, over all blocks and launches of a device.
[[nodiscard]] inline std::uint32_t copy_of(Stamp s) {
  return static_cast<std::uint32_t>((s & ~kCopy) >> kSegmentShift);
}
[[nodiscard]] inline bool is_of_block(Stamp s) { return (s & (kCopy | kOfBlock)) == kOfBlock; }
[[nodiscard]] inline std::uint32_t completion_of(Stamp s) {
  return static_cast<std::uint32_t>(s >> kCompletionShift) & 31;
}

[[nodiscard]] inline std::uint32_t segment_of(Stamp s) {
  return static_cast<std::uint32_t>(s >> kSegmentShift);
}
/// The thread's linear index in its block.
[[nodiscard]] inline std::uint32_t thread_of(Stamp s) {
  return static_cast<std::uint32_t>(s >> kLaneShift) & 1023;
}
[[nodiscard]] inline std::uint32_t warp_of(Stamp s) {
  return static_cast<std::uint32_t>(s >> kWarpShift) & 31;
}
[[nodiscard]] inline std::uint32_t lane_of(Stamp s) {
  return static_cast<std::uint32_t>(s >> kLaneShift) & 31;
}
[[nodiscard]] inline std::uint32_t instruction_of(Stamp s) {
  return static_cast<std::uint32_t>(s >> kInstructionShift) & (kMostInstructions - 1);
}

}  // namespace warpbook::device
