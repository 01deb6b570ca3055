// What the trained network says of a drawing of the reader's own.
#include <algorithm>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "lab/exhibits/bars/bars.hpp"
#include "lab/exhibits/exhibit.hpp"
#include "lab/model/sketch.hpp"
#include "lessons/cnn/runs.hpp"
#include "lessons/common.hpp"
#include "training/data.hpp"

namespace warpbook::lessons::cnn {
namespace {

using lab::Sketch;

/// The drawing on the pad; without ink where there is none, or where its file cannot be read, which the report's errors say.
Sketch drawing_of(lab::Lab& lab) {
  const auto picture = lab.picture("drawing", lab::PictureColours::grey, lab::kSketchPictureSide);
  return picture ? lab::sketch_of(*picture) : Sketch();
}

/// One channel of the image that the network gets, as bright and as dark as the middle one of those that it was trained on.
std::vector<float> channel_of(const Sketch& sketch) {
  const auto ink = static_cast<float>(training::kShapeColours.middle()),
             ground = static_cast<float>(training::kGroundColours.middle());
  std::vector<float> channel;
  for (std::size_t y = 0; y < Sketch::kSide; ++y) {
    for (std::size_t x = 0; x < Sketch::kSide; ++x)
      channel.push_back(sketch.at(x, y) ? ink : ground);
  }
  return channel;
}

/// The probability of each shape, by the network after its long training.
std::vector<float> probabilities_of(lab::Lab& lab, const std::vector<float>& channel) {
  constexpr std::int64_t kChannels = 3;
  std::vector<float> pixels;
  for (std::int64_t i = 0; i < kChannels; ++i)
    pixels.insert(pixels.end(), channel.begin(), channel.end());
  training::Preset preset = training::cnn_preset("cnn", {});
  preset.make = [&](training::Engine& engine, std::uint64_t seed) {
    training::Task task = training::cnn_without_samples(engine, seed, {});
    task.training.x = engine.upload(
        "drawing", {1, kChannels, training::kImageSide, training::kImageSide}, pixels);
    return task;
  };
  training::Engine engine(lab);
  training::Trainer trainer(engine, preset, kSeed);
  restore_trained(lab, trainer);
  training::Tape tape(engine);
  const training::Variable scores =
      trainer.task().network.forward(tape, tape.data("drawing", trainer.task().training.x));
  return engine.download(training::softmax(engine, scores.value()));
}

/// What the network says of the drawing. The shapes keep their order, so that a row stays in its place while one draws.
lab::BarsExhibit bars_of(const std::vector<float>& probabilities) {
  lab::BarsExhibit bars{{}, {probability_bars(probabilities)}};
  const lab::BarsExhibit::Bar& first =
      *std::ranges::max_element(bars.groups.front().bars, {}, &lab::BarsExhibit::Bar::value);
  bars.says = {"cnn.drawing.says", {{"shape", first.label}, {"share", first.text}}, {}};
  return bars;
}

/// The rows of the answer before there is one: what can be drawn.
lab::BarsExhibit shapes_to_draw() {
  lab::BarsExhibit bars{
      {"cnn.drawing.none"},
      {probability_bars(std::vector<float>(static_cast<std::size_t>(training::kShapes)))}};
  for (lab::BarsExhibit::Bar& bar : bars.groups.front().bars) bar.text = "–";
  return bars;
}

}  // namespace

lab::BarsExhibit::Group probability_bars(std::span<const float> probabilities) {
  lab::BarsExhibit::Group group{{"cnn.answer.meaning"}, {}};
  for (std::size_t shape = 0; shape < probabilities.size(); ++shape) {
    const double per_cent = 100 * static_cast<double>(probabilities[shape]);
    group.bars.push_back(
        {{"cnn.shape." + std::to_string(shape)}, per_cent, fmt::format("{:.1f} %", per_cent)});
  }
  return group;
}

void drawing(lab::Lab& lab, const device::Evidence& counted) {
  const Sketch sketch = drawing_of(lab);
  const lab::Message title{"cnn.drawing.title"};
  if (sketch.empty()) {
    lab.show({"drawing", title, {}, shapes_to_draw()});
    return;
  }
  const std::vector<float> channel = channel_of(sketch);
  lab.show({"drawing", title, counted, bars_of(probabilities_of(lab, channel))});
  lab::TensorExhibit seen = tensor_of("drawing", channel, {Sketch::kSide, Sketch::kSide});
  seen.view = lab::TensorExhibit::View::image;
  lab.show({"drawn", {"cnn.drawing.seen"}, counted, std::move(seen)});
}

}  // namespace warpbook::lessons::cnn
