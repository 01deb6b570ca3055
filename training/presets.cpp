#include "training/presets.hpp"

#include <algorithm>

#include "lab/text/toml_value.hpp"

namespace warpbook::training {
namespace {

using lab::require;

Samples upload(Engine& engine, const std::string& name, const Dataset& data) {
  Extents shape = data.sample;
  shape.insert(shape.begin(), data.count());
  Samples samples;
  samples.x = engine.upload(name + ".x", shape, data.samples);
  samples.labels =
      engine.upload(name + ".labels", {data.count()}, std::span<const std::int32_t>(data.labels));
  return samples;
}

/// One sample of 10, target 1: so small that its loss is known in closed form. With r = 2 rate (|x|^2 + 1), each step multiplies
/// what is missing to the target by 1 - r, so the loss after k steps is (1 - r)^(2 k) times the first.
Task linear_10_1(Engine& engine, std::uint64_t seed) {
  Initialiser initialiser(engine, seed);
  Task task;
  task.training.x = initialiser.uniform("x", {1, 10}, -1, 1);
  task.training.target = engine.upload("target", {1, 1}, {1.0f});
  task.network.add<Linear>("fc", 10, 1, initialiser);
  task.optimiser = std::make_unique<Sgd>(0.01);
  return task;
}

Task mlp_10_5_1(Engine& engine, std::uint64_t seed) {
  Initialiser initialiser(engine, seed);
  Task task;
  task.training.x = initialiser.normal("x", {3, 10}, 0, 1);
  task.training.target = initialiser.normal("target", {3, 1}, 0, 1);
  task.network.add<Linear>("fc1", 10, 5, initialiser);
  task.network.add<ActivationLayer>("relu", Activation::relu);
  task.network.add<Linear>("fc2", 5, 1, initialiser);
  task.optimiser = std::make_unique<Sgd>(0.05);
  return task;
}

/// Points in the plane, two hidden layers of 32.
Task plane(Engine& engine, std::uint64_t seed, const Dataset& training, const Dataset& held_out) {
  Initialiser initialiser(engine, seed);
  Task task;
  task.training = upload(engine, "training", training);
  task.held_out = upload(engine, "held out", held_out);
  task.network.add<Linear>("fc1", 2, 32, initialiser);
  task.network.add<ActivationLayer>("relu1", Activation::relu);
  task.network.add<Linear>("fc2", 32, 32, initialiser);
  task.network.add<ActivationLayer>("relu2", Activation::relu);
  task.network.add<Linear>("fc3", 32, training.classes, initialiser);
  task.optimiser = std::make_unique<Adam>(0.01);
  return task;
}

constexpr std::int64_t kPoints = 300, kArms = 3;
constexpr double kSpiralNoise = 0.2, kCirclesNoise = 0.08;

Task spiral_task(Engine& engine, std::uint64_t seed) {
  return plane(engine, seed, spiral(kPoints, kArms, kSpiralNoise, seed),
               spiral(kPoints, kArms, kSpiralNoise, seed + 1));
}

Task circles_task(Engine& engine, std::uint64_t seed) {
  return plane(engine, seed, circles(kPoints, kCirclesNoise, seed),
               circles(kPoints, kCirclesNoise, seed + 1));
}

constexpr std::int64_t kTrainingImages = 300, kHeldOutImages = 100, kImagesAStep = 100;
constexpr std::int64_t kStepsAnEpoch = kTrainingImages / kImagesAStep, kEpochs = 100;

/// Two convolutions, each followed by ReLU and max pooling, and a linear layer on 16 channels of 8 x 8.
Task cnn(Engine& engine, std::uint64_t seed, const Dataset& training) {
  Initialiser initialiser(engine, seed);
  const Convolving same_size{Layout::nchw, 1, 1, 1};
  Task task;
  task.training = upload(engine, "training", training);
  task.held_out = upload(engine, "held out", shapes(kHeldOutImages, seed + 1));
  task.network.add<ConvolutionLayer>("conv1", same_size, 3, 8, 3, initialiser);
  task.network.add<ActivationLayer>("relu1", Activation::relu);
  task.network.add<MaxPooling>("pool1", Window{});
  task.network.add<ConvolutionLayer>("conv2", same_size, 8, 16, 3, initialiser);
  task.network.add<ActivationLayer>("relu2", Activation::relu);
  task.network.add<MaxPooling>("pool2", Window{});
  task.network.add<Flatten>("flatten");
  task.network.add<Linear>("fc", 16 * 8 * 8, kShapes, initialiser);
  task.optimiser = std::make_unique<Adam>(0.003);
  return task;
}

}  // namespace

const std::vector<Preset>& presets() {
  static const std::vector<Preset> all = {
      {"linear-10-1", 1, 100, 10, linear_10_1},
      {"mlp-10-5-1", 3, 100, 10, mlp_10_5_1},
      {"spiral", kPoints, 200, 10, spiral_task},
      {"circles", kPoints, 100, 10, circles_task},
      {"cnn", kImagesAStep, kEpochs * kStepsAnEpoch, kStepsAnEpoch,
       [](Engine& engine, std::uint64_t seed) {
         return cnn(engine, seed, shapes(kTrainingImages, seed));
       }},
      {"cnn-random-labels", kImagesAStep, kEpochs * kStepsAnEpoch, kStepsAnEpoch,
       [](Engine& engine, std::uint64_t seed) {
         return cnn(engine, seed, with_random_labels(shapes(kTrainingImages, seed), seed));
       }},
  };
  return all;
}

device::Expected<const Preset*> find_preset(std::string_view name) {
  const auto found = std::ranges::find(presets(), name, &Preset::name);
  if (found != presets().end()) return &*found;
  std::vector<std::string> known;
  for (const Preset& preset : presets()) known.push_back(preset.name);
  return device::failure(device::ErrorCode::unknown_name,
                         {{"kind", device::Message{"phrase.kind.preset", {}, {}}},
                          {"name", std::string(name)},
                          {"known", lab::listed(known)}});
}

}  // namespace warpbook::training
