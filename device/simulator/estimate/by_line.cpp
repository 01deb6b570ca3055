// How the time of a launch is shared out among its lines. The bounds t1, t2, ... are joined by a p-norm T (bounds.cpp), which grows in
// proportion when all of them do. For such a function Euler's theorem says T = t1 dT/dt1 + t2 dT/dt2 + ..., so the part of bound b is
//
//   T tb^p / (t1^p + t2^p + ...)
//
// These parts add up to T, and the longest bound has by far the largest. A bound is a part of the GPU at work, so its part is then
// shared out as the work is: that of L1 by the cache lines that each line of code looks up, that of latency by the clocks that a warp
// waits there, for a value or, at a barrier, for the longest warp of its block. A profiler's samples say something else: they blame the line that needs a value for the whole waiting, also where the
// memory is busy because of other lines.
#include "device/simulator/estimate/by_line.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>
#include <string_view>

namespace warpbook::device {
namespace {

/// A bound with a smaller part of the time than this is left out, and the others share its part.
constexpr double kLeastShare = 1e-3;
/// Of the time: what warps wait at barriers for the longest of their block. A line shows it as a part of "barrier".
constexpr const char* kForLongest = "longest at barrier";

using WorkOfLine = std::function<double(const LineDemand&)>;

WorkOfLine of_pipe(Pipe pipe) {
  return [pipe](const LineDemand& line) { return at(line.pipes, pipe); };
}

WorkOfLine of_memory(double MemoryDemand::*part) {
  return [part](const LineDemand& line) { return line.memory.*part; };
}

/// L1 is held up by the lines that it looks up or by the bytes that it gives.
WorkOfLine work_of_l1(const GpuModel& model, const Demand& whole) {
  const bool lines = whole.l1_lines / model.rates.l1_lines > whole.l1_bytes / model.rates.l1_bytes;
  return of_memory(lines ? &MemoryDemand::l1_lines : &MemoryDemand::l1_bytes);
}

/// What is written counts where it reaches DRAM.
WorkOfLine work_of_dram(const GpuModel& model, const Demand& whole) {
  const double write = whole.dram_written > 0 ? model.rates.dram_write : 0;
  return [write](const LineDemand& line) {
    return line.memory.dram_read + write * line.memory.written;
  };
}

/// What a line has of the work that a bound is of.
WorkOfLine work_of(std::string_view bound, const GpuModel& model, const Demand& whole) {
  if (bound == "fp32") {
    return [](const LineDemand& line) {
      return at(line.pipes, Pipe::multiply_add) + at(line.pipes, Pipe::integer_multiply);
    };
  }
  if (bound == "integer") return of_pipe(Pipe::integer);
  if (bound == "half") return of_pipe(Pipe::half);
  if (bound == "fp64") return of_pipe(Pipe::wide);
  if (bound == "special") return of_pipe(Pipe::special);
  if (bound == "lsu") return of_pipe(Pipe::load_store);
  if (bound == "texture") return of_pipe(Pipe::texture);
  if (bound == "tensor")
    return [](const LineDemand& line) { return line.tensor.half + line.tensor.single; };
  if (bound == "constant") return of_memory(&MemoryDemand::constant_words);
  if (bound == "shared") return of_memory(&MemoryDemand::shared_wavefronts);
  if (bound == "l1") return work_of_l1(model, whole);
  if (bound == "l2") return of_memory(&MemoryDemand::l2_busy);
  if (bound == "dram") return work_of_dram(model, whole);
  if (bound == "atomics") return of_memory(&MemoryDemand::atomics);
  if (bound == "barrier") return [](const LineDemand& line) { return line.barriers; };
  if (bound == kForLongest) return [](const LineDemand& line) { return line.waiting_warp_clocks; };
  if (bound == "issue") {
    return [](const LineDemand& line) {
      return std::accumulate(line.pipes.begin(), line.pipes.end(), 0.0);
    };
  }
  return [](const LineDemand& line) { return line.serial_warp_clocks; };  // latency, longest
}

/// Warp clocks of all lines: for values, and at barriers for the longest warp.
struct WarpClocks {
  double serial = 0, waiting = 0;
};

WarpClocks clocks_of(const std::map<std::uint32_t, LineDemand>& lines) {
  WarpClocks clocks;
  for (const auto& [number, line] : lines) {
    if (number == 0) continue;
    clocks.serial += line.serial_warp_clocks;
    clocks.waiting += line.waiting_warp_clocks;
  }
  return clocks;
}

/// The bounds' parts of the launch's time. That of latency is told apart into what warps wait for values, what they wait at barriers
/// for the longest warp of their block (kForLongest), and what barriers keep others from hiding ("barrier").
std::vector<EstimateBound> parts_of(const GpuModel& model, const Demand& whole,
                                    const std::vector<EstimateBound>& bounds,
                                    const WarpClocks& clocks) {
  const double p = model.calibration.joining, longest = bounds.front().seconds;
  const double time = seconds_of(model, bounds) - model.calibration.launch;
  std::vector<EstimateBound> parts;
  double kept = 0, all = 0;
  for (const EstimateBound& bound : bounds) all += std::pow(bound.seconds / longest, p);
  for (const EstimateBound& bound : bounds) {
    const double part = std::pow(bound.seconds / longest, p);
    if (part < kLeastShare * all) continue;
    parts.push_back({bound.name, part});
    kept += part;
  }
  for (EstimateBound& part : parts) part.seconds *= time / kept;
  const auto latency = std::ranges::find_if(parts, [](const EstimateBound& part) {
    return part.name == "latency" || part.name == "longest";
  });
  if (latency == parts.end()) return parts;
  const double exposed_work =
      latency->seconds * barrier_waiting(model, whole) / latency_bound(model, whole);
  latency->seconds -= exposed_work;
  const double for_longest =
      clocks.waiting > 0 ? latency->seconds * clocks.waiting / (clocks.serial + clocks.waiting) : 0;
  latency->seconds -= for_longest;
  if (exposed_work > 0) parts.push_back({"barrier", exposed_work});
  if (for_longest > 0) parts.push_back({kForLongest, for_longest});
  return parts;
}

/// Adds to what a part of this name has already.
void add_to(std::vector<EstimateBound>& parts, const std::string& name, double seconds) {
  const auto found = std::ranges::find(parts, name, &EstimateBound::name);
  if (found != parts.end())
    found->seconds += seconds;
  else
    parts.push_back({name, seconds});
}

}  // namespace

TimesByLine times_by_line(const GpuModel& model, const Demand& whole,
                          const std::vector<EstimateBound>& bounds,
                          const std::map<std::uint32_t, LineDemand>& lines) {
  TimesByLine times;
  if (bounds.empty()) return times;
  for (const EstimateBound& part : parts_of(model, whole, bounds, clocks_of(lines))) {
    const WorkOfLine work = work_of(part.name, model, whole);
    double all = 0;
    for (const auto& [number, line] : lines) all += number != 0 ? work(line) : 0;
    if (all <= 0) continue;
    for (const auto& [number, line] : lines) {
      const double seconds = part.seconds * work(line) / all;
      if (number != 0 && seconds > 0)
        add_to(times[number], part.name == kForLongest ? "barrier" : part.name, seconds);
    }
  }
  for (auto& [number, parts] : times)
    std::ranges::stable_sort(parts, std::greater(), &EstimateBound::seconds);
  return times;
}

}  // namespace warpbook::device
