// warp-sum: each warp adds up 32 elements, by shuffles alone.
#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "lab/exercise/exercise_tools.hpp"
#include "lab/exercise/sharing.hpp"

namespace warpbook::exercises {
namespace warp_sum_check {

constexpr std::int64_t kStretch = 32;
/// So many elements at most are traced, with as many accesses again for the sums and for what a kernel does needlessly.
constexpr std::uint32_t kMostTraced = 1u << 17;

lab::Trial trial(std::int64_t n, std::uint32_t block, std::uint64_t seed) {
  // Sums of 32 of them are exact in float, which needs nearly all of its bits for them.
  constexpr float kFarApart = 32;
  std::vector<float> x = lab::wide_halves(static_cast<std::size_t>(n), seed);
  const std::vector<float> low = lab::odd_halves(x.size(), seed + 1000);
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = kFarApart * x[i] + low[i];
  std::vector<double> sums(static_cast<std::size_t>((n + kStretch - 1) / kStretch), 0);
  for (std::size_t i = 0; i < x.size(); ++i) sums[i / kStretch] += x[i];
  lab::Trial made;
  made.name = "n = " + std::to_string(n) + ", block " + std::to_string(block);
  made.grid = {static_cast<std::uint32_t>((n + block - 1) / block), 1, 1};
  made.block = {block, 1, 1};
  made.arrays = {lab::input_array("x", x), lab::output_array<float>("sums", std::move(sums))};
  made.traced = n <= kMostTraced ? 2 * kMostTraced : 0;
  made.arguments = {"x", "sums", device::Argument::of(static_cast<std::int32_t>(n))};
  return made;
}

double warps_of(const device::LaunchRecord& record) {
  const std::uint64_t a_block = (record.block.count() + device::kLanes - 1) / device::kLanes;
  return static_cast<double>(record.grid.count() * a_block);
}

/// Shuffles for each sum; or, where warps without a stretch shuffle as well, for each warp.
double shuffles_a_sum(const device::LaunchRecord& record) {
  constexpr double kSteps = 5;
  const auto shuffles = static_cast<double>(record.total.shuffles),
             sums = static_cast<double>(record.written.front().writes.size());
  return shuffles < kSteps * sums ? shuffles / sums : std::max(kSteps, shuffles / warps_of(record));
}

/// Bytes of the elements that a lane reads for others.
double read_for_others(const device::LaunchRecord& record) {
  const auto x = std::ranges::find(record.allocations, "x", &device::AllocationInfo::name);
  if (record.trace.empty() || record.trace_cut || x == record.allocations.end()) return 0;
  return std::max(0.0, static_cast<double>(x->bytes) -
                           sizeof(float) * std::round(lab::readers_of(record, "x")));
}

/// Bytes of shared and local memory, atomic operations, and bytes of global memory beyond one element for each thread, which reads its
/// own, and one sum for each warp.
double used_besides(const device::LaunchRecord& record) {
  const device::Counters counters = lab::counters_without_prints(record);
  const double asked = static_cast<double>(counters.global_bytes_asked),
               needed = sizeof(float) *
                        (static_cast<double>(record.grid.count() * record.block.count()) +
                         warps_of(record));
  return static_cast<double>(counters.shared_bytes + counters.local_bytes + counters.atomics) +
         std::max(0.0, asked - needed) + read_for_others(record);
}

/// The line with the most of it. Each thread's first load and each warp's last store are no surplus.
std::uint32_t line_of_surplus(const device::LaunchRecord& record) {
  std::uint64_t own_loads = sizeof(float) * record.grid.count() * record.block.count();
  auto own_stores = static_cast<std::uint64_t>(sizeof(float) * warps_of(record));
  const auto without = [](std::uint64_t bytes, std::uint64_t& own) {
    const std::uint64_t excused = std::min(bytes, own);
    own -= excused;
    return bytes - excused;
  };
  std::uint64_t most = 0;
  std::uint32_t heaviest = 0;
  for (const device::LineCounters& line : record.lines) {
    const device::Counters& c = line.counters;
    const bool stores = c.global_store_sectors != 0 && c.global_load_sectors == 0;
    const std::uint64_t surplus = c.shared_bytes + c.local_bytes + c.atomics +
                                  without(c.global_bytes_asked, stores ? own_stores : own_loads);
    if (surplus <= most) continue;
    most = surplus;
    heaviest = line.line;
  }
  return heaviest;
}

void check(lab::Checker& checker) {
  lab::Trials trials(checker);
  std::uint64_t seed = 1;
  for (const std::int64_t n : lab::telling_sizes()) {
    trials.run(trial(n, 32, seed++));
    trials.run(trial(n, 96, seed++));
  }
  trials.run(lab::with_gates(trial(264 * 256, 256, seed++)));
  for (const auto& [count, block] : lab::drawn_sizes(checker))
    trials.run(lab::hidden_with_gates(trial(count, block, checker.draw())));
  const auto [many, large_block] = lab::drawn_large_size(checker);
  trials.run_unless_decided(lab::hidden_with_gates(trial(many, large_block, checker.draw())));

  trials.add_right_at_any_size("right");
  trials.add_safe("safe");
  trials.add_written_once("written-once", "sums");
  trials.add_counter("shuffles", {"warp-sum.shuffles"},
                     {shuffles_a_sum, [](const device::Counters& c) { return c.shuffles; }},
                     lab::Judged::every_trial);
  trials.add_counter("by-registers", {"warp-sum.by-registers"},
                     {used_besides, {}, line_of_surplus});
  trials.advise_above({"warp-sum.by-registers-advice"});
  trials.add_shared_out("shared-out");
  trials.add_work("work");
}

}  // namespace warp_sum_check

lab::Exercise warp_sum() { return {"warp-sum", warp_sum_check::check}; }

}  // namespace warpbook::exercises
