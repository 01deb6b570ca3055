#include <algorithm>
#include <cmath>

#include "device/simulator/estimate/estimate.hpp"

namespace warpbook::device {
namespace {

/// Warp instructions through a pipe that takes `lanes` a clock.
double lanes_bound(const GpuModel& model, const Demand& demand, double instructions, double lanes) {
  return lanes <= 0 ? 0 : spread(model, demand, instructions * kLanes / lanes);
}

}  // namespace

double busiest_blocks(const GpuModel& model, const Demand& demand) {
  return std::ceil(demand.blocks / std::max(1u, model.gpu.multiprocessors));
}

double spread(const GpuModel& model, const Demand& demand, double clocks) {
  if (demand.blocks <= 0) return 0;
  return clocks / demand.blocks * busiest_blocks(model, demand) / model.clock();
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
  const double busiest = busiest_blocks(model, demand);
  const double rounds = std::ceil(busiest / std::max(1.0, demand.resident));
  const double clocks = demand.lonely_clocks / (demand.blocks * demand.warps_a_block);
  double alone = rounds * clocks / model.clock();
  if (demand.barriers) alone += multiprocessor_bound(model, demand) * rounds / busiest;
  return alone * model.calibration.latency;
}

std::vector<EstimateBound> bounds_of(const GpuModel& model, const Demand& demand) {
  std::vector<EstimateBound> bounds{
      {"issue", issue_bound(model, demand)},     {"fp32", multiply_add_bound(model, demand)},
      {"integer", integer_bound(model, demand)}, {"half", half_bound(model, demand)},
      {"fp64", wide_bound(model, demand)},       {"special", special_bound(model, demand)},
      {"tensor", tensor_bound(model, demand)},   {"lsu", load_store_bound(model, demand)},
      {"texture", texture_bound(model, demand)}, {"shared", shared_bound(model, demand)},
      {"l1", l1_bound(model, demand)},           {"l2", l2_bound(model, demand)},
      {"dram", dram_bound(model, demand)},       {"atomics", atomic_bound(model, demand)},
      {"latency", latency_bound(model, demand)}};
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
