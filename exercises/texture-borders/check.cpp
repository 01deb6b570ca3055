// texture-borders: out[y][x] is the sum of the nine pixels round (x, y); past an edge the nearest pixel stands for what is
// missing, which the texture unit sees to.
#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "lab/exercise/exercise_tools.hpp"

namespace warpbook::exercises {
namespace texture_borders_check {

struct Size {
  std::int64_t width, height;
};

/// What the texture unit returns outside the image is up to the host: the nearest pixel, or 0.
lab::Trial trial(const Size& size, const device::Dim3& block, std::uint64_t seed,
                 device::AddressMode outside = device::AddressMode::clamp) {
  const auto& [width, height] = size;
  const auto count = static_cast<std::size_t>(width * height);
  std::vector<float> image = lab::wide_halves(count, seed);
  for (float& pixel : image) pixel /= 16;  // no multiples of a half, as whole numbers would be
  // Some squares are black, so that some sums are 0; not where places outside are 0, which has to show.
  constexpr std::int64_t kSquare = 4, kApart = 5;
  for (std::int64_t at = 0; at < width * height; ++at) {
    const bool black = (at / width / kSquare + at % width / kSquare) % kApart == 0;
    if (black && outside == device::AddressMode::clamp) image[static_cast<std::size_t>(at)] = 0;
  }
  std::vector<double> truth(count);
  for (std::int64_t y = 0; y < height; ++y) {
    for (std::int64_t x = 0; x < width; ++x) {
      for (std::int64_t v = y - 1; v <= y + 1; ++v) {
        for (std::int64_t u = x - 1; u <= x + 1; ++u) {
          const bool inside = 0 <= v && v < height && 0 <= u && u < width;
          if (!inside && outside == device::AddressMode::border) continue;
          const std::int64_t from = std::clamp<std::int64_t>(v, 0, height - 1) * width +
                                    std::clamp<std::int64_t>(u, 0, width - 1);
          truth[static_cast<std::size_t>(y * width + x)] +=
              static_cast<double>(image[static_cast<std::size_t>(from)]);
        }
      }
    }
  }
  lab::Trial made;
  made.name = std::to_string(width) + " x " + std::to_string(height) + ", block " +
              std::to_string(block.x) + " x " + std::to_string(block.y);
  made.grid = {static_cast<std::uint32_t>((width + block.x - 1) / block.x),
               static_cast<std::uint32_t>((height + block.y - 1) / block.y), 1};
  made.block = block;
  made.arrays = {lab::output_array<float>("out", std::move(truth))};
  made.textures = {{"image", static_cast<std::uint32_t>(width), static_cast<std::uint32_t>(height),
                    image, outside}};
  made.arguments = {"image", "out", device::Argument::of(static_cast<std::int32_t>(width)),
                    device::Argument::of(static_cast<std::int32_t>(height))};
  return made;
}

constexpr double kTaps = 9;

/// How often threads fetch: the busiest one where that is more than nine times; else on average, those of the pixels, or, where the
/// others fetch as well and store nothing, all. Where the average is nine and none has more, each has nine.
double fetches_a_thread(const device::LaunchRecord& record) {
  const auto most = static_cast<double>(record.most_texture_fetches);
  if (most > kTaps) return most;
  double lanes = 0;
  for (const device::InstructionCounters& instruction : record.instructions)
    if (instruction.counters.texture_requests != 0)
      lanes += static_cast<double>(instruction.counters.thread_instructions);
  const auto pixels = static_cast<double>(record.written.front().writes.size());
  const auto threads = static_cast<double>(record.grid.count() * record.block.count());
  return pixels * kTaps <= lanes && lanes <= threads * kTaps ? kTaps : lanes / pixels;
}

/// Images of several sizes, drawn for this check, whose texture returns 0 outside.
std::vector<lab::Trial> asked_outside(lab::Checker& checker) {
  std::vector<lab::Trial> trials;
  for (const Size& least : {Size{1, 1}, Size{20, 20}, Size{20, 90}, Size{90, 20}, Size{240, 20},
                            Size{20, 240}, Size{1500, 2}, Size{2, 1500}})
    trials.push_back(
        trial({least.width + checker.drawn(0, 40), least.height + checker.drawn(0, 40)},
              {16, 16, 1}, checker.draw(), device::AddressMode::border));
  for (lab::Trial& trial : trials) trial.hidden = true;
  return trials;
}

void check(lab::Checker& checker) {
  constexpr std::array kSizes{Size{0, 0},   Size{1, 1},   Size{31, 1},  Size{1, 33},
                              Size{32, 32}, Size{33, 17}, Size{127, 3}, Size{5, 129},
                              Size{13, 11}, Size{257, 3}, Size{3, 258}};
  lab::Trials trials(checker);
  std::uint64_t seed = 1;
  for (const Size& size : kSizes) {
    trials.run(trial(size, {8, 4, 1}, seed));
    trials.run(trial(size, {3, 32, 1}, seed + 1));
    seed += 2;
  }
  trials.run(trial({300, 5}, {128, 1, 1}, seed++));  // a block of a single row
  // More pixels and columns than 16 bits count, and more rows than fit with a sign. CUDA's textures have no more rows.
  trials.run(trial({66'000, 2}, {128, 2, 1}, seed++));
  trials.run(trial({1, 33'000}, {1, 128, 1}, seed++));
  trials.run(lab::with_gates(trial({125, 121}, {16, 16, 1}, seed)));
  for (const device::Dim3& block : {device::Dim3{16, 16, 1}, {32, 8, 1}, {32, 4, 1}})
    trials.run(lab::hidden_with_gates(
        trial({checker.drawn(50, 160), checker.drawn(20, 140)}, block, checker.draw())));

  trials.add_right("right");
  trials.add_safe("safe");
  trials.add_written_once("written-once", "out");
  trials.add_counter(
      "taps", {"texture-borders.taps"},
      {fetches_a_thread, [](const device::Counters& c) { return c.texture_requests; }});
  // Whoever keeps the coordinates inside by hand never asks the texture unit for what is outside.
  trials.add_right_also("no-clamping", {"texture-borders.no-clamping.sentence"},
                        {"texture-borders.no-clamping.advice"}, asked_outside(checker));
  trials.add_shared_out("shared-out");
  trials.add_work("work");
}

}  // namespace texture_borders_check

lab::Exercise texture_borders() { return {"texture-borders", texture_borders_check::check}; }

}  // namespace warpbook::exercises
