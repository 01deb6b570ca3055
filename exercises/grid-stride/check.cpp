// grid-stride: x[i] = a * x[i] in place, by a grid that does not know n.
#include <iterator>
#include <limits>
#include <string>
#include <vector>

#include "lab/exercise/exercise_tools.hpp"

namespace warpbook::exercises {
namespace grid_stride_check {

/// One case. Half precision cannot hold the elements, or in every other case the factor. The products are exact in both.
lab::Trial trial(std::int64_t n, std::uint32_t grid, std::uint32_t block, std::uint64_t seed) {
  const auto size = static_cast<std::size_t>(n);
  const bool fine = seed % 2 == 0;
  const float factor = fine ? 1.0f + static_cast<float>(2 * (seed % 99) + 1) / 4096
                            : 1.25f + 0.25f * static_cast<float>(seed % 9);
  std::vector<float> x =
      lab::with_zeros(fine ? lab::odd_halves(size, seed) : lab::wide_halves(size, seed));
  // A product of the largest ones is infinite. What is no number stays as it is, and is written all the same.
  constexpr float kSpecial[] = {std::numeric_limits<float>::infinity(),
                                std::numeric_limits<float>::quiet_NaN(), 3e38f, -3e38f};
  for (std::size_t i = 0; i < std::size(kSpecial); ++i) {
    if (const std::size_t at = 5 + 40 * i; at < size) x[at] = kSpecial[i];
  }
  std::vector<double> truth;
  for (const float value : x) truth.push_back(static_cast<double>(factor) * value);
  lab::Trial made;
  made.name = "n = " + std::to_string(n) + ", grid " + std::to_string(grid) + ", block " +
              std::to_string(block);
  made.grid = {grid, 1, 1};
  made.block = {block, 1, 1};
  made.arrays = {lab::updated_array("x", x, std::move(truth))};
  made.arguments = {device::Argument::of(static_cast<std::int32_t>(n)),
                    device::Argument::of(factor), "x"};
  return made;
}

void check(lab::Checker& checker) {
  lab::Trials trials(checker);
  std::uint64_t seed = 1;
  // A step of one block's threads is exact in a grid of 1: others follow at every size.
  for (const std::int64_t n : lab::telling_sizes()) {
    trials.run(trial(n, 1, 64, seed));
    trials.run(trial(n, 3, 32, seed + 1));
    trials.run(trial(n, 7, 96, seed + 2));
    seed += 3;
  }
  // Each thread has as many elements as any other, so that a turn too few or too many shows.
  trials.run(trial(4 * 3 * 32, 3, 32, seed++));
  trials.run(trial(7 * 96, 7, 96, seed++));
  trials.run(trial(5 * 512 + 3, 2, 512, seed++));
  trials.run(trial(70'000, 1, 32, seed++));  // thousands of turns
  // Seventeen elements a thread, and one more for some: more than 16 bits can count.
  trials.run(lab::with_gates(trial(17 * 64 * 64 + 37, 64, 64, seed)));
  for (const std::uint32_t block : {32u, 64u, 96u}) {
    const std::int64_t grid = checker.drawn(2, 40), threads = grid * block;
    trials.run(
        lab::hidden_with_gates(trial(checker.drawn(3 * threads, 7 * threads),
                                     static_cast<std::uint32_t>(grid), block, checker.draw())));
  }
  const auto [many, large_block] = lab::drawn_large_size(checker);
  trials.run_unless_decided(lab::hidden_with_gates(trial(many, 40, large_block, checker.draw())));

  trials.add_right_at_any_size("right");
  trials.add_safe("safe");
  trials.add_written_once("written-once", "x");
  trials.add_own_stride("own-stride", "x");
  trials.add_shared_out("shared-out");
  trials.add_work("work");
}

}  // namespace grid_stride_check

lab::Exercise grid_stride() { return {"grid-stride", grid_stride_check::check}; }

}  // namespace warpbook::exercises
