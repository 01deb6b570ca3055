#include "lab/exhibits/timings/estimate_text.hpp"

#include <algorithm>

#include "lab/markup/phrases.hpp"

namespace warpbook::lab {
namespace {

constexpr std::size_t kBoundsShown = 5;

std::string percent(double fraction) { return number(100 * fraction, 3); }

std::string part_name(const std::string& bound, const Strings& strings) {
  return strings("estimate.part." + bound);
}

}  // namespace

Message bottleneck_of(const device::Estimate& e) {
  const double seconds = e.bounds.empty() ? e.seconds : e.bounds.front().seconds;
  // Where the grid leaves places for blocks empty, it has fewer warps on a multiprocessor than would fit.
  const bool few = e.limiter == "latency" && e.waves < 1;
  return {"estimate.because." + e.limiter + (few ? "-few-blocks" : ""),
          {{"time", duration(seconds)},
           {"part", percent(e.seconds > 0 ? std::min(1.0, seconds / e.seconds) : 0)},
           {"dram", amount(e.dram_bytes) + "B"},
           {"l2", amount(e.l2_bytes) + "B"},
           {"hits", percent(e.l1_hits)},
           {"occupancy", percent(e.occupancy)},
           {"count", grouped(e.blocks)},
           {"places", percent(e.waves)}},
          {}};
}

TimingsExhibit::Row timing_of(const Message& label, const device::Estimate& e) {
  return {label, e.seconds, e.low, e.high, e.low, 1, e.time, bottleneck_of(e)};
}

std::string to_text(const device::Estimate& e, const Strings& strings) {
  std::string text = strings("estimate.time", {{"gpu", e.time.on},
                                               {"time", duration(e.seconds)},
                                               {"low", duration(e.low)},
                                               {"high", duration(e.high)}}) +
                     "\n" + strings(bottleneck_of(e)) + "\n";
  std::string bounds;
  for (std::size_t k = 0; k < std::min(kBoundsShown, e.bounds.size()); ++k) {
    if (k != 0) bounds += strings("estimate.comma");
    bounds += part_name(e.bounds[k].name, strings) + " " + duration(e.bounds[k].seconds);
  }
  text += strings("estimate.bounds", {{"bounds", bounds}}) + "\n";
  text +=
      strings("estimate.occupancy", {{"count", grouped(e.resident_blocks)},
                                     {"part", percent(e.occupancy)},
                                     {"limiter", strings("phrase.limiter." + e.occupancy_limiter)},
                                     {"waves", number(e.waves, 3)}}) +
      "\n";
  if (e.operations > 0 && e.dram_bytes > 0 && e.seconds > 0) {
    const double intensity = e.operations / e.dram_bytes;
    text += strings("estimate.roofline",
                    {{"intensity", number(intensity, 3)},
                     {"rate", amount(e.operations / e.seconds)},
                     {"roof", amount(std::min(e.peak_operations, e.peak_bytes * intensity))}}) +
            "\n";
  }
  if (e.blocks_run < e.blocks)
    text += strings("estimate.scaled",
                    {{"run", grouped(e.blocks_run)}, {"blocks", grouped(e.blocks)}}) +
            "\n";
  if (!e.machine_code) text += strings("estimate.no-machine-code") + "\n";
  return text;
}

}  // namespace warpbook::lab
