// Measures times by the same rules everywhere: candidates are warmed up and take turns until their medians are stable.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "device/error.hpp"

namespace warpbook::device {

struct TimeLimits {
  double warm_seconds = 0.025;  ///< at least that long, and at least three runs
  double noise = 0.005;  ///< half of the p20-p80 band over the median, over the root of the samples
  double most_seconds = 1.0;  ///< measured for at most that long each
};
template <class V>
void fields(V&& visit, Is<TimeLimits> auto& v) {
  visit("warm_seconds", v.warm_seconds);
  visit("noise", v.noise);
  visit("most_seconds", v.most_seconds);
}

/// Seconds. Shorter runs are timed in batches, because the steps of the clock would show.
inline constexpr double kShortestSample = 20e-6;

/// Whether an untimed run should precede one that took `seconds` (0: not known). While the GPU works on it, the timed run is
/// queued, so that the latency of a launch to an idle GPU is not counted. In longer runs that latency does not matter.
constexpr bool wants_lead(double seconds) { return seconds > 0 && seconds < 1e-3; }

struct Timing {
  double median = 0, p20 = 0, p80 = 0, minimum = 0;  ///< seconds
  std::uint32_t samples = 0;
  bool hot = false;  ///< the same data each time, in the caches where it fits; else it rotates
  std::string on;    ///< the device that it was measured on
};
template <class V>
void fields(V&& visit, Is<Timing> auto& v) {
  visit("median", v.median);
  visit("p20", v.p20);
  visit("p80", v.p80);
  visit("minimum", v.minimum);
  visit("samples", v.samples);
  visit("hot", v.hot);
  visit("on", v.on);
}

/// Runs once, or a batch, and gives the seconds that one run took.
using Sample = std::function<Expected<double>()>;

/// Each is warmed up; then all are sampled in turns (A B A B), so that a clock that drifts does so for all alike.
Expected<std::vector<Timing>> measure(const std::vector<Sample>& candidates,
                                      const TimeLimits& limits);

/// Samples of one run on a machine that does nothing else differ by some percent. Where a fifth of them took half as long
/// again as another fifth, other programs had a part of the machine, or its clock changed: the median says little then.
inline constexpr double kMostSpread = 1.5;  ///< p80 over p20
constexpr bool is_unsteady(double p20, double p80) { return p80 > kMostSpread * p20; }

/// Repeatable numbers between -1 and 1. Timing with zeros would mislead, because hardware may save power or time on them.
std::vector<float> some_numbers(std::int64_t count);

/// Median, band and minimum of some samples, at least one.
Timing timing_of(std::vector<double> seconds);

}  // namespace warpbook::device
