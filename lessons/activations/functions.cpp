// An activation and its slope, element by element; the same through many layers; and both forms of GELU.
#include <algorithm>
#include <cmath>
#include <limits>

#include "lab/exhibits/curve/curve_summary.hpp"
#include "lab/exhibits/exhibit.hpp"
#include "lessons/activations/runs.hpp"
#include "lessons/activations/truth.hpp"
#include "lessons/common.hpp"

namespace warpbook::lessons::activations {
namespace {

using Series = lab::CurveExhibit::Series;

constexpr std::int64_t kFunctionBlock = 256;

/// The kernels of one function, compiled from their slots.
class ActivationKernel {
 public:
  ActivationKernel(lab::Lab& lab, const std::string& function)
      : lab_(lab), forward_(lab.compile(function)), backward_(lab.compile(function + "-backward")) {
    if (function == "leaky-relu") leak_ = static_cast<float>(lab.real("slope"));
  }

  std::shared_ptr<const device::LaunchRecord> forward(const device::Buffer& x,
                                                      const device::Buffer& y) {
    return run(forward_, {pointer_argument(x), pointer_argument(y)}, x.count());
  }
  /// dx = dy times the function's slope at x.
  std::shared_ptr<const device::LaunchRecord> backward(const device::Buffer& x,
                                                       const device::Buffer& dy,
                                                       const device::Buffer& dx) {
    return run(backward_, {pointer_argument(x), pointer_argument(dy), pointer_argument(dx)},
               x.count());
  }

 private:
  std::shared_ptr<const device::LaunchRecord> run(
      const std::shared_ptr<const device::Module>& module, std::vector<device::Argument> arguments,
      std::uint64_t n) {
    arguments.push_back(number_argument(static_cast<std::int64_t>(n)));
    if (leak_) arguments.push_back(device::Argument::of(*leak_));
    return launch(lab_, module, static_cast<std::int64_t>(n), kFunctionBlock, std::move(arguments));
  }

  lab::Lab& lab_;
  std::shared_ptr<const device::Module> forward_, backward_;
  std::optional<float> leak_;
};

/// n values from -range to range, then the chosen one, both infinities and NaN.
std::vector<float> points(lab::Lab& lab) {
  const std::int64_t n = lab.integer("n");
  const double range = lab.real("range");
  std::vector<float> x;
  for (std::int64_t i = 0; i < n; ++i) {
    const double share = 2 * static_cast<double>(i) / static_cast<double>(n - 1) - 1;
    x.push_back(static_cast<float>(range * share));
  }
  constexpr float kInfinity = std::numeric_limits<float>::infinity();
  for (const float outside : {static_cast<float>(lab.real("at")), -kInfinity, kInfinity,
                              std::numeric_limits<float>::quiet_NaN()})
    x.push_back(outside);
  return x;
}

lab::Message name_of(const std::string& function) { return lab::Message::plain(function); }

/// The slope's values and the checkers' findings join the first kernel's.
lab::CheckExhibit joined(lab::CheckExhibit check, lab::CheckExhibit slope) {
  using State = lab::CheckExhibit::State;
  slope.items[0].id = "slope-right";
  slope.items[0].sentence = {"activations.check.slope-right"};
  slope.items[1].id = "slope-safe";
  slope.items[1].sentence = {"activations.check.slope-safe"};
  for (auto& item : slope.items) {
    if (item.state == State::failed && item.id == "slope-right")
      item.advice = {"activations.check.slope-advice"};
    check.items.push_back(std::move(item));
  }
  return check;
}

/// The chosen function and its slope at every point. Gives back what the host asked for until the function was there.
lab::Message curve(lab::Lab& lab, ActivationKernel& activation, const device::Evidence& counted) {
  const std::string function = lab.choice("function");
  const double leak = static_cast<double>(static_cast<float>(lab.real("slope")));
  const std::vector<float> x = points(lab);
  const device::Buffer d_x = lab.upload<float>("x", x);
  const device::Buffer d_y = lab.allocate("y", device::ElementType::f32, x.size());
  const auto forward = activation.forward(d_x, d_y);
  const std::vector<float> y = lab.download<float>(d_y);
  lab::Message calls = host_calls(lab.device());

  const device::Buffer d_dy = lab.upload<float>("dy", std::vector<float>(x.size(), 1.0f));
  const device::Buffer d_dx = lab.allocate("dx", device::ElementType::f32, x.size());
  const auto backward = activation.backward(d_x, d_dy, d_dx);
  const std::vector<float> dx = lab.download<float>(d_dx);

  std::vector<Series> series(2);
  series[0] = {name_of(function), tensor_of("y", y), 1, 0, 0};
  series[1] = {{"activations.slope-of", {{"function", function}}}, tensor_of("dx", dx), {}, 0, 0};
  lab.show({"curve",
            {"activations.curve"},
            counted,
            lab::curve_of(lab::Message::plain("x"), tensor_of("x", x), std::move(series),
                          static_cast<std::uint64_t>(lab.integer("n")))});
  std::vector<double> values, slopes;
  for (const float at : x) {
    values.push_back(value_of(function, static_cast<double>(at), leak));
    slopes.push_back(slope_of(function, static_cast<double>(at), leak));
  }
  lab.show({"check",
            {"activations.check.title"},
            counted,
            joined(check_close(*forward, y, values), check_close(*backward, dx, slopes))});
  lab.show({"geometry", {"activations.geometry"}, counted, lab::geometry_of(*forward)});
  return calls;
}

/// One number goes up through the layers, each the chosen function; then a gradient of 1 comes down, as in training: each
/// layer multiplies it by its slope at the number that it was given.
void layers(lab::Lab& lab, ActivationKernel& activation, const device::Evidence& counted) {
  const std::int64_t count = lab.integer("layers");
  std::vector<device::Buffer> inputs;
  inputs.push_back(lab.upload<float>("x0", std::vector<float>{static_cast<float>(lab.real("at"))}));
  for (std::int64_t layer = 1; layer < count; ++layer) {
    inputs.push_back(lab.allocate("x" + std::to_string(layer), device::ElementType::f32, 1));
    activation.forward(inputs[static_cast<std::size_t>(layer - 1)], inputs.back());
  }
  std::vector<float> step{0}, gradients{1};
  device::Buffer d_dy = lab.upload<float>("gradient", gradients);
  for (std::int64_t layer = count; layer-- > 0;) {
    device::Buffer d_dx = lab.allocate("gradient", device::ElementType::f32, 1);
    activation.backward(inputs[static_cast<std::size_t>(layer)], d_dy, d_dx);
    step.push_back(static_cast<float>(count - layer));
    gradients.push_back(lab.download<float>(d_dx)[0]);
    d_dy = std::move(d_dx);
  }
  std::vector<Series> series(1);
  series[0] = {{"activations.layers.gradient"}, tensor_of("gradient", gradients), {}, 0, 0};
  lab.show({"layers",
            {"activations.layers.title"},
            counted,
            lab::curve_of({"activations.layers.variable"}, tensor_of("layers", step),
                          std::move(series), static_cast<std::uint64_t>(count))});
}

}  // namespace

lab::Message functions(lab::Lab& lab, const device::Evidence& counted) {
  ActivationKernel activation(lab, lab.choice("function"));
  lab::Message calls = curve(lab, activation, counted);
  layers(lab, activation, counted);
  return calls;
}

/// How many instructions a warp runs for each on the sums of the chapter's layer, and by how much they differ from -6 to 6.
void gelu_forms(lab::Lab& lab, const device::Evidence& counted) {
  constexpr std::int64_t kPoints = 256;
  std::vector<float> rising;
  for (std::int64_t i = 0; i < kPoints; ++i)
    rising.push_back(12 * static_cast<float>(i) / static_cast<float>(kPoints - 1) - 6);
  struct Run {
    std::vector<float> y;
    std::string instructions;  ///< of each warp
  };
  const auto run = [&](const std::string& slot, std::span<const float> x) {
    const auto n = static_cast<std::int64_t>(x.size());
    const device::Buffer d_x = lab.upload<float>("x", x);
    const device::Buffer d_y = lab.allocate("y", device::ElementType::f32, x.size());
    const auto record =
        launch(lab, lab.compile_source(slot + ".cu", lab.source(slot)), n, kFunctionBlock,
               {pointer_argument(d_x), pointer_argument(d_y), number_argument(n)});
    const double each = static_cast<double>(record->total.warp_instructions) /
                        static_cast<double>(warps_of(*record));
    return Run{lab.download<float>(d_y), lab::number(each, 3)};
  };
  const std::vector<float> exact = run("gelu", rising).y, with_tanh = run("gelu-tanh", rising).y;
  double gap = 0;
  for (std::size_t i = 0; i < rising.size(); ++i)
    gap =
        std::max(gap, std::abs(static_cast<double>(with_tanh[i]) - static_cast<double>(exact[i])));
  const std::vector<float> sums = sums_of_layer();
  lab.show({"forms",
            {"activations.forms.title"},
            counted,
            lab::TextExhibit{{"activations.forms.sentence",
                              {{"exact", run("gelu", sums).instructions},
                               {"tanh", run("gelu-tanh", sums).instructions},
                               {"gap", lab::number(gap, 3)}}}}});
}

void compile_soon(lab::Lab& lab) {
  lab.compile_soon(lab.request_of_slot(lab.choice("function") + "-backward"));
  for (const char* slot : {"gelu", "gelu-tanh"}) lab.compile_soon(lab.request_of_slot(slot));
  compile_softmax_soon(lab);
  compile_fusion_soon(lab);
}

}  // namespace warpbook::lessons::activations
