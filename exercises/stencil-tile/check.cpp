// stencil-tile: four steps of heat in a ring. A block loads its points and a halo once, and takes all steps in its tile.
#include <array>
#include <string>
#include <vector>

#include "lab/exercise/exercise_tools.hpp"

namespace warpbook::exercises {
namespace stencil_tile_check {

constexpr std::uint32_t kBlock = 128, kOutputs = 120;
constexpr int kSteps = 4;

/// Halves up to 4095.5: four steps divide them by 256 at most, which float holds exactly.
lab::Trial trial(std::int64_t n, std::uint64_t seed) {
  const auto count = static_cast<std::size_t>(n);
  const std::vector<float> x = lab::wide_halves(count, seed);
  std::vector<double> truth(x.begin(), x.end());
  for (int step = 0; step < kSteps; ++step) {
    const std::vector<double> before = truth;
    for (std::size_t i = 0; i < count; ++i)
      truth[i] = (before[(i + count - 1) % count] + 2 * before[i] + before[(i + 1) % count]) / 4;
  }
  lab::Trial made;
  made.name = "n = " + std::to_string(n);
  made.grid = {static_cast<std::uint32_t>((n + kOutputs - 1) / kOutputs), 1, 1};
  made.block = {kBlock, 1, 1};
  made.arrays = {lab::input_array("x", x), lab::output_array<float>("out", std::move(truth))};
  made.arguments = {"x", "out", device::Argument::of(static_cast<std::int32_t>(n))};
  return made;
}

void check(lab::Checker& checker) {
  // Nothing, rings shorter than the halo, a block's outputs and one more or less, primes.
  constexpr std::array<std::int64_t, 12> kSizes{0, 1, 2, 3, 5, 9, 31, 119, 120, 121, 241, 1009};
  lab::Trials trials(checker);
  std::uint64_t seed = 1;
  for (const std::int64_t n : kSizes) trials.run(trial(n, seed++));
  // More points than 16 bits count.
  trials.run(trial(70'001, seed++));
  trials.run(lab::with_gates(trial(std::int64_t{kOutputs} * 80, seed)));
  trials.run(lab::hidden_with_gates(
      trial(lab::drawn_elements(checker, kOutputs, 70, 100), checker.draw())));
  trials.run(lab::hidden_with_gates(
      trial(lab::drawn_elements(checker, kOutputs, 20, 40), checker.draw())));

  trials.add_right_at_any_size("right");
  trials.add_safe("safe");
  trials.add_written_once("written-once", "out");
  trials.add_ratio("loads", {"stencil-tile.loads"},
                   {[](const device::LaunchRecord& record) {
                      return static_cast<double>(lab::global_bytes_loaded(record));
                    },
                    [](const device::Counters& c) { return c.global_load_sectors; }});
  trials.add_sectors("sectors");
  trials.add_ratio("shared", {"stencil-tile.shared"}, lab::shared_bytes_without_shuffles());
  trials.add_counter("barriers", {"stencil-tile.barriers"},
                     {[](const device::LaunchRecord& record) {
                        const std::uint64_t warps = record.grid.count() * (kBlock / device::kLanes);
                        return static_cast<double>(record.total.barriers) /
                               static_cast<double>(warps);
                      },
                      [](const device::Counters& c) { return c.barriers; }});
  trials.add_shared_out("shared-out");
  trials.add_work("work");
}

}  // namespace stencil_tile_check

lab::Exercise stencil_tile() { return {"stencil-tile", stencil_tile_check::check}; }

}  // namespace warpbook::exercises
