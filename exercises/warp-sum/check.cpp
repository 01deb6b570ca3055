// warp-sum: each warp adds up 32 elements, by shuffles alone.
#include <array>
#include <string>
#include <vector>

#include "lab/exercise/exercise_tools.hpp"

namespace warpbook::exercises {
namespace warp_sum_check {

constexpr std::int64_t kStretch = 32;

lab::Trial trial(std::int64_t n, std::uint32_t block, std::uint64_t seed) {
  // Sums of 32 of them are exact in float, and half precision cannot hold most.
  const std::vector<float> x = lab::wide_halves(static_cast<std::size_t>(n), seed);
  std::vector<double> sums(static_cast<std::size_t>((n + kStretch - 1) / kStretch), 0);
  for (std::size_t i = 0; i < x.size(); ++i) sums[i / kStretch] += x[i];
  lab::Trial made;
  made.name = "n = " + std::to_string(n) + ", block " + std::to_string(block);
  made.grid = {static_cast<std::uint32_t>((n + block - 1) / block), 1, 1};
  made.block = {block, 1, 1};
  made.arrays = {lab::input_array("x", x), lab::output_array<float>("sums", std::move(sums))};
  made.arguments = {"x", "sums", device::Argument::of(static_cast<std::int32_t>(n))};
  return made;
}

void check(lab::Checker& checker) {
  lab::Trials trials(checker);
  std::uint64_t seed = 1;
  for (const std::int64_t n : lab::telling_sizes()) {
    trials.run(trial(n, 32, seed++));
    trials.run(trial(n, 96, seed++));
  }
  trials.run(lab::with_gates(trial(264 * 256, 256, seed++)));
  for (const std::uint32_t block : {64u, 128u, 256u})
    trials.run(lab::hidden_with_gates(
        trial(lab::drawn_elements(checker, block, 3, 40), block, checker.draw())));

  trials.add_right("right");
  trials.add_safe("safe");
  trials.add_written_once("written-once", "sums");
  trials.add_ratio("shuffles", {"warp-sum.shuffles"},
                   lab::sum_of([](const device::Counters& c) { return c.shuffles; }));
  trials.add_counter("by-registers", {"warp-sum.by-registers"},
                     lab::sum_of([](const device::Counters& c) {
                       return c.shared_bytes + c.local_bytes + c.atomics;
                     }));
  trials.add_shared_out("shared-out");
  trials.add_work("work");
}

}  // namespace warp_sum_check

lab::Exercise warp_sum() { return {"warp-sum", warp_sum_check::check}; }

}  // namespace warpbook::exercises
