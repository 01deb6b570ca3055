#include <algorithm>
#include <cmath>

#include "device/simulator/estimate/estimate.hpp"

namespace warpbook::device {
namespace {

/// Warp instructions through a pipe that takes `lanes` a clock.
double lanes_bound(const GpuModel& model, const Demand& demand, double instructions, double lanes) {
  return lanes <= 0 ? 0 : spread(model, demand, instructions * kLanes / lanes);
}

// Sums whose last steps few warps take are uneven by up to 1.7, and last as if they were not: other blocks work meanwhile
// (published.toml). From four times on, nothing is left to hide the longest warps.
constexpr double kEven = 2, kUneven = 4;

double rounds_of(const GpuModel& model, const Demand& demand) {
  return std::ceil(busiest_blocks(model, demand) / std::max(1.0, demand.resident));
}

double mean_clocks(const Demand& demand) {
  return demand.lonely_clocks / (demand.blocks * demand.warps_a_block);
}

/// How many times as long as with even warps the launch lasts until its longest ones have ended.
double unevenness_of(const GpuModel& model, const Demand& demand) {
  const double even = rounds_of(model, demand) * mean_clocks(demand);
  return even <= 0 ? 1 : std::max({1.0, demand.unevenness, demand.longest_clocks / even});
}

/// Of that, what no other work hides.
double felt(double unevenness) {
  if (unevenness <= kEven) return 1;
  if (unevenness >= kUneven) return unevenness;
  return 1 + (unevenness - kEven) * (kUneven - 1) / (kUneven - kEven);
}

}  // namespace

double busiest_blocks(const GpuModel& model, const Demand& demand) {
  return std::ceil(demand.blocks / std::max(1u, model.gpu.multiprocessors));
}

double spread(const GpuModel& model, const Demand& demand, double clocks) {
  if (demand.blocks <= 0) return 0;
  const double share = std::max(busiest_blocks(model, demand) / demand.blocks, demand.heaviest);
  return clocks * share / model.clock();
}

double issue_bound(const GpuModel& model, const Demand& demand) {
  double all = 0;
  for (const double n : demand.pipes) all += n;
  return spread(model, demand, all / model.rates.issue);
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
  return spread(model, demand, clocks) / model.calibration.multiply_add;
}

double load_store_bound(const GpuModel& model, const Demand& demand) {
  return lanes_bound(model, demand, at(demand.pipes, Pipe::load_store), model.rates.load_store);
}

double texture_bound(const GpuModel& model, const Demand& demand) {
  return lanes_bound(model, demand, at(demand.pipes, Pipe::texture), model.rates.texels);
}

double shared_bound(const GpuModel& model, const Demand& demand) {
  constexpr double kWavefrontBytes = 128;
  return spread(model, demand,
                demand.shared_wavefronts * kWavefrontBytes / model.rates.shared_bytes);
}

double l1_bound(const GpuModel& model, const Demand& demand) {
  return spread(
      model, demand,
      std::max(demand.l1_lines / model.rates.l1_lines, demand.l1_bytes / model.rates.l1_bytes));
}

double l2_bound(const GpuModel& model, const Demand& demand) {
  return std::max(demand.l2_bytes, demand.l2_busy) /
         (model.rates.l2_bytes * model.clock() * model.calibration.l2);
}

double dram_bound(const GpuModel& model, const Demand& demand) {
  const Calibration& c = model.calibration;
  const double busy = demand.dram_bytes + demand.dram_written * (model.rates.dram_write - 1) +
                      demand.dram_pieces * c.dram_piece;
  return busy / (memory_rate(model.gpu) * c.dram);
}

double atomic_bound(const GpuModel& model, const Demand& demand) {
  return demand.hottest_atomics * model.calibration.atomic_clocks / model.clock();
}

double multiprocessor_bound(const GpuModel& model, const Demand& demand) {
  return std::max(
      {issue_bound(model, demand), multiply_add_bound(model, demand), integer_bound(model, demand),
       half_bound(model, demand), wide_bound(model, demand), special_bound(model, demand),
       tensor_bound(model, demand), load_store_bound(model, demand), texture_bound(model, demand),
       shared_bound(model, demand), l1_bound(model, demand)});
}

double latency_bound(const GpuModel& model, const Demand& demand) {
  if (demand.blocks <= 0 || demand.warps_a_block <= 0) return 0;
  const double rounds = rounds_of(model, demand);
  double alone = rounds * mean_clocks(demand) * felt(unevenness_of(model, demand)) / model.clock();
  if (demand.barriers)
    alone += multiprocessor_bound(model, demand) * rounds / busiest_blocks(model, demand);
  return alone * model.calibration.latency;
}

bool is_uneven(const GpuModel& model, const Demand& demand) {
  if (demand.blocks <= 0 || demand.warps_a_block <= 0) return false;
  return unevenness_of(model, demand) >= kUneven;
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
