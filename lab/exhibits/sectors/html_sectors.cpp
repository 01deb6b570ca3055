#include <algorithm>
#include <string>

#include "lab/exhibits/sectors/sectors_picture.hpp"
#include "lab/exhibits/sectors/sectors_summary.hpp"
#include "lab/markup/html_parts.hpp"
#include "lab/markup/phrases.hpp"
#include "lab/markup/svg_pen.hpp"

namespace warpbook::lab {
namespace {

constexpr std::size_t kHtmlSectorsMostPlaces = 64;
constexpr double kHtmlSectorsWidth = 768;

std::string picture(const SectorsExhibit& sectors, const SectorsExhibit* beside,
                    const SectorsExhibit::Request& request, const Strings& strings,
                    const std::string& caption) {
  const RequestSectors touched = touched_by(sectors, request);
  if (touched.sectors.empty()) return {};
  const SectorsPicture picture = picture_of(sectors, request, touched, kHtmlSectorsWidth, beside);
  return svg_of(drawing_of(picture, request, touched, {}, svg_canvas(kHtmlSectorsWidth, strings)),
                caption) +
         tagged("p", "wb-more", escaped(strings("sectors.legend-picture")));
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
