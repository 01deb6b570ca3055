// grid-stride: x[i] = a * x[i] in place, by a grid that does not know n.
#include <string>
#include <vector>

#include "lab/exercise/exercise_tools.hpp"

namespace warpbook::exercises {
namespace grid_stride_check {

/// One case. Small halves times 2.5 are exact, and no element stays as it was.
lab::Trial trial(std::int64_t n, std::uint32_t grid, std::uint32_t block, std::uint64_t seed) {
  constexpr float kFactor = 2.5f;
  const std::vector<float> x = lab::odd_halves(static_cast<std::size_t>(n), seed);
  std::vector<double> truth;
  for (const float value : x) truth.push_back(static_cast<double>(kFactor) * value);
  lab::Trial made;
  made.name = "n = " + std::to_string(n) + ", grid " + std::to_string(grid) + ", block " +
              std::to_string(block);
  made.grid = {grid, 1, 1};
  made.block = {block, 1, 1};
  made.arrays = {lab::updated_array("x", x, std::move(truth))};
  made.arguments = {device::Argument::of(static_cast<std::int32_t>(n)),
                    device::Argument::of(kFactor), "x"};
  return made;
}

void check(lab::Checker& checker) {
  lab::Trials trials(checker);
  std::uint64_t seed = 1;
  // A step of one block's threads is exact in a grid of 1: others follow at every size.
  for (const std::int64_t n : lab::telling_sizes()) {
    trials.run(trial(n, 1, 64, seed));
    trials.run(trial(n, 3, 32, seed + 1));
    trials.run(trial(n, 7, 96, seed + 2));
    seed += 3;
  }
  // Five elements a thread, and a sixth for some.
  trials.run(lab::with_gates(trial(5 * 64 * 64 + 37, 64, 64, seed)));
  for (const std::uint32_t block : {32u, 64u, 96u}) {
    const std::int64_t grid = checker.drawn(2, 40), threads = grid * block;
    trials.run(
        lab::hidden_with_gates(trial(checker.drawn(3 * threads, 7 * threads),
                                     static_cast<std::uint32_t>(grid), block, checker.draw())));
  }

  trials.add_right("right");
  trials.add_safe("safe");
  trials.add_written_once("written-once", "x");
  trials.add_own_stride("own-stride", "x");
  trials.add_shared_out("shared-out");
  trials.add_work("work");
}

}  // namespace grid_stride_check

lab::Exercise grid_stride() { return {"grid-stride", grid_stride_check::check}; }

}  // namespace warpbook::exercises
