#include "device/simulator/observe/race/shadow.hpp"

#include <sys/mman.h>

#include <algorithm>
#include <cstring>

namespace warpbook::device {

RaceShadow::~RaceShadow() {
  for (Stamp* page : pages_) {
    if (page) munmap(page, mapped_bytes());
  }
}

bool RaceShadow::map_page(std::uint64_t page) {
  if (reserved_ + mapped_bytes() > kLimit) return false;
  void* made = mmap(nullptr, mapped_bytes(), PROT_READ | PROT_WRITE,
                    MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (made == MAP_FAILED) return false;
  reserved_ += mapped_bytes();
  if (page >= pages_.size()) pages_.resize(page + 1);
  pages_[page] = static_cast<Stamp*>(made);
  return true;
}

void RaceShadow::expand_rows(std::uint64_t page, std::uint64_t chunk) {
  const std::uint64_t rows = (kChunkBytes >> shift_) / kLanes;
  for (std::uint64_t i = chunk * rows; i < (chunk + 1) * rows; ++i) {
    const ShadowRow& row = rows_of(page)[i];
    const ShadowCells cells{pages_[page] + i * kLanes, plane_};
    for (std::size_t lane = 0; lane < kLanes; ++lane) {
      if (row.writer >= floor) *cells.writer(lane) = row.writer + (Stamp{lane} << kLaneShift);
      if (row.reader >= floor) *cells.reader(lane) = row.reader + (Stamp{lane} << kLaneShift);
    }
  }
  expanded_in(page)[chunk] = floor;
}

void RaceShadow::forget(Pointer address, std::uint64_t bytes) {
  for (Pointer at = address; at < address + bytes;) {
    const std::uint64_t offset = at - kGlobalBase, left = kPageBytes - offset % kPageBytes;
    const std::uint64_t here = std::min(left, address + bytes - at);
    const std::uint64_t page = offset / kPageBytes;
    if (page < pages_.size() && pages_[page]) {
      const ShadowCells cells = this->at(at, here);
      const std::size_t count = static_cast<std::size_t>((here - 1) >> shift_) + 1;
      for (std::size_t p = 0; p < 4; ++p)
        std::memset(cells.first + p * cells.plane, 0, count * sizeof(Stamp));
    }
    at += here;
  }
}

}  // namespace warpbook::device
