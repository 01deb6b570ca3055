// own-convolution: a convolution for the network cnn, whose blocks fetch each value once; and a training by it.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "lab/exercise/exercise_tools.hpp"
#include "lab/operation/rung_block.hpp"
#include "training/trainer.hpp"

namespace warpbook::exercises {
namespace own_convolution_check {

constexpr std::int64_t kTile = 16, kFilters = 4;

struct Layer {
  std::int64_t images, channels, side, filters, taps, pad;
  [[nodiscard]] std::int64_t out() const { return side + 2 * pad - taps + 1; }
};

// ---- The layer alone

/// Calls each(y's index, x's index, the weight's index) for every product that is not with the padding.
template <class Each>
void each_product(const Layer& layer, const Each& each) {
  const auto& [images, channels, side, filters, taps, pad] = layer;
  const std::int64_t out = layer.out(), places = out * out;
  for (std::int64_t output = 0; output < images * filters * places; ++output) {
    const std::int64_t image = output / (filters * places), filter = output / places % filters,
                       i = output / out % out, j = output % out;
    for (std::int64_t tap = 0; tap < channels * taps * taps; ++tap) {
      const std::int64_t channel = tap / (taps * taps), row = i - pad + tap / taps % taps,
                         column = j - pad + tap % taps;
      if (row < 0 || row >= side || column < 0 || column >= side) continue;
      each(static_cast<std::size_t>(output),
           static_cast<std::size_t>(((image * channels + channel) * side + row) * side + column),
           static_cast<std::size_t>(filter * channels * taps * taps + tap));
    }
  }
}

lab::Trial trial(const Layer& layer, std::uint64_t seed) {
  const auto& [images, channels, side, filters, taps, pad] = layer;
  const std::int64_t out = layer.out(), tiles = (out + kTile - 1) / kTile;
  const auto count = [](std::int64_t elements) { return static_cast<std::size_t>(elements); };
  // Floats add up their products exactly in any order, and half precision does not.
  const std::vector<float> x = lab::odd_halves(count(images * channels * side * side), seed),
                           weights =
                               lab::small_halves(count(filters * channels * taps * taps), seed + 1),
                           bias = lab::small_halves(count(filters), seed + 2);
  std::vector<double> y;
  for (std::int64_t output = 0; output < images * filters * out * out; ++output)
    y.push_back(static_cast<double>(bias[count(output / (out * out) % filters)]));
  each_product(layer, [&](std::size_t output, std::size_t pixel, std::size_t weight) {
    y[output] += static_cast<double>(x[pixel]) * static_cast<double>(weights[weight]);
  });
  lab::Trial made;
  made.name = std::to_string(images) + " images of " + std::to_string(channels) + " x " +
              std::to_string(side) + " x " + std::to_string(side) + ", " + std::to_string(filters) +
              " filters, K = " + std::to_string(taps) + ", pad = " + std::to_string(pad);
  made.grid = {static_cast<std::uint32_t>(tiles * tiles),
               static_cast<std::uint32_t>((filters + kFilters - 1) / kFilters),
               static_cast<std::uint32_t>(images)};
  made.block = {kTile, kTile, 1};
  made.arrays = {lab::input_array("x", x), lab::input_array("weights", weights),
                 lab::input_array("bias", bias), lab::output_array<float>("y", std::move(y))};
  const auto number = [](std::int64_t value) {
    return device::Argument::of(static_cast<std::int32_t>(value));
  };
  made.arguments = {
      "x",          "weights",       "bias",       "y",         number(images), number(channels),
      number(side), number(filters), number(taps), number(pad), number(out)};
  return made;
}

// ---- A training by the submission

constexpr std::uint64_t kSteps = 4, kSeed = 1;
constexpr std::int64_t kImages = 10;
constexpr double kBound = 1e-3;  ///< as in the chapter: a part of the loss

/// How the network launches the submission.
lab::Rung rung() {
  return lab::require(
      lab::parse_rung("kernels/convolution/00_own.cu",
                      "//@ idea: the submission\n"
                      "//@ launch: own_convolution(x, weights, bias, y, n, c, h, k, r, pad, p)\n"
                      "//@ block: 16, 16\n"
                      "//@ grid: ceil_div(p, 16) * ceil_div(p, 16), ceil_div(k, 4), n\n"));
}

/// The losses of a few steps on a few images; by our convolution, or by the submission.
std::vector<double> losses(lab::Checker& checker, bool by_submission) {
  training::Preset preset = training::cnn_preset("cnn", {});
  preset.batch = kImages;
  preset.point_every = 1;
  preset.make = [make = preset.make](training::Engine& engine, std::uint64_t seed) {
    training::Task task = make(engine, seed);
    task.training = training::rows_of(task.training, 0, kImages);
    return task;
  };
  training::Engine engine(checker.lab);
  if (by_submission) engine.use_rung("convolution", rung(), checker.submission);
  training::Trainer trainer(engine, preset, kSeed);
  training::Controls controls;
  std::vector<double> all;
  controls.point = [&](const training::CurvePoint& point) { all.push_back(point.loss); };
  controls.observing = [](std::uint64_t) { return training::Observing{}; };
  trainer.run(kSteps, controls);
  return all;
}

/// Two trainings take longer than all cases together, so they wait until everything else has passed.
void add_learns_alike(lab::Checker& checker) {
  lab::CheckExhibit::Item item;
  item.id = "learns-alike";
  item.sentence = {"own-convolution.learns", {{"bound", lab::number(100 * kBound)}}};
  if (checker.result.passed()) {
    const std::vector<double> ours = losses(checker, false), own = losses(checker, true);
    double difference = 0;
    for (std::size_t i = 0; i < ours.size(); ++i)
      difference = std::max(difference, std::abs(own[i] - ours[i]) / ours[i]);
    const bool alike = difference <= kBound;
    item.state = alike ? lab::CheckExhibit::State::passed : lab::CheckExhibit::State::failed;
    item.got = {"own-convolution.learned", {{"difference", lab::number(100 * difference, 2)}}};
    if (!alike) item.advice = {"own-convolution.learns-advice"};
  }
  checker.result.items.push_back(std::move(item));
}

void check(lab::Checker& checker) {
  lab::Trials trials(checker);
  std::uint64_t seed = 1;
  // One output, less than a tile, a tile and a bit, filters that fill no group, padding wider than the filter needs.
  for (const Layer& layer : std::vector<Layer>{{1, 1, 1, 1, 1, 0},
                                               {1, 1, 3, 1, 3, 1},
                                               {2, 3, 5, 4, 3, 1},
                                               {1, 2, 16, 5, 3, 1},
                                               {1, 1, 17, 2, 5, 2},
                                               {3, 2, 31, 3, 2, 0},
                                               {1, 5, 18, 6, 4, 3},
                                               {1, 2, 33, 7, 3, 0},
                                               {1, 1, 15, 1, 5, 4}}) {
    trials.run(trial(layer, seed));
    seed += 3;
  }
  // More outputs than 16 bits count.
  trials.run(trial({6, 1, 120, 1, 1, 0}, seed));
  trials.run(lab::with_gates(trial({10, 6, 32, 8, 3, 1}, seed + 3)));
  for (int i = 0; i < 2; ++i) {
    const Layer layer{checker.drawn(8, 10),
                      checker.drawn(3, 6),
                      checker.drawn(25, 32),
                      checker.drawn(9, 12),
                      3,
                      1};
    trials.run(lab::hidden_with_gates(trial(layer, checker.draw())));
  }

  trials.add_right("right");
  trials.add_safe("safe");
  trials.add_written_once("written-once", "y");
  trials.add_sectors("sectors");
  trials.add_shared_out("shared-out");
  trials.add_work("work");
  add_learns_alike(checker);
}

}  // namespace own_convolution_check

lab::Exercise own_convolution() { return {"own-convolution", own_convolution_check::check}; }

}  // namespace warpbook::exercises
