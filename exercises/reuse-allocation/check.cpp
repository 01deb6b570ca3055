// reuse-allocation: a program that corrects many tables in memory which it allocates once.
#include <cstdint>
#include <string>
#include <utility>

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

std::int64_t size_of(std::int64_t n, std::int64_t table) { return 1 + (n / 2 + 37 * table) % n; }

constexpr std::int64_t kDegrees = 5;

/// The checksums, where so many degrees are added to each reading.
std::string checksums(const Size& size, std::int64_t degrees) {
  std::string lines;
  for (std::int64_t table = 0; table < size.tables; ++table) {
    std::int64_t sum = 0;
    for (std::int64_t i = 0; i < size_of(size.n, table); ++i)
      sum = (sum * 31 + (i * 7919 + table) % 1000 + degrees) % 1000003;
    lines += std::to_string(sum) + "\n";
  }
  return lines;
}

lab::ProgramTrial trial(const Size& size) {
  lab::ProgramTrial made;
  made.arguments = {std::to_string(size.n), std::to_string(size.tables)};
  made.name = "n = " + made.arguments[0] + ", k = " + made.arguments[1];
  made.output = checksums(size, kDegrees);
  return made;
}

Size size_of_run(const lab::ProgramTrial& run) {
  return {std::stoll(run.arguments[0]), std::stoll(run.arguments[1])};
}

/// However many tables there are, memory of any kind is allocated a few times.
Item allocations(Item item, const lab::Gate& gate, const lab::ProgramResult& result) {
  if (item.state != State::passed) return item;
  const std::size_t got = result.outcome.record.allocations.size();
  item.got = {"reuse-allocation.allocations.got", {{"count", got}}, {}};
  if (!gate.ceiling || static_cast<double>(got) <= *gate.ceiling) return item;
  item.state = State::failed;
  item.advice = {
      "reuse-allocation.allocations.advice", {{"count", got}, {"tables", kManyTables}}, {}};
  return item;
}

std::uint64_t readings(const lab::ProgramTrial& run) {
  const Size size = size_of_run(run);
  std::int64_t all = 0;
  for (std::int64_t table = 0; table < size.tables; ++table) all += size_of(size.n, table);
  return static_cast<std::uint64_t>(all);
}

void check(lab::Checker& checker) {
  lab::ProgramTrials trials(checker);
  for (const Size& size : {Size{1, 3}, {2, 5}, {33, 0}, {257, 4}, {1000, 1}})
    trials.run(trial(size));
  lab::ProgramTrial small = trial({checker.drawn(34, 999), checker.drawn(3, 9)});
  small.hidden = true;
  trials.run(std::move(small));
  lab::ProgramTrial shown = trial({2000, kManyTables});
  shown.gates = true;
  trials.run(std::move(shown));
  lab::ProgramTrial drawn = trial({checker.drawn(1500, 1999), kManyTables + checker.drawn(10, 60)});
  drawn.gates = drawn.hidden = true;
  const lab::ProgramResult& many = trials.run(std::move(drawn));

  trials.add_right();
  trials.add_safe();
  trials.add_on_gpu(
      [](const lab::ProgramTrial& run) { return checksums(size_of_run(run), 2 * kDegrees); });
  trials.add_parallel(readings);
  checker.result.items.push_back(
      allocations(trials.judged("allocations", {"reuse-allocation.allocations.sentence", {}, {}}),
                  trials.gate_of("allocations"), many));
  trials.add_freed();
}

}  // namespace reuse_allocation_check

lab::Exercise reuse_allocation() { return {"reuse-allocation", reuse_allocation_check::check}; }

}  // namespace warpbook::exercises
