#include "lab/spaces_summary.hpp"

#include <algorithm>

#include "lab/phrases.hpp"

namespace warpbook::lab {
namespace {

using Space = SpacesExhibit::Space;
using SpacesRow = SpacesExhibit::Row;

/// Bytes that make a pipe wide; where only requests are known, none.
std::uint64_t flow_of(const SpacesRow& row) { return row.moved.value_or(row.asked.value_or(0)); }

}  // namespace

std::string_view name_of(Space space) {
  switch (space) {
    case Space::registers: return "registers";
    case Space::local: return "local";
    case Space::shared: return "shared";
    case Space::l1: return "l1";
    case Space::l2: return "l2";
    case Space::dram: return "dram";
    case Space::constant: return "constant";
    case Space::texture: return "texture";
  }
  __builtin_unreachable();
}

const SpacesRow* row_of(const SpacesExhibit& spaces, Space space) {
  const auto found = std::ranges::find(spaces.rows, space, &SpacesRow::space);
  return found == spaces.rows.end() ? nullptr : &*found;
}

bool did_something(const SpacesRow& row) {
  return row.requests.value_or(0) != 0 || row.asked.value_or(0) != 0 || row.moved.value_or(0) != 0;
}

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
  if (row.space == Space::registers) return {};  // nobody counts them
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

SpacesPicture picture_of(const SpacesExhibit& spaces) {
  // Three ways lead to L1: each has a third of it.
  constexpr double kThird = 130, kGap = 15, kStep = 100, kSide = 150, kInset = 24, kWords = 24;
  constexpr double kL1 = 3 * kThird;
  SpacesPicture picture;
  picture.boxes = {{Space::registers, 0, 0, SpacesPicture::kWidth},
                   {Space::l1, 0, kStep, kL1},
                   {Space::shared, kL1 + kGap, kStep, kSide},
                   {Space::constant, kL1 + 2 * kGap + kSide, kStep, kSide},
                   {Space::l2, 0, 2 * kStep, SpacesPicture::kWidth},
                   {Space::dram, 0, 3 * kStep, SpacesPicture::kWidth}};
  std::uint64_t most = 1;
  for (const SpacesRow& row : spaces.rows) most = std::max(most, flow_of(row));
  const auto pipe = [&](Space space, double x, int below, double room) {
    const SpacesRow* row = row_of(spaces, space);
    SpacesPicture::Pipe made{space,
                             x + kInset,
                             kStep * below + SpacesPicture::kBoxHeight,
                             kStep * (below + 1),
                             0,
                             row && row->estimated,
                             room - kInset - kWords};
    if (row && did_something(*row)) {
      made.width = std::max(2.0, SpacesPicture::kMostPipe * static_cast<double>(flow_of(*row)) /
                                     static_cast<double>(most));
    }
    picture.pipes.push_back(made);
  };
  pipe(Space::l1, 0, 0, kThird);
  pipe(Space::local, kThird, 0, kThird);
  pipe(Space::texture, 2 * kThird, 0, kThird);
  pipe(Space::shared, kL1 + kGap, 0, kSide);
  pipe(Space::constant, kL1 + 2 * kGap + kSide, 0, kSide);
  pipe(Space::l2, 0, 1, kL1);
  pipe(Space::dram, 0, 2, kL1);
  return picture;
}

}  // namespace warpbook::lab
