#include "device/simulator/estimate/intervals.hpp"

#include <algorithm>
#include <utility>

namespace warpbook::device {
namespace {

/// Adds `times` times what is in `added`.
void add(std::vector<std::uint64_t>& sums, const std::vector<std::uint64_t>& added,
         std::uint64_t times) {
  sums.resize(std::max(sums.size(), added.size()));
  for (std::size_t i = 0; i < added.size(); ++i) sums[i] += times * added[i];
}

}  // namespace

IntervalExecutions& IntervalExecutions::operator+=(const IntervalExecutions& other) {
  add(done, other.done, 1);
  add(awaited, other.awaited, 1);
  return *this;
}

void IntervalSampler::begin_turn(const std::vector<BlockTally>& tallies) {
  seen_.resize(tallies.size());
  std::ranges::transform(tallies, seen_.begin(), &BlockTally::executions);
}

void IntervalSampler::executed(std::uint64_t block, std::uint32_t warp,
                               const std::vector<BlockTally>& tallies) {
  Executions& done = open_[block][warp];
  done.resize(tallies.size());
  for (std::size_t b = 0; b < tallies.size(); ++b)
    done[b] += tallies[b].executions - std::exchange(seen_[b], tallies[b].executions);
}

void IntervalSampler::end_interval(std::uint64_t block, std::uint32_t barrier) {
  const auto open = open_.extract(block);
  if (open.empty()) return;
  const auto& warps = open.mapped();
  const auto longest = std::ranges::max_element(
      warps, {}, [&](const auto& warp) { return instructions_of(warp.second); });
  IntervalExecutions& of_place = intervals_[barrier];
  for (const auto& [number, done] : warps) add(of_place.done, done, 1);
  add(of_place.awaited, longest->second, warps.size());
}

std::uint64_t IntervalSampler::instructions_of(const Executions& executions) const {
  std::uint64_t all = 0;
  for (std::size_t b = 0; b < executions.size(); ++b)
    all += executions[b] * code_.blocks[b].instructions;
  return all;
}

}  // namespace warpbook::device
