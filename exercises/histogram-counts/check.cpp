// histogram-counts: how often each value occurs, with no count lost.
#include <algorithm>
#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "lab/exercise/exercise_tools.hpp"

namespace warpbook::exercises {
namespace histogram_counts_check {

constexpr std::uint64_t kSchedules = 64;

// A trace holds what right solutions do: a loop with atomicCAS comes to a counter again for each lane that was faster.
constexpr std::uint32_t kAccessesAThread = 24, kMoreAccesses = 4096;

struct Size {
  std::int64_t n;
  std::uint32_t block;
  int bins;
};

/// Every other value is the same, so that many threads meet at one counter. The counters begin with different counts.
lab::Trial trial(const Size& size, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  const auto bins = static_cast<std::uint64_t>(size.bins);
  const int favourite = static_cast<int>(random() % bins);
  std::vector<int> value(static_cast<std::size_t>(size.n)), counts(bins);
  // Some counters need more than 16 bits from the first.
  constexpr int kMany = 65'530;
  for (std::size_t b = 0; b < counts.size(); ++b)
    counts[b] = static_cast<int>(3 * b + 1) + (b % 3 == 0 ? kMany : 0);
  std::vector<double> truth(counts.begin(), counts.end());
  for (int& one : value) {
    one = random() % 2 == 0 ? favourite : static_cast<int>(random() % bins);
    ++truth[static_cast<std::size_t>(one)];
  }
  lab::Trial made;
  made.name = "n = " + std::to_string(size.n) + ", " + std::to_string(size.bins) + " bins, block " +
              std::to_string(size.block);
  // Without a value there is one block all the same, as a program launches it that does not ask.
  const auto blocks = std::max<std::int64_t>((size.n + size.block - 1) / size.block, 1);
  made.grid = {static_cast<std::uint32_t>(blocks), 1, 1};
  made.block = {size.block, 1, 1};
  made.traced = kAccessesAThread * made.grid.x * size.block + kMoreAccesses;
  made.arrays = {lab::input_array("value", value),
                 lab::updated_array("counts", counts, std::move(truth))};
  made.arguments = {"value", "counts", device::Argument::of(static_cast<std::int32_t>(size.n)),
                    device::Argument::of(std::int32_t{size.bins})};
  return made;
}

std::vector<lab::Trial> under_schedules(std::uint64_t seed) {
  std::vector<lab::Trial> trials;
  for (std::uint64_t schedule = 1; schedule <= kSchedules; ++schedule) {
    trials.push_back(trial({90, 48, 4}, seed + schedule));
    trials.back().schedule = schedule;
  }
  return trials;
}

void check(lab::Checker& checker) {
  lab::Trials trials(checker);
  std::uint64_t seed = 1;
  for (const std::int64_t n : lab::telling_sizes()) {
    trials.run(trial({n, 32, 7}, seed++));
    trials.run(trial({n, 96, 256}, seed++));
  }
  trials.run(trial({500, 64, 1}, seed++));
  // Blocks that are no whole warps.
  trials.run(trial({90, 48, 4}, seed++));
  // More values than an index of 16 bits reaches.
  trials.run(lab::with_gates(trial({260 * 256 - 37, 256, 16}, seed++)));
  for (const std::uint32_t block : {64u, 128u, 192u}) {
    const Size size{lab::drawn_elements(checker, block, 20, 60), block,
                    static_cast<int>(checker.drawn(2, 64))};
    trials.run(lab::hidden_with_gates(trial(size, checker.draw())));
  }

  trials.add_right("right");
  trials.add_safe("safe");
  trials.add_right_also("schedules", {"histogram-counts.schedules.sentence"},
                        {"histogram-counts.schedules.advice"}, under_schedules(seed));
  trials.add_shared_out("shared-out");
  trials.add_own_reads("own-value", "value");
  trials.add_work("work");
}

}  // namespace histogram_counts_check

lab::Exercise histogram_counts() { return {"histogram-counts", histogram_counts_check::check}; }

}  // namespace warpbook::exercises
