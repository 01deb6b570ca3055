// bias-backward: the gradient of a bias that was added to every row, a sum over rows in a fixed order.
#include <array>
#include <string>
#include <utility>
#include <vector>

#include "lab/exercise/exercise_tools.hpp"

namespace warpbook::exercises {
namespace bias_backward_check {

constexpr std::int64_t kColumnsABlock = 32, kThreadsAColumn = 8;

struct Size {
  std::int64_t rows, columns;
};

/// The error of one column as a function of its bias: each row's x + bias, weighted by the gradient that came back to it.
double error_of(const std::vector<float>& dy, const std::vector<float>& x, const Size& size,
                std::int64_t column, double bias) {
  double error = 0;
  for (std::int64_t row = 0; row < size.rows; ++row) {
    const auto i = static_cast<std::size_t>(row * size.columns + column);
    error += static_cast<double>(dy[i]) * (static_cast<double>(x[i]) + bias);
  }
  return error;
}

/// Central differences in double. All numbers are halves, so they are exact.
std::vector<double> gradients(const std::vector<float>& dy, const Size& size, std::uint64_t seed) {
  constexpr double kBias = 1.5, kStep = 0.5;
  const std::vector<float> x = lab::odd_halves(dy.size(), seed);
  std::vector<double> found;
  for (std::int64_t column = 0; column < size.columns; ++column)
    found.push_back((error_of(dy, x, size, column, kBias + kStep) -
                     error_of(dy, x, size, column, kBias - kStep)) /
                    (2 * kStep));
  return found;
}

lab::Trial trial(const Size& size, std::uint64_t seed) {
  const std::vector<float> dy =
      lab::odd_halves(static_cast<std::size_t>(size.rows * size.columns), seed);
  lab::Trial made;
  made.name = std::to_string(size.rows) + " x " + std::to_string(size.columns);
  made.grid = {static_cast<std::uint32_t>((size.columns + kColumnsABlock - 1) / kColumnsABlock), 1,
               1};
  made.block = {kColumnsABlock, kThreadsAColumn, 1};
  made.arrays = {lab::input_array("dy", dy),
                 lab::output_array<float>("db", gradients(dy, size, seed + 1))};
  made.arguments = {"dy", "db", device::Argument::of(static_cast<std::int32_t>(size.rows)),
                    device::Argument::of(static_cast<std::int32_t>(size.columns))};
  return made;
}

void check(lab::Checker& checker) {
  // No row, fewer rows than threads, whole rounds of them and one more, a single column, columns that fill no block.
  constexpr std::array kSizes{Size{0, 5},   Size{1, 1},    Size{1, 33},  Size{7, 31},
                              Size{8, 32},  Size{9, 64},   Size{33, 1},  Size{100, 3},
                              Size{63, 70}, Size{129, 65}, Size{1023, 2}};
  lab::Trials trials(checker);
  std::uint64_t seed = 1;
  for (const Size& size : kSizes) trials.run(trial(size, seed++));
  // More rows than 16 bits count.
  trials.run(trial({65'800, 2}, seed++));
  trials.run(lab::with_gates(trial({512, 96}, seed)));
  for (int time = 0; time < 2; ++time) {
    const Size size{kThreadsAColumn * checker.drawn(40, 70) + checker.drawn(0, 7),
                    kColumnsABlock * checker.drawn(2, 4)};
    trials.run(lab::hidden_with_gates(trial(size, checker.draw())));
  }

  trials.add_right("right");
  trials.add_safe("safe");
  trials.add_counter("fixed-order", {"bias-backward.fixed-order"},
                     lab::sum_of([](const device::Counters& c) { return c.atomics; }),
                     lab::Judged::every_trial);
  trials.add_written_once("written-once", "db");
  trials.add_bytes_used("used");
  trials.add_shared_out("shared-out");
  trials.add_work("work");
}

}  // namespace bias_backward_check

lab::Exercise bias_backward() { return {"bias-backward", bias_backward_check::check}; }

}  // namespace warpbook::exercises
