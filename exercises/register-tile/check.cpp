// register-tile: a product of two matrices in which each thread computes a square of 4 x 4 elements from registers.
#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "lab/exercise/exercise_tools.hpp"

namespace warpbook::exercises {
namespace register_tile_check {

constexpr std::int64_t kTile = 64;       ///< elements of c in a row of a block's square
constexpr std::uint32_t kThreads = 256;  ///< of a block: 16 elements each

struct Size {
  std::int64_t m, n, k;
};

std::uint32_t tiles(std::int64_t elements) {
  return static_cast<std::uint32_t>((elements + kTile - 1) / kTile);
}

/// Halves, and small ones as factors: every order of adding up gives the same float, and half precision or TF32 another one.
lab::Trial trial(const Size& size, std::uint64_t seed) {
  const auto& [m, n, k] = size;
  const auto count = [](std::int64_t elements) { return static_cast<std::size_t>(elements); };
  const std::vector<float> a = lab::wide_halves(count(m * k), seed),
                           b = lab::small_halves(count(k * n), seed + 1000);
  std::vector<double> c(count(m * n));
  for (std::int64_t row = 0; row < m; ++row) {
    for (std::int64_t depth = 0; depth < k; ++depth) {
      for (std::int64_t column = 0; column < n; ++column)
        c[count(row * n + column)] += static_cast<double>(a[count(row * k + depth)]) *
                                      static_cast<double>(b[count(depth * n + column)]);
    }
  }
  lab::Trial made;
  made.name =
      "m = " + std::to_string(m) + ", n = " + std::to_string(n) + ", k = " + std::to_string(k);
  made.grid = {tiles(n), tiles(m), 1};
  made.block = {kThreads, 1, 1};
  made.arrays = {lab::input_array("a", a), lab::input_array("b", b),
                 lab::output_array<float>("c", std::move(c))};
  const auto number = [](std::int64_t value) {
    return device::Argument::of(static_cast<std::int32_t>(value));
  };
  made.arguments = {"a", "b", "c", number(m), number(n), number(k)};
  return made;
}

/// Whole tiles, of which a row along k is whole sectors.
Size drawn_tiles(lab::Checker& checker) {
  const std::int64_t m = kTile * checker.drawn(1, 2), n = kTile * checker.drawn(2, 3);
  return {m, n, 16 * checker.drawn(2, 3)};
}

/// Bytes that lanes load from shared memory; what they store there is not among them.
double shared_bytes_loaded(const device::LaunchRecord& record) {
  std::uint64_t bytes = 0;
  for (const device::InstructionCounters& instruction : record.instructions) {
    if (std::string_view(instruction.text).find("ld.") != std::string_view::npos)
      bytes += instruction.counters.shared_bytes;
  }
  return static_cast<double>(bytes);
}

void check(lab::Checker& checker) {
  // Nothing, no depth, less than a tile, a tile and one more each way, a single row and column, primes.
  constexpr std::array kSizes{Size{0, 5, 3},    Size{5, 7, 0},    Size{1, 1, 1},    Size{3, 2, 5},
                              Size{64, 64, 16}, Size{65, 63, 9},  Size{63, 66, 17}, Size{1, 70, 7},
                              Size{70, 1, 20},  Size{61, 97, 23}, Size{64, 128, 15}};
  lab::Trials trials(checker);
  std::uint64_t seed = 1;
  for (const Size& size : kSizes) trials.run(trial(size, seed++));
  trials.run(lab::with_gates(trial({kTile * 2, kTile * 3, 32}, seed)));
  trials.run(lab::hidden_with_gates(trial(drawn_tiles(checker), checker.draw())));
  trials.run(lab::hidden_with_gates(trial(drawn_tiles(checker), checker.draw())));

  trials.add_right("right");
  trials.add_safe("safe");
  trials.add_written_once("written-once", "c");
  trials.add_ratio("sectors-loaded", {"register-tile.sectors-loaded"},
                   lab::sum_of([](const device::Counters& c) { return c.global_load_sectors; }));
  trials.add_ratio("shared-loads", {"register-tile.shared-loads"},
                   {shared_bytes_loaded, [](const device::Counters& c) { return c.shared_bytes; }});
  trials.add_shared_out("shared-out");
  trials.add_work("work");
}

}  // namespace register_tile_check

lab::Exercise register_tile() { return {"register-tile", register_tile_check::check}; }

}  // namespace warpbook::exercises
