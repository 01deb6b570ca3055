// halo-tile: a 5 x 5 filter whose block fetches its pixels and the rim round them once, into shared memory.
#include <array>
#include <string>
#include <vector>

#include "lab/exercise/exercise_tools.hpp"

namespace warpbook::exercises {
namespace halo_tile_check {

constexpr std::int64_t kTaps = 5, kReach = kTaps / 2;
constexpr device::Dim3 kBlock{32, 8, 1};

struct Size {
  std::int64_t width, height;
};

/// One case. Small halves: every order of adding up gives the same float.
lab::Trial trial(const Size& size, std::uint64_t seed) {
  const auto& [width, height] = size;
  const auto count = static_cast<std::size_t>(width * height);
  std::vector<float> image = lab::odd_halves(count, seed);
  // Some squares are black and larger than a window, so that some sums are 0.
  constexpr std::int64_t kSquare = kTaps + 2, kApart = 5;
  for (std::int64_t at = 0; at < width * height; ++at) {
    if ((at / width / kSquare + at % width / kSquare) % kApart == 4)
      image[static_cast<std::size_t>(at)] = 0;
  }
  const std::vector<float> taps = lab::odd_halves(kTaps * kTaps, seed + 1000);
  std::vector<double> truth(count);
  for (std::int64_t at = 0; at < width * height; ++at) {
    for (std::int64_t tap = 0; tap < kTaps * kTaps; ++tap) {
      const std::int64_t row = at / width + tap / kTaps - kReach,
                         column = at % width + tap % kTaps - kReach;
      if (row < 0 || row >= height || column < 0 || column >= width) continue;
      truth[static_cast<std::size_t>(at)] +=
          static_cast<double>(taps[static_cast<std::size_t>(tap)]) *
          static_cast<double>(image[static_cast<std::size_t>(row * width + column)]);
    }
  }
  lab::Trial made;
  made.name = std::to_string(width) + " x " + std::to_string(height);
  made.grid = {static_cast<std::uint32_t>((width + kBlock.x - 1) / kBlock.x),
               static_cast<std::uint32_t>((height + kBlock.y - 1) / kBlock.y), 1};
  made.block = kBlock;
  made.arrays = {lab::input_array("image", image),
                 lab::output_array<float>("out", std::move(truth))};
  made.arguments = {"image", "out", device::Argument::of(static_cast<std::int32_t>(width)),
                    device::Argument::of(static_cast<std::int32_t>(height))};
  made.symbols = {lab::input_array("taps", taps)};
  return made;
}

void check(lab::Checker& checker) {
  // Nothing, less than a rim, a tile and one more each way, primes, many tiles with the last ones not full.
  constexpr std::array kSizes{Size{0, 0},  Size{1, 1},   Size{2, 3},   Size{31, 7}, Size{32, 8},
                              Size{33, 9}, Size{1, 129}, Size{127, 1}, Size{61, 23}};
  lab::Trials trials(checker);
  std::uint64_t seed = 1;
  for (const Size& size : kSizes) trials.run(trial(size, seed++));
  // More pixels and columns than 16 bits count.
  trials.run(trial({66'000, 2}, seed++));
  trials.run(lab::with_gates(trial({250, 141}, seed)));
  trials.run(lab::hidden_with_gates(
      trial({checker.drawn(70, 120), checker.drawn(40, 90)}, checker.draw())));
  trials.run(lab::hidden_with_gates(
      trial({checker.drawn(150, 260), checker.drawn(20, 40)}, checker.draw())));

  trials.add_right("right");
  trials.add_safe("safe");
  trials.add_written_once("written-once", "out");
  trials.add_ratio("loads", {"halo-tile.loads"},
                   {[](const device::LaunchRecord& record) {
                      return static_cast<double>(lab::global_bytes_loaded(record));
                    },
                    [](const device::Counters& c) { return c.global_load_sectors; }});
  trials.add_sectors("sectors");
  trials.add_ratio("shared", {"halo-tile.shared"}, lab::shared_bytes_without_shuffles());
  trials.add_barriers("barriers", {"halo-tile.barriers"});
  trials.add_shared_out("shared-out");
  trials.add_work("work");
}

}  // namespace halo_tile_check

lab::Exercise halo_tile() { return {"halo-tile", halo_tile_check::check}; }

}  // namespace warpbook::exercises
