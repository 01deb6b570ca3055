// double-buffer: rounds of a cellular automaton in shared memory, with two rows and one barrier a round.
#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "lab/exercise/exercise_tools.hpp"

namespace warpbook::exercises {
namespace double_buffer_check {

struct Size {
  std::uint32_t blocks, block;
  int rounds;
};

constexpr int kFewestRounds = 8, kMostRounds = 20;  // of the hidden cases

/// Rule 90 of elementary cellular automata: each cell becomes left ^ right.
std::vector<int> grown(std::vector<int> row, int rounds) {
  for (int r = 0; r < rounds; ++r) {
    const std::vector<int> before = row;
    for (std::size_t t = 0; t < row.size(); ++t) {
      const int left = t > 0 ? before[t - 1] : 0, right = t + 1 < row.size() ? before[t + 1] : 0;
      row[t] = left ^ right;
    }
  }
  return row;
}

lab::Trial trial(const Size& size, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::vector<int> cells;
  std::vector<double> truth;
  for (std::uint32_t b = 0; b < size.blocks; ++b) {
    std::vector<int> row(size.block);
    for (int& cell : row) cell = static_cast<int>(random() % 2);
    cells.insert(cells.end(), row.begin(), row.end());
    const std::vector<int> made = grown(std::move(row), size.rounds);
    truth.insert(truth.end(), made.begin(), made.end());
  }
  lab::Trial made;
  made.name = std::to_string(size.blocks) + " x " + std::to_string(size.block) + " threads, " +
              std::to_string(size.rounds) + " rounds";
  made.grid = {size.blocks, 1, 1};
  made.block = {size.block, 1, 1};
  made.arrays = {lab::input_array("cells", cells), lab::output_array<int>("out", std::move(truth))};
  made.arguments = {"cells", "out", device::Argument::of(std::int32_t{size.rounds})};
  return made;
}

void check(lab::Checker& checker) {
  constexpr std::array kSizes{Size{0, 32, 3},  Size{1, 1, 2},   Size{3, 31, 5},  Size{2, 32, 6},
                              Size{2, 33, 7},  Size{1, 96, 1},  Size{1, 96, 2},  Size{4, 127, 8},
                              Size{2, 160, 9}, Size{3, 256, 4}, Size{1, 64, 33}, Size{1, 256, 64}};
  lab::Trials trials(checker);
  std::uint64_t seed = 1;
  for (const Size& size : kSizes) trials.run(trial(size, seed++));
  trials.run(lab::with_gates(trial({66, 256, 12}, seed++)));
  trials.run(lab::with_gates(trial({66, 192, 9}, seed++)));
  for (const std::uint32_t block : {96u, 160u, 256u}) {
    // The fewest and the most rounds are shown, so that no verdict depends on how many are drawn.
    for (const int rounds : {kFewestRounds, kMostRounds})
      trials.run(lab::with_gates(trial({6, block, rounds}, seed++)));
    const Size size{static_cast<std::uint32_t>(checker.drawn(3, 20)), block,
                    static_cast<int>(checker.drawn(kFewestRounds, kMostRounds))};
    trials.run(lab::hidden_with_gates(trial(size, checker.draw())));
  }

  trials.add_right("right");
  trials.add_safe("safe");
  trials.add_written_once("written-once", "out");
  // A cell may be an int or a byte, so accesses are counted and not bytes.
  trials.add_counter("shared", {"double-buffer.shared"},
                     {.in_launch = lab::shared_share_of_accesses,
                      .on_line = [](const device::Counters& c) { return c.global_requests; },
                      .lines = lab::Spending::Lines::that_lack});
  trials.advise_below({"double-buffer.shared-advice"});
  trials.add_barriers_as_needed("barriers", {"double-buffer.barriers"});
  trials.add_shared_out("shared-out");
  trials.add_work("work");
}

}  // namespace double_buffer_check

lab::Exercise double_buffer() { return {"double-buffer", double_buffer_check::check}; }

}  // namespace warpbook::exercises
