// Linear(10, 1) on one sample, so small that its loss is known in closed form.
#include <array>
#include <cmath>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "lab/exhibits/exhibit.hpp"
#include "lab/text/strings.hpp"
#include "lessons/common.hpp"
#include "lessons/mlp/runs.hpp"
#include "training/trainer.hpp"

namespace warpbook::lessons::mlp {
namespace {

using training::CurvePoint;

constexpr double kFormulaRate = 0.01;
constexpr std::uint64_t kFormulaSteps = 100, kFormulaEvery = 10;
/// Rates that are tried, and for how many steps.
constexpr std::array kRates{0.01, 0.05, 0.14, 0.28, 0.3};
constexpr std::uint64_t kRateSteps = 20, kRateEvery = 2;

struct Smallest {
  std::vector<CurvePoint> curve;
  double squares = 0;  ///< |x|^2, as a kernel adds it up
};

/// |x|^2 of the sample.
double squares_of(lab::Lab& lab, const training::Tensor& x) {
  constexpr std::int64_t kWarp = 32;
  const auto module = lab.compile("squares");
  const device::Buffer out = lab.allocate("out", device::ElementType::f32, 1);
  const auto record = lab.launch(lessons::launch_of(
      module, "", kWarp, kWarp,
      {device::Argument::pointer(x.address()), pointer_argument(out), number_argument(x.count())}));
  return static_cast<double>(lab.download<float>(out).front());
}

Smallest trained(lab::Lab& lab, Setting setting, double rate, std::uint64_t steps,
                 std::uint64_t point_every, bool with_squares) {
  setting.network = kLinear;
  setting.fused = false;
  setting.rate = rate;
  const training::Preset preset = preset_of(setting, point_every, {});
  training::Engine engine(lab);
  // Its kernels are ours, which are checked for everything elsewhere.
  engine.set_checks(device::kAccessChecks);
  training::Trainer trainer(engine, preset, setting.seed);
  Smallest made;
  if (with_squares) made.squares = squares_of(lab, trainer.task().training.x);
  training::Controls controls;
  controls.point = [&](const CurvePoint& point) { made.curve.push_back(point); };
  controls.observing = [](std::uint64_t) { return training::Observing{}; };
  trainer.run(steps, controls);
  return made;
}

/// What float arithmetic can keep of the formula: of the answer, which is about 1, the eighth digit is lost.
bool agrees(double loss, double formula) {
  constexpr double kRelative = 1e-3, kLostDigits = 3e-7;
  return std::abs(loss - formula) <= kRelative * formula + kLostDigits * std::sqrt(formula) + 1e-13;
}

std::string as_row(const CurvePoint& point, double formula) {
  return fmt::format("{:>4}{:>13}{:>13}\n", point.step, lab::figure(point.loss, 4),
                     lab::figure(formula, 4));
}

void show_formula(lab::Lab& lab, const Setting& setting, const device::Evidence& counted) {
  const Smallest made = trained(lab, setting, kFormulaRate, kFormulaSteps, kFormulaEvery, true);
  const double shrinks = 2 * kFormulaRate * (made.squares + 1);
  std::string rows;
  lab::CheckExhibit::Item item{
      "formula", lab::CheckExhibit::State::passed, {"mlp.check.formula"}, {}, {}, 0, {}, {}};
  std::size_t agreeing = 0;
  for (const CurvePoint& point : made.curve) {
    const double formula =
        made.curve.front().loss * std::pow(1 - shrinks, 2 * static_cast<double>(point.step));
    agreeing += agrees(point.loss, formula) ? 1 : 0;
    rows += as_row(point, formula);
  }
  if (agreeing != made.curve.size()) item.state = lab::CheckExhibit::State::failed;
  item.got = {"mlp.check.agree", {{"right", agreeing}, {"of", made.curve.size()}}};
  rows.pop_back();
  const auto ratio = made.curve[1].loss / made.curve[0].loss;
  lab.show({"formula",
            {"mlp.formula.title"},
            counted,
            lab::TextExhibit{{"mlp.formula.table",
                              {{"rows", rows},
                               {"squares", lab::figure(made.squares, 4)},
                               {"shrinks", lab::figure(shrinks, 3)},
                               {"limit", lab::figure(1 / (made.squares + 1), 3)},
                               {"best", lab::figure(0.5 / (made.squares + 1), 3)},
                               {"ratio", lab::number(ratio, 2)},
                               {"first", lab::figure(made.curve.front().loss, 3)},
                               {"last", lab::figure(made.curve.back().loss, 3)}}},
                             true}});
  lab.show({"check", {"mlp.check.title"}, counted, lab::CheckExhibit{{std::move(item)}}});
}

void show_rates(lab::Lab& lab, const Setting& setting, const device::Evidence& counted) {
  lab::LearningExhibit rates;
  rates.steps = kRateSteps;
  for (const double rate : kRates) {
    auto& run = rates.runs.emplace_back();
    run.name = lab::Message::plain(lab::number(rate));
    Setting plain = setting;
    plain.momentum = 0;
    for (const CurvePoint& point : trained(lab, plain, rate, kRateSteps, kRateEvery, false).curve)
      run.points.push_back({point.step, point.loss, std::nullopt, {}});
  }
  lab.show({"rates", {"mlp.rates"}, counted, std::move(rates)});
}

}  // namespace

void smallest(lab::Lab& lab, const Setting& setting) {
  const device::Evidence counted{device::EvidenceKind::counted, lab.device_name(), {}};
  Setting plain = setting;
  plain.momentum = 0;
  show_formula(lab, plain, counted);
  show_rates(lab, plain, counted);
}

}  // namespace warpbook::lessons::mlp
