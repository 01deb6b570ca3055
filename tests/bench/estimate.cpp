// Compares the estimate with published timings: the ratio of each, the median error of both halves, and the order of each ladder.
// `bench_estimate fit` also looks for the constants of calibration.hpp that suit the fitted half best, and prints them.
#include <cmath>
#include <cstdio>
#include <cstring>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "device/assembly/worker_main.hpp"
#include "device/simulator/estimate/calibration.hpp"
#include "tests/device/simulator/estimate/published.hpp"

using namespace warpbook::device;

namespace {

constexpr double kMostHeldBackError = 0.10;  // median; it was 0.09
constexpr double kSame = 0.05;               // published times nearer than this are not ranked
constexpr double kLeastTau = 0.9;

struct Result {
  PublishedTiming timing;
  Estimate estimate;
};

/// The estimate's seconds with other constants, from its bounds, each of which is linear in its own.
double seconds_with(const Estimate& e, const Calibration& c) {
  const Calibration made;
  double longest = 0;
  std::vector<double> bounds;
  for (const EstimateBound& b : e.bounds) {
    double s = b.seconds;
    if (b.name == "launch") continue;
    if (b.name == "dram") s *= made.dram / c.dram;
    if (b.name == "l2") s *= made.l2 / c.l2;
    if (b.name == "fp32") s *= made.multiply_add / c.multiply_add;
    if (b.name == "atomics") s *= c.atomic_clocks / made.atomic_clocks;
    if (b.name == "latency") s *= c.latency / made.latency;
    bounds.push_back(s);
    longest = std::max(longest, s);
  }
  double sum = 0;
  for (const double s : bounds) sum += std::pow(s / longest, c.joining);
  return c.launch + longest * std::pow(sum, 1 / c.joining);
}

double error_of(const Result& r, const Calibration& c) {
  return std::abs(seconds_with(r.estimate, c) / r.timing.seconds - 1);
}

double mean_log_error(const std::vector<Result>& results, const Calibration& c) {
  double sum = 0;
  int count = 0;
  for (const Result& r : results) {
    if (!r.timing.fits || !r.timing.doubt.empty()) continue;
    sum += std::abs(std::log(seconds_with(r.estimate, c) / r.timing.seconds));
    ++count;
  }
  return sum / std::max(1, count);
}

double median_error(const std::vector<Result>& results, bool fits, const Calibration& c) {
  std::vector<double> errors;
  for (const Result& r : results) {
    if (r.timing.fits == fits && r.timing.doubt.empty()) errors.push_back(error_of(r, c));
  }
  return median(std::move(errors));
}

/// Changes one constant after another, in ever smaller steps, and keeps what lowers the error.
Calibration fitted(const std::vector<Result>& results) {
  struct Knob {
    double Calibration::*value;
    double least, most;
  };
  // The plausible ranges: copies reach 85 to 95 % of DRAM's rate, and more than half of L2's.
  const Knob knobs[] = {
      {&Calibration::dram, 0.85, 0.95},       {&Calibration::l2, 0.5, 1.0},
      {&Calibration::multiply_add, 0.6, 1.0}, {&Calibration::joining, 1, 12},
      {&Calibration::latency, 0.5, 4},        {&Calibration::atomic_clocks, 0.5, 8}};
  Calibration best;
  double least = mean_log_error(results, best);
  double step = 0.2;
  while (step > 0.004) {
    for (int round = 0; round < 4; ++round) {
      for (const Knob& knob : knobs) {
        for (const double factor : {1 + step, 1 / (1 + step)}) {
          Calibration tried = best;
          tried.*knob.value = std::clamp(tried.*knob.value * factor, knob.least, knob.most);
          if (const double error = mean_log_error(results, tried); error < least) {
            least = error;
            best = tried;
          }
        }
      }
    }
    step /= 1.5;
  }
  return best;
}

void print_fit(const std::vector<Result>& results) {
  const Calibration c = fitted(results);
  std::printf(
      "dram %.3f, l2 %.3f, multiply_add %.3f, joining %.2f, latency %.2f, atomic_clocks %.2f\n",
      c.dram, c.l2, c.multiply_add, c.joining, c.latency, c.atomic_clocks);
  std::vector<double> ratios;
  for (const Result& r : results) {
    if (r.timing.fits) ratios.push_back(r.timing.seconds / seconds_with(r.estimate, c));
  }
  std::ranges::sort(ratios);
  std::printf("published / estimated on the fitted half: tenth %.2f, ninetieth of a hundred %.2f\n",
              ratios[ratios.size() / 10], ratios[ratios.size() * 9 / 10]);
  std::printf("median error with these: fitted half %.1f %%, held-back half %.1f %%\n",
              100 * median_error(results, true, c), 100 * median_error(results, false, c));
}

}  // namespace

int main(int argc, char** argv) {
  if (argc > 1 && std::string_view(argv[1]) == "worker")
    return worker_main(std::span(argv + 2, static_cast<std::size_t>(argc - 2)));
  PublishedBench bench;
  std::vector<Result> results;
  const std::string only = argc > 2 ? argv[2] : "";
  for (PublishedTiming& timing : read_published()) {
    if (!only.empty() && timing.kernel.find(only) == std::string::npos &&
        timing.gpu.find(only) == std::string::npos)
      continue;
    results.push_back({timing, bench.estimate(timing)});
    const Estimate& e = results.back().estimate;
    std::printf("%s %-12s %-24s %8.0f  published %10.1f us, estimated %10.1f us, ratio %5.2f ",
                !timing.doubt.empty() ? "????"
                : timing.fits         ? "fit "
                                      : "held",
                timing.gpu.c_str(), timing.kernel.c_str(), static_cast<double>(timing.sizes.back()),
                timing.seconds * 1e6, e.seconds * 1e6, e.seconds / timing.seconds);
    for (std::size_t k = 0; k < e.bounds.size() && k < 5; ++k)
      std::printf(" %s %.1f", e.bounds[k].name.c_str(), e.bounds[k].seconds * 1e6);
    std::printf("  occ %.2f l1 %.2f l2 %.2f\n", e.occupancy, e.l1_hits, e.l2_hits);
    std::fflush(stdout);
  }
  if (argc > 1 && std::strcmp(argv[1], "fit") == 0) print_fit(results);

  const Calibration made;
  const double held_back = median_error(results, false, made);
  std::printf("median error: fitted half %.1f %%, held-back half %.1f %%\n",
              100 * median_error(results, true, made), 100 * held_back);
  bool ordered = true;
  for (std::size_t source = 0; source <= results.back().timing.source; ++source) {
    std::vector<double> published, estimated;
    for (const Result& r : results) {
      if (r.timing.source != source || !r.timing.doubt.empty()) continue;
      published.push_back(r.timing.seconds);
      estimated.push_back(r.estimate.seconds);
    }
    if (published.size() < 3) continue;
    const double tau = kendall(published, estimated, kSame);
    std::printf("source %zu: Kendall's tau %.2f of %zu timings\n", source, tau, published.size());
    ordered &= tau >= kLeastTau;
  }
  std::size_t inside = 0;
  for (const Result& r : results)
    inside += r.timing.seconds >= r.estimate.low && r.timing.seconds <= r.estimate.high;
  std::printf("%zu of %zu published timings lie within their band\n", inside, results.size());
  return held_back <= kMostHeldBackError && ordered ? 0 : 1;
}
