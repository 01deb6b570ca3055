// warp-uniform: two tracks that are treated differently, and no warp that has samples of both.
#include <cmath>
#include <string>
#include <vector>

#include "lab/exercise/exercise_tools.hpp"

namespace warpbook::exercises {
namespace warp_uniform_check {

constexpr int kRounds = 32;  ///< of either side's loop

double warm(double s) {
  for (int k = 0; k < kRounds; ++k) s = s * (1.02 - 0.02 * s * s);
  return s;
}

double bright(double s) {
  for (int k = 0; k < kRounds; ++k) s = s + 0.01 * s * (1 - std::abs(s));
  return s;
}

lab::Trial trial(std::int64_t n, std::uint32_t block, std::uint64_t seed) {
  // Either loop makes a difference at most twice as large, so the float's roundings stay far below this.
  constexpr double kTolerance = 2e-5;
  // Up to 0.8; half precision cannot hold most of them.
  std::vector<float> x = lab::wide_halves(static_cast<std::size_t>(n), seed);
  for (float& sample : x) sample /= 5120;
  std::vector<double> truth;
  for (std::size_t i = 0; i < x.size(); ++i)
    truth.push_back(i % 2 == 0 ? warm(x[i]) : bright(x[i]));
  lab::Trial made;
  made.name = "n = " + std::to_string(n) + ", block " + std::to_string(block);
  made.grid = {static_cast<std::uint32_t>((n + block - 1) / block), 1, 1};
  made.block = {block, 1, 1};
  made.arrays = {lab::input_array("x", x),
                 lab::output_array<float>("out", std::move(truth), kTolerance)};
  made.arguments = {"x", "out", device::Argument::of(static_cast<std::int32_t>(n))};
  return made;
}

struct Blocks {
  std::uint32_t block;       ///< threads of each
  std::int64_t least, most;  ///< so many of them
};

void check(lab::Checker& checker) {
  lab::Trials trials(checker);
  std::uint64_t seed = 1;
  for (const std::int64_t n : {0, 2, 30, 32, 34, 62, 64, 66, 126, 130, 190, 194, 1022, 1026}) {
    trials.run(trial(n, 64, seed++));
    trials.run(trial(n, 192, seed++));
  }
  // Where all warps are full, only the tracks can split them. More samples than 16 bits count.
  trials.run(lab::with_gates(trial(258 * 256, 256, seed++)));
  // Hundreds of samples, thousands, and some ten thousand.
  for (const auto& [block, least, most] : {Blocks{64, 3, 15}, {128, 16, 40}, {256, 70, 110}})
    trials.run(
        lab::hidden_with_gates(trial(block * checker.drawn(least, most), block, checker.draw())));

  trials.add_right("right");
  trials.add_safe("safe");
  trials.add_written_once("written-once", "out");
  trials.add_counter(
      "together", {"warp-uniform.together"},
      {.in_launch = [](const device::LaunchRecord& r) { return r.mean_active_lanes; },
       .on_line = [](const device::Counters& c) { return c.divergent_branches; },
       .lines = lab::Spending::Lines::that_lack});
  trials.advise_below({"warp-uniform.together-advice"});
  trials.add_shared_out("shared-out");
  trials.add_work("work");
}

}  // namespace warp_uniform_check

lab::Exercise warp_uniform() { return {"warp-uniform", warp_uniform_check::check}; }

}  // namespace warpbook::exercises
