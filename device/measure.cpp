#include "device/measure.hpp"

#include <algorithm>
#include <cmath>

namespace warpbook::device {
namespace {

constexpr int kWarmRuns = 3;
constexpr int kMostWarmRuns = 100'000;
constexpr std::size_t kFewestSamples = 5;  // before the band says anything
constexpr std::size_t kMostSamples = 10'000;

double quantile(const std::vector<double>& sorted, double share) {
  const double at = share * static_cast<double>(sorted.size() - 1);
  const auto below = static_cast<std::size_t>(at);
  const std::size_t above = std::min(below + 1, sorted.size() - 1);
  return std::lerp(sorted[below], sorted[above], at - static_cast<double>(below));
}

bool stands_still(const std::vector<double>& seconds, double noise) {
  if (seconds.size() < kFewestSamples) return false;
  const Timing t = timing_of(seconds);
  const double half_band = (t.p80 - t.p20) / 2;
  return half_band <= noise * t.median * std::sqrt(static_cast<double>(seconds.size()));
}

struct Series {
  std::vector<double> seconds;
  double spent = 0;
  bool done = false;
};

}  // namespace

std::vector<float> some_numbers(std::int64_t count) {
  std::vector<float> numbers(static_cast<std::size_t>(count));
  std::uint32_t state = 1;
  for (float& number : numbers) {
    state = state * 1664525u + 1013904223u;
    number = static_cast<float>(static_cast<std::int32_t>(state)) / 2147483648.0f;
  }
  return numbers;
}

Timing timing_of(std::vector<double> seconds) {
  std::ranges::sort(seconds);
  Timing timing;
  timing.median = quantile(seconds, 0.5);
  timing.p20 = quantile(seconds, 0.2);
  timing.p80 = quantile(seconds, 0.8);
  timing.minimum = seconds.front();
  timing.samples = static_cast<std::uint32_t>(seconds.size());
  return timing;
}

Expected<std::vector<Timing>> measure(const std::vector<Sample>& candidates,
                                      const TimeLimits& limits) {
  for (const Sample& candidate : candidates) {
    double warm = 0;
    for (int run = 0; run < kWarmRuns || (warm < limits.warm_seconds && run < kMostWarmRuns);
         ++run) {
      const auto seconds = candidate();
      if (!seconds) return tl::unexpected(seconds.error());
      warm += *seconds;
      if (warm > limits.most_seconds) break;
    }
  }
  std::vector<Series> all(candidates.size());
  for (bool going = true; going;) {
    going = false;
    for (std::size_t i = 0; i < candidates.size(); ++i) {
      Series& series = all[i];
      if (series.done) continue;
      const auto seconds = candidates[i]();
      if (!seconds) return tl::unexpected(seconds.error());
      series.seconds.push_back(*seconds);
      series.spent += *seconds;
      series.done = series.spent >= limits.most_seconds || series.seconds.size() == kMostSamples ||
                    stands_still(series.seconds, limits.noise);
      going = going || !series.done;
    }
  }
  std::vector<Timing> timings;
  timings.reserve(all.size());
  for (Series& series : all) timings.push_back(timing_of(std::move(series.seconds)));
  return timings;
}

}  // namespace warpbook::device
