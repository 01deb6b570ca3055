// texture-borders: out[y][x] is the sum of the nine pixels round (x, y); past an edge the nearest pixel stands for what is
// missing, which the texture unit sees to.
#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "lab/exercise/exercise_tools.hpp"

namespace warpbook::exercises {
namespace texture_borders_check {

struct Size {
  std::int64_t width, height;
};

lab::Trial trial(const Size& size, const device::Dim3& block, std::uint64_t seed) {
  const auto& [width, height] = size;
  const auto count = static_cast<std::size_t>(width * height);
  const std::vector<float> image = lab::odd_halves(count, seed);
  std::vector<double> truth(count);
  for (std::int64_t y = 0; y < height; ++y) {
    for (std::int64_t x = 0; x < width; ++x) {
      for (std::int64_t v = y - 1; v <= y + 1; ++v) {
        for (std::int64_t u = x - 1; u <= x + 1; ++u) {
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
                    image, device::AddressMode::clamp}};
  made.arguments = {"image", "out", device::Argument::of(static_cast<std::int32_t>(width)),
                    device::Argument::of(static_cast<std::int32_t>(height))};
  return made;
}

/// Instructions that compare or choose, as threads ran them: an index kept inside by hand needs some at every tap.
double choices(const device::LaunchRecord& record) {
  std::uint64_t found = 0;
  for (const device::InstructionCounters& each : record.instructions) {
    std::string_view text = each.text;
    if (text.starts_with("@")) text.remove_prefix(std::min(text.size(), text.find(' ') + 1));
    for (const std::string_view name : {"setp.", "selp.", "min.", "max."}) {
      if (text.starts_with(name)) found += each.counters.thread_instructions;
    }
  }
  return static_cast<double>(found);
}

void check(lab::Checker& checker) {
  constexpr std::array kSizes{Size{0, 0},   Size{1, 1},   Size{31, 1},  Size{1, 33}, Size{32, 32},
                              Size{33, 17}, Size{127, 3}, Size{5, 129}, Size{13, 11}};
  lab::Trials trials(checker);
  std::uint64_t seed = 1;
  for (const Size& size : kSizes) {
    trials.run(trial(size, {8, 4, 1}, seed));
    trials.run(trial(size, {3, 32, 1}, seed + 1));
    seed += 2;
  }
  // The gate size: 64 blocks, those at the right and lower edges not full.
  trials.run(trial({125, 121}, {16, 16, 1}, seed));

  trials.add_right("right");
  trials.add_safe("safe");
  trials.add_written_once("written-once", "out");
  trials.add_ratio("taps", {"texture-borders.taps"}, [](const device::LaunchRecord& record) {
    return static_cast<double>(record.total.texture_requests);
  });
  trials.add_ratio("no-clamping", {"texture-borders.no-clamping"}, choices);
  trials.add_longest_warp("longest-warp");
}

}  // namespace texture_borders_check

lab::Exercise texture_borders() { return {"texture-borders", texture_borders_check::check}; }

}  // namespace warpbook::exercises
