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

/// Looks for the corrected tables in what kernels store, one launch after another. A table is found where its readings stand one after the
/// other and kernels have stored each of them, in one launch or in several.
class StoredTables {
 public:
  explicit StoredTables(const Size& size) : tables_(corrected_tables(size)) {
    found_.resize(tables_.size());
  }

  void after(const lab::KernelStores& launch) {
    for (const lab::StoredRun& run : launch.runs) {
      const std::size_t stored = keep(run);
      const std::size_t in_tables = find_in(neighbourhood(run));
      if (in_tables != 0 && stored > in_tables)
        most_outside_ = std::max(most_outside_, stored - in_tables);
    }
  }

  /// The first table that was not found; their number where all were.
  [[nodiscard]] std::size_t first_missing() const {
    return static_cast<std::size_t>(std::ranges::find(found_, false) - found_.begin());
  }
  [[nodiscard]] const std::vector<Table>& tables() const { return tables_; }
  /// The most readings that a launch stored beside the tables that it completed, without a gap between.
  [[nodiscard]] std::size_t most_outside() const { return most_outside_; }

 private:
  static constexpr std::uint64_t kBytes = sizeof(std::int32_t);

  /// How many whole readings the run holds.
  std::size_t keep(const lab::StoredRun& run) {
    const std::uint64_t skipped = (kBytes - run.address % kBytes) % kBytes;
    std::size_t kept = 0;
    for (std::uint64_t at = skipped; at + kBytes <= run.bytes.size(); at += kBytes, ++kept)
      std::memcpy(&stored_[run.address + at], run.bytes.data() + at, kBytes);
    return kept;
  }

  /// The run's readings, with those before and behind it that kernels stored earlier.
  Table neighbourhood(const lab::StoredRun& run) const {
    auto first = stored_.lower_bound(run.address);
    if (first == stored_.end()) return {};
    while (first != stored_.begin() && std::prev(first)->first + kBytes == first->first) --first;
    Table readings{first->second};
    for (auto next = std::next(first);
         next != stored_.end() && next->first == std::prev(next)->first + kBytes; ++next)
      readings.push_back(next->second);
    return readings;
  }

  /// How many readings the tables have that are found there for the first time.
  std::size_t find_in(const Table& readings) {
    std::size_t in_tables = 0;
    for (std::size_t i = 0; i < tables_.size(); ++i) {
      if (found_[i] || std::ranges::search(readings, tables_[i]).empty()) continue;
      found_[i] = true;
      in_tables += tables_[i].size();
    }
    return in_tables;
  }

  std::vector<Table> tables_;
  std::vector<bool> found_;
  std::map<std::uint64_t, std::int32_t> stored_;  ///< by address
  std::size_t most_outside_ = 0;
};

/// A run with gates, and what was found in it.
struct TracedRun {
  bool hidden = false;
  StoredTables tables;
};

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
                      {{"count", got}, {"in_kernels", in_kernels}});
  return item;
}

/// The kernels' stores come to every table.
Item corrected_by_kernels(Item item, const std::vector<TracedRun>& runs) {
  for (const auto& [hidden, tables] : runs) {
    const std::size_t missing = tables.first_missing(), all = tables.tables().size();
    if (item.state != State::passed || missing == all) continue;
    item.state = State::failed;
    item.advice = words("corrected", hidden ? "hidden" : "advice",
                        {{"table", missing},
                         {"size", hidden ? 0 : tables.tables()[missing].size()},
                         {"degrees", kDegrees}});
  }
  return item;
}

/// No launch that completes a table stores beside it.
Item within_tables(Item item, const std::vector<TracedRun>& runs) {
  std::size_t most = 0;
  for (const TracedRun& run : runs) most = std::max(most, run.tables.most_outside());
  if (item.state != State::passed || most == 0) return item;
  item.state = State::failed;
  item.advice = words("own-table", "advice", {{"count", most}});
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
    StoredTables tables(size);
    for (const lab::KernelStores& launch : result.stores) tables.after(launch);
    found.push_back({hidden, std::move(tables)});
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
