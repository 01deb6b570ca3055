// smooth-tile: each block smooths a recording of its own, whose samples it reads once, into shared memory.
#include <algorithm>
#include <array>
#include <limits>
#include <string>
#include <vector>

#include "lab/exercise/exercise_tools.hpp"

namespace warpbook::exercises {
namespace smooth_tile_check {

struct Size {
  std::uint32_t recordings, length, block;
};

lab::Trial trial(const Size& size, std::uint64_t seed) {
  const auto& [recordings, length, block] = size;
  const std::vector<float> x =
      lab::with_runs_of_zeros(lab::wide_halves(std::size_t{recordings} * length, seed), 4);
  std::vector<double> truth;
  for (std::size_t i = 0; i < x.size(); ++i) {
    const std::size_t first = i / length * length, last = first + length - 1;
    const float left = x[i == first ? i : i - 1], right = x[std::min(i + 1, last)];
    truth.push_back((double{left} + 2 * double{x[i]} + double{right}) / 4);
  }
  lab::Trial made;
  made.name = std::to_string(recordings) + " of " + std::to_string(length) + ", block " +
              std::to_string(block);
  made.grid = {recordings, 1, 1};
  made.block = {block, 1, 1};
  // The sums are exact in float, but a division by __fdividef() may be off by two units in the last place.
  constexpr double kTolerance = 4 * std::numeric_limits<float>::epsilon();
  made.arrays = {lab::input_array("x", x),
                 lab::output_array<float>("out", std::move(truth), kTolerance)};
  made.arguments = {"x", "out", device::Argument::of(static_cast<std::int32_t>(length))};
  return made;
}

void check(lab::Checker& checker) {
  constexpr std::array kSizes{Size{0, 5, 32},    Size{1, 1, 32},    Size{2, 2, 32},
                              Size{3, 31, 32},   Size{2, 32, 32},   Size{5, 33, 64},
                              Size{1, 127, 128}, Size{2, 129, 160}, Size{3, 64, 256},
                              Size{4, 255, 256}, Size{3, 256, 256}};
  lab::Trials trials(checker);
  std::uint64_t seed = 1;
  for (const Size& size : kSizes) {
    // Where every thread has a sample, nothing weighs but the work.
    const bool full = size.length == size.block;
    trials.run(full ? lab::with_gates(trial(size, seed++)) : trial(size, seed++));
  }
  // A few threads of each block without a sample.
  trials.run(lab::with_gates(trial({264, 250, 256}, seed)));
  for (const std::uint32_t block : {96u, 160u, 256u}) {
    const Size size{static_cast<std::uint32_t>(checker.drawn(3, 20)),
                    static_cast<std::uint32_t>(checker.drawn(block - 20, block)), block};
    trials.run(lab::hidden_with_gates(trial(size, checker.draw())));
  }

  trials.add_right("right");
  trials.add_safe("safe");
  trials.add_written_once("written-once", "out");
  trials.add_ratio("shared", {"smooth-tile.shared"},
                   lab::sum_of([](const device::Counters& c) { return c.shared_bytes; }));
  trials.add_loads_a_word("read-once", "x");
  trials.add_barriers("barriers", {"smooth-tile.barriers"});
  trials.add_shared_out("shared-out");
  trials.add_work("work");
}

}  // namespace smooth_tile_check

lab::Exercise smooth_tile() { return {"smooth-tile", smooth_tile_check::check}; }

}  // namespace warpbook::exercises
