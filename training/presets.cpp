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
  samples.classes = data.classes;
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
constexpr double kCnnRate = 0.003;

/// Each label's number as what the network should answer.
void aim_at_numbers(Engine& engine, Samples& samples, const Dataset& data) {
  const std::vector<float> numbers(data.labels.begin(), data.labels.end());
  samples.target = engine.upload(samples.x.name() + ".numbers", {data.count(), 1}, numbers);
}

void add_pooling(Network& network, const std::string& name, const Cnn& cnn) {
  if (cnn.average_pooling)
    network.add<AveragePooling>(name, Window{});
  else
    network.add<MaxPooling>(name, Window{});
}

Task cnn_task(Engine& engine, std::uint64_t seed, const Cnn& cnn) {
  const Dataset drawn = shapes(kTrainingImages, seed), held_out = shapes(kHeldOutImages, seed + 1);
  const Dataset training =
      cnn.labels == Cnn::Labels::random ? with_random_labels(drawn, seed) : drawn;
  Samples samples = upload(engine, "training", training),
          others = upload(engine, "held out", held_out);
  if (cnn.loss == Cnn::Loss::label_numbers) {
    aim_at_numbers(engine, samples, training);
    aim_at_numbers(engine, others, held_out);
  }
  Task task = cnn_without_samples(engine, seed, cnn);
  task.training = std::move(samples);
  task.held_out = std::move(others);
  return task;
}

}  // namespace

Task cnn_without_samples(Engine& engine, std::uint64_t seed, const Cnn& cnn) {
  Initialiser initialiser(engine, seed);
  const Convolving same_size{Layout::nchw, 1, (cnn.side - 1) / 2, 1};
  const std::int64_t filters = cnn.filters, pooled_twice = kImageSide / 4,
                     answers = cnn.loss == Cnn::Loss::label_numbers ? 1 : kShapes;
  Task task;
  Network& network = task.network;
  network.add<ConvolutionLayer>("conv1", same_size, 3, filters, cnn.side, initialiser);
  network.add<ActivationLayer>("relu1", Activation::relu);
  add_pooling(network, "pool1", cnn);
  network.add<ConvolutionLayer>("conv2", same_size, filters, 2 * filters, cnn.side, initialiser);
  network.add<ActivationLayer>("relu2", Activation::relu);
  add_pooling(network, "pool2", cnn);
  network.add<Flatten>("flatten");
  network.add<Linear>("fc", 2 * filters * pooled_twice * pooled_twice, answers, initialiser);
  task.optimiser = std::make_unique<Adam>(kCnnRate);
  return task;
}

Task cnn_on_first(Engine& engine, std::uint64_t seed, const Cnn& cnn, std::int64_t images) {
  Samples samples = upload(engine, "training", first_shapes(images, kTrainingImages, seed));
  Task task = cnn_without_samples(engine, seed, cnn);
  task.training = std::move(samples);
  return task;
}

Preset cnn_preset(const std::string& name, const Cnn& cnn) {
  return {name, kImagesAStep, kEpochs * kStepsAnEpoch, kStepsAnEpoch,
          [cnn](Engine& engine, std::uint64_t seed) { return cnn_task(engine, seed, cnn); }};
}

const std::vector<Preset>& presets() {
  static const std::vector<Preset> all = {
      {"linear-10-1", 1, 100, 10, linear_10_1},
      {"mlp-10-5-1", 3, 100, 10, mlp_10_5_1},
      {"spiral", kPoints, 200, 10, spiral_task},
      {"circles", kPoints, 100, 10, circles_task},
      cnn_preset("cnn", {}),
      cnn_preset("cnn-random-labels", {.labels = Cnn::Labels::random}),
      cnn_preset("cnn-label-numbers", {.loss = Cnn::Loss::label_numbers}),
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
