#include <vector>

#include "lab/exhibits/spaces/spaces_summary.hpp"
#include "lab/markup/phrases.hpp"
#include "lab/markup/sentence_parts.hpp"

namespace warpbook::lab {

namespace {

std::string sentence_of(const SpacesExhibit::Journey& journey, const Strings& strings) {
  if (journey.stations.empty()) return strings("journey.nobody", {{"name", journey.name}});
  std::vector<std::string> parts{strings(
      "journey.way", {{"value", followed_text(journey)}, {"places", way_text(journey, strings)}})};
  if (journey.readers != 0) {
    parts.push_back(strings("journey.asked",
                            {{"threads", counted(strings, "count.threads", journey.readers)},
                             {"requests", counted(strings, "spaces.requests", journey.requests)}}));
  }
  return sentences(strings, parts);
}

}  // namespace

std::string sentence_of(const SpacesExhibit& spaces, const Strings& strings) {
  if (spaces.journey) return sentence_of(*spaces.journey, strings);
  if (spaces.rows.empty()) return strings("spaces.none", {{"kernel", spaces.kernel}});
  using Space = SpacesExhibit::Space;
  std::vector<std::string> asked;
  bool known = false;
  for (const Space space :
       {Space::l1, Space::local, Space::shared, Space::constant, Space::texture}) {
    const SpacesExhibit::Row* row = row_of(spaces, space);
    if (!row) continue;
    known = known || row->requests.has_value();
    if (row->requests.value_or(0) == 0) continue;
    asked.push_back(strings("spaces.asked-of." + std::string(name_of(space)),
                            {{"amount", counted(strings, "spaces.requests", *row->requests)}}));
  }
  std::vector<std::string> parts;
  if (!known) {
    parts.push_back(strings("spaces.not-counted", {{"kernel", spaces.kernel}}));
  } else if (asked.empty()) {
    parts.push_back(strings("spaces.asked-nothing", {{"kernel", spaces.kernel}}));
  } else {
    parts.push_back(
        strings("spaces.sent", {{"kernel", spaces.kernel}, {"what", joined(strings, asked)}}));
  }
  parts.push_back(strings("spaces.holds", {{"what", thread_text(spaces, strings)}}));
  if (spaces.local_bytes != 0 && spaces.machine_local == 0u)
    parts.push_back(strings("spaces.avoided", {{"bytes", byte_count(spaces.local_bytes)}}));
  if (spaces.spilled_bytes.value_or(0) != 0)
    parts.push_back(strings("spaces.spilled", {{"bytes", byte_count(*spaces.spilled_bytes)}}));
  return sentences(strings, parts);
}

}  // namespace warpbook::lab
