// What racecheck remembers of each granule of memory: its last writers and readers, as stamps of 64 bits.
//
// A thread's execution is cut into segments at every point where it meets others: barriers, warp syncs, fences. Segments
// are numbered as they begin, over all blocks and launches of a device, so that a stamp of an earlier launch, or of an
// earlier epoch of the same block's barrier, is told by one comparison and nothing is ever cleared.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "device/simulator/state/memory.hpp"

namespace warpbook::device {

/// segment 26 bits | warp 5 | lane 5 | instruction 20 | flags 7; 0: nobody.
///
/// The accesses of an asynchronous copy have a segment of its own, with the top bit set, which no meeting of threads ends:
/// what began before does not order them, only what waits for the copy does. The flags then say who completes it.
using Stamp = std::uint64_t;

inline constexpr int kInstructionShift = 7, kLaneShift = 27, kWarpShift = 32, kSegmentShift = 37;
inline constexpr Stamp kStrong =
    1;  ///< atomic, volatile or relaxed: races with no other of its kind
inline constexpr Stamp kApart =
    2;  ///< of a second stamp: from another warp (shared) or block (global)
inline constexpr std::uint32_t kMostInstructions = 1u << 20;
inline constexpr std::uint32_t kMostSegments = 1u
                                               << 25;  ///< so that stamps are no negative numbers
inline constexpr Stamp kCopy = Stamp{kMostSegments} << kSegmentShift;  ///< of an asynchronous copy
inline constexpr int kCompletionShift = 2;

[[nodiscard]] inline bool is_copy(Stamp s) { return (s & kCopy) != 0; }
/// Copies are numbered as they begin, over all blocks and launches of a device.
[[nodiscard]] inline std::uint32_t copy_of(Stamp s) {
  return static_cast<std::uint32_t>((s & ~kCopy) >> kSegmentShift);
}
[[nodiscard]] inline std::uint32_t completion_of(Stamp s) {
  return static_cast<std::uint32_t>(s >> kCompletionShift) & 31;
}

[[nodiscard]] inline std::uint32_t segment_of(Stamp s) {
  return static_cast<std::uint32_t>(s >> kSegmentShift);
}
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

/// Four planes of stamps, one each for a granule's lowest writer, another writer, its lowest reader and another reader.
/// The second ones are looked at only where the first are taken.
struct Cells {
  Stamp* first = nullptr;  ///< of the first granule meant, in the plane of writers
  std::size_t plane = 0;   ///< stamps from one plane to the next

  [[nodiscard]] Stamp* writer(std::size_t i) const { return first + i; }
  [[nodiscard]] Stamp* other_writer(std::size_t i) const { return first + plane + i; }
  [[nodiscard]] Stamp* reader(std::size_t i) const { return first + 2 * plane + i; }
  [[nodiscard]] Stamp* other_reader(std::size_t i) const { return first + 3 * plane + i; }
  [[nodiscard]] Cells from(std::size_t i) const { return {first + i, plane}; }
};

/// As many granules as a warp has lanes, from a multiple of that on, that one warp alone touched in this launch, in one
/// segment, lane i the i-th: two stamps say what 32 of each plane would. Below the floor: nobody.
struct RaceRow {
  Stamp writer, reader;  ///< of lane 0
};

/// The cells of a device's global memory, in pieces that are made when they are first touched.
class RaceShadow {
 public:
  static constexpr std::uint64_t kPieceBytes = 1u << 20;  ///< of memory, that a piece is for
  /// Of memory: where all accesses are of whole rows, each by a warp of its own, rows say it all.
  static constexpr std::uint64_t kChunkBytes = 1u << 16;
  /// Address space for pieces; what a kernel touches beyond is not watched.
  static constexpr std::uint64_t kLimit = 8ull << 30;

  /// Granules of 1 << shift bytes.
  explicit RaceShadow(std::uint32_t shift) : shift_(shift), plane_(kPieceBytes >> shift) {}
  ~RaceShadow();
  RaceShadow(const RaceShadow&) = delete;
  RaceShadow& operator=(const RaceShadow&) = delete;

  [[nodiscard]] std::uint32_t shift() const { return shift_; }
  /// The cells from `address` to the end of its piece; none where the limit is reached. What is known of the first `bytes`,
  /// all of one piece, stands in the planes.
  [[nodiscard]] Cells at(Pointer address, std::uint64_t bytes) {
    const std::uint64_t offset = address - kGlobalBase, piece = offset / kPieceBytes;
    if (!there(piece)) return {};
    const std::uint64_t in_piece = offset % kPieceBytes;
    for (std::uint64_t chunk = in_piece / kChunkBytes;
         chunk <= (in_piece + bytes - 1) / kChunkBytes; ++chunk) {
      if (in_planes(piece)[chunk] != floor) lay_out(piece, chunk);
    }
    return {pieces_[piece] + (in_piece >> shift_), plane_};
  }
  /// The row that begins at `address`; nullptr if none does, or where rows would not do in this launch.
  [[nodiscard]] RaceRow* row(Pointer address) {
    const std::uint64_t offset = address - kGlobalBase, piece = offset / kPieceBytes;
    if ((offset & ((std::uint64_t{kLanes} << shift_) - 1)) != 0 || !there(piece)) return nullptr;
    const std::uint64_t in_piece = offset % kPieceBytes;
    if (in_planes(piece)[in_piece / kChunkBytes] == floor) return nullptr;
    return rows_of(piece) + (in_piece >> shift_) / kLanes;
  }
  /// Nobody has touched these bytes.
  void forget(Pointer address, std::uint64_t bytes);

  std::uint32_t next_segment = 1, next_copy = 1;
  Stamp floor = 0;  ///< of the launch

 private:
  bool make(std::uint64_t piece);
  [[nodiscard]] bool there(std::uint64_t piece) {
    return (piece < pieces_.size() && pieces_[piece]) || make(piece);
  }
  /// From here on, for this launch, a chunk's stamps stand in the planes alone.
  void lay_out(std::uint64_t piece, std::uint64_t chunk);
  // Behind a piece's planes stand its rows and, by chunk, the floor of the last launch in which its planes were needed.
  [[nodiscard]] RaceRow* rows_of(std::uint64_t piece) const {
    return reinterpret_cast<RaceRow*>(pieces_[piece] + 4 * plane_);
  }
  [[nodiscard]] Stamp* in_planes(std::uint64_t piece) const {
    return reinterpret_cast<Stamp*>(rows_of(piece) + plane_ / kLanes);
  }
  [[nodiscard]] std::size_t piece_bytes() const {
    return 4 * sizeof(Stamp) * plane_ + sizeof(RaceRow) * (plane_ / kLanes) +
           sizeof(Stamp) * (kPieceBytes / kChunkBytes);
  }

  std::uint32_t shift_;
  std::size_t plane_;  ///< stamps of a plane of a piece
  std::uint64_t reserved_ = 0;
  std::vector<Stamp*> pieces_;
};

}  // namespace warpbook::device
