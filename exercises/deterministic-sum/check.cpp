// deterministic-sum: sums in a prescribed order, the same bits whatever the launch.
#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "lab/exercise/exercise_tools.hpp"

namespace warpbook::exercises {
namespace deterministic_sum_check {

constexpr std::size_t kStretch = 256;
constexpr std::int64_t kThreadsAStretch = 16;  ///< where evenness counts; as the task says

/// The upper half is folded onto the lower one until one value is left, each addition rounded to float.
std::vector<double> folded(const std::vector<float>& x) {
  std::vector<double> sums;
  for (std::size_t first = 0; first < x.size(); first += kStretch) {
    std::array<float, kStretch> part{};
    for (std::size_t i = 0; i < kStretch && first + i < x.size(); ++i) part[i] = x[first + i];
    for (std::size_t s = kStretch / 2; s > 0; s /= 2) {
      for (std::size_t i = 0; i < s; ++i) part[i] += part[i + s];
    }
    sums.push_back(part[0]);
  }
  return sums;
}

struct Size {
  std::int64_t n;
  std::uint32_t grid, block;
};

lab::Trial trial(const Size& size, std::uint64_t seed) {
  std::vector<float> x = lab::normal_values(static_cast<std::size_t>(size.n), seed);
  // A last stretch of a single -0: with the places behind it, which count as +0, its sum is +0. The sum of a stretch of nothing but -0
  // is -0.
  if (x.size() % kStretch == 1) x.back() = -0.0f;
  if (x.size() >= 2 * kStretch) std::fill_n(x.begin() + kStretch, kStretch, -0.0f);
  // Below 2^-126 floats are subnormal, and their sums here as well.
  constexpr int kSubnormal = -140;
  if (x.size() >= 3 * kStretch)
    std::fill_n(x.begin() + 2 * kStretch, kStretch, std::ldexp(1.0f, kSubnormal));
  lab::Trial made;
  made.name = "n = " + std::to_string(size.n) + ", grid " + std::to_string(size.grid) + ", block " +
              std::to_string(size.block);
  made.grid = {size.grid, 1, 1};
  made.block = {size.block, 1, 1};
  lab::TrialArray sums = lab::output_array<float>("sums", folded(x));
  sums.same_bits = true;
  made.arrays = {lab::input_array("x", x), std::move(sums)};
  made.arguments = {"x", "sums", device::Argument::of(static_cast<std::int32_t>(size.n))};
  return made;
}

void check(lab::Checker& checker) {
  lab::Trials trials(checker);
  std::uint64_t seed = 1;
  for (const std::int64_t n : lab::telling_sizes()) {
    trials.run(trial({n, 3, 32}, seed++));
    trials.run(trial({n, 5, 128}, seed++));
  }
  // Whole warps, but no power of two.
  for (const std::uint32_t block : {96u, 160u, 224u, 480u})
    trials.run(trial({5 * 256 + 77, 2, block}, seed++));
  trials.run(trial({3 * 256 + 5, 2, 512}, seed++));
  trials.run(trial({6 * 256, 2, 256}, seed++));
  // A stretch for every 16 threads, so that all have the same work also if half a warp takes stretches of its own.
  const auto many = [](std::int64_t grid, std::uint32_t block) {
    return static_cast<std::int64_t>(kStretch) * grid * block / kThreadsAStretch;
  };
  // Also more values than an index of 16 bits reaches.
  trials.run(lab::with_gates(trial({many(72, 64) - 91, 72, 64}, seed++)));
  for (const std::uint32_t block : {64u, 96u, 128u}) {
    const auto grid = static_cast<std::uint32_t>(checker.drawn(32, 40));
    trials.run(lab::hidden_with_gates(
        trial({many(grid, block) - checker.drawn(0, 255), grid, block}, checker.draw())));
  }

  trials.add_right("right");
  trials.add_safe("safe");
  trials.add_written_once("written-once", "sums");
  trials.add_shared_out("shared-out");
  trials.add_work("work");
}

}  // namespace deterministic_sum_check

lab::Exercise deterministic_sum() { return {"deterministic-sum", deterministic_sum_check::check}; }

}  // namespace warpbook::exercises
