// Graphs of operations: values forward, gradients back, and an operation of the reader's own.
#include <algorithm>
#include <array>
#include <cmath>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "lab/exhibits/curve/curve_summary.hpp"
#include "lab/exhibits/exhibit.hpp"
#include "lab/model/global_accesses.hpp"
#include "lessons/autograd/runs.hpp"
#include "lessons/common.hpp"
#include "training/graph.hpp"
#include "training/operations.hpp"

namespace warpbook::lessons::autograd {
namespace {

using training::Engine;
using training::Tape;
using training::Tensor;
using training::Variable;

/// The first product of the way back that makes the gradient of `of`, by the tape's last node of that operation.
const device::LaunchRecord& last_backward_record(const Tape& tape, const Engine& engine,
                                                 std::string_view operation) {
  const auto node = std::ranges::find(tape.nodes(), operation, &Tape::Node::operation);
  return *engine.launches()[node->backward.end - 1 - engine.first_noted()].record;
}

/// "0, 2, 4": the words of an allocation that one thread loads, in the order of its loads.
std::string words_read(const device::LaunchRecord& record, std::string_view allocation,
                       std::uint32_t thread) {
  std::string text;
  lab::for_each_global_access(record, [&](const lab::GlobalAccess& access) {
    if (access.thread == thread && access.block == 0 && access.allocation == allocation &&
        access.kind == device::AccessKind::load)
      text += (text.empty() ? "" : ", ") + std::to_string(access.element);
  });
  return text;
}

std::size_t launches_of(const Engine& engine, std::uint64_t first, std::string_view operation) {
  const auto from = static_cast<std::ptrdiff_t>(first - engine.first_noted());
  return static_cast<std::size_t>(
      std::count_if(engine.launches().begin() + from, engine.launches().end(),
                    [&](const auto& launch) { return launch.operation == operation; }));
}

/// The reader's operation: both of its kernels, on tensors.
class Operation {
 public:
  explicit Operation(lab::Lab& lab) : lab_(lab), module_(lab.compile("operation")) {}

  Tensor forward(Engine& engine, const Tensor& x) {
    const Tensor y = engine.empty("y", x.shape);
    launch("forward", x.count(), {x, y});
    return y;
  }
  /// With a gradient of 1 for each result: the slope.
  Tensor slope(Engine& engine, const Tensor& x) {
    const std::vector<float> ones(static_cast<std::size_t>(x.count()), 1.0f);
    const Tensor dy = engine.upload("dy", x.shape, ones), dx = engine.empty("dx", x.shape);
    launch("backward", x.count(), {x, dy, dx});
    return dx;
  }
  [[nodiscard]] const std::shared_ptr<const device::LaunchRecord>& last() const { return record_; }

 private:
  void launch(const char* kernel, std::int64_t n, const std::vector<Tensor>& tensors) {
    constexpr std::int64_t kBlock = 64;
    std::vector<device::Argument> arguments;
    for (const Tensor& tensor : tensors)
      arguments.push_back(device::Argument::pointer(tensor.address()));
    arguments.push_back(number_argument(n));
    record_ = lab_.launch(launch_of(module_, kernel, n, kBlock, std::move(arguments)));
  }

  lab::Lab& lab_;
  std::shared_ptr<const device::Module> module_;
  std::shared_ptr<const device::LaunchRecord> record_;
};

constexpr std::int64_t kPoints = 33;
constexpr std::array kSteps{1e-1f, 1e-2f, 1e-3f, 1e-4f, 1e-5f, 1e-6f};
constexpr std::size_t kUsualStep = 1;

/// -4 to 4 in quarters, which a float holds exactly.
std::vector<float> points() {
  std::vector<float> made;
  for (std::int64_t i = 0; i < kPoints; ++i) made.push_back(static_cast<float>(i - 16) / 4);
  return made;
}

/// (f(x + h) - f(x - h)) / 2h for each step h, a row each: a column of steps broadcast along a row of points.
std::vector<float> central_differences(Engine& engine, Operation& operation, const Tensor& x) {
  const auto column = [&](const std::string& name, auto of) {
    std::vector<float> values;
    for (const float step : kSteps) values.push_back(of(step));
    return engine.upload(name, {static_cast<std::int64_t>(kSteps.size()), 1}, values);
  };
  const Tensor ahead = column("h", [](float h) { return h; });
  const Tensor behind = column("-h", [](float h) { return -h; });
  const Tensor scale = column("1/2h", [](float h) { return 1 / (2 * h); });
  const Tensor above = operation.forward(engine, training::add(engine, x, ahead));
  const Tensor below = operation.forward(engine, training::add(engine, x, behind));
  const Tensor minus = training::multiply(engine, below, engine.constant(-1));
  return engine.download(training::multiply(engine, training::add(engine, above, minus), scale));
}

/// For each step how far the differences are from `slopes`, at the worst of the points.
std::vector<double> worst_of(const std::vector<float>& differences,
                             const std::vector<float>& slopes) {
  std::vector<double> worst(kSteps.size(), 0);
  for (std::size_t i = 0; i < differences.size(); ++i) {
    const std::size_t step = i / slopes.size();
    const double apart = std::abs(static_cast<double>(differences[i]) -
                                  static_cast<double>(slopes[i % slopes.size()]));
    worst[step] = std::max(worst[step], apart);
  }
  return worst;
}

void show_steps(lab::Lab& lab, const std::vector<double>& worst, const device::Evidence& counted) {
  std::string rows;
  for (std::size_t step = 0; step < kSteps.size(); ++step)
    rows +=
        fmt::format("{:<12}{:.1e}\n", lab::number(static_cast<double>(kSteps[step])), worst[step]);
  const auto best = std::ranges::min_element(worst) - worst.begin();
  lab.show(
      {"steps",
       {"autograd.steps.title"},
       counted,
       lab::TextExhibit{
           {"autograd.steps.table",
            {{"rows", rows},
             {"best", lab::number(static_cast<double>(kSteps[static_cast<std::size_t>(best)]))}}},
           true}});
}

}  // namespace

lab::Message square(lab::Lab& lab, Engine& engine, const device::Evidence& counted) {
  const auto before = static_cast<std::ptrdiff_t>(lab.device().host_calls().size());
  Tape tape(engine);
  Variable x = tape.parameter("x", engine.upload("x", {1}, {static_cast<float>(lab.integer("x"))}));
  const Variable product = tape.multiply(tape.constant(3), x);
  const Variable y = tape.add(product, tape.constant(2));
  const Variable z = tape.multiply(y, y);
  for (std::int64_t time = 0; time < lab.integer("backwards"); ++time) {
    if (lab.toggle("zeroing")) x.zero_gradient();
    tape.backward(z, Tape::Keep::gradients);
  }
  (void)engine.download(*x.gradient());
  const std::vector<device::HostCall> all = lab.device().host_calls();
  lab::Message calls = host_calls(std::vector<device::HostCall>(all.begin() + before, all.end()));
  lab.show({"graph",
            {"autograd.graph"},
            counted,
            training::graph_of(tape, {{product, "3x"}, {y, "y"}, {z, "z"}})});
  return calls;
}

void fit(lab::Lab& lab, Engine& engine, const device::Evidence& counted) {
  Tape tape(engine);
  const Variable hours = tape.data("t", engine.upload("hours", {3, 2}, {1, 2, 3, 4, 5, 6}));
  const Variable w = tape.parameter("w", engine.upload("w", {2, 1}, {1, 0}));
  const Variable b = tape.parameter("b", engine.upload("b", {1}, {1}));
  const Variable minus = tape.data("-m", engine.upload("minus", {3, 1}, {-1, -4, -8}));
  const Variable product = tape.matmul(hours, w);
  const Variable p = tape.add(product, b);
  const Variable r = tape.add(p, minus);
  const Variable squares = tape.multiply(r, r);
  const Variable error = tape.sum(squares);
  const std::uint64_t first = engine.launched();
  tape.backward(error, Tape::Keep::gradients);
  const std::size_t copies = launches_of(engine, first, "strided_copy");
  lab.show({"fit",
            {"autograd.fit"},
            counted,
            training::graph_of(
                tape, {{product, "t w"}, {p, "p"}, {r, "r"}, {squares, "r * r"}, {error, "E"}})});
  const device::LaunchRecord& record = last_backward_record(tape, engine, "matmul");
  lab.show({"fit-gradients",
            {"autograd.fit-gradients.title"},
            counted,
            lab::TextExhibit{{"autograd.fit-gradients.sentence",
                              {{"words", words_read(record, "hours", 0)},
                               {"copies", std::to_string(copies)}}}}});
}

void differences(lab::Lab& lab, Engine& engine, const device::Evidence& counted) {
  Operation operation(lab);
  const Tensor x = engine.upload("x", {kPoints}, points());
  const std::vector<float> slopes = engine.download(operation.slope(engine, x));
  const std::shared_ptr<const device::LaunchRecord> backward = operation.last();
  const std::vector<float> differences = central_differences(engine, operation, x);
  const std::vector<float> usual(differences.begin() + kPoints * kUsualStep,
                                 differences.begin() + kPoints * (kUsualStep + 1));
  constexpr double kAgreed = 1e-3;  // ten times what rounding and curvature make of it at this step
  lab.show({"slope-check",
            {"autograd.slope-check.title"},
            counted,
            check_of(
                "autograd.slope-check.", *backward, slopes, usual,
                [](float slope, float difference) {
                  return std::abs(slope - difference) <=
                         kAgreed * std::max(1.0f, std::abs(difference));
                },
                [](float value) { return lab::number(static_cast<double>(value), 4); })});
  show_steps(lab, worst_of(differences, slopes), counted);
}

}  // namespace warpbook::lessons::autograd
