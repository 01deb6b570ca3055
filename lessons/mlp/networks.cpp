#include "lessons/mlp/networks.hpp"

#include <algorithm>
#include <utility>

#include "lessons/common.hpp"

namespace warpbook::lessons::mlp {
namespace {

using training::Engine;
using training::Network;
using training::Task;
using training::Tensor;
using training::Variable;

/// The library's training of that kind, of which the chapter takes the data, and the network where nothing about it is chosen.
const training::Preset& library_preset(const std::string& network) {
  const std::string name = network == kLinear   ? "linear-10-1"
                           : network == kLayers ? "mlp-10-5-1"
                                                : network;
  return *lab::require(training::find_preset(name));
}

/// Two hidden layers. With a width of 32 it is the library's own, weights and all.
Network network_in_plane(Engine& engine, const Setting& setting, std::int64_t classes) {
  training::Initialiser initialiser(engine, setting.seed);
  Network network;
  network.add<training::Linear>("fc1", 2, setting.width, initialiser);
  network.add<training::ActivationLayer>("relu1", training::Activation::relu);
  network.add<training::Linear>("fc2", setting.width, setting.width, initialiser);
  network.add<training::ActivationLayer>("relu2", training::Activation::relu);
  network.add<training::Linear>("fc3", setting.width, classes, initialiser);
  return network;
}

/// Layers with the same weights, each of them one kernel forward. The last one has no ReLU.
Network fused(const Network& separate, const Kernel& linear) {
  const std::vector<Variable> parameters = separate.parameters();
  Network network;
  for (std::size_t i = 0; i < parameters.size(); i += 2) {
    const std::string& weights = parameters[i].name();
    network.add<FusedLinear>(weights.substr(0, weights.find('.')), parameters[i], parameters[i + 1],
                             i + 2 < parameters.size(), linear);
  }
  return network;
}

device::Launch launch_of_layer(const Kernel& kernel, const Tensor& x, const Tensor& weights,
                               const Tensor& bias, const Tensor& y, bool relu) {
  constexpr std::int64_t kColumns = 32, kRows = 4;
  device::Launch launch;
  launch.module = kernel.module;
  launch.grid = {blocks_for(y.shape[1], kColumns), blocks_for(y.shape[0], kRows), 1};
  launch.block = {static_cast<std::uint32_t>(kColumns), static_cast<std::uint32_t>(kRows), 1};
  for (const Tensor* tensor : {&x, &weights, &bias, &y})
    launch.arguments.push_back(device::Argument::pointer(tensor->address()));
  for (const std::int64_t number : {x.shape[0], x.shape[1], y.shape[1], std::int64_t{relu}})
    launch.arguments.push_back(number_argument(number));
  return launch;
}

}  // namespace

Setting::Setting(const lab::Lab& lab)
    : network(lab.choice("network")),
      rate(lab.real("rate")),
      momentum(lab.real("momentum")),
      width(lab.integer("width")),
      batch(lab.integer("batch")),
      steps(lab.integer("steps")),
      launch(lab.integer("launch")),
      seed(static_cast<std::uint64_t>(lab.integer("seed"))),
      fused(lab.toggle("fused")),
      graph(lab.toggle("graph")),
      call_seconds(1e-6 * lab.real("call")) {}

FusedLinear::FusedLinear(const std::string& name, Variable weights, Variable bias, bool relu,
                         Kernel kernel)
    : Layer(name),
      weights_(std::move(weights)),
      bias_(std::move(bias)),
      relu_(relu),
      kernel_(std::move(kernel)) {}

Variable FusedLinear::forward(training::Tape& tape, const Variable& x) {
  Engine& engine = tape.engine();
  const std::uint64_t first = engine.launched();
  const Tensor in = engine.contiguous(x.value());
  const Tensor y = engine.empty("linear", {in.shape[0], weights_.shape()[1]});
  engine.launch("linear", kernel_.file,
                launch_of_layer(kernel_, in, weights_.value(), bias_.value(), y, relu_));
  using Gradient = std::optional<Tensor>;
  return tape.note("linear", {x, weights_, bias_}, y, first,
                   [this, &engine, x, y](const Tensor& dy) -> std::vector<Gradient> {
                     // y is above 0 exactly where the sum before ReLU was, so the sum itself need not be kept.
                     const Tensor dz =
                         relu_ ? activate_backward(engine, training::Activation::relu, y, dy) : dy;
                     Gradient dx;
                     if (x.wants_gradient())
                       dx = training::matmul(engine, dz, weights_.value().transposed(0, 1));
                     const Tensor dw = training::matmul(engine, x.value().transposed(0, 1), dz);
                     return {dx, dw, sum_to(engine, dz, bias_.shape())};
                   });
}

training::Preset preset_of(const Setting& setting, std::uint64_t point_every,
                           const Kernel& linear) {
  training::Preset preset = library_preset(setting.network);
  preset.batch = setting.classifies() ? setting.batch : preset.batch;
  preset.steps = static_cast<std::uint64_t>(setting.steps);
  preset.point_every = point_every;
  preset.make = [make = preset.make, setting, linear](Engine& engine, std::uint64_t seed) {
    Task task = make(engine, seed);
    if (setting.classifies()) {
      const std::int64_t classes = setting.network == kSpiral ? 3 : 2;
      task.network = network_in_plane(engine, setting, classes);
    }
    if (setting.fused) task.network = fused(task.network, linear);
    task.optimiser = std::make_unique<training::Sgd>(setting.rate, setting.momentum);
    return task;
  };
  return preset;
}

}  // namespace warpbook::lessons::mlp
