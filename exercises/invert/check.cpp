// invert: out[y][x] = 255 - image[y][x], one thread a pixel.
#include <array>
#include <string>
#include <vector>

#include "lab/exercise/exercise_tools.hpp"

namespace warpbook::exercises {
namespace invert_check {

struct Size {
  std::uint32_t width, height;
};

/// One case. The values leave no row and no column like another.
lab::Trial trial(const Size& size, const device::Dim3& block, std::uint32_t seed) {
  const std::size_t count = std::size_t{size.width} * size.height;
  std::vector<std::uint8_t> image(count);
  std::vector<double> truth(count);
  std::uint32_t state = seed;
  for (std::size_t i = 0; i < count; ++i) {
    state = state * 1664525 + 1013904223;  // Numerical Recipes, section 7.1
    image[i] = static_cast<std::uint8_t>(state >> 24);
    truth[i] = 255 - image[i];
  }
  lab::Trial made;
  made.name = std::to_string(size.width) + " x " + std::to_string(size.height) + ", block " +
              std::to_string(block.x) + " x " + std::to_string(block.y);
  made.grid = {(size.width + block.x - 1) / block.x, (size.height + block.y - 1) / block.y, 1};
  made.block = block;
  made.arrays = {lab::input_array("image", image),
                 lab::output_array<std::uint8_t>("out", std::move(truth))};
  made.arguments = {"image", "out", device::Argument::of(static_cast<std::int32_t>(size.width)),
                    device::Argument::of(static_cast<std::int32_t>(size.height))};
  return made;
}

void check(lab::Checker& checker) {
  constexpr std::array kSizes{Size{0, 0},   Size{1, 1},   Size{31, 1},  Size{1, 33},
                              Size{32, 32}, Size{33, 17}, Size{127, 3}, Size{5, 129},
                              Size{13, 11}, Size{257, 3}, Size{3, 258}};
  lab::Trials trials(checker);
  std::uint32_t seed = 1;
  for (const Size& size : kSizes) {
    trials.run(trial(size, {8, 4, 1}, seed));
    trials.run(trial(size, {3, 32, 1}, seed + 1));
    seed += 2;
  }
  // The largest block, and one of a single row.
  trials.run(trial({70, 40}, {32, 32, 1}, seed++));
  trials.run(trial({300, 5}, {128, 1, 1}, seed++));
  // More pixels and columns than 16 bits count, and more rows than fit with a sign.
  trials.run(trial({66'000, 2}, {128, 2, 1}, seed++));
  trials.run(trial({1, 33'000}, {1, 128, 1}, seed++));
  const auto more = [&] { return static_cast<std::uint32_t>(checker.drawn(66'000, 99'000)); };
  trials.run(lab::hidden(trial({3, more()}, {4, 64, 1}, seed++)));
  trials.run(lab::hidden(trial({more(), 3}, {64, 4, 1}, seed++)));
  trials.run(lab::with_gates(trial({125, 121}, {16, 16, 1}, seed++)));
  // Wide and narrow pictures.
  trials.run(lab::with_gates(trial({640, 37}, {32, 8, 1}, seed++)));
  trials.run(lab::with_gates(trial({48, 250}, {16, 16, 1}, seed)));
  const std::uint32_t wide = 64u << checker.drawn(0, 2);
  for (const device::Dim3& block :
       {device::Dim3{16, 16, 1}, {32, 8, 1}, {32, 4, 1}, {wide, 256 / wide, 1}}) {
    const Size size{static_cast<std::uint32_t>(checker.drawn(100, 200)),
                    static_cast<std::uint32_t>(checker.drawn(70, 140))};
    trials.run(
        lab::hidden_with_gates(trial(size, block, static_cast<std::uint32_t>(checker.draw()))));
  }

  trials.add_right_at_any_size("right");
  trials.add_safe("safe");
  trials.add_written_once("written-once", "out");
  trials.add_shared_out("shared-out");
  trials.add_work("work");
  // A column of both images for a row gives the same pixels: only what it moves tells.
  trials.add_sectors("sectors");
}

}  // namespace invert_check

lab::Exercise invert() { return {"invert", invert_check::check}; }

}  // namespace warpbook::exercises
