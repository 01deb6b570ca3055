#include "lab/exhibits/sectors/sectors.hpp"

#include <algorithm>

#include "lab/exhibits/sectors/sectors_summary.hpp"
#include "lab/markup/json.hpp"
#include "lab/markup/phrases.hpp"
#include "lab/model/choice.hpp"

namespace warpbook::lab {
std::string sentence_of(const SectorsExhibit& sectors, const Strings& strings) {
  return sentence_of(sectors, sectors.chosen, strings);
}

std::string sentence_of(const SectorsExhibit& sectors, std::size_t which, const Strings& strings) {
  std::vector<std::string> parts;
  if (sectors.stopped) parts.push_back(strings("trace.stopped"));
  if (sectors.places.empty()) {
    parts.push_back(strings("sectors.nothing"));
    return sentences(strings, parts);
  }
  if (which < sectors.requests.size()) {
    const SectorsExhibit::Request& request = sectors.requests[which];
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

Table table_of(const SectorsExhibit& sectors, const Strings& strings) {
  Table table{{strings("table.line"), strings("table.access"), strings("table.array"),
               strings("table.block"), strings("table.warp"), strings("table.lane"),
               strings("table.offset"), strings("table.bytes"), strings("table.sector")},
              {}};
  for (const SectorsExhibit::Request& request : sectors.requests) {
    const SectorsExhibit::Place& place = sectors.places[request.place];
    for (const SectorsExhibit::Lane& lane : request.lanes) {
      table.rows.push_back({std::to_string(place.line), std::string(device::name_of(place.kind)),
                            sectors.arrays[lane.array].name, std::to_string(request.block),
                            std::to_string(request.warp), std::to_string(lane.lane),
                            std::to_string(lane.offset), std::to_string(place.bytes),
                            std::to_string(sector_of(sectors, lane))});
    }
  }
  return table;
}

void compare(const SectorsExhibit& a, const SectorsExhibit& b, Comparer& comparer) {
  const SectorTotals in_a = totals_of(a), in_b = totals_of(b);
  comparer.figure("requests", figure_of(in_a.requests), figure_of(in_b.requests));
  comparer.figure("sectors", figure_of(in_a.sectors), figure_of(in_b.sectors));
  comparer.figure("bytes_asked", figure_of(in_a.bytes_asked), figure_of(in_b.bytes_asked));
}

void extras(JsonExtras& json, const SectorsExhibit::Place& place) {
  json("bytes_moved", [&] { return place.sectors * device::kSectorBytes; });
}

void extras(JsonExtras& json, const SectorsExhibit::Request& request, const SectorsExhibit& whole) {
  json("sectors", [&] { return touched_by(whole, request).sectors.size(); });
  json("bytes_used", [&] { return std::uint64_t{touched_by(whole, request).used}; });
}

bool valid(const SectorsExhibit& v) {
  const auto lane_valid = [&](const SectorsExhibit::Lane& lane) {
    return lane.lane < device::kLanes && lane.array < v.arrays.size();
  };
  const auto place_valid = [&](const SectorsExhibit::Place& place) {
    return place.array < v.arrays.size();
  };
  const auto request_valid = [&](const SectorsExhibit::Request& request) {
    return request.place < v.places.size() && std::ranges::all_of(request.lanes, lane_valid);
  };
  return std::ranges::all_of(v.places, place_valid) &&
         std::ranges::all_of(v.requests, request_valid) && is_choice(v.chosen, v.requests.size());
}

}  // namespace warpbook::lab
