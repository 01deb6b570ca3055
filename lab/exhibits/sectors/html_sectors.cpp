#include <algorithm>
#include <bit>
#include <string>

#include "lab/exhibits/sectors/sectors_picture.hpp"
#include "lab/exhibits/sectors/sectors_summary.hpp"
#include "lab/markup/html_parts.hpp"
#include "lab/markup/phrases.hpp"
#include "lab/markup/svg.hpp"

namespace warpbook::lab {
namespace {

constexpr std::size_t kHtmlSectorsMostPlaces = 64;
constexpr double kHtmlSectorsWidth = 768;

/// Lanes in the order of their numbers take the colours of a sequence.
std::string lane_class(unsigned lane) {
  constexpr unsigned kColours = 10;
  return "wb-v" + std::to_string(lane * kColours / device::kLanes);
}

std::string lanes_svg(const SectorsPicture& picture, std::uint32_t asking) {
  std::string svg;
  for (unsigned lane = 0; lane < device::kLanes; ++lane) {
    const bool asks = (asking >> lane & 1) != 0;
    svg += svg_rectangle(asks ? "wb-lane " + lane_class(lane) : "wb-still",
                         lane * picture.lane_width(), 0, picture.lane_width() - 2,
                         SectorsPicture::kLaneHigh) +
           svg_text(asks ? "wb-number" : "wb-number wb-offset", picture.lane_middle(lane) - 1,
                    SectorsPicture::kLaneHigh - 7, std::to_string(lane));
  }
  return svg;
}

/// From a lane down to its sector, in a curve that leaves and arrives upright.
std::string wires_svg(const SectorsPicture& picture) {
  std::string svg;
  for (const SectorsPicture::Wire& wire : picture.wires) {
    const auto& column = picture.columns[picture.cells[wire.cell].column];
    const double from = picture.lane_middle(wire.lane) - 1, to = column.x + column.width / 2,
                 middle = SectorsPicture::kLaneHigh + SectorsPicture::kWiresHigh / 2;
    svg += svg_path("wb-wire " + lane_class(wire.lane),
                    "M" + coordinate(from) + " " + coordinate(SectorsPicture::kLaneHigh + 1) + "C" +
                        coordinate(from) + " " + coordinate(middle) + " " + coordinate(to) + " " +
                        coordinate(middle) + " " + coordinate(to) + " " +
                        coordinate(SectorsPicture::kColumnsTop - 1));
  }
  return svg;
}

std::string columns_svg(const SectorsPicture& picture) {
  std::string svg;
  for (const SectorsPicture::Column& column : picture.columns) {
    svg += svg_rectangle(column.touched ? "wb-moved" : "wb-empty", column.x,
                         SectorsPicture::kColumnsTop, column.width, SectorsPicture::kColumnHigh);
    if (!column.jump) continue;
    const double middle = SectorsPicture::kColumnsTop + SectorsPicture::kColumnHigh / 2;
    for (const double x : {column.x - 7, column.x - 4})
      svg += svg_line("wb-jump", x - 1, middle + 5, x + 1, middle - 5);
  }
  const double high = picture.cell_height();
  for (const SectorsPicture::Cell& cell : picture.cells) {
    const SectorsPicture::Column& column = picture.columns[cell.column];
    const double top = SectorsPicture::kColumnsTop + picture.cell_top(cell);
    svg +=
        svg_rectangle("wb-cell " + lane_class(static_cast<unsigned>(std::countr_zero(cell.lanes))),
                      column.x, top, column.width, high > 4 ? high - 1 : high);
    if (std::popcount(cell.lanes) > 1 && high > 6)
      svg += svg_circle("wb-many", column.x + column.width / 2, top + high / 2, 2);
  }
  for (unsigned k = 1; high > 4 && k < device::kSectorBytes / picture.cell_bytes; ++k) {
    const double y = SectorsPicture::kColumnsTop + high * k - 0.5;
    svg += svg_line("wb-between", picture.left, y, picture.right, y);
  }
  return svg;
}

/// What is used of what was moved, under a bracket; and where the sectors lie.
std::string scale_svg(const SectorsPicture& picture, const RequestSectors& touched,
                      const Strings& strings) {
  const double top = SectorsPicture::kBracketTop + 4, middle = (picture.left + picture.right) / 2;
  std::string svg = svg_polyline("wb-bracket", {{picture.left, top},
                                                {picture.left, top + 5},
                                                {picture.right, top + 5},
                                                {picture.right, top}});
  const std::string says = used_text(touched, strings);
  const double half = 3.5 * static_cast<double>(says.size());  // as wide as it is at most
  svg += svg_text("wb-number", std::clamp(middle, half, std::max(half, kHtmlSectorsWidth - half)),
                  top + 20, says);
  double free = 0;
  for (const SectorsPicture::Mark& mark : picture.marks) {
    if (mark.x < free) continue;
    const std::string offset = typeset(std::to_string(mark.offset)) + (free == 0 ? " B" : "");
    svg += svg_text("wb-offset", mark.x, SectorsPicture::kHeight - 4, offset);
    free = mark.x + 8 * static_cast<double>(offset.size()) + 6;
  }
  return svg;
}

std::string picture(const SectorsExhibit& sectors, const SectorsExhibit* beside,
                    const SectorsExhibit::Request& request, const Strings& strings,
                    const std::string& caption) {
  const RequestSectors touched = touched_by(sectors, request);
  if (touched.sectors.empty()) return {};
  const SectorsPicture picture = picture_of(sectors, request, touched, kHtmlSectorsWidth, beside);
  std::uint32_t asking = 0;
  for (const SectorsExhibit::Lane& lane : request.lanes) asking |= 1u << lane.lane % device::kLanes;
  std::string html = svg_open(kHtmlSectorsWidth, SectorsPicture::kHeight, caption) +
                     wires_svg(picture) + lanes_svg(picture, asking) + columns_svg(picture) +
                     scale_svg(picture, touched, strings) + "</svg>" +
                     tagged("p", "wb-more", escaped(strings("sectors.legend-picture")));
  if (picture.left_out != 0) {
    html +=
        tagged("p", "wb-more", escaped(counted(strings, "sectors.more-sectors", picture.left_out)));
  }
  return html;
}

}  // namespace

std::string html_body(const SectorsExhibit& sectors, const SectorsExhibit* beside,
                      const Strings& strings, const std::string& caption) {
  if (sectors.places.empty()) return {};
  std::string html;
  if (sectors.chosen < sectors.requests.size())
    html += picture(sectors, beside, sectors.requests[sectors.chosen], strings, caption);
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
          byte_count(place.sectors * device::kSectorBytes)})
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
