#include "lab/exhibits/spaces/spaces.hpp"

#include <algorithm>
#include <vector>

#include "lab/exhibits/spaces/spaces_summary.hpp"
#include "lab/markup/json.hpp"
#include "lab/markup/phrases.hpp"

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

Table stations_of(const SpacesExhibit::Journey& journey, const Strings& strings) {
  Table table{{strings("table.step"), strings("table.place"), strings("table.text"),
               strings("table.line"), strings("table.cost")},
              {}};
  for (std::size_t i = 0; i < journey.stations.size(); ++i) {
    const SpacesExhibit::Station& station = journey.stations[i];
    table.rows.push_back(
        {std::to_string(i + 1), strings("spaces.place." + std::string(name_of(station.box))),
         strings(station.says), station.line != 0 ? std::to_string(station.line) : "",
         strings(station.cost)});
  }
  return table;
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

Table table_of(const SpacesExhibit& spaces, const Strings& strings) {
  if (spaces.journey) return stations_of(*spaces.journey, strings);
  Table table{{strings("table.space"), strings("table.size"), strings("table.clocks"),
               strings("table.requests"), strings("table.asked"), strings("table.moved"),
               strings("table.passes"), strings("table.evidence")},
              {}};
  const auto figure = [](const std::optional<std::uint64_t>& known) {
    return known ? std::to_string(*known) : "";
  };
  for (const SpacesExhibit::Row& row : spaces.rows) {
    const auto evidence =
        row.estimated ? device::EvidenceKind::estimated : device::EvidenceKind::counted;
    table.rows.push_back({strings("spaces.name." + std::string(name_of(row.space))),
                          row.bytes ? std::to_string(row.bytes) : "",
                          row.latency != 0 ? exact_text(row.latency) : "", figure(row.requests),
                          figure(row.asked), figure(row.moved), figure(row.passes),
                          did_something(row) ? std::string(device::name_of(evidence)) : ""});
  }
  return table;
}

void compare(const SpacesExhibit& a, const SpacesExhibit& b, Comparer& comparer) {
  if (a.journey && b.journey) return;  // one value's way; the launch's figures stand elsewhere
  comparer.figure("registers", figure_of(a.registers), figure_of(b.registers));
  comparer.figure("spilled_bytes", figure_of(a.spilled_bytes), figure_of(b.spilled_bytes));
  comparer.figure("local_a_thread", figure_of(a.local_bytes), figure_of(b.local_bytes));
  comparer.figure("shared_a_block", figure_of(a.shared_bytes), figure_of(b.shared_bytes));
  for (const SpacesExhibit::Row& row : b.rows) {
    const SpacesExhibit::Row* other = row_of(a, row.space);
    const Message name{"spaces.name." + std::string(name_of(row.space)), {}, {}};
    const auto evidence =
        row.estimated ? std::optional(device::EvidenceKind::estimated) : std::nullopt;
    const auto both = [&](const char* figure, auto member) {
      comparer.figure(figure, other ? figure_of(other->*member) : std::nullopt,
                      figure_of(row.*member), name, evidence);
    };
    both("requests", &SpacesExhibit::Row::requests);
    both("bytes_asked", &SpacesExhibit::Row::asked);
    both("bytes_moved", &SpacesExhibit::Row::moved);
    both("passes", &SpacesExhibit::Row::passes);
  }
}

std::string_view style_of(std::type_identity<SpacesExhibit> /*kind*/) {
  return R"css(.wb-spaces .wb-table td { text-align: left; }
.wb-steps { margin: 8px 0 0; padding-left: 24px; font-size: 15px; line-height: 22px; } .wb-steps .wb-quiet { color: var(--t3); }
)css";
}

void extras(JsonExtras& json, const SpacesExhibit::Row& row) {
  json("bytes", [&] { return row.bytes != 0 ? std::optional(row.bytes) : std::nullopt; });
  json("latency", [&] { return row.latency != 0 ? std::optional(row.latency) : std::nullopt; });
}

}  // namespace warpbook::lab
