// transpose-tile: a photo turned by a quarter. Both sides of global memory see whole rows, and the tile has no bank conflicts.
#include <array>
#include <string>
#include <vector>

#include "lab/exercise/exercise_tools.hpp"

namespace warpbook::exercises {
namespace transpose_tile_check {

constexpr std::int64_t kSide = 32;
constexpr device::Dim3 kBlock{32, 8, 1};

struct Size {
  std::int64_t rows, columns;
};

lab::Trial trial(const Size& size, std::uint64_t seed) {
  const auto& [rows, columns] = size;
  const auto count = static_cast<std::size_t>(rows * columns);
  const std::vector<float> x = lab::wide_halves(count, seed);
  std::vector<double> truth(count);
  for (std::int64_t at = 0; at < rows * columns; ++at) {
    const std::int64_t row = at / columns, column = at % columns;
    truth[static_cast<std::size_t>(column * rows + rows - 1 - row)] =
        static_cast<double>(x[static_cast<std::size_t>(at)]);
  }
  lab::Trial made;
  made.name = std::to_string(rows) + " rows of " + std::to_string(columns);
  made.grid = {static_cast<std::uint32_t>((columns + kSide - 1) / kSide),
               static_cast<std::uint32_t>((rows + kSide - 1) / kSide), 1};
  made.block = kBlock;
  made.arrays = {lab::input_array("x", x), lab::output_array<float>("out", std::move(truth))};
  made.arguments = {"x", "out", device::Argument::of(static_cast<std::int32_t>(rows)),
                    device::Argument::of(static_cast<std::int32_t>(columns))};
  return made;
}

/// Whole tiles, so that every row begins with a sector: from `least` to `most` one way, and a few the other way.
Size drawn_tiles(lab::Checker& checker, std::int64_t least, std::int64_t most, bool wide) {
  const std::int64_t many = kSide * checker.drawn(least, most), few = kSide * checker.drawn(1, 3);
  return wide ? Size{few, many} : Size{many, few};
}

void check(lab::Checker& checker) {
  // Nothing, less than a tile, a tile and one more each way, a single row and column, primes.
  constexpr std::array kSizes{Size{0, 0},   Size{1, 1},   Size{3, 2},   Size{31, 32}, Size{32, 31},
                              Size{33, 34}, Size{1, 129}, Size{127, 1}, Size{61, 97}, Size{97, 23}};
  lab::Trials trials(checker);
  std::uint64_t seed = 1;
  for (const Size& size : kSizes) trials.run(trial(size, seed++));
  // More pixels than 16 bits count.
  trials.run(trial({300, 231}, seed++));
  // Wide and high photos.
  trials.run(trial({40, 1003}, seed++));
  trials.run(trial({1003, 40}, seed++));
  trials.run(lab::with_gates(trial({kSide * 10, kSide * 7}, seed++)));
  trials.run(lab::with_gates(trial({kSide * 2, kSide * 32}, seed)));
  for (const bool wide : {true, false}) {
    trials.run(lab::hidden_with_gates(trial(drawn_tiles(checker, 3, 9, wide), checker.draw())));
    trials.run_unless_decided(
        lab::hidden_with_gates(trial(drawn_tiles(checker, 33, 40, wide), checker.draw())));
  }

  trials.add_right("right");
  trials.add_safe("safe");
  trials.add_written_once("written-once", "out");
  trials.add_bytes_used("used");
  trials.add_sectors("sectors");
  trials.add_ratio("shared", {"transpose-tile.shared"},
                   lab::sum_of([](const device::Counters& c) { return c.shared_bytes; }));
  trials.add_counter(
      "conflicts", {"transpose-tile.conflicts"},
      {[](const device::LaunchRecord& record) {
         const device::Counters& total = record.total;
         return total.shared_wavefronts_ideal == 0
                    ? 0.0
                    : static_cast<double>(total.shared_wavefronts) /
                          static_cast<double>(total.shared_wavefronts_ideal);
       },
       [](const device::Counters& c) { return c.shared_wavefronts - c.shared_wavefronts_ideal; }});
  trials.add_counter(
      "barriers", {"transpose-tile.barriers"},
      {[](const device::LaunchRecord& record) {
         const std::uint64_t warps = record.grid.count() * (kBlock.count() / device::kLanes);
         return static_cast<double>(record.total.barriers) / static_cast<double>(warps);
       },
       [](const device::Counters& c) { return c.barriers; }});
  trials.add_shared_out("shared-out");
}

}  // namespace transpose_tile_check

lab::Exercise transpose_tile() { return {"transpose-tile", transpose_tile_check::check}; }

}  // namespace warpbook::exercises
