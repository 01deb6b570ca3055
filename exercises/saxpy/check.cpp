// saxpy: y[i] = a * x[i] + y[i], one thread an element.
#include <algorithm>
#include <cmath>
#include <limits>

#include "lab/exercise/exercise_tools.hpp"

namespace warpbook::exercises {
namespace saxpy_check {

/// One case: n elements in whole blocks. `a` is no integer, so that a factor that was cut shows, and of the exact cases' values
/// half precision cannot hold most.
lab::Trial trial(std::int64_t n, std::uint32_t block, float a, bool exact, std::uint64_t seed) {
  const auto count = static_cast<std::size_t>(n);
  std::vector<float> x = exact ? lab::wide_halves(count, seed) : lab::normal_values(count, seed);
  const std::vector<float> y =
      exact ? lab::wide_halves(count, seed + 1) : lab::normal_values(count, seed + 1);
  // Some elements stay as they are, and are written all the same.
  for (std::size_t i = 7; i < count; i += 13) x[i] = 0;
  std::vector<double> truth(count);
  double largest = 1;
  for (std::size_t i = 0; i < count; ++i) {
    const double product = static_cast<double>(a) * x[i];
    truth[i] = product + y[i];
    largest = std::max({largest, std::abs(product), std::abs(static_cast<double>(y[i]))});
  }
  // Two roundings (of the product and of the sum) where no fused multiply-add is used; small halves need none.
  const double tolerance = exact ? 0 : std::numeric_limits<float>::epsilon() * largest;

  lab::Trial made;
  made.name = "n = " + std::to_string(n) + ", block " + std::to_string(block);
  made.grid = {static_cast<std::uint32_t>((n + block - 1) / block), 1, 1};
  made.block = {block, 1, 1};
  made.arrays = {lab::input_array("x", x), lab::updated_array("y", y, std::move(truth), tolerance)};
  made.arguments = {device::Argument::of(static_cast<std::int32_t>(n)), device::Argument::of(a),
                    "x", "y"};
  return made;
}

void check(lab::Checker& checker) {
  lab::Trials trials(checker);
  std::uint64_t seed = 1;
  for (const std::int64_t n : lab::telling_sizes()) {
    trials.run(trial(n, 32, 2.5f, true, seed));
    trials.run(trial(n, 96, -0.7310586f, false, seed + 2));
    seed += 4;
  }
  // The largest block, and a factor that leaves y as it is: its elements are written all the same.
  trials.run(trial(2 * 1024 - 37, 1024, 2.5f, true, seed++));
  trials.run(trial(700, 512, 0, true, seed++));
  trials.run(lab::with_gates(trial(260 * 256 - 37, 256, 2.5f, true, seed)));
  for (const auto& [count, block] : lab::drawn_sizes(checker)) {
    const float a = 0.125f + 0.25f * static_cast<float>(checker.drawn(1, 40));
    trials.run(lab::hidden_with_gates(trial(count, block, a, true, checker.draw())));
  }
  const auto [many, large_block] = lab::drawn_large_size(checker);
  trials.run_unless_decided(
      lab::hidden_with_gates(trial(many, large_block, 0.625f, true, checker.draw())));

  trials.add_right_at_any_size("right");
  trials.add_safe("safe");
  trials.add_own_element("own-element", "y");
  trials.add_shared_out("shared-out");
  trials.add_work("work");
}

}  // namespace saxpy_check

lab::Exercise saxpy() { return {"saxpy", saxpy_check::check}; }

}  // namespace warpbook::exercises
