// Trainings by name: what learns, from what, how.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "training/data.hpp"
#include "training/layers.hpp"
#include "training/optimiser.hpp"

namespace warpbook::training {

/// Samples on the device, with what a network should answer. With labels it is trained by cross-entropy; with a target, by the mean
/// square of what is missing to that. With both, the target is each label's number, and an answer is right that comes nearest to it.
struct Samples {
  Tensor x;                      ///< [samples][...]
  std::optional<Tensor> labels;  ///< [samples], i32
  std::optional<Tensor> target;  ///< [samples][...]
  std::int64_t classes = 0;      ///< of the labels
  [[nodiscard]] std::int64_t count() const { return x.shape[0]; }
};

/// Everything that a training needs, on a device.
struct Task {
  Network network;
  std::unique_ptr<Optimiser> optimiser;
  Samples training;
  std::optional<Samples> held_out;
};

struct Preset {
  std::string name;
  std::int64_t batch = 1;        ///< samples a step
  std::uint64_t steps = 100;     ///< unless others are asked for
  std::uint64_t point_every = 10;  ///< steps from one point of the curve to the next
  std::function<Task(Engine& engine, std::uint64_t seed)> make;
};

/// The book's CNN, which tells shapes apart: two convolutions, each with ReLU and pooling behind it, and a linear layer.
struct Cnn {
  enum class Labels : std::uint8_t { shapes, random };
  enum class Loss : std::uint8_t { cross_entropy, label_numbers };
  Labels labels = Labels::shapes;
  Loss loss = Loss::cross_entropy;
  std::int64_t filters = 8;      ///< of the first convolution; the second has twice as many
  std::int64_t side = 3;         ///< of a filter; odd, so that images keep their size
  bool average_pooling = false;  ///< instead of the maximum
};
/// Its layers, with weights as they are before any step, and its optimiser, for a caller that brings samples of its own.
Task cnn_without_samples(Engine& engine, std::uint64_t seed, const Cnn& cnn);
/// With the first of the shapes that it is trained on, and none held out.
Task cnn_on_first(Engine& engine, std::uint64_t seed, const Cnn& cnn, std::int64_t images);
/// On 300 images of 3 x 32 x 32, in batches of 100, for 100 epochs; 100 others are held out.
Preset cnn_preset(const std::string& name, const Cnn& cnn);

const std::vector<Preset>& presets();
/// Error: unknown_name, with those there are.
device::Expected<const Preset*> find_preset(std::string_view name);

}  // namespace warpbook::training
