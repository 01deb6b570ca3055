// How long each part of a GPU needs for a launch, and how long the launch then takes. Each bound is what one part would need if all
// others were infinitely fast: a roofline (S. Williams, A. Waterman, D. Patterson, "Roofline: An Insightful Visual Performance Model for
// Multicore Architectures", CACM 52(4), 2009) with a roof for every part. With f the clock rate, r the rates of gpu_table.hpp, and
// c the constants of calibration.hpp:
//
//   a part of a multiprocessor     t = work / rate x share / f,  share = max(ceil(blocks / SMs) / blocks, heaviest block's share)
//                                  (of the multiply-add pipe and of tensor cores: rate x c.multiply_add)
//   L2                             t = max(bytes moved, bytes that small requests keep it busy for) / (rate x f x c.l2)
//   DRAM                           t = (bytes + written x (write cost - 1) + runs x c.dram_run_bytes) / (rated bandwidth x c.dram)
//   atomics on one line of L2      t = turns x c.atomic_clocks x r.atomic / f;  the words of a sector share a turn, lanes on one word do not
//   latency                        t = c.latency x ((rounds x mean clocks of a warp + exposed waiting for the longest) / f
//                                                   + with barriers, the multiprocessor's bound x rounds / blocks of the busiest SM)
//   the launch                     T = c.launch + (t1^p + t2^p + ...)^(1/p),  p = c.joining
//
// The last line is a p-norm: p = 1 would add all parts as if nothing overlapped, p = infinity would take the longest as if all else were
// hidden behind it. The fitted p lies between, so parts that need about as long as the longest make the launch somewhat longer.
#include <algorithm>
#include <cmath>

#include "device/simulator/estimate/estimate.hpp"

namespace warpbook::device {
namespace {

/// Warp instructions through a pipe that takes `lanes` lanes per clock.
double lanes_bound(const GpuModel& model, const Demand& demand, double instructions, double lanes) {
  return lanes <= 0 ? 0 : seconds_on_busiest(model, demand, instructions * kLanes / lanes);
}

// A block whose longest warp has up to this many times the work of its mean warp is as fast as one with even warps, because other blocks
// work meanwhile: sums, whose last steps few warps take, are uneven by up to 1.7 and show it (published.toml).
constexpr double kHiddenUnevenness = 2;
// From this many times on there is nothing left that could hide the longest warps, so all of it counts. In between it counts in proportion.
constexpr double kExposedUnevenness = 4;

/// How often a multiprocessor is filled with resident blocks until all of its share have run.
double rounds_of(const GpuModel& model, const Demand& demand) {
  return std::ceil(busiest_blocks(model, demand) / std::max(1.0, demand.resident));
}

/// Clocks of the mean warp, alone on its scheduler.
double mean_clocks(const Demand& demand) {
  return demand.serial_warp_clocks / (demand.blocks * demand.warps_per_block);
}

/// Clocks that all rounds take where every warp is a mean one.
double even_clocks(const GpuModel& model, const Demand& demand) {
  return rounds_of(model, demand) * mean_clocks(demand);
}

/// The launch's longest warp as a multiple of what the launch would take with even warps.
double longest_of_launch(const GpuModel& model, const Demand& demand) {
  const double even = even_clocks(model, demand);
  return even <= 0 ? 1 : demand.longest_warp_clocks / even;
}

/// The part of what warps wait for a longer one that no other work hides.
double exposed(double unevenness) {
  return std::clamp((unevenness - kHiddenUnevenness) / (kExposedUnevenness - kHiddenUnevenness),
                    0.0, 1.0);
}

/// Clocks until all blocks have ended: each when its longest warp has, and the launch not before its longest warp of all.
double clocks_of_warps(const GpuModel& model, const Demand& demand) {
  const double even = even_clocks(model, demand);
  const double waiting = rounds_of(model, demand) * demand.waiting_warp_clocks /
                         (demand.blocks * demand.warps_per_block);
  const double longer = demand.longest_warp_clocks - even;
  return even + std::max({0.0, exposed(demand.unevenness) * waiting,
                          exposed(longest_of_launch(model, demand)) * longer});
}

}  // namespace

double busiest_blocks(const GpuModel& model, const Demand& demand) {
  return std::ceil(demand.blocks / std::max(1u, model.gpu.multiprocessors));
}

double seconds_on_busiest(const GpuModel& model, const Demand& demand, double clocks) {
  if (demand.blocks <= 0) return 0;
  const double share =
      std::max(busiest_blocks(model, demand) / demand.blocks, demand.heaviest_block_share);
  return clocks * share / model.clock();
}

double issue_bound(const GpuModel& model, const Demand& demand) {
  double all = 0;
  for (const double n : demand.pipes) all += n;
  return seconds_on_busiest(model, demand, all / model.rates.issue);
}

double multiply_add_bound(const GpuModel& model, const Demand& demand) {
  const double plain = at(demand.pipes, Pipe::multiply_add),
               integer = at(demand.pipes, Pipe::integer_multiply);
  const GpuRates& r = model.rates;
  return std::max(lanes_bound(model, demand, plain + integer, r.multiply_add),
                  lanes_bound(model, demand, integer, r.integer_multiply)) /
         model.calibration.multiply_add;
}

double integer_bound(const GpuModel& model, const Demand& demand) {
  return lanes_bound(model, demand, at(demand.pipes, Pipe::integer), model.rates.integer);
}

double half_bound(const GpuModel& model, const Demand& demand) {
  return lanes_bound(model, demand, at(demand.pipes, Pipe::half), model.rates.half);
}

double wide_bound(const GpuModel& model, const Demand& demand) {
  return lanes_bound(model, demand, at(demand.pipes, Pipe::wide), model.rates.wide);
}

double special_bound(const GpuModel& model, const Demand& demand) {
  return lanes_bound(model, demand, at(demand.pipes, Pipe::special), model.rates.special);
}

double tensor_bound(const GpuModel& model, const Demand& demand) {
  const GpuRates& r = model.rates;
  double clocks = 0;
  if (r.tensor_half > 0) clocks += demand.tensor_half / r.tensor_half;
  if (r.tensor_single > 0) clocks += demand.tensor_single / r.tensor_single;
  return seconds_on_busiest(model, demand, clocks) / model.calibration.multiply_add;
}

double load_store_bound(const GpuModel& model, const Demand& demand) {
  return lanes_bound(model, demand, at(demand.pipes, Pipe::load_store), model.rates.load_store);
}

double texture_bound(const GpuModel& model, const Demand& demand) {
  return lanes_bound(model, demand, at(demand.pipes, Pipe::texture), model.rates.texels);
}

double constant_bound(const GpuModel& model, const Demand& demand) {
  return seconds_on_busiest(model, demand, demand.constant_words / model.rates.constant_words);
}

double shared_bound(const GpuModel& model, const Demand& demand) {
  constexpr double kWavefrontBytes = 128;
  return seconds_on_busiest(model, demand,
                            demand.shared_wavefronts * kWavefrontBytes / model.rates.shared_bytes);
}

double l1_bound(const GpuModel& model, const Demand& demand) {
  return seconds_on_busiest(
      model, demand,
      std::max(demand.l1_lines / model.rates.l1_lines, demand.l1_bytes / model.rates.l1_bytes));
}

double l2_bound(const GpuModel& model, const Demand& demand) {
  return std::max(demand.l2_bytes, demand.l2_busy) /
         (model.rates.l2_bytes * model.clock() * model.calibration.l2);
}

double dram_bound(const GpuModel& model, const Demand& demand) {
  const Calibration& c = model.calibration;
  const double bytes = demand.dram_bytes + demand.dram_written * (model.rates.dram_write - 1) +
                       demand.dram_runs * c.dram_run_bytes;
  return bytes / (memory_rate(model.gpu) * c.dram);
}

double atomic_bound(const GpuModel& model, const Demand& demand) {
  return demand.atomic_turns * model.calibration.atomic_clocks * model.rates.atomic / model.clock();
}

double multiprocessor_bound(const GpuModel& model, const Demand& demand) {
  return std::max(
      {issue_bound(model, demand), multiply_add_bound(model, demand), integer_bound(model, demand),
       half_bound(model, demand), wide_bound(model, demand), special_bound(model, demand),
       tensor_bound(model, demand), load_store_bound(model, demand), texture_bound(model, demand),
       constant_bound(model, demand), shared_bound(model, demand), l1_bound(model, demand)});
}

double latency_bound(const GpuModel& model, const Demand& demand) {
  if (demand.blocks <= 0 || demand.warps_per_block <= 0) return 0;
  return clocks_of_warps(model, demand) / model.clock() * model.calibration.latency +
         barrier_waiting(model, demand);
}

double barrier_waiting(const GpuModel& model, const Demand& demand) {
  // Behind a barrier a block's warps do not hide each other's latencies, so the work itself adds to the waiting.
  if (!demand.barriers || demand.blocks <= 0) return 0;
  return multiprocessor_bound(model, demand) * rounds_of(model, demand) /
         busiest_blocks(model, demand) * model.calibration.latency;
}

bool is_uneven(const GpuModel& model, const Demand& demand) {
  if (demand.blocks <= 0 || demand.warps_per_block <= 0) return false;
  return std::max(demand.unevenness, longest_of_launch(model, demand)) >= kExposedUnevenness;
}

std::vector<EstimateBound> bounds_of(const GpuModel& model, const Demand& demand) {
  std::vector<EstimateBound> bounds{
      {"issue", issue_bound(model, demand)},
      {"fp32", multiply_add_bound(model, demand)},
      {"integer", integer_bound(model, demand)},
      {"half", half_bound(model, demand)},
      {"fp64", wide_bound(model, demand)},
      {"special", special_bound(model, demand)},
      {"tensor", tensor_bound(model, demand)},
      {"lsu", load_store_bound(model, demand)},
      {"texture", texture_bound(model, demand)},
      {"constant", constant_bound(model, demand)},
      {"shared", shared_bound(model, demand)},
      {"l1", l1_bound(model, demand)},
      {"l2", l2_bound(model, demand)},
      {"dram", dram_bound(model, demand)},
      {"atomics", atomic_bound(model, demand)},
      {is_uneven(model, demand) ? "longest" : "latency", latency_bound(model, demand)}};
  std::erase_if(bounds, [](const EstimateBound& b) { return !(b.seconds > 0); });
  std::ranges::stable_sort(bounds, std::greater(), &EstimateBound::seconds);
  return bounds;
}

double seconds_of(const GpuModel& model, const std::vector<EstimateBound>& bounds) {
  const Calibration& c = model.calibration;
  if (bounds.empty()) return c.launch;
  const double longest = bounds.front().seconds;
  double sum = 0;
  for (const EstimateBound& b : bounds) sum += std::pow(b.seconds / longest, c.joining);
  return c.launch + longest * std::pow(sum, 1 / c.joining);
}

}  // namespace warpbook::device
