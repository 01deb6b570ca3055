#include <algorithm>
#include <map>

#include "lab/phrases.hpp"
#include "lab/render/html_parts.hpp"
#include "lab/render/svg.hpp"
#include "lab/sectors_summary.hpp"

namespace warpbook::lab {
namespace {

constexpr std::size_t kHtmlSectorsMostLines = 64, kHtmlSectorsMostPlaces = 64;
constexpr double kHtmlSectorsWidth = 768, kLane = 24, kHtmlSectorsHigh = 22, kWires = 70,
                 kLineGap = 6;
constexpr unsigned kHtmlSectorsColours = 6;

/// Runs of used bytes within a sector, as bars.
std::string used_bars(const RequestSectors::Sector& sector, const std::string& colour, double x,
                      double y, double width) {
  std::string svg;
  for (unsigned b = 0; b < kSectorBytes; ++b) {
    if ((sector.used >> b & 1) == 0) continue;
    unsigned last = b;
    while (last + 1 < kSectorBytes && (sector.used >> (last + 1) & 1) != 0) ++last;
    svg += svg_rectangle("wb-used " + colour, x + width * b / kSectorBytes, y,
                         width * (last + 1 - b) / kSectorBytes, kHtmlSectorsHigh);
    b = last;
  }
  return svg;
}

std::string picture(const SectorsExhibit& sectors, const SectorsExhibit::Request& request,
                    const Strings& strings, const std::string& caption) {
  const RequestSectors touched = touched_by(sectors, request);
  const std::vector<SectorLine> lines = lines_of(touched);
  const std::size_t shown = std::min(lines.size(), kHtmlSectorsMostLines);
  if (shown == 0) return {};
  const double line_width =
      std::min(160.0, (kHtmlSectorsWidth - kLineGap * static_cast<double>(shown - 1)) / shown);
  const double sector_width = line_width / kSectorsALine, bottom = kHtmlSectorsHigh + kWires;
  const double left =
      (kHtmlSectorsWidth - (line_width + kLineGap) * static_cast<double>(shown) + kLineGap) / 2;
  std::string wires, lanes, map;
  std::map<unsigned, std::string> colour_of;
  std::size_t number = 0;
  double free = 0;
  for (std::size_t i = 0; i < shown; ++i) {
    const double x = left + static_cast<double>(i) * (line_width + kLineGap);
    for (std::size_t s = 0; s < kSectorsALine; ++s) {
      const double at = x + sector_width * static_cast<double>(s);
      const auto* sector = lines[i].sectors[s];
      map += svg_rectangle(sector ? "wb-moved" : "wb-still", at, bottom, sector_width - 1,
                           kHtmlSectorsHigh);
      if (!sector) continue;
      const std::string colour = "wb-c" + std::to_string(number++ % kHtmlSectorsColours);
      map += used_bars(*sector, colour, at, bottom, sector_width - 1);
      for (unsigned lane = 0; lane < device::kLanes; ++lane) {
        if ((sector->lanes >> lane & 1) == 0) continue;
        colour_of.try_emplace(lane, colour);
        wires += svg_line("wb-wire " + colour, (lane + 0.5) * kLane, kHtmlSectorsHigh,
                          at + sector_width / 2, bottom);
      }
    }
    const auto first = static_cast<std::int64_t>(lines[i].number * kLineBytes) -
                       sectors.arrays[lines[i].array].start;
    const std::string text = (first < 0 ? "" : "+") + std::to_string(first);
    if (x >= free) {
      map += svg_text("wb-offset", x, bottom + kHtmlSectorsHigh + 14, text);
      free = x + 9 * static_cast<double>(text.size()) + 6;
    }
  }
  for (unsigned lane = 0; lane < device::kLanes; ++lane) {
    const auto colour = colour_of.find(lane);
    lanes += svg_rectangle(colour == colour_of.end() ? "wb-still" : "wb-lane " + colour->second,
                           lane * kLane, 0, kLane - 2, kHtmlSectorsHigh) +
             svg_text("wb-number", lane * kLane + kLane / 2 - 1, kHtmlSectorsHigh - 6,
                      std::to_string(lane));
  }
  const double height = bottom + kHtmlSectorsHigh + 20;
  std::string html = svg_open(kHtmlSectorsWidth, height, caption) + wires + lanes + map + "</svg>" +
                     tagged("p", "wb-more", escaped(strings("sectors.legend-picture")));
  if (shown < lines.size()) {
    html += tagged("p", "wb-more",
                   escaped(counted(strings, "sectors.more-lines", lines.size() - shown)));
  }
  return html;
}

}  // namespace

std::string html_body(const SectorsExhibit& sectors, const Strings& strings,
                      const std::string& caption) {
  if (sectors.places.empty()) return {};
  std::string html;
  if (sectors.chosen < sectors.requests.size())
    html += picture(sectors, sectors.requests[sectors.chosen], strings, caption);
  std::string rows;
  for (const char* head : {"line", "access", "requests", "sectors", "each", "asked", "moved"})
    rows += tagged("th", "", escaped(strings("sectors.head." + std::string(head))));
  rows = tagged("tr", "", rows);
  const std::size_t shown = std::min(sectors.places.size(), kHtmlSectorsMostPlaces);
  for (std::size_t i = 0; i < shown; ++i) {
    const SectorsExhibit::Place& place = sectors.places[i];
    const double each = place.requests == 0 ? 0
                                            : static_cast<double>(place.sectors) /
                                                  static_cast<double>(place.requests);
    std::string cells;
    for (const std::string& cell :
         {std::to_string(place.line), access_text(sectors, place, strings), grouped(place.requests),
          grouped(place.sectors), number(each, 4), byte_count(place.bytes_asked),
          byte_count(place.sectors * kSectorBytes)})
      cells += tagged("td", "", escaped(cell));
    rows += tagged("tr", "", cells);
  }
  html += tagged("table", "wb-table", rows);
  if (shown < sectors.places.size()) {
    html += tagged("p", "wb-more",
                   escaped(counted(strings, "sectors.more-places", sectors.places.size() - shown)));
  }
  return html;
}

}  // namespace warpbook::lab
