// interleave: out[i] = gain * in[i] with fewer threads than elements, and whole sectors in every round.
#include <string>
#include <vector>

#include "lab/exercise/exercise_tools.hpp"

namespace warpbook::exercises {
namespace interleave_check {

constexpr float kGain = 2.5f;  // no integer, so that a gain that was cut shows

lab::Trial trial(std::int64_t n, std::uint32_t grid, std::uint32_t block, std::uint64_t seed,
                 float gain = kGain) {
  // Half precision cannot hold the elements, and in every other case no fixed point can.
  const auto& values = seed % 2 == 0 ? lab::normal_values : lab::wide_halves;
  const std::vector<float> in = lab::with_zeros(values(static_cast<std::size_t>(n), seed));
  std::vector<double> truth;
  for (const float value : in) truth.push_back(double{gain} * value);
  lab::Trial made;
  made.name = "n = " + std::to_string(n) + ", " + std::to_string(grid) + " x " +
              std::to_string(block) + " threads";
  made.grid = {n == 0 ? 0 : grid, 1, 1};
  made.block = {block, 1, 1};
  made.arrays = {lab::input_array("in", in), lab::output_array<float>("out", std::move(truth))};
  made.arguments = {"in", "out", device::Argument::of(static_cast<std::int32_t>(n)),
                    device::Argument::of(gain)};
  return made;
}

void check(lab::Checker& checker) {
  lab::Trials trials(checker);
  std::uint64_t seed = 1;
  for (const std::int64_t n : lab::telling_sizes()) {
    trials.run(trial(n, 1, 32, seed));
    trials.run(trial(n, 3, 64, seed + 1));
    seed += 2;
  }
  trials.run(trial(1000, 7, 96, seed));
  // Other gains: negative, and one that makes every product 0.
  trials.run(trial(1000, 7, 96, seed + 3, -0.75f));
  trials.run(trial(1000, 2, 512, seed + 4, 0));
  // More threads than 16 bits count.
  trials.run(trial(70'000, 520, 128, seed + 2));
  // 16 elements a thread but for the last five.
  trials.run(lab::with_gates(trial(64 * 128 * 16 - 5, 64, 128, seed + 1)));
  // Fewer than 2,000 elements, thousands, and more than 200,000.
  struct Launch {
    std::uint32_t block;
    std::int64_t least, most;  ///< blocks
  };
  for (const auto& [block, least, most] : {Launch{64, 3, 3}, {128, 8, 20}, {192, 8, 20}}) {
    const std::int64_t grid = checker.drawn(least, most), threads = grid * block;
    trials.run(
        lab::hidden_with_gates(trial(checker.drawn(7 * threads, 10 * threads),
                                     static_cast<std::uint32_t>(grid), block, checker.draw())));
  }
  const auto [many, large_block] = lab::drawn_large_size(checker);
  trials.run_unless_decided(lab::hidden_with_gates(trial(many, 64, large_block, checker.draw())));

  trials.add_right_at_any_size("right");
  trials.add_safe("safe");
  trials.add_written_once("written-once", "out");
  trials.add_bytes_used("used");
  trials.add_sectors("sectors");
  trials.add_shared_out("shared-out");
  trials.add_work("work");
}

}  // namespace interleave_check

lab::Exercise interleave() { return {"interleave", interleave_check::check}; }

}  // namespace warpbook::exercises
