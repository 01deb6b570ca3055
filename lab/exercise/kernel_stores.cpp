#include "lab/exercise/kernel_stores.hpp"

#include <algorithm>
#include <string>
#include <utility>

namespace warpbook::lab {
namespace {

using device::Access;
using device::AccessKind;
using Place =
    std::pair<std::uint64_t, std::uint64_t>;  ///< the first byte, and the one behind the last

std::vector<Place> places_stored(const device::LaunchRecord& record) {
  std::vector<Place> places;
  for (const Access& access : record.trace) {
    if (access.space == device::Space::global && access.kind != AccessKind::load)
      places.emplace_back(access.address, access.address + access.bytes);
  }
  std::ranges::sort(places);
  return places;
}

/// Those that touch or overlap, as one. `places`: sorted.
std::vector<Place> joined(const std::vector<Place>& places) {
  std::vector<Place> all;
  for (const Place& place : places) {
    if (!all.empty() && place.first <= all.back().second)
      all.back().second = std::max(all.back().second, place.second);
    else
      all.push_back(place);
  }
  return all;
}

/// How often threads called malloc, as new does.
std::uint64_t allocations_in(const device::LaunchRecord& record) {
  std::uint64_t calls = 0;
  for (const device::InstructionCounters& each : record.instructions) {
    if (each.text.starts_with("call") && each.text.find("malloc") != std::string::npos)
      calls += each.counters.thread_instructions;
  }
  return calls;
}

}  // namespace

KernelStores stores_of(const device::runtime::LaunchNote& note, const device::LaunchRecord& record,
                       const device::GlobalMemory& memory) {
  KernelStores stores{note.call, {}, allocations_in(record)};
  for (const auto& [begin, end] : joined(places_stored(record))) {
    StoredRun run{begin, std::vector<std::byte>(end - begin)};
    // What lies outside of all memory is a finding, and nothing that the program can read.
    if (memory.read(begin, run.bytes)) stores.runs.push_back(std::move(run));
  }
  return stores;
}

}  // namespace warpbook::lab
