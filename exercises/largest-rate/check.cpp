// largest-rate: for each sample the learning rate from which on Linear(n, 1) diverges, a warp for each; and trainings on either side of it.
#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "lab/exercise/exercise_tools.hpp"
#include "training/trainer.hpp"

namespace warpbook::exercises {
namespace largest_rate_check {

constexpr std::uint32_t kWarp = 32, kBlock = 128;
constexpr double kTolerance = 1e-7;  // a float keeps within; a sum in half precision does not

struct Shape {
  std::int64_t rows, columns;
};

device::Dim3 grid_of(std::int64_t rows) {
  const auto warps = static_cast<std::uint32_t>(rows);
  return {(warps * kWarp + kBlock - 1) / kBlock, 1, 1};
}

device::Argument number(std::int64_t value) {
  return device::Argument::of(static_cast<std::int32_t>(value));
}

/// Elements so small that the rates of long rows are not too small to be told apart, and whose squares a float adds up exactly.
lab::Trial trial(const Shape& shape, std::uint64_t seed) {
  const auto [rows, columns] = shape;
  std::vector<float> x = lab::odd_halves(static_cast<std::size_t>(rows * columns), seed);
  std::vector<double> truth;
  for (float& value : x) value /= 128;
  for (std::int64_t row = 0; row < rows; ++row) {
    double sum = 1;
    for (std::int64_t c = 0; c < columns; ++c) {
      const auto value = static_cast<double>(x[static_cast<std::size_t>(row * columns + c)]);
      sum += value * value;
    }
    truth.push_back(1 / sum);
  }
  lab::Trial made;
  made.name = "rows = " + std::to_string(rows) + ", columns = " + std::to_string(columns);
  made.grid = grid_of(rows);
  made.block = {kBlock, 1, 1};
  made.arrays = {lab::input_array("x", x),
                 lab::output_array<float>("rate", std::move(truth), kTolerance)};
  made.arguments = {"x", "rate", number(rows), number(columns)};
  return made;
}

/// The rate for a sample, by the submission.
double rate_of(training::Engine& engine, const training::Tensor& x,
               const std::shared_ptr<const device::Module>& submission) {
  const training::Tensor rate = engine.empty("rate", {x.shape[0]});
  device::Launch launch;
  launch.module = submission;
  launch.grid = grid_of(x.shape[0]);
  launch.block = {kBlock, 1, 1};
  launch.arguments = {device::Argument::pointer(x.address()),
                      device::Argument::pointer(rate.address()), number(x.shape[0]),
                      number(x.shape[1])};
  engine.launch("largest_rate", "largest-rate.cu", std::move(launch));
  return static_cast<double>(engine.download(rate).front());
}

/// How the loss of the chapter's smallest network changes in 30 steps at `share` of the submission's rate: last over first.
double change_at(lab::Checker& checker, double share) {
  constexpr std::uint64_t kSteps = 31, kEvery = 30;
  training::Preset preset = *lab::require(training::find_preset("linear-10-1"));
  preset.point_every = kEvery;
  preset.make = [&, make = preset.make](training::Engine& engine, std::uint64_t seed) {
    training::Task task = make(engine, seed);
    const double rate = rate_of(engine, task.training.x, checker.submission);
    task.optimiser = std::make_unique<training::Sgd>(share * rate);
    return task;
  };
  training::Engine engine(checker.lab);
  training::Trainer trainer(engine, preset, 1);
  std::vector<double> losses;
  training::Controls controls;
  controls.point = [&](const training::CurvePoint& point) { losses.push_back(point.loss); };
  controls.observing = [](std::uint64_t) { return training::Observing{}; };
  trainer.run(kSteps, controls);
  return losses.back() / losses.front();
}

void add_holds(lab::Checker& checker) {
  constexpr double kBelow = 0.98, kAbove = 1.02;
  lab::CheckExhibit::Item item;
  item.id = "holds";
  item.sentence = {"largest-rate.holds"};
  if (checker.result.passed()) {
    const double below = change_at(checker, kBelow), above = change_at(checker, kAbove);
    const bool holds = below < 1 && above > 1;
    item.state = holds ? lab::CheckExhibit::State::passed : lab::CheckExhibit::State::failed;
    item.got = {"largest-rate.held",
                {{"below", lab::number(below, 3)}, {"above", lab::number(above, 3)}}};
    if (!holds) item.advice = {"largest-rate.holds-advice"};
  }
  checker.result.items.push_back(std::move(item));
}

void check(lab::Checker& checker) {
  lab::Trials trials(checker);
  std::uint64_t seed = 1;
  for (const Shape& shape : std::initializer_list<Shape>{
           {1, 0}, {1, 1}, {1, 33}, {3, 31}, {4, 32}, {5, 65}, {33, 7}, {129, 100}})
    trials.run(trial(shape, seed++));
  // More elements than 16 bits count.
  trials.run(lab::with_gates(trial({301, 230}, seed++)));
  for (int i = 0; i < 2; ++i) {
    const Shape drawn{checker.drawn(260, 400), checker.drawn(120, 300)};
    trials.run(lab::hidden_with_gates(trial(drawn, checker.draw())));
  }
  trials.add_right("right");
  trials.add_safe("safe");
  trials.add_written_once("written-once", "rate");
  trials.add_sectors("moved");
  trials.add_shuffles("shuffles", {"largest-rate.shuffles"});
  trials.add_shared_out("shared-out");
  trials.add_work("work");
  add_holds(checker);
}

}  // namespace largest_rate_check

lab::Exercise largest_rate() { return {"largest-rate", largest_rate_check::check}; }

}  // namespace warpbook::exercises
