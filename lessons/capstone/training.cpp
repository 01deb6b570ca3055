// The network of the chapter cnn, trained for a few steps by our convolution and by the reader's.
#include <algorithm>
#include <cmath>
#include <optional>

#include <fmt/format.h>

#include "lab/exhibits/curve/curve_summary.hpp"
#include "lessons/capstone/runs.hpp"
#include "lessons/common.hpp"
#include "training/trainer.hpp"

namespace warpbook::lessons::capstone {
namespace {

constexpr std::uint64_t kSteps = 8, kSeed = 1;
/// By how much of its value a loss may differ from ours. Another order of adding changes the last digits of a sum, and the steps
/// pass that on; the comment of the chapter's test has what orders came to.
constexpr double kBound = 1e-3;

/// The network and its data as in the chapter cnn, with so few images that all of them are one batch.
training::Preset preset_of_few() {
  training::Preset preset = training::cnn_preset("cnn", {});
  preset.batch = kTrainedImages;
  preset.point_every = 1;
  preset.make = [](training::Engine& engine, std::uint64_t seed) {
    return training::cnn_on_first(engine, seed, {}, kTrainedImages);
  };
  return preset;
}

Losses losses_of(lab::Lab& lab, training::Engine& engine) {
  // Every kernel of ours is checked for everything elsewhere, and the reader's was so on the layer.
  engine.set_checks(device::kAccessChecks);
  const training::Preset preset = preset_of_few();
  training::Trainer trainer(engine, preset, kSeed);
  training::Controls controls;
  Losses losses;
  controls.stop = lab.context().stop;
  controls.observing = [](std::uint64_t) { return training::Observing{}; };
  controls.point = [&](const training::CurvePoint& point) { losses.push_back(point.loss); };
  controls.stepped = [&](std::uint64_t done) {
    lab.progress(static_cast<double>(done) / kSteps, {"capstone.training"});
  };
  trainer.run(kSteps, controls);
  return losses;
}

/// The largest part of its value by which a loss differs from ours; infinite where one is no number.
double difference_of(const Losses& ours, const Losses& yours) {
  double largest = 0;
  for (std::size_t i = 0; i < ours.size(); ++i) {
    const double part = std::abs(yours[i] - ours[i]) / std::abs(ours[i]);
    largest = std::isfinite(part) ? std::max(largest, part) : HUGE_VAL;
  }
  return largest;
}

void show_losses(lab::Lab& lab, const Losses& ours, const Losses& yours,
                 const device::Evidence& counted) {
  const auto floats = [](const Losses& losses) {
    return std::vector<float>(losses.begin(), losses.end());
  };
  std::vector<float> steps;
  for (std::size_t i = 0; i < ours.size(); ++i) steps.push_back(static_cast<float>(i));
  std::vector<lab::CurveExhibit::Series> series{
      {{"capstone.losses.ours"}, tensor_of("ours", floats(ours)), {}, 0, 0},
      {{"capstone.losses.yours"}, tensor_of("yours", floats(yours)), {}, 0, 0}};
  lab.show({"losses",
            {"capstone.losses.title"},
            counted,
            lab::curve_of({"capstone.losses.step"}, tensor_of("step", steps), std::move(series),
                          steps.size())});
}

void show_difference(lab::Lab& lab, const Losses& ours, const Losses& yours,
                     const device::Evidence& counted) {
  const double difference = difference_of(ours, yours);
  const bool equal = difference <= kBound, falls = yours.back() < yours.front();
  const char* const sentence = difference == 0 ? "capstone.trained.same"
                               : equal         ? "capstone.trained.equal"
                                               : "capstone.trained.different";
  lab.show({"trained",
            {"capstone.trained.title"},
            counted,
            lab::TextExhibit{{sentence,
                              {{"steps", ours.size()},
                               {"first", lab::number(yours.front(), 6)},
                               {"last", lab::number(yours.back(), 6)},
                               {"ours_last", lab::number(ours.back(), 6)},
                               {"difference", lab::number(100 * difference, 2)},
                               {"bound", lab::number(100 * kBound)},
                               {"equal", equal ? "equal" : "other"},
                               {"falls", falls ? "falls" : "rises"}}}}});
}

}  // namespace

Losses losses_by_ours(lab::Lab& lab) {
  training::Engine engine(lab);
  return losses_of(lab, engine);
}

Losses losses_by(lab::Lab& lab, const lab::Rung& own) {
  training::Engine engine(lab);
  engine.use_rung("convolution", own, lab.compile_source(kFile, lab.source(kSlot), own.defines));
  return losses_of(lab, engine);
}

void show_trained(lab::Lab& lab, const Losses& ours, const Losses& yours,
                  const device::Evidence& counted) {
  show_losses(lab, ours, yours, counted);
  show_difference(lab, ours, yours, counted);
}

}  // namespace warpbook::lessons::capstone
