#include "lab/exercise/kernel_stores.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <map>
#include <set>
#include <string>
#include <utility>

namespace warpbook::lab {
namespace {

using device::Access;
using device::AccessKind;
using Place =
    std::pair<std::uint64_t, std::uint64_t>;  ///< the first byte, and the one behind the last

bool is_store(const Access& access) { return access.kind != AccessKind::load; }

/// Those of global memory, where `counts` says so of an access.
std::vector<Place> places_used(const device::LaunchRecord& record, bool (*counts)(const Access&)) {
  std::vector<Place> places;
  for (const Access& access : record.trace) {
    if (access.space == device::Space::global && counts(access))
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

/// What kernels have allocated so far, and not freed.
std::uint64_t bytes_on_heap(const device::GlobalMemory& memory) {
  std::uint64_t bytes = 0;
  for (const device::Allocation& each : memory.table()->all())
    if (each.kind == device::AllocationKind::heap && !each.freed) bytes += each.bytes;
  return bytes;
}

using Numbers = std::map<std::int64_t, std::size_t>;  ///< how often each is there

void count(Numbers& numbers, std::int64_t value) { ++numbers[value]; }
void count(Numbers& numbers, std::int32_t value) { ++numbers[value]; }
/// Those that are whole, and small enough for every whole number around them to be one of the type.
void count(Numbers& numbers, double value) {
  constexpr double kExact = 1e15;
  if (std::fabs(value) < kExact && value == std::trunc(value))
    ++numbers[static_cast<std::int64_t>(value)];
}
void count(Numbers& numbers, float value) { count(numbers, static_cast<double>(value)); }

/// What the bytes are as numbers of the type, where such numbers may lie.
template <class T>
void count_as(Numbers& numbers, const StoredRun& run) {
  for (std::size_t at = (0 - run.address) % sizeof(T); at + sizeof(T) <= run.bytes.size();
       at += sizeof(T)) {
    T value;
    std::memcpy(&value, run.bytes.data() + at, sizeof(T));
    count(numbers, value);
  }
}

Numbers numbers_in(const std::vector<StoredRun>& runs) {
  Numbers held;
  for (const StoredRun& run : runs) {
    count_as<std::int32_t>(held, run);
    count_as<std::int64_t>(held, run);
    count_as<float>(held, run);
    count_as<double>(held, run);
  }
  return held;
}

/// Whether the bytes hold the numbers one after the other, as numbers of the type, where such numbers may lie.
template <class T>
bool holds_in_order(const StoredRun& run, const std::vector<std::int64_t>& numbers) {
  std::vector<T> wanted;
  for (const std::int64_t number : numbers) wanted.push_back(static_cast<T>(number));
  const std::size_t first = (0 - run.address) % sizeof(T);
  if (run.bytes.size() < first + sizeof(T)) return wanted.empty();
  std::vector<T> held((run.bytes.size() - first) / sizeof(T));
  std::memcpy(held.data(), run.bytes.data() + first, held.size() * sizeof(T));
  return !std::ranges::search(held, wanted).empty() || wanted.empty();
}

}  // namespace

std::vector<StoredRun> left_by(std::vector<KernelStores> launches) {
  std::ranges::stable_sort(launches, {}, &KernelStores::call);
  std::map<std::uint64_t, std::byte> left;
  for (const KernelStores& launch : launches) {
    for (const StoredRun& run : launch.runs)
      for (std::size_t i = 0; i < run.bytes.size(); ++i) left[run.address + i] = run.bytes[i];
  }
  std::vector<StoredRun> runs;
  for (const auto& [address, byte] : left) {
    if (runs.empty() || runs.back().address + runs.back().bytes.size() != address)
      runs.push_back({address, {}});
    runs.back().bytes.push_back(byte);
  }
  return runs;
}

bool hold_in_order(const std::vector<StoredRun>& runs, const std::vector<std::int64_t>& numbers) {
  return std::ranges::any_of(runs, [&](const StoredRun& run) {
    return holds_in_order<std::int32_t>(run, numbers) ||
           holds_in_order<std::int64_t>(run, numbers) ||
           holds_in_order<std::int16_t>(run, numbers) || holds_in_order<float>(run, numbers) ||
           holds_in_order<double>(run, numbers);
  });
}

bool hold_most(const std::vector<StoredRun>& runs, const std::vector<std::int64_t>& numbers) {
  const Numbers held = numbers_in(runs);
  const std::set<std::int64_t> different(numbers.begin(), numbers.end());
  const auto found =
      std::ranges::count_if(different, [&](std::int64_t number) { return held.contains(number); });
  return 2 * static_cast<std::size_t>(found) > different.size();
}

std::size_t first_not_held(const std::vector<std::int64_t>& numbers,
                           const std::vector<StoredRun>& runs) {
  Numbers held = numbers_in(runs);
  const auto missing = std::ranges::find_if(numbers, [&](std::int64_t number) {
    const auto found = held.find(number);
    return found == held.end() || found->second-- == 0;
  });
  return static_cast<std::size_t>(missing - numbers.begin());
}

KernelStores stores_of(const device::runtime::LaunchNote& note, const device::LaunchRecord& record,
                       const device::GlobalMemory& memory) {
  KernelStores stores{note.call, {}, allocations_in(record), bytes_on_heap(memory)};
  stores.device = note.device;
  for (const auto& [begin, end] : joined(places_used(record, [](const Access&) { return true; })))
    stores.used.push_back({begin, end});
  const std::vector<Place> stored = places_used(record, is_store);
  for (const auto& [begin, end] : stored) stores.bytes += end - begin;
  for (const auto& [begin, end] : joined(stored)) {
    StoredRun run{begin, std::vector<std::byte>(end - begin)};
    // What lies outside of all memory is a finding, and nothing that the program can read.
    if (memory.read(begin, run.bytes)) stores.runs.push_back(std::move(run));
  }
  return stores;
}

}  // namespace warpbook::lab
