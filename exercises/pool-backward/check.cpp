// pool-backward: the gradient of max-pooling with windows that overlap, gathered by the pixels; ties go to the first, as in
// PyTorch (aten/src/ATen/native/cuda/DilatedMaxPool2d.cu: a later pixel must be greater to win).
#include <limits>
#include <string>
#include <vector>

#include "lab/exercise/exercise_tools.hpp"

namespace warpbook::exercises {
namespace pool_backward_check {

constexpr std::int64_t kBlock = 128;

enum class Pixels { few_values, negative, close, all_equal };

struct Pooling {
  std::int64_t height, width, window, stride;
  Pixels pixels = Pixels::few_values;
};

constexpr float kLastBit = 2 * std::numeric_limits<float>::epsilon();  ///< of a float from 2 to 4

/// So few different values that most windows have several largest pixels; halves, which are alike once they are cut.
std::vector<float> image_of(const Pooling& pooling, std::uint64_t seed) {
  std::vector<float> image =
      lab::odd_halves(static_cast<std::size_t>(pooling.height * pooling.width), seed);
  for (float& pixel : image) {
    const int kind = static_cast<int>(pixel + 50) % 4;
    const float few = 0.5f * static_cast<float>(kind);
    pixel = pooling.pixels == Pixels::all_equal ? 7 : few;
    if (pooling.pixels == Pixels::negative) pixel = few - 9;
    if (pooling.pixels == Pixels::close) pixel = 3 + static_cast<float>(kind) * kLastBit;
  }
  return image;
}

std::uint32_t blocks(std::int64_t items) {
  return static_cast<std::uint32_t>((items + kBlock - 1) / kBlock);
}

lab::Trial trial(const Pooling& pooling, std::uint64_t seed) {
  const auto& [height, width, window, stride, kind] = pooling;
  const std::int64_t p = height == 0 ? 0 : (height - window) / stride + 1,
                     q = width == 0 ? 0 : (width - window) / stride + 1;
  const std::vector<float> x = image_of(pooling, seed),
                           dy = lab::odd_halves(static_cast<std::size_t>(p * q), seed + 1);
  std::vector<double> dx(x.size());
  for (std::int64_t out = 0; out < p * q; ++out) {
    const std::int64_t corner = out / q * stride * width + out % q * stride;
    auto best = static_cast<std::size_t>(corner);
    for (std::int64_t tap = 0; tap < window * window; ++tap) {
      const auto at = static_cast<std::size_t>(corner + tap / window * width + tap % window);
      if (x[at] > x[best]) best = at;
    }
    dx[best] += static_cast<double>(dy[static_cast<std::size_t>(out)]);
  }
  lab::Trial made;
  made.name = std::to_string(height) + " x " + std::to_string(width) +
              ", window = " + std::to_string(window) + ", stride = " + std::to_string(stride);
  if (kind == Pixels::negative) made.name += ", all negative";
  if (kind == Pixels::close) made.name += ", different in their last bits";
  if (kind == Pixels::all_equal) made.name += ", all equal";
  made.kernel = "find";
  made.grid = {blocks(p * q), 1, 1};
  made.block = {static_cast<std::uint32_t>(kBlock), 1, 1};
  made.arrays = {lab::input_array("x", x), lab::input_array("dy", dy),
                 lab::workspace_array<std::int32_t>("winner", static_cast<std::uint64_t>(p * q)),
                 lab::output_array<float>("dx", std::move(dx))};
  const auto number = [](std::int64_t value) {
    return device::Argument::of(static_cast<std::int32_t>(value));
  };
  made.arguments = {"x",       "winner", number(width), number(window), number(stride),
                    number(p), number(q)};
  lab::NextLaunch gather;
  gather.kernel = "gather";
  gather.arguments = {"winner",       "dy",           "dx",      number(height), number(width),
                      number(window), number(stride), number(p), number(q)};
  gather.grid = device::Dim3{blocks(height * width), 1, 1};
  gather.moved = {"winner"};
  gather.fresh = true;
  made.next = {std::move(gather)};
  return made;
}

void check(lab::Checker& checker) {
  lab::Trials trials(checker);
  std::uint64_t seed = 1;
  // Windows that overlap, that just meet, and with gaps between; pixels below and right of the last window.
  for (const Pooling& pooling : std::vector<Pooling>{{0, 0, 2, 1},
                                                     {1, 1, 1, 1},
                                                     {2, 2, 2, 1},
                                                     {1, 31, 1, 1},
                                                     {32, 32, 2, 2},
                                                     {3, 33, 3, 1},
                                                     {33, 17, 3, 2},
                                                     {13, 11, 2, 1, Pixels::negative},
                                                     {7, 43, 2, 3},
                                                     {23, 29, 3, 2, Pixels::negative},
                                                     {21, 31, 3, 2, Pixels::close},
                                                     {9, 10, 3, 3},
                                                     {19, 37, 3, 1, Pixels::all_equal}}) {
    trials.run(trial(pooling, seed));
    seed += 2;
  }
  // Rows of which one, or two, are as many pixels as 8 bits count.
  trials.run(trial({6, 256, 2, 1}, seed++));
  trials.run(trial({7, 128, 3, 1}, seed++));
  // Rows of thousands of windows, of which two are as many pixels as 16 bits count. Then more pixels and windows than 16 bits count,
  // with more columns than fit with a sign. Row and column together still fit into a winner of 32 bits, as some pack them.
  trials.run(trial({3, 32'768, 3, 2}, seed++));
  trials.run(trial({2, 40'000, 1, 1}, seed++));
  trials.run(lab::with_gates(trial({97, 89, 3, 2}, seed)));
  for (const std::int64_t stride : {1, 2}) {
    const Pooling pooling{checker.drawn(20, 60), checker.drawn(30, 70), checker.drawn(2, 3),
                          stride};
    trials.run(lab::hidden_with_gates(trial(pooling, checker.draw())));
  }

  trials.add_right("right");
  trials.add_safe("safe");
  trials.add_written_once("found-once", "winner");
  trials.add_written_once("written-once", "dx");
  trials.add_counter("no-atomics", {"pool-backward.no-atomics"},
                     lab::sum_of([](const device::Counters& c) { return c.atomics; }));
  trials.add_shared_out("shared-out");
  trials.add_work("work");
}

}  // namespace pool_backward_check

lab::Exercise pool_backward() { return {"pool-backward", pool_backward_check::check}; }

}  // namespace warpbook::exercises
