#include "lab/exhibits/sectors/sectors_summary.hpp"
#include "lab/markup/phrases.hpp"
#include "lab/markup/sentence_parts.hpp"

namespace warpbook::lab {

std::string sentence_of(const SectorsExhibit& sectors, const Strings& strings) {
  if (sectors.places.empty()) return strings("sectors.nothing");
  std::vector<std::string> parts;
  if (sectors.chosen < sectors.requests.size()) {
    const SectorsExhibit::Request& request = sectors.requests[sectors.chosen];
    const SectorsExhibit::Place& place = sectors.places[request.place];
    const RequestSectors touched = touched_by(sectors, request);
    parts.push_back(strings("sectors.touch",
                            {{"count", std::to_string(request.lanes.size())},
                             {"sectors", counted(strings, "sectors.count", touched.sectors.size())},
                             {"used", percent_of(touched.used, touched.moved())},
                             {"access", access_text(sectors, place, strings)},
                             {"line", std::to_string(place.line)},
                             {"warp", std::to_string(request.warp)},
                             {"block", std::to_string(request.block)}}));
  } else {
    parts.push_back(strings("sectors.untraced"));
  }
  const SectorTotals all = totals_of(sectors);
  parts.push_back(
      strings("sectors.all", {{"count", grouped(all.requests)},
                              {"asked", byte_count(all.bytes_asked)},
                              {"sectors", counted(strings, "sectors.count", all.sectors)},
                              {"moved", byte_count(all.sectors * device::kSectorBytes)}}));
  return sentences(strings, parts);
}

}  // namespace warpbook::lab
