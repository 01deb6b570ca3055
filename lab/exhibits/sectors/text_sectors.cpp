#include <algorithm>

#include "lab/exhibits/sectors/sectors_summary.hpp"
#include "lab/markup/phrases.hpp"
#include "lab/markup/text_parts.hpp"
#include "lab/text/unicode.hpp"

namespace warpbook::lab {
namespace {

constexpr std::size_t kMostPlaces = 16, kMostLines = 40;
constexpr unsigned kBytesASign = 4;

/// Eight signs: of four bytes each, whether all, some or none are used; blank where the sector was not moved.
std::string signs_of(const RequestSectors::Sector* sector) {
  std::string signs;
  for (unsigned at = 0; at < device::kSectorBytes; at += kBytesASign) {
    if (!sector) {
      signs += " ";
      continue;
    }
    const std::uint32_t used = sector->used >> at & ((1u << kBytesASign) - 1);
    signs += used == 0 ? "·" : used == (1u << kBytesASign) - 1 ? "█" : "▒";
  }
  return signs;
}

void places_table(const SectorsExhibit& sectors, const Strings& strings, Page& page) {
  std::vector<std::vector<std::string>> rows{
      {strings("sectors.head.line"), strings("sectors.head.access"),
       strings("sectors.head.requests"), strings("sectors.head.sectors"),
       strings("sectors.head.each"), strings("sectors.head.asked"), strings("sectors.head.moved")}};
  for (const SectorsExhibit::Place& place : sectors.places) {
    if (rows.size() > kMostPlaces) break;
    rows.push_back(
        {std::to_string(place.line), access_text(sectors, place, strings), grouped(place.requests),
         grouped(place.sectors),
         place.requests == 0
             ? "–"
             : number(static_cast<double>(place.sectors) / static_cast<double>(place.requests), 4),
         byte_count(place.bytes_asked), byte_count(place.sectors * device::kSectorBytes)});
  }
  text_rows(rows, page, 1);
  if (sectors.places.size() > kMostPlaces)
    page.paragraph(counted(strings, "sectors.more-places", sectors.places.size() - kMostPlaces), 2,
                   Ink::quiet);
}

}  // namespace

void text_body(const SectorsExhibit& sectors, const Strings& strings, Page& page) {
  if (sectors.places.empty()) return;
  places_table(sectors, strings, page);
  if (sectors.chosen >= sectors.requests.size()) return;
  const RequestSectors touched = touched_by(sectors, sectors.requests[sectors.chosen]);
  const std::vector<SectorLine> lines = lines_of(touched);
  page.line();
  page.paragraph(strings("sectors.legend"), 2, Ink::quiet);
  const std::size_t shown = std::min(lines.size(), kMostLines);
  std::vector<std::string> names;
  int name_columns = 0;
  for (std::size_t i = 0; i < shown; ++i) {
    const auto first = static_cast<std::int64_t>(lines[i].number * kLineBytes) -
                       sectors.arrays[lines[i].array].start;
    names.push_back(array_name(sectors, lines[i].array, strings) + (first < 0 ? " - " : " + ") +
                    grouped(static_cast<std::uint64_t>(first < 0 ? -first : first)));
    name_columns = std::max(name_columns, columns_of(names.back()));
  }
  for (std::size_t i = 0; i < shown; ++i) {
    std::string map;
    for (const auto* sector : lines[i].sectors) map += signs_of(sector) + " ";
    const std::string lanes = strings("sectors.lanes", {{"lanes", lanes_text(lines[i].lanes())}});
    page.line("  " + page.ink(Ink::quiet, padded_left(names[i], name_columns)) + "  " +
              page.ink(Ink::plain, map) + " " +
              page.ink(Ink::quiet, clipped(lanes, std::max(8, page.width() - name_columns - 41))));
  }
  if (shown < lines.size())
    page.paragraph(counted(strings, "sectors.more-lines", lines.size() - shown), 2, Ink::quiet);
}

}  // namespace warpbook::lab
