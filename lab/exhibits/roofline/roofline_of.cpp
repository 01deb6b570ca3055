#include "lab/exhibits/roofline/roofline_of.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <string_view>

#include "device/gpu_table.hpp"

namespace warpbook::lab {
namespace {

using Records = std::vector<std::shared_ptr<const device::LaunchRecord>>;

/// Operations a second of a pipe by its name in the exhibit.
double peak_of(const device::Properties& gpu, std::string_view part) {
  const device::GpuRates rates = device::rates_of(gpu);
  double lanes = rates.multiply_add;
  if (part == "fp64") lanes = rates.wide;
  if (part == "half") lanes = 2 * rates.half;
  if (part == "tensor-half") lanes = rates.tensor_half;
  if (part == "tensor-single") lanes = rates.tensor_single;
  return 2 * lanes * gpu.multiprocessors * gpu.clock_khz * 1e3;  // a multiply-add is two
}

bool runs_tf32(const Records& records) {
  return std::ranges::any_of(records, [](const auto& record) {
    return std::ranges::any_of(record->instructions, [](const device::InstructionCounters& i) {
      return i.counters.tensor_operations != 0 && i.text.find(".tf32") != std::string::npos;
    });
  });
}

/// The pipe that the operations go through: tensor cores where they are used, else the busiest of those that compute.
std::string pipe_of(const Records& records) {
  std::map<std::string, double, std::less<>> busy;
  for (const auto& record : records) {
    if (record->total.tensor_operations != 0)
      return runs_tf32(records) ? "tensor-single" : "tensor-half";
    for (const device::EstimateBound& bound : record->estimate->bounds)
      busy[bound.name] += bound.seconds;
  }
  constexpr std::array kPipes{"fp32", "fp64", "half"};
  return *std::ranges::max_element(kPipes, {}, [&](const char* name) { return busy[name]; });
}

RooflineExhibit::Point point_of(const RooflineRun& run) {
  RooflineExhibit::Point point;
  point.name = run.name;
  double longest = -1;
  for (const auto& record : run.records) {
    const device::Estimate& one = *record->estimate;
    point.operations += one.operations;
    point.dram_bytes += one.dram_bytes;
    point.l2_bytes += one.l2_bytes;
    point.seconds += one.seconds;
    point.low += one.low;
    point.high += one.high;
    if (one.seconds > longest) point.limiter = one.limiter;
    longest = std::max(longest, one.seconds);
  }
  return point;
}

}  // namespace

std::optional<RooflineExhibit> roofline_of(const device::Properties& gpu,
                                           std::span<const RooflineRun> runs, std::size_t chosen,
                                           std::string_view memory) {
  RooflineExhibit roofline;
  roofline.gpu = gpu.name;
  roofline.memories = {{"dram", device::memory_rate(gpu)},
                       {"l2", device::rates_of(gpu).l2_bytes * gpu.clock_khz * 1e3}};
  roofline.memory = memory == "l2" ? 1 : 0;
  for (std::size_t i = 0; i < runs.size(); ++i) {
    const Records& records = runs[i].records;
    if (records.empty() ||
        !std::ranges::all_of(records, [](const auto& r) { return r->estimate.has_value(); }))
      continue;
    const std::string pipe = pipe_of(records);
    auto ceiling = std::ranges::find(roofline.ceilings, pipe, &RooflineExhibit::Roof::part);
    if (ceiling == roofline.ceilings.end())
      ceiling = roofline.ceilings.insert(ceiling, {pipe, peak_of(gpu, pipe)});
    if (i == chosen) roofline.chosen = static_cast<std::uint32_t>(roofline.points.size());
    roofline.points.push_back(point_of(runs[i]));
    roofline.points.back().ceiling =
        static_cast<std::uint32_t>(ceiling - roofline.ceilings.begin());
  }
  if (roofline.points.empty()) return std::nullopt;
  return roofline;
}

}  // namespace warpbook::lab
