// What the renderers of lanes and sectors share: which 32-byte sectors one warp's request touches, and how much of them
// it uses.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "device/sectors.hpp"
#include "lab/exhibits/sectors/sectors.hpp"

namespace warpbook::lab {

using device::kLineBytes, device::kSectorsPerLine;

/// The sectors of one request, in the order of memory.
struct RequestSectors {
  struct Sector {
    std::uint32_t array = 0;
    std::uint64_t number = 0;  ///< counted from the 128-byte line in which the array begins
    std::uint32_t used = 0;    ///< a bit a byte
    std::uint32_t lanes = 0;   ///< a bit a lane
  };
  std::vector<Sector> sectors;
  std::uint64_t asked = 0;  ///< lanes x bytes
  std::uint64_t used = 0;   ///< bytes, each counted once, whoever asked for it
  [[nodiscard]] std::uint64_t moved() const { return sectors.size() * device::kSectorBytes; }
};
RequestSectors touched_by(const SectorsExhibit& exhibit, const SectorsExhibit::Request& request);

/// The sector of the lane's first byte, counted as RequestSectors counts.
std::uint64_t sector_of(const SectorsExhibit& exhibit, const SectorsExhibit::Lane& lane);
/// The byte of the array with which a sector begins; below 0 where the array begins within it.
std::int64_t offset_of(const SectorsExhibit& exhibit, const RequestSectors::Sector& sector);

/// A line of 128 bytes with those of its four sectors that were touched.
struct SectorLine {
  std::uint32_t array = 0;
  std::uint64_t number = 0;
  std::array<const RequestSectors::Sector*, kSectorsPerLine> sectors{};
  [[nodiscard]] std::uint32_t lanes() const;
};
/// Points into `touched`.
std::vector<SectorLine> lines_of(const RequestSectors& touched);

/// All that the launch moved.
struct SectorTotals {
  std::uint64_t requests = 0, sectors = 0, bytes_asked = 0;
};
SectorTotals totals_of(const SectorsExhibit& exhibit);

/// The exhibit's sentence about a request by its index, as where the reader has chosen another one than the exhibit does.
std::string sentence_of(const SectorsExhibit& exhibit, std::size_t request, const Strings& strings);

/// "12.5": how many of a hundred bytes.
std::string percent_of(std::uint64_t bytes, std::uint64_t of);
/// "0 – 7, 16": set bits in runs.
std::string lanes_text(std::uint32_t lanes);
/// "in", or the language's word for memory without a name.
std::string array_name(const SectorsExhibit& exhibit, std::uint32_t array, const Strings& strings);
/// "load from in", as the language says it.
std::string access_text(const SectorsExhibit& exhibit, const SectorsExhibit::Place& place,
                        const Strings& strings);

}  // namespace warpbook::lab
