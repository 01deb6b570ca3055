// weight-gradient: the gradients of a layer with ReLU, in one launch whose warps share each sum; and a training that uses it.
#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "lab/exercise/exercise_tools.hpp"
#include "training/trainer.hpp"

namespace warpbook::exercises {
namespace weight_gradient_check {

using training::Tape;
using training::Tensor;
using training::Variable;

constexpr std::uint32_t kLanes = 32, kWarps = 8;

struct Shape {
  std::int64_t n, inputs, outputs;
};

/// A block for each input, and one for the bias, of each 32 outputs.
device::Dim3 grid_of(const Shape& shape) {
  const auto outputs = static_cast<std::uint32_t>(shape.outputs);
  return {(outputs + kLanes - 1) / kLanes, static_cast<std::uint32_t>(shape.inputs) + 1, 1};
}

// ---- The gradients alone

/// What ReLU leaves of uneven numbers: among them are zeros, at which the gradient ends.
std::vector<float> after_relu(std::size_t count, std::uint64_t seed) {
  std::vector<float> y = lab::odd_halves(count, seed);
  for (float& value : y) value = std::max(value, 0.0f);
  return y;
}

lab::Trial trial(const Shape& shape, std::uint64_t seed) {
  const auto [n, inputs, outputs] = shape;
  const auto count = [](std::int64_t rows, std::int64_t columns) {
    return static_cast<std::size_t>(rows * columns);
  };
  // A float holds the sums exactly, whatever the order, and half precision cannot hold the factors.
  const std::vector<float> x = lab::wide_halves(count(n, inputs), seed),
                           y = after_relu(count(n, outputs), seed + 1),
                           dy = lab::small_halves(count(n, outputs), seed + 2);
  std::vector<double> dw(count(inputs, outputs)), db(count(1, outputs));
  for (std::size_t row = 0; row < static_cast<std::size_t>(n); ++row) {
    for (std::size_t o = 0; o < db.size(); ++o) {
      const std::size_t at = row * db.size() + o;
      const double dz = y[at] > 0 ? static_cast<double>(dy[at]) : 0;
      db[o] += dz;
      for (std::size_t i = 0; i < static_cast<std::size_t>(inputs); ++i)
        dw[i * db.size() + o] +=
            static_cast<double>(x[row * static_cast<std::size_t>(inputs) + i]) * dz;
    }
  }
  const auto number = [](std::int64_t value) {
    return device::Argument::of(static_cast<std::int32_t>(value));
  };
  lab::Trial made;
  made.name = "n = " + std::to_string(n) + ", inputs = " + std::to_string(inputs) +
              ", outputs = " + std::to_string(outputs);
  made.grid = grid_of(shape);
  made.block = {kLanes, kWarps, 1};
  made.arrays = {lab::input_array("x", x), lab::input_array("y", y), lab::input_array("dy", dy),
                 lab::output_array<float>("dw", std::move(dw)),
                 lab::output_array<float>("db", std::move(db))};
  made.arguments = {"x", "y", "dy", "dw", "db", number(n), number(inputs), number(outputs)};
  return made;
}

// ---- A training by the submission

/// y = max(x w + b, 0), whose weights get their gradients from the submission.
class Layer : public training::Layer {
 public:
  Layer(const std::string& name, std::int64_t inputs, std::int64_t outputs,
        training::Initialiser& initialiser, std::shared_ptr<const device::Module> submission)
      : training::Layer(name),
        linear_(name, inputs, outputs, initialiser),
        submission_(std::move(submission)) {}

  [[nodiscard]] std::vector<Variable> parameters() const override { return linear_.parameters(); }

  Variable forward(Tape& tape, const Variable& x) override {
    training::Engine& engine = tape.engine();
    const std::uint64_t first = engine.launched();
    const std::vector<Variable> own = parameters();
    const Tensor sums = add(engine, matmul(engine, x.value(), own[0].value()), own[1].value());
    const Tensor y = activate(engine, training::Activation::relu, sums);
    using Gradient = std::optional<Tensor>;
    return tape.note("layer", {x, own[0], own[1]}, y, first,
                     [this, &engine, x, own, y](const Tensor& dy) -> std::vector<Gradient> {
                       Gradient dx;
                       if (x.wants_gradient()) {
                         const Tensor dz =
                             activate_backward(engine, training::Activation::relu, y, dy);
                         dx = matmul(engine, dz, own[0].value().transposed(0, 1));
                       }
                       const auto [dw, db] = gradients(engine, x.value(), y, dy);
                       return {dx, dw, db};
                     });
  }

 private:
  std::pair<Tensor, Tensor> gradients(training::Engine& engine, const Tensor& x, const Tensor& y,
                                      const Tensor& dy) {
    const Tensor of_x = engine.contiguous(x), of_dy = engine.contiguous(dy);
    const Shape shape{x.shape[0], x.shape[1], y.shape[1]};
    const Tensor dw = engine.empty("dw", {shape.inputs, shape.outputs}),
                 db = engine.empty("db", {shape.outputs});
    device::Launch launch;
    launch.module = submission_;
    launch.grid = grid_of(shape);
    launch.block = {kLanes, kWarps, 1};
    for (const Tensor* tensor : {&of_x, &y, &of_dy, &dw, &db})
      launch.arguments.push_back(device::Argument::pointer(tensor->address()));
    for (const std::int64_t number : {shape.n, shape.inputs, shape.outputs})
      launch.arguments.push_back(device::Argument::of(static_cast<std::int32_t>(number)));
    engine.launch("weight_gradient", "weight-gradient.cu", std::move(launch));
    return {dw, db};
  }

  training::Linear linear_;
  std::shared_ptr<const device::Module> submission_;
};

/// The library's training of the spiral, by Adam, which does not mind in which order a kernel adds up; our own kernel comes to 99 %.
training::Preset spiral(const std::shared_ptr<const device::Module>& submission) {
  constexpr std::uint64_t kSteps = 100;
  training::Preset preset = *lab::require(training::find_preset("spiral"));
  preset.steps = preset.point_every = kSteps;
  preset.make = [make = preset.make, submission](training::Engine& engine, std::uint64_t seed) {
    constexpr std::int64_t kWidth = 32;
    training::Task task = make(engine, seed);
    training::Initialiser initialiser(engine, seed);
    training::Network network;
    network.add<Layer>("fc1", 2, kWidth, initialiser, submission);
    network.add<Layer>("fc2", kWidth, kWidth, initialiser, submission);
    network.add<training::Linear>("fc3", kWidth, 3, initialiser);
    task.network = std::move(network);
    return task;
  };
  return preset;
}

/// The share of the spiral's points, in per cent, that are on the right side after the training.
double learned(lab::Checker& checker) {
  const training::Preset preset = spiral(checker.submission);
  training::Engine engine(checker.lab);
  training::Trainer trainer(engine, preset, 1);
  training::Controls controls;
  controls.observing = [](std::uint64_t) { return training::Observing{}; };
  trainer.run(preset.steps, controls);
  return 100 * trainer.accuracy(trainer.task().training);
}

/// A training takes longer than all cases together, so it waits until everything else has passed.
void add_learns(lab::Checker& checker) {
  lab::CheckExhibit::Item item;
  item.id = "learns";
  const double least = *std::ranges::find(checker.text.gates, item.id, &lab::Gate::id)->floor;
  item.sentence = {"weight-gradient.learns", {{"least", lab::number(least)}}};
  if (checker.result.passed()) {
    const double got = learned(checker);
    item.state = got >= least ? lab::CheckExhibit::State::passed : lab::CheckExhibit::State::failed;
    item.got = {"weight-gradient.learned", {{"got", lab::number(got, 3)}}};
    if (got < least) item.advice = {"weight-gradient.learns-advice"};
  }
  checker.result.items.push_back(std::move(item));
}

void check(lab::Checker& checker) {
  lab::Trials trials(checker);
  std::uint64_t seed = 1;
  for (const Shape& shape : std::initializer_list<Shape>{{0, 3, 5},
                                                         {1, 1, 1},
                                                         {7, 10, 5},
                                                         {8, 2, 31},
                                                         {9, 5, 32},
                                                         {31, 1, 33},
                                                         {129, 10, 5},
                                                         {300, 3, 65}})
    trials.run(trial(shape, seed += 3));
  // More elements than 16 bits count, and 84 blocks.
  trials.run(lab::with_gates(trial({1100, 41, 61}, seed += 3)));
  for (int i = 0; i < 2; ++i) {
    const Shape drawn{checker.drawn(400, 900), checker.drawn(33, 40), checker.drawn(50, 64)};
    trials.run(lab::hidden_with_gates(trial(drawn, checker.draw())));
  }
  trials.add_right("right");
  trials.add_safe("safe");
  trials.add_written_once("written-once", std::vector<std::string>{"dw", "db"});
  trials.add_sectors("moved");
  trials.add_shared_out("shared-out");
  trials.add_work("work");
  add_learns(checker);
}

}  // namespace weight_gradient_check

lab::Exercise weight_gradient() { return {"weight-gradient", weight_gradient_check::check}; }

}  // namespace warpbook::exercises
