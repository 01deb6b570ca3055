// How long trainings take on the simulator, with the checkers that `warpbook train` has: a step of each network, whole trainings,
// and the wait for the first point of a curve. Ends with 1 where a bar is missed.
#include <memory>
#include <optional>
#include <string>

#include "lab/experiment/lesson.hpp"
#include "tests/bench/bars.hpp"
#include "tests/bench/clock.hpp"
#include "training/trainer.hpp"

namespace {

using namespace warpbook;
using namespace warpbook::bench;
using namespace warpbook::training;

constexpr double kStepBar = 5e-3;    ///< seconds a step of Linear(10, 5)-ReLU-Linear(5, 1)
constexpr double kLinearBar = 1;     ///< seconds for 100 steps of Linear(10, 1)
constexpr double kNetworkBar = 180;  ///< seconds for the 100 epochs of the CNN
constexpr double kFirstBar = 3;      ///< seconds until its first point, its kernels compiled before

std::unique_ptr<lab::Lab> make_lab() {
  static const auto compiler = std::make_shared<device::Compiler>();
  static const lab::Inputs no_inputs;
  lab::Lab::Context context;
  context.device = device::make_simulated_device(*device::find_gpu(device::kDefaultGpu));
  context.compiler = compiler;
  context.inputs = &no_inputs;
  context.root = WARPBOOK_SOURCE_DIR;
  context.checks = {.memcheck = true, .initcheck = true};
  return std::make_unique<lab::Lab>(std::move(context));
}

struct Times {
  double first_point = 0;  ///< seconds from nothing to the first point of the curve
  double step = 0;         ///< seconds a step after the first, whose costs are counted: the mean
  double processor = 0;    ///< ... in processor time of all threads
};

Times times_of(const std::string& name, std::optional<std::uint64_t> wanted_steps = {}) {
  const Preset& preset = **find_preset(name);
  const std::uint64_t steps = wanted_steps.value_or(preset.steps);
  const auto others = static_cast<double>(steps - 1);
  const auto lab = make_lab();
  std::optional<Engine> engine;
  std::optional<Trainer> trainer;
  Times times;
  times.first_point = seconds_of([&] {
    trainer.emplace(engine.emplace(*lab), preset, 1);
    trainer->run(1);
  });
  const std::uint64_t before = engine->launched();
  times.processor = processor_seconds_of(
                        [&] { times.step = seconds_of([&] { trainer->run(steps); }) / others; }) /
                    others;
  const TrainingReport report = trainer->report();
  const CurvePoint& last = report.curve.back();
  fmt::print(
      "{}: first point after {:.3f} s; a step takes {:.3f} ms, {:.3f} ms of processor time, for {} "
      "launches\n",
      name, times.first_point, 1e3 * times.step, 1e3 * times.processor,
      (engine->launched() - before) / (steps - 1));
  fmt::print("  loss {:.5g}, before step {} {:.5g}", report.curve.front().loss, last.step + 1,
             last.loss);
  if (last.accuracy) fmt::print(", {:.1f} % right", 100 * *last.accuracy);
  if (report.held_out) fmt::print(", {:.1f} % of what was held out", 100 * *report.held_out);
  fmt::print("\n");
  return times;
}

int measure(std::string_view only) {
  Bars bars;
  const auto wanted = [&](std::string_view name) { return only.empty() || only == name; };
  if (wanted("linear-10-1")) {
    (void)times_of("linear-10-1", 2);  // compiles
    const Times linear = times_of("linear-10-1");
    bars.expect(linear.first_point + 99 * linear.processor < kLinearBar,
                "100 steps of Linear(10, 1) within 1 s");
  }
  if (wanted("mlp-10-5-1")) {
    const Times mlp = times_of("mlp-10-5-1");
    bars.expect(mlp.processor < kStepBar, "a step of Linear(10, 5)-ReLU-Linear(5, 1) within 5 ms");
  }
  if (wanted("spiral")) (void)times_of("spiral");
  if (wanted("cnn")) {
    (void)times_of("cnn", 2);  // compiles
    const Times cnn = times_of("cnn");
    bars.expect(cnn.first_point < kFirstBar, "the CNN's first point within 3 s");
    const auto others = static_cast<double>((**find_preset("cnn")).steps - 1);
    bars.expect(cnn.first_point + others * cnn.step < kNetworkBar,
                "the CNN's 100 epochs within 3 minutes");
  }
  return bars.report();
}

}  // namespace

int main(int argc, char** argv) { return bench::main_of(argc, argv, measure); }
