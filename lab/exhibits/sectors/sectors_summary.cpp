#include "lab/exhibits/sectors/sectors_summary.hpp"

#include <algorithm>
#include <bit>
#include <map>
#include <utility>

namespace warpbook::lab {
namespace {

/// No access is wider; a damaged one is not followed further.
constexpr std::uint32_t kWidest = 128;

}  // namespace

RequestSectors touched_by(const SectorsExhibit& exhibit, const SectorsExhibit::Request& request) {
  RequestSectors touched;
  std::map<std::pair<std::uint32_t, std::uint64_t>, RequestSectors::Sector> found;
  const std::uint32_t bytes = std::min(exhibit.places[request.place].bytes, kWidest);
  for (const SectorsExhibit::Lane& lane : request.lanes) {
    const std::uint64_t start = exhibit.arrays[lane.array].start + lane.offset;
    touched.asked += bytes;
    if (bytes == 0) continue;
    const device::SectorRange range = device::sectors_of(start, bytes);
    for (std::uint64_t number = range.first; number <= range.last; ++number) {
      auto& sector = found[{lane.array, number}];
      sector.array = lane.array;
      sector.number = number;
      sector.used |= device::bytes_of_sector(number, start, bytes);
      sector.lanes |= 1u << lane.lane % device::kLanes;
    }
  }
  for (const auto& [key, sector] : found) {
    touched.used += static_cast<std::uint64_t>(std::popcount(sector.used));
    touched.sectors.push_back(sector);
  }
  return touched;
}

std::uint64_t sector_of(const SectorsExhibit& exhibit, const SectorsExhibit::Lane& lane) {
  return (exhibit.arrays[lane.array].start + lane.offset) / device::kSectorBytes;
}

std::int64_t offset_of(const SectorsExhibit& exhibit, const RequestSectors::Sector& sector) {
  return static_cast<std::int64_t>(sector.number * device::kSectorBytes -
                                   exhibit.arrays[sector.array].start);
}

std::uint32_t SectorLine::lanes() const {
  std::uint32_t all = 0;
  for (const auto* sector : sectors) all |= sector ? sector->lanes : 0;
  return all;
}

std::vector<SectorLine> lines_of(const RequestSectors& touched) {
  std::vector<SectorLine> lines;
  for (const RequestSectors::Sector& sector : touched.sectors) {
    const std::uint64_t number = sector.number / kSectorsPerLine;
    if (lines.empty() || lines.back().array != sector.array || lines.back().number != number)
      lines.push_back({sector.array, number, {}});
    lines.back().sectors[sector.number % kSectorsPerLine] = &sector;
  }
  return lines;
}

SectorTotals totals_of(const SectorsExhibit& exhibit) {
  SectorTotals totals;
  for (const SectorsExhibit::Place& place : exhibit.places) {
    totals.requests += place.requests;
    totals.sectors += place.sectors;
    totals.bytes_asked += place.bytes_asked;
  }
  return totals;
}

std::string percent_of(std::uint64_t bytes, std::uint64_t of) {
  return of == 0 ? "0" : number(100.0 * static_cast<double>(bytes) / static_cast<double>(of), 3);
}

std::string lanes_text(std::uint32_t lanes) {
  std::string text;
  for (unsigned lane = 0; lane < device::kLanes; ++lane) {
    if ((lanes >> lane & 1) == 0) continue;
    unsigned last = lane;
    while (last + 1 < device::kLanes && (lanes >> (last + 1) & 1) != 0) ++last;
    text += (text.empty() ? "" : ", ") + std::to_string(lane);
    if (last != lane) text += " – " + std::to_string(last);
    lane = last;
  }
  return text;
}

std::string array_name(const SectorsExhibit& exhibit, std::uint32_t array, const Strings& strings) {
  const std::string& name = exhibit.arrays[array].name;
  return name.empty() ? strings("sectors.nameless") : name;
}

std::string access_text(const SectorsExhibit& exhibit, const SectorsExhibit::Place& place,
                        const Strings& strings) {
  return strings("sectors." + std::string(device::name_of(place.kind)),
                 {{"name", array_name(exhibit, place.array, strings)}});
}

}  // namespace warpbook::lab
