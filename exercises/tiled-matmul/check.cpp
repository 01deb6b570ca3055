// tiled-matmul: a product of two matrices whose blocks load tiles of both into shared memory, at sizes that no tile divides.
#include <array>
#include <string>
#include <utility>
#include <vector>

#include "lab/exercise/exercise_tools.hpp"

namespace warpbook::exercises {
namespace tiled_matmul_check {

constexpr std::int64_t kTile = 16;
constexpr std::int64_t kWide = 4;  ///< elements of a float4

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
  made.block = {kTile, kTile, 1};
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

/// Whole tiles.
Size drawn_tiles(lab::Checker& checker) {
  const std::int64_t m = kTile * checker.drawn(2, 5), n = kTile * checker.drawn(2, 5);
  return {m, n, kTile * checker.drawn(2, 5)};
}

/// Tiles of which the last ones are not whole, and lose little: whoever loads some element in place of each that lies outside stays
/// within the bound. Rows are made of whole float4, for those who load these.
Size drawn_edges(lab::Checker& checker) {
  const auto whole = [&](std::int64_t least) { return kTile * checker.drawn(least, least + 1); };
  const std::int64_t m = whole(7) - checker.drawn(1, 3), n = whole(7) - kWide;
  return {m, n, whole(5) - kWide};
}

void check(lab::Checker& checker) {
  // Nothing, no depth, less than a tile, a tile and one more each way, a single row and column, primes.
  // And more rows and columns than an unsigned char counts.
  constexpr std::array kSizes{Size{0, 5, 3},    Size{5, 7, 0},    Size{1, 1, 1},    Size{3, 2, 5},
                              Size{16, 16, 16}, Size{17, 15, 33}, Size{33, 31, 1},  Size{1, 40, 7},
                              Size{40, 1, 20},  Size{31, 47, 61}, Size{16, 32, 24}, Size{300, 3, 5},
                              Size{3, 300, 5}};
  lab::Trials trials(checker);
  std::uint64_t seed = 1;
  for (const Size& size : kSizes) trials.run(trial(size, seed++));
  // Every way in which a last tile may not be whole.
  for (std::int64_t n = kTile + 1; n < 2 * kTile; ++n) trials.run(trial({n + 3, n, 5}, seed++));
  for (const std::uint64_t side : {2u, 3u}) trials.run(to_the_last_bit({19, 35, 37}, side));
  // More elements of a than 16 bits count, and of b.
  trials.run(trial({kTile, kTile, 4'099}, seed++));
  trials.run(lab::with_gates(trial({kTile * 8, kTile * 9, kTile * 2}, seed++)));
  trials.run(lab::with_gates(trial({kTile * 7 - 3, kTile * 8 - 4, kTile * 6 - 4}, seed++)));
  // Rows that no float4 divides: who loads four elements at once elsewhere may load them one by one here, in more sectors.
  lab::Trial odd = lab::with_gates(trial({kTile * 6 - 1, kTile * 5 - 1, kTile * 5 - 1}, seed));
  odd.spared = {"sectors"};
  trials.run(std::move(odd));
  trials.run(lab::hidden_with_gates(trial(drawn_tiles(checker), checker.draw())));
  trials.run(lab::hidden_with_gates(trial(drawn_edges(checker), checker.draw())));

  trials.add_right("right");
  trials.add_safe("safe");
  trials.add_written_once("written-once", "c");
  trials.add_ratio("loads", {"tiled-matmul.loads"},
                   {[](const device::LaunchRecord& record) {
                      return static_cast<double>(lab::global_bytes_loaded(record));
                    },
                    [](const device::Counters& c) { return c.global_load_sectors; }});
  trials.add_ratio("sectors", {"tiled-matmul.sectors"},
                   lab::sum_of([](const device::Counters& c) { return c.global_load_sectors; }));
  trials.add_ratio("shared", {"tiled-matmul.shared"},
                   {[](const device::LaunchRecord& record) {
                      // A shuffle may hand on what one lane has loaded.
                      return record.total.shuffles != 0 ? 0 : lab::shared_bytes_loaded(record);
                    },
                    [](const device::Counters& c) { return c.shared_bytes; }});
  trials.add_shared_out("shared-out");
  trials.add_work("work");
}

}  // namespace tiled_matmul_check

lab::Exercise tiled_matmul() { return {"tiled-matmul", tiled_matmul_check::check}; }

}  // namespace warpbook::exercises
