// find-the-race: three kernels, of which two lack a barrier and one lacks nothing.
#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "lab/exercise/exercise_tools.hpp"

namespace warpbook::exercises {
namespace find_the_race_check {

constexpr std::uint64_t kSchedules = 64;
constexpr std::uint32_t kSmallestHidden = 100;  // threads of a block

struct Size {
  std::uint32_t blocks, block;
};

/// What one of the kernels makes of the numbers of one block.
using Made = std::vector<double> (*)(const std::vector<int>& block);

std::vector<double> mirrored(const std::vector<int>& block) {
  return {block.rbegin(), block.rend()};
}

std::vector<double> above_first(const std::vector<int>& block) {
  std::vector<double> made;
  for (const int value : block) made.push_back(double{1} * value - block.front());
  return made;
}

std::vector<double> rest_sums(const std::vector<int>& block) {
  std::vector<double> made(block.size());
  double sum = 0;
  for (std::size_t k = block.size(); k-- > 0;) made[k] = sum += block[k];
  return made;
}

struct Kernel {
  const char* name;
  Made truth;
};
constexpr std::array kKernels{Kernel{"mirror", mirrored}, Kernel{"above", above_first},
                              Kernel{"rest", rest_sums}};

lab::Trial trial(const Kernel& kernel, const Size& size, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::vector<int> in;
  std::vector<double> truth;
  for (std::uint32_t b = 0; b < size.blocks; ++b) {
    std::vector<int> block(size.block);
    for (int& value : block) value = static_cast<int>(random() % 20'001) - 10'000;
    in.insert(in.end(), block.begin(), block.end());
    const std::vector<double> made = kernel.truth(block);
    truth.insert(truth.end(), made.begin(), made.end());
  }
  lab::Trial made;
  made.name = std::string(kernel.name) + ", " + std::to_string(size.blocks) + " x " +
              std::to_string(size.block) + " threads";
  made.kernel = kernel.name;
  made.grid = {size.blocks, 1, 1};
  made.block = {size.block, 1, 1};
  made.arrays = {lab::input_array("in", in), lab::output_array<int>("out", std::move(truth))};
  made.arguments = {"in", "out"};
  return made;
}

/// Small launches of all three, each under its share of the schedules.
std::vector<lab::Trial> under_schedules(std::uint64_t seed) {
  std::vector<lab::Trial> trials;
  for (std::uint64_t schedule = 1; schedule <= kSchedules; ++schedule) {
    const Kernel& kernel = kKernels[schedule % kKernels.size()];
    trials.push_back(trial(kernel, {1, 96}, seed + schedule));
    trials.back().schedule = schedule;
  }
  return trials;
}

void check(lab::Checker& checker) {
  constexpr std::array kSizes{Size{1, 1},  Size{3, 31},  Size{2, 32},  Size{2, 33},
                              Size{1, 96}, Size{4, 127}, Size{2, 160}, Size{3, 256}};
  lab::Trials trials(checker);
  std::uint64_t seed = 1;
  for (const Size& size : kSizes) {
    for (const Kernel& kernel : kKernels) trials.run(trial(kernel, size, seed++));
  }
  // Of the hidden cases the smallest block is shown, too, so that no verdict depends on which ones are drawn.
  for (const Size& size : {Size{66, 256}, Size{20, kSmallestHidden}, Size{20, 192}}) {
    for (const Kernel& kernel : kKernels) trials.run(lab::with_gates(trial(kernel, size, seed++)));
  }
  for (const Kernel& kernel : kKernels) {
    const Size size{static_cast<std::uint32_t>(checker.drawn(3, 20)),
                    static_cast<std::uint32_t>(checker.drawn(kSmallestHidden, 256))};
    trials.run(lab::hidden_with_gates(trial(kernel, size, checker.draw())));
  }

  trials.add_right("right");
  trials.add_safe("safe");
  trials.add_right_also("schedules", {"find-the-race.schedules.sentence"},
                        {"find-the-race.schedules.advice"}, under_schedules(seed));
  trials.add_barriers_as_needed("barriers", {"find-the-race.barriers"});
  trials.add_shared_out("shared-out");
  trials.add_work("work");
}

}  // namespace find_the_race_check

lab::Exercise find_the_race() { return {"find-the-race", find_the_race_check::check}; }

}  // namespace warpbook::exercises
