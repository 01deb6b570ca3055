#include "device/simulator/observe/race/cells.hpp"

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

void RaceShadow::forget(Pointer address, std::uint64_t bytes) {
  for (Pointer at = address; at < address + bytes;) {
    const std::uint64_t offset = at - kGlobalBase, left = kPieceBytes - offset % kPieceBytes;
    const std::uint64_t here = std::min(left, address + bytes - at);
    const std::uint64_t piece = offset / kPieceBytes;
    if (piece < pieces_.size() && pieces_[piece]) {
      const Cells cells = this->at(at);
      const std::size_t count = static_cast<std::size_t>((here - 1) >> shift_) + 1;
      for (std::size_t p = 0; p < 4; ++p)
        std::memset(cells.first + p * cells.plane, 0, count * sizeof(Stamp));
    }
    at += here;
  }
}

}  // namespace warpbook::device
