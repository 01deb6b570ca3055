// register-tile: a product of two matrices in which each thread computes a square of 4 x 4 elements from registers.
#include <array>
#include <string>
#include <vector>

#include "lab/exercise/exercise_tools.hpp"

namespace warpbook::exercises {
namespace register_tile_check {

constexpr std::int64_t kTile = 64;       ///< elements of c in a row of a block's square
constexpr std::int64_t kWide = 4;        ///< elements of a float4
constexpr std::uint32_t kThreads = 256;  ///< of a block: 16 elements each

struct Size {
  std::int64_t m, n, k;
};

std::uint32_t tiles(std::int64_t elements) {
  return static_cast<std::uint32_t>((elements + kTile - 1) / kTile);
}

lab::Trial trial_of(const Size& size, const lab::Factors& factors) {
  const auto& [m, n, k] = size;
  lab::Trial made;
  made.name =
      "m = " + std::to_string(m) + ", n = " + std::to_string(n) + ", k = " + std::to_string(k);
  made.grid = {tiles(n), tiles(m), 1};
  made.block = {kThreads, 1, 1};
  made.arrays = {lab::input_array("a", factors.a), lab::input_array("b", factors.b),
                 lab::output_array<float>("c", lab::product_of(factors, m, n, k))};
  const auto number = [](std::int64_t value) {
    return device::Argument::of(static_cast<std::int32_t>(value));
  };
  made.arguments = {"a", "b", "c", number(m), number(n), number(k)};
  return made;
}

lab::Trial trial(const Size& size, std::uint64_t seed) {
  return trial_of(size, lab::drawn_factors(size.m, size.n, size.k, seed));
}

/// Any factor that loses a bit on its way shows.
lab::Trial to_the_last_bit(const Size& size, std::uint64_t seed) {
  return trial_of(size, lab::picking_factors(size.m, size.n, size.k, seed));
}

/// Whole tiles, of which a row along k is whole sectors.
Size drawn_tiles(lab::Checker& checker) {
  const std::int64_t m = kTile * checker.drawn(1, 2), n = kTile * checker.drawn(1, 3);
  return {m, n, 16 * checker.drawn(2, 3)};
}

/// Squares of which the last ones are not whole, and lose little. Rows are still made of whole float4, for those who load these.
Size drawn_edges(lab::Checker& checker) {
  const auto [m, n, k] = drawn_tiles(checker);
  return {m - checker.drawn(1, 5), n - kWide, k - kWide};
}

void check(lab::Checker& checker) {
  // Nothing, no depth, less than a tile, a tile and one more each way, a single row and column, primes, and more rows and columns
  // than an unsigned char counts.
  constexpr std::array kSizes{
      Size{0, 5, 3},     Size{5, 7, 0},    Size{1, 1, 1},  Size{3, 2, 5},   Size{64, 64, 16},
      Size{65, 63, 9},   Size{63, 66, 17}, Size{1, 70, 7}, Size{70, 1, 20}, Size{61, 97, 23},
      Size{64, 128, 15}, Size{300, 3, 5},  Size{3, 300, 5}};
  lab::Trials trials(checker);
  std::uint64_t seed = 1;
  for (const Size& size : kSizes) trials.run(trial(size, seed++));
  for (const std::uint64_t side : {2u, 3u}) trials.run(to_the_last_bit({70, 67, 21}, side));
  // More elements of a and of b than 16 bits count.
  trials.run(trial({kTile, kTile, 1'031}, seed++));
  trials.run(lab::with_gates(trial({kTile * 2, kTile * 3, 32}, seed++)));
  trials.run(lab::with_gates(trial({kTile * 2 - 3, kTile * 2 - 4, 44}, seed++)));
  trials.run(lab::with_gates(trial({kTile, kTile, 32}, seed)));
  trials.run(lab::hidden_with_gates(trial(drawn_tiles(checker), checker.draw())));
  trials.run(lab::hidden_with_gates(trial(drawn_edges(checker), checker.draw())));

  trials.add_right("right");
  trials.add_safe("safe");
  trials.add_written_once("written-once", "c");
  trials.add_ratio("sectors-loaded", {"register-tile.sectors-loaded"},
                   lab::sum_of([](const device::Counters& c) { return c.global_load_sectors; }));
  trials.add_ratio(
      "shared-loads", {"register-tile.shared-loads"},
      {lab::shared_bytes_loaded, [](const device::Counters& c) { return c.shared_bytes; }});
  trials.add_counter(
      "registers", {"register-tile.registers"},
      {[](const device::LaunchRecord& record) {
         return static_cast<double>(lab::counters_without_prints(record).local_bytes);
       },
       [](const device::Counters& c) { return c.local_bytes; }});
  trials.add_shared_out("shared-out");
  trials.add_work("work");
}

}  // namespace register_tile_check

lab::Exercise register_tile() { return {"register-tile", register_tile_check::check}; }

}  // namespace warpbook::exercises
