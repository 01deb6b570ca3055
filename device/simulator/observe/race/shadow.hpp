// racecheck's shadow memory: for each granule of memory, the last accesses that can still race, as stamps.
//
// A granule is as many bytes as the narrowest access of the program has, so two accesses to different bytes never share one. Its
// shadow is four stamps: its lowest writer and a second one, its lowest reader and a second one (checker.hpp says why two of each
// suffice). The four stand in four planes, so that a warp's accesses to neighbouring granules are loops over arrays.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "device/simulator/observe/race/stamp.hpp"
#include "device/simulator/state/memory.hpp"

namespace warpbook::device {

/// The shadow of neighbouring granules: a place in each of the four planes. The second writers and readers are looked at only where
/// the first ones are set.
struct ShadowCells {
  Stamp* first = nullptr;  ///< the first granule's stamp in the plane of writers
  std::size_t plane = 0;   ///< stamps from one plane to the next

  [[nodiscard]] Stamp* writer(std::size_t i) const { return first + i; }
  [[nodiscard]] Stamp* other_writer(std::size_t i) const { return first + plane + i; }
  [[nodiscard]] Stamp* reader(std::size_t i) const { return first + 2 * plane + i; }
  [[nodiscard]] Stamp* other_reader(std::size_t i) const { return first + 3 * plane + i; }
  [[nodiscard]] ShadowCells from(std::size_t i) const { return {first + i, plane}; }
};

/// A compact shadow for 32 neighbouring granules that one warp alone accesses, lane i the i-th, in one segment: most kernels access
/// most of global memory so. Two stamps then say as much as 32 of each plane. Below the floor: no access.
struct ShadowRow {
  Stamp writer, reader;  ///< of lane 0
};

/// The shadow of a device's global memory, in pages that are mapped when their memory is first accessed.
class RaceShadow {
 public:
  /// Of global memory, per page.
  static constexpr std::uint64_t kPageBytes = 1u << 20;
  /// Of global memory. In each launch a chunk's accesses are in its rows until one comes that a row cannot express; from then on they
  /// are in the planes.
  static constexpr std::uint64_t kChunkBytes = 1u << 16;
  /// The most address space that pages may take. Memory beyond has no shadow, so races in it are not found.
  static constexpr std::uint64_t kLimit = 8ull << 30;

  /// Granules of 1 << shift bytes.
  explicit RaceShadow(std::uint32_t shift) : shift_(shift), plane_(kPageBytes >> shift) {}
  ~RaceShadow();
  RaceShadow(const RaceShadow&) = delete;
  RaceShadow& operator=(const RaceShadow&) = delete;

  [[nodiscard]] std::uint32_t shift() const { return shift_; }
  /// The cells from `address` to the end of its page, or none where kLimit is reached. The planes hold all accesses to the first
  /// `bytes`, which are within one page.
  [[nodiscard]] ShadowCells at(Pointer address, std::uint64_t bytes) {
    const std::uint64_t offset = address - kGlobalBase, page = offset / kPageBytes;
    if (!is_mapped(page)) return {};
    const std::uint64_t in_page = offset % kPageBytes;
    for (std::uint64_t chunk = in_page / kChunkBytes; chunk <= (in_page + bytes - 1) / kChunkBytes;
         ++chunk) {
      if (expanded_in(page)[chunk] != floor) expand_rows(page, chunk);
    }
    return {pages_[page] + (in_page >> shift_), plane_};
  }
  /// The row that begins at `address`; nullptr if no row begins there, or if its chunk has been expanded in this launch.
  [[nodiscard]] ShadowRow* row(Pointer address) {
    const std::uint64_t offset = address - kGlobalBase, page = offset / kPageBytes;
    if ((offset & ((std::uint64_t{kLanes} << shift_) - 1)) != 0 || !is_mapped(page)) return nullptr;
    const std::uint64_t in_page = offset % kPageBytes;
    if (expanded_in(page)[in_page / kChunkBytes] == floor) return nullptr;
    return rows_of(page) + (in_page >> shift_) / kLanes;
  }
  /// Removes all accesses to these bytes.
  void forget(Pointer address, std::uint64_t bytes);

  std::uint32_t next_segment = 1, next_copy = 1;
  Stamp floor = 0;  ///< of the launch: stamps below it are of earlier launches

 private:
  bool map_page(std::uint64_t page);
  [[nodiscard]] bool is_mapped(std::uint64_t page) {
    return (page < pages_.size() && pages_[page]) || map_page(page);
  }
  /// Writes a chunk's rows into its planes, which hold its accesses for the rest of this launch.
  void expand_rows(std::uint64_t page, std::uint64_t chunk);
  // A page is its four planes, then its rows, then for each chunk the floor of the last launch that expanded it.
  [[nodiscard]] ShadowRow* rows_of(std::uint64_t page) const {
    return reinterpret_cast<ShadowRow*>(pages_[page] + 4 * plane_);
  }
  [[nodiscard]] Stamp* expanded_in(std::uint64_t page) const {
    return reinterpret_cast<Stamp*>(rows_of(page) + plane_ / kLanes);
  }
  [[nodiscard]] std::size_t mapped_bytes() const {
    return 4 * sizeof(Stamp) * plane_ + sizeof(ShadowRow) * (plane_ / kLanes) +
           sizeof(Stamp) * (kPageBytes / kChunkBytes);
  }

  std::uint32_t shift_;
  std::size_t plane_;  ///< stamps of a plane of a page
  std::uint64_t reserved_ = 0;
  std::vector<Stamp*> pages_;
};

}  // namespace warpbook::device
