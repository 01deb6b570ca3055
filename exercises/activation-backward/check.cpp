// activation-backward: dx[i] = dy[i] * f'(x[i]) for GELU in its tanh form, two floats in and one out.
#include <array>
#include <cmath>
#include <string>
#include <vector>

#include "lab/exercise/exercise_tools.hpp"

namespace warpbook::exercises {
namespace activation_backward_check {

// What float arithmetic keeps within, with tanhf or with expf, and neither a numerical derivative nor tanh.approx does.
constexpr double kTolerance = 1e-5;

double slope(double x) {
  constexpr double kOuter = 0.7978845608028654, kInner = 0.044715;  // sqrt(2 / pi)
  const double t = std::tanh(kOuter * (x + kInner * x * x * x));
  return 0.5 * (1 + t) + 0.5 * x * (1 - t * t) * kOuter * (1 + 3 * kInner * x * x);
}

/// One case: normal values, wide enough for both tails; among them 0 and elements for which an exponential overflows.
lab::Trial trial(std::int64_t n, std::uint32_t block, std::uint64_t seed) {
  constexpr std::array kTelling{0.0f, 6.0f, -6.0f, 45.0f, -45.0f, 10'000.0f, -10'000.0f};
  constexpr std::size_t kEvery = 11;
  std::vector<float> x = lab::normal_values(static_cast<std::size_t>(n), seed);
  const std::vector<float> dy = lab::normal_values(x.size(), seed + 1);
  std::vector<double> truth(x.size());
  for (std::size_t i = 0; i < x.size(); ++i) {
    x[i] = i % kEvery == kEvery - 1 ? kTelling[i / kEvery % kTelling.size()] : 2 * x[i];
    truth[i] = static_cast<double>(dy[i]) * slope(static_cast<double>(x[i]));
  }
  lab::Trial made;
  made.name = "n = " + std::to_string(n) + ", block " + std::to_string(block);
  made.grid = {static_cast<std::uint32_t>((n + block - 1) / block), 1, 1};
  made.block = {block, 1, 1};
  made.arrays = {lab::input_array("x", x), lab::input_array("dy", dy),
                 lab::output_array<float>("dx", std::move(truth), kTolerance)};
  made.arguments = {"x", "dy", "dx", device::Argument::of(static_cast<std::int32_t>(n))};
  return made;
}

void check(lab::Checker& checker) {
  lab::Trials trials(checker);
  std::uint64_t seed = 1;
  for (const std::int64_t n : lab::telling_sizes()) {
    trials.run(trial(n, n % 2 == 0 ? 32 : 96, seed));
    seed += 2;
  }
  // More elements than 16 bits count.
  trials.run(lab::with_gates(trial(260 * 256 - 37, 256, seed)));
  for (const auto& [count, block] : lab::drawn_sizes(checker))
    trials.run(lab::hidden_with_gates(trial(count, block, checker.draw())));
  const auto [many, large_block] = lab::drawn_large_size(checker);
  trials.run_unless_decided(lab::hidden_with_gates(trial(many, large_block, checker.draw())));

  trials.add_right_at_any_size("right");
  trials.add_safe("safe");
  trials.add_written_once("written-once", "dx");
  trials.add_ratio("asked", {"activation-backward.asked"},
                   lab::sum_of([](const device::Counters& c) { return c.global_bytes_asked; }));
  trials.add_sectors("moved");
  trials.add_counter(
      "no-local", {"activation-backward.no-local"},
      {[](const device::LaunchRecord& record) {
         return static_cast<double>(lab::counters_without_prints(record).local_requests +
                                    record.total.shared_requests);
       },
       [](const device::Counters& c) { return c.local_requests + c.shared_requests; }});
  trials.add_shared_out("shared-out");
  trials.add_work("work");
}

}  // namespace activation_backward_check

lab::Exercise activation_backward() {
  return {"activation-backward", activation_backward_check::check};
}

}  // namespace warpbook::exercises
