#include "device/simulator/observe/race/shadow.hpp"

#include <sys/mman.h>

#include <algorithm>
#include <cstring>

namespace warpbook::device {

RaceShadow::~RaceShadow() {
  for (Stamp* piece : pieces_) {
    if (piece) munmap(piece, piece_bytes());
  }
}

bool RaceShadow::make(std::uint64_t piece) {
  if (reserved_ + piece_bytes() > kLimit) return false;
  void* made = mmap(nullptr, piece_bytes(), PROT_READ | PROT_WRITE,
                    MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (made == MAP_FAILED) return false;
  reserved_ += piece_bytes();
  if (piece >= pieces_.size()) pieces_.resize(piece + 1);
  pieces_[piece] = static_cast<Stamp*>(made);
  return true;
}

void RaceShadow::lay_out(std::uint64_t piece, std::uint64_t chunk) {
  const std::uint64_t rows = (kChunkBytes >> shift_) / kLanes;
  for (std::uint64_t i = chunk * rows; i < (chunk + 1) * rows; ++i) {
    const RaceRow& row = rows_of(piece)[i];
    const Cells cells{pieces_[piece] + i * kLanes, plane_};
    for (std::size_t lane = 0; lane < kLanes; ++lane) {
      if (row.writer >= floor) *cells.writer(lane) = row.writer + (Stamp{lane} << kLaneShift);
      if (row.reader >= floor) *cells.reader(lane) = row.reader + (Stamp{lane} << kLaneShift);
    }
  }
  in_planes(piece)[chunk] = floor;
}

void RaceShadow::forget(Pointer address, std::uint64_t bytes) {
  for (Pointer at = address; at < address + bytes;) {
    const std::uint64_t offset = at - kGlobalBase, left = kPieceBytes - offset % kPieceBytes;
    const std::uint64_t here = std::min(left, address + bytes - at);
    const std::uint64_t piece = offset / kPieceBytes;
    if (piece < pieces_.size() && pieces_[piece]) {
      const Cells cells = this->at(at, here);
      const std::size_t count = static_cast<std::size_t>((here - 1) >> shift_) + 1;
      for (std::size_t p = 0; p < 4; ++p)
        std::memset(cells.first + p * cells.plane, 0, count * sizeof(Stamp));
    }
    at += here;
  }
}

}  // namespace warpbook::device
