// How long things take, by the same rules on every machine: warmed up, taken in turns, until the median stands still.
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

/// Seconds. What is shorter is timed as a batch: the clock's own steps would show.
inline constexpr double kShortestSample = 20e-6;

/// Whether a run that is not timed goes ahead of one that took `seconds` (0: not known): while the GPU is at it, what is timed
/// gets there, so that the way of a launch to an idle GPU counts for nothing. It is lost in what takes longer.
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

/// Repeatable numbers between -1 and 1: what is timed must not be zeros, which caches and multipliers may treat well.
std::vector<float> some_numbers(std::int64_t count);

/// Median, band and minimum of some samples, at least one.
Timing timing_of(std::vector<double> seconds);

}  // namespace warpbook::device
