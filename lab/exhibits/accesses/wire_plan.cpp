#include "lab/exhibits/accesses/wire_plan.hpp"

#include <algorithm>
#include <map>
#include <set>

namespace warpbook::lab {
namespace {
std::int64_t longest_array(const AccessesExhibit& accesses) {
  std::uint64_t most = 0;
  for (const auto& array : accesses.arrays) most = std::max(most, count(array.tensor));
  return static_cast<std::int64_t>(most);
}

/// 0 to count-1; where that is too many, a head and a tail, and between them what lies round
/// `interest` (if it is not in either).
std::vector<WirePlan::Column> folded(std::int64_t count, std::size_t most,
                                     std::optional<std::int64_t> interest = {}) {
  std::vector<WirePlan::Column> columns;
  const auto room = static_cast<std::int64_t>(std::max<std::size_t>(most, 5));
  const auto append = [&](std::int64_t from, std::int64_t to) {
    if (!columns.empty() && from > columns.back().index + 1)
      columns.push_back({from - columns.back().index - 1, true, false});
    for (std::int64_t i = from; i < to; ++i) columns.push_back({i, false, false});
  };
  if (count <= room) {
    append(0, count);
    return columns;
  }
  std::int64_t head = (room - 1) / 3, tail = room - 1 - head;
  if (interest && *interest >= head + 2 && *interest < count - tail + 2 && room >= 14) {
    const std::int64_t middle = room / 2 - 1, from = *interest - middle / 2;
    head = (room - 2 - middle) / 2;
    tail = room - 2 - middle - head;
    if (from > head && from + middle < count - tail) {
      append(0, head);
      append(from, from + middle);
      append(count - tail, count);
      return columns;
    }
  }
  append(0, head);
  append(count - tail, count);
  return columns;
}

std::optional<std::size_t> column_of(const std::vector<WirePlan::Column>& columns,
                                     std::int64_t index) {
  // Columns rise, but for the gap, whose index is a count.
  const auto found =
      std::ranges::find_if(columns, [&](const auto& c) { return !c.gap && c.index == index; });
  if (found == columns.end()) return std::nullopt;
  return static_cast<std::size_t>(found - columns.begin());
}
}  // namespace

std::optional<std::size_t> WirePlan::thread_column(std::uint32_t thread) const {
  return column_of(threads, thread);
}
std::optional<std::size_t> WirePlan::element_column(std::int64_t element) const {
  return column_of(elements, element);
}

std::optional<std::uint32_t> WirePlan::writer_of(std::uint32_t array, std::uint64_t element) const {
  if (array >= writers.size() || element >= writers[array].size() || writers[array][element] < 0)
    return std::nullopt;
  return static_cast<std::uint32_t>(writers[array][element]);
}

std::size_t WirePlan::first_idle() const {
  std::size_t first = threads.size();
  while (first > 0 && !threads[first - 1].gap &&
         idle[static_cast<std::size_t>(threads[first - 1].index)])
    --first;
  return first;
}

bool WirePlan::starts_block(std::size_t column) const {
  const Column& here = threads[column];
  return column > 0 && !here.gap && !threads[column - 1].gap && here.index % threads_a_block == 0;
}

const WirePlan::Wire* WirePlan::wire_of(std::uint32_t thread) const {
  const Wire* read = nullptr;
  for (auto it = std::ranges::lower_bound(wires, thread, {}, &Wire::thread);
       it != wires.end() && it->thread == thread; ++it) {
    if (it->stores) return &*it;
    if (!read) read = &*it;
  }
  return read;
}

WirePlan plan_wires(const AccessesExhibit& accesses, std::size_t thread_columns,
                    std::size_t element_columns) {
  WirePlan plan;
  plan.threads_a_block =
      static_cast<std::uint32_t>(std::max<std::uint64_t>(1, accesses.block.count()));
  const std::uint64_t threads = accesses.grid.count() * plan.threads_a_block;
  const std::int64_t longest = longest_array(accesses);
  plan.idle.assign(threads, true);

  for (const auto& array : accesses.arrays) {
    const std::uint64_t elements = array.written ? count(array.tensor) : 0;
    plan.writers.emplace_back(elements, -1);
  }

  std::map<std::pair<std::uint32_t, std::int64_t>, WirePlan::Wire> pairs;
  std::set<std::int64_t> outside;
  for (const auto& access : accesses.wires) {
    const std::uint64_t thread = std::uint64_t{access.block} * plan.threads_a_block + access.thread;
    if (thread >= threads || access.array >= accesses.arrays.size()) continue;
    const auto size = static_cast<std::int64_t>(count(accesses.arrays[access.array].tensor));
    const bool stores = access.kind != device::AccessKind::load;
    const bool stray = access.element < 0 || access.element >= size;
    const auto [place, added] =
        pairs.try_emplace({static_cast<std::uint32_t>(thread), access.element});
    WirePlan::Wire& wire = place->second;
    if (added || stores) wire.array = access.array;
    wire.thread = static_cast<std::uint32_t>(thread);
    wire.element = access.element;
    wire.stores |= stores;
    wire.stray |= stray;
    if (access.line && std::ranges::find(wire.lines, access.line) == wire.lines.end())
      wire.lines.push_back(access.line);
    if (stores) plan.idle[thread] = false;
    if (stray) outside.insert(access.element);
    if (stores && !stray && accesses.arrays[access.array].written) {
      plan.writers[access.array][static_cast<std::size_t>(access.element)] =
          static_cast<std::int64_t>(thread);
    }
  }
  for (auto& [key, wire] : pairs) {
    plan.strays += wire.stray ? 1 : 0;
    plan.wires.push_back(std::move(wire));
  }

  // Where working threads end and idle or straying ones begin is what a reader looks for.
  std::vector<bool> strays(threads, false);
  for (const WirePlan::Wire& wire : plan.wires) {
    if (wire.stray) strays[wire.thread] = true;
  }
  std::optional<std::int64_t> edge;
  for (std::uint64_t t = 1; t < threads && !edge; ++t) {
    if ((plan.idle[t] && !plan.idle[t - 1]) || (strays[t] && !strays[t - 1]))
      edge = static_cast<std::int64_t>(t);
  }
  plan.threads = folded(static_cast<std::int64_t>(threads), thread_columns, edge);
  // Elements that no array has stand after (or before) those that it has, as many as there is room
  // for.
  std::vector<std::int64_t> before, after;
  for (const std::int64_t element : outside) (element < 0 ? before : after).push_back(element);
  const std::size_t most_outside = std::max<std::size_t>(4, element_columns / 3);
  if (before.size() > most_outside)
    before.erase(before.begin(), before.end() - static_cast<std::ptrdiff_t>(most_outside));
  if (after.size() > most_outside) after.resize(most_outside);
  const std::size_t taken = before.size() + after.size();
  for (const std::int64_t element : before) plan.elements.push_back({element, false, true});
  for (const auto& column :
       folded(longest, element_columns > taken + 5 ? element_columns - taken : 5)) {
    plan.elements.push_back(column);
  }
  for (const std::int64_t element : after)
    plan.elements.push_back({element, false, element >= longest});
  return plan;
}

}  // namespace warpbook::lab
