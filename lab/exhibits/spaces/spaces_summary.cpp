#include "lab/exhibits/spaces/spaces_summary.hpp"

#include <algorithm>
#include <optional>
#include <vector>

#include "lab/markup/phrases.hpp"

namespace warpbook::lab {
namespace {

using Space = SpacesExhibit::Space;
using SpacesRow = SpacesExhibit::Row;
using Box = SpacesExhibit::Box;

}  // namespace

const SpacesRow* row_of(const SpacesExhibit& spaces, Space space) {
  const auto found = std::ranges::find(spaces.rows, space, &SpacesRow::space);
  return found == spaces.rows.end() ? nullptr : &*found;
}

bool did_something(const SpacesRow& row) {
  return row.requests.value_or(0) != 0 || row.asked.value_or(0) != 0 || row.moved.value_or(0) != 0;
}

std::uint64_t flow_of(const SpacesRow& row) { return row.moved.value_or(row.asked.value_or(0)); }

std::string size_text(const SpacesRow& row, const Strings& strings) {
  const std::string key = "spaces.size." + std::string(name_of(row.space));
  // Local memory and the texture path are no storage of their own, and say so without a figure.
  const bool own = row.space != Space::local && row.space != Space::texture;
  if (own && row.bytes == 0) return strings("spaces.no-size");
  return strings(key, {{"size", byte_count(row.bytes)}});
}

std::string latency_text(const SpacesRow& row, const Strings& strings) {
  return row.latency > 0 ? strings("spaces.clocks", {{"clocks", number(row.latency, 4)}}) : "";
}

std::string traffic_text(const SpacesRow& row, const Strings& strings) {
  std::vector<std::string> parts;
  const auto bytes = [&](std::string_view key, const std::optional<std::uint64_t>& known) {
    if (known.value_or(0) != 0) parts.push_back(strings(key, {{"bytes", byte_count(*known)}}));
  };
  if (row.requests.value_or(0) != 0)
    parts.push_back(counted(strings, "spaces.requests", *row.requests));
  bytes("spaces.asked", row.asked);
  bytes(row.estimated ? "spaces.moved-estimated" : "spaces.moved", row.moved);
  if (row.passes.value_or(0) != 0) parts.push_back(counted(strings, "spaces.passes", *row.passes));
  if (!parts.empty()) {
    std::string all;
    for (const std::string& part : parts)
      all += (all.empty() ? "" : strings("spaces.comma")) + part;
    return row.space == Space::l1 ? strings("spaces.for-global", {{"traffic", all}}) : all;
  }
  if (row.space == Space::registers) return {};  // no counter counts them
  return strings(row.requests || row.moved ? "spaces.nothing" : "spaces.unknown");
}

std::string amount_text(const SpacesRow& row, const Strings& strings) {
  const std::uint64_t flow = flow_of(row);
  if (flow != 0) return byte_count(flow);
  if (row.requests.value_or(0) != 0) return counted(strings, "spaces.requests", *row.requests);
  return row.requests || row.moved ? "0" : strings("spaces.unknown");
}

std::string thread_text(const SpacesExhibit& spaces, const Strings& strings) {
  const std::string local = byte_count(spaces.local_bytes);
  if (!spaces.registers) return strings("spaces.thread-unknown", {{"local", local}});
  return strings("spaces.thread",
                 {{"registers", std::to_string(*spaces.registers)}, {"local", local}});
}

std::size_t category_of(Space space) {
  switch (space) {
    case Space::texture: return 1;
    case Space::shared: return 2;
    case Space::constant: return 3;
    case Space::registers: return 4;
    case Space::local: return 5;
    default: return 0;  // global memory, on all its levels
  }
}

std::optional<std::size_t> category_of(Box box) {
  switch (box) {
    case Box::l1:
    case Box::constant_cache:
    case Box::l2: return {};
    case Box::registers: return category_of(Space::registers);
    case Box::shared: return category_of(Space::shared);
    case Box::global: return category_of(Space::l1);
    case Box::local: return category_of(Space::local);
    case Box::texture: return category_of(Space::texture);
    case Box::constant: return category_of(Space::constant);
  }
  __builtin_unreachable();
}

std::string note_of(const SpacesExhibit& spaces, Box box, const Strings& strings) {
  const auto size = [&](Space space) {
    const SpacesExhibit::Row* row = row_of(spaces, space);
    return row && row->bytes != 0 ? byte_count(row->bytes) : std::string();
  };
  const auto asked = [&](Space space) {
    const SpacesExhibit::Row* row = row_of(spaces, space);
    if (!row || !row->requests) return std::string();
    if (row->asked.value_or(0) != 0) return byte_count(*row->asked);
    return *row->requests == 0 ? byte_count(0) : std::string();  // requests stand beside the pipe
  };
  switch (box) {
    case Box::registers: return thread_text(spaces, strings);
    case Box::l1: return size(Space::l1);
    case Box::shared:
      return spaces.shared_bytes == 0
                 ? byte_count(0)
                 : strings("spaces.a-block", {{"size", byte_count(spaces.shared_bytes)}});
    case Box::constant_cache: return strings("spaces.cache");
    case Box::l2: return size(Space::l2);
    case Box::global: return asked(Space::l1);
    case Box::local: return asked(Space::local);
    case Box::texture: return asked(Space::texture);
    case Box::constant: return asked(Space::constant);
  }
  __builtin_unreachable();
}

std::string way_text(const SpacesExhibit::Journey& journey, const Strings& strings) {
  std::string text;
  std::optional<SpacesExhibit::Box> last;
  for (const SpacesExhibit::Station& station : journey.stations) {
    if (last == station.box) continue;
    last = station.box;
    text +=
        (text.empty() ? "" : " → ") + strings("spaces.place." + std::string(name_of(station.box)));
  }
  return text;
}

std::string followed_text(const SpacesExhibit::Journey& journey) {
  return journey.name + (journey.value.empty() ? "" : " = " + typeset(journey.value));
}

}  // namespace warpbook::lab
