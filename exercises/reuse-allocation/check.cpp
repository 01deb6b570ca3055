// reuse-allocation: a program that corrects many tables in memory which it allocates once.
#include <algorithm>
#include <cstdint>
#include <cstring>
#include <iterator>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "lab/exercise/program_trials.hpp"
#include "lab/text/strings.hpp"

namespace warpbook::exercises {
namespace reuse_allocation_check {

using Item = lab::CheckExhibit::Item;
using State = lab::CheckExhibit::State;

struct Size {
  std::int64_t n = 0, tables = 0;
};
/// So many tables that one allocation for each of them is far more than any right program makes.
constexpr std::int64_t kManyTables = 100;
constexpr std::int32_t kDegrees = 5;

std::int64_t size_of(std::int64_t n, std::int64_t table) { return 1 + (n / 2 + 37 * table) % n; }

using Table = std::vector<std::int32_t>;

/// As it has to be in the end.
Table corrected(std::int64_t n, std::int64_t table) {
  Table readings(static_cast<std::size_t>(size_of(n, table)));
  for (std::size_t i = 0; i < readings.size(); ++i)
    readings[i] =
        static_cast<std::int32_t>((static_cast<std::int64_t>(i) * 7919 + table) % 1000) + kDegrees;
  return readings;
}

std::vector<Table> corrected_tables(const Size& size) {
  std::vector<Table> tables;
  for (std::int64_t table = 0; table < size.tables; ++table)
    tables.push_back(corrected(size.n, table));
  return tables;
}

lab::ProgramTrial trial(const Size& size) {
  lab::ProgramTrial made;
  made.arguments = {std::to_string(size.n), std::to_string(size.tables)};
  made.name = "n = " + made.arguments[0] + ", k = " + made.arguments[1];
  for (const Table& table : corrected_tables(size)) {
    std::int64_t sum = 0;
    for (const std::int32_t reading : table) sum = (sum * 31 + reading) % 1000003;
    made.output += std::to_string(sum) + "\n";
  }
  return made;
}

lab::ProgramTrial with_gates(const Size& size) {
  lab::ProgramTrial made = trial(size);
  made.gates = made.traced = true;
  return made;
}

Size size_of_run(const lab::ProgramTrial& run) {
  return {std::stoll(run.arguments[0]), std::stoll(run.arguments[1])};
}

constexpr std::uint64_t kBytes = sizeof(std::int32_t);

/// The readings that a run of stored bytes holds.
Table readings_in(const lab::StoredRun& run) {
  Table readings(run.bytes.size() / kBytes);
  if (!readings.empty()) std::memcpy(readings.data(), run.bytes.data(), readings.size() * kBytes);
  return readings;
}

/// All of the table stands there, from the place on.
bool stands_at(const Table& table, const Table& readings, std::size_t place) {
  return table.size() <= readings.size() - place &&
         std::equal(table.begin(), table.end(),
                    readings.begin() + static_cast<std::ptrdiff_t>(place));
}

/// Looks for the corrected tables in what kernels store, one launch after another. A table is found where kernels have stored each of its
/// readings, in one launch or in several, and where it is the first in a piece of memory that they store to, or follows another table.
class StoredTables {
 public:
  explicit StoredTables(const std::vector<Table>& tables)
      : tables_(tables), found_(tables.size()) {}

  void after(const lab::KernelStores& launch) {
    for (const lab::StoredRun& run : launch.runs) {
      const Table stored = readings_in(run);
      for (std::size_t i = 0; i < stored.size(); ++i) stored_[run.address + i * kBytes] = stored[i];
      find_in(stored);
      find_in(piece_around(run.address));
    }
  }

  /// The first table that was not found; their number where all were.
  [[nodiscard]] std::size_t first_missing() const {
    return static_cast<std::size_t>(std::ranges::find(found_, false) - found_.begin());
  }

 private:
  /// All that kernels have stored around the address without a gap, in this launch or before.
  [[nodiscard]] Table piece_around(std::uint64_t address) const {
    auto first = stored_.find(address);
    if (first == stored_.end()) return {};
    while (first != stored_.begin() && std::prev(first)->first + kBytes == first->first) --first;
    Table readings;
    for (auto next = first; next != stored_.end(); ++next) {
      if (next->first != first->first + readings.size() * kBytes) break;
      readings.push_back(next->second);
    }
    return readings;
  }

  /// A table's first reading tells which one it is, because the host makes it of the table's number.
  void find_in(const Table& readings) {
    for (std::size_t place = 0; place < readings.size();) {
      const auto table = static_cast<std::size_t>(readings[place] - kDegrees);
      if (table >= tables_.size() || !stands_at(tables_[table], readings, place)) return;
      found_[table] = true;
      place += tables_[table].size();
    }
  }

  const std::vector<Table>& tables_;
  std::vector<bool> found_;
  std::map<std::uint64_t, std::int32_t> stored_;  ///< by address
};

/// The most readings that a launch stores behind its table, without a gap between; 0 where the launches are not one for each table.
std::size_t most_beside(const std::vector<Table>& tables, std::vector<lab::KernelStores> launches) {
  if (launches.size() != tables.size()) return 0;
  std::ranges::sort(launches, {}, &lab::KernelStores::call);
  std::size_t most = 0;
  for (std::size_t i = 0; i < tables.size(); ++i) {
    for (const lab::StoredRun& run : launches[i].runs) {
      const Table stored = readings_in(run);
      if (stands_at(tables[i], stored, 0)) most = std::max(most, stored.size() - tables[i].size());
    }
  }
  return most;
}

/// What the stores of a run with gates tell.
struct TracedRun {
  bool hidden = false;
  std::size_t tables = 0, first_missing = 0;
  std::size_t size_of_missing = 0;
  std::size_t beside = 0;  ///< readings stored beside a table
};

TracedRun traced(const Size& size, bool hidden, const lab::ProgramResult& result) {
  const std::vector<Table> tables = corrected_tables(size);
  StoredTables stored(tables);
  for (const lab::KernelStores& launch : result.stores) stored.after(launch);
  const std::size_t missing = stored.first_missing();
  return {hidden, tables.size(), missing, missing < tables.size() ? tables[missing].size() : 0,
          most_beside(tables, result.stores)};
}

lab::Message words(const std::string& id, const std::string& what,
                   lab::MessageArguments arguments = {}) {
  return {"reuse-allocation." + id + "." + what, std::move(arguments), {}};
}

/// However many tables there are, memory of any kind is allocated a few times.
Item allocations(Item item, const lab::Gate& gate, const lab::ProgramResult& result) {
  if (item.state != State::passed) return item;
  const auto pinned = std::ranges::count_if(result.outcome.calls, [](const auto& call) {
    return call.function == device::runtime::Function::cudaHostRegister && call.error == 0;
  });
  std::uint64_t in_kernels = 0;
  for (const lab::KernelStores& launch : result.stores) in_kernels += launch.allocations;
  const std::uint64_t got =
      result.outcome.record.allocations.size() + static_cast<std::uint64_t>(pinned) + in_kernels;
  item.got = words("allocations", "got", {{"count", got}});
  if (!gate.ceiling || static_cast<double>(got) <= *gate.ceiling) return item;
  item.state = State::failed;
  item.advice = words("allocations", in_kernels != 0 ? "in-kernels" : "advice",
                      {{"tables", kManyTables},
                       {"count", got},
                       {"ceiling", lab::number(*gate.ceiling, 4)},
                       {"in_kernels", in_kernels}});
  return item;
}

/// The kernels' stores come to every table.
Item corrected_by_kernels(Item item, const std::vector<TracedRun>& runs) {
  const auto lacks = std::ranges::find_if(
      runs, [](const TracedRun& run) { return run.first_missing < run.tables; });
  if (item.state != State::passed || lacks == runs.end()) return item;
  item.state = State::failed;
  item.advice = words(
      "corrected", lacks->hidden ? "hidden" : "advice",
      {{"table", lacks->first_missing}, {"size", lacks->size_of_missing}, {"degrees", kDegrees}});
  return item;
}

/// No launch that completes a table stores beside it.
Item within_tables(Item item, const std::vector<TracedRun>& runs) {
  const auto most = std::ranges::max_element(runs, {}, &TracedRun::beside);
  if (item.state != State::passed || most->beside == 0) return item;
  item.state = State::failed;
  item.advice = words("own-table", "advice", {{"count", most->beside}});
  return item;
}

std::uint64_t readings(const lab::ProgramTrial& run) {
  std::uint64_t all = 0;
  for (const Table& table : corrected_tables(size_of_run(run))) all += table.size();
  return all;
}

void check(lab::Checker& checker) {
  lab::ProgramTrials trials(checker);
  for (const Size& size : {Size{1, 3}, {2, 5}, {33, 0}, {257, 4}, {1000, 1}})
    trials.run(trial(size));
  lab::ProgramTrial small = trial({checker.drawn(34, 999), checker.drawn(3, 9)});
  small.hidden = true;
  trials.run(std::move(small));
  std::vector<TracedRun> found;
  const auto run_with_gates = [&](const Size& size, bool hidden) -> const lab::ProgramResult& {
    lab::ProgramTrial made = with_gates(size);
    made.hidden = hidden;
    const lab::ProgramResult& result = trials.run(std::move(made));
    found.push_back(traced(size, hidden, result));
    return result;
  };
  run_with_gates({2000, kManyTables}, false);
  const Size drawn{checker.drawn(1500, 1999), kManyTables + checker.drawn(10, 60)};
  const lab::ProgramResult& many = run_with_gates(drawn, true);

  trials.add_right();
  trials.add_safe();
  trials.add_on_gpu();
  std::vector<Item>& items = checker.result.items;
  items.push_back(
      corrected_by_kernels(trials.judged("corrected", words("corrected", "sentence")), found));
  items.push_back(within_tables(trials.judged("own-table", words("own-table", "sentence")), found));
  trials.add_parallel(readings);
  items.push_back(allocations(trials.judged("allocations", words("allocations", "sentence")),
                              trials.gate_of("allocations"), many));
  trials.add_freed();
}

}  // namespace reuse_allocation_check

lab::Exercise reuse_allocation() { return {"reuse-allocation", reuse_allocation_check::check}; }

}  // namespace warpbook::exercises
