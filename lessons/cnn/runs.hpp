// The chapter's parts, each a run that reads like the host side of a CUDA program and shows its exhibits.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "lab/exhibits/bars/bars.hpp"
#include "lab/experiment/lesson.hpp"
#include "training/presets.hpp"
#include "training/trainer.hpp"

namespace warpbook::lessons::cnn {

/// What the reader chose.
struct Setting {
  explicit Setting(const lab::Lab& lab);

  std::string task;                    ///< "shapes", "random-labels" or "label-numbers"
  bool trained = false;                ///< shapes, with the weights of the long training
  std::int64_t images = 1, steps = 1;  ///< of a step; steps that run now
  std::int64_t image = 0;              ///< the one that is shown
  training::Cnn network;

  [[nodiscard]] bool by_numbers() const { return task == "label-numbers"; }
  /// The training that this is, under the name that `warpbook train` has for it.
  [[nodiscard]] training::Preset preset() const;
};
/// Where the long trainings are that were recorded, below the root.
inline constexpr const char* kRecorded = "lessons/cnn/recorded/";
inline constexpr std::uint64_t kSeed = 1;  ///< of weights and data, as for `warpbook train`
inline constexpr std::int64_t kMostImages = 100;

/// One filter on one image, forward and back both ways, so small that it can be done by hand: "example-x", "example-w", "example-y",
/// "example-dy", "example-dx", "example-dw", "check", "stamped". Gives back what the host asked for.
lab::Message example(lab::Lab& lab, const device::Evidence& counted);

/// Begins to compile the kernels of all parts.
void compile_soon(lab::Lab& lab, const Setting& setting);

/// The network: a step that is looked at ("layers", "step", "three", "filters", "maps", "deep-maps", "answer"), the next steps
/// ("live", "memory"), and, once it is trained, what it makes of images that were held out ("confusion", "held-out"). What it shows of an
/// image, it shows of each of the step's, so that another one can be looked at without another run.
void network(lab::Lab& lab, const Setting& setting, const device::Evidence& counted);
/// What a draft shows instead: what the network makes of the one image that is looked at ("filters", "maps", "deep-maps", "answer").
void glance(lab::Lab& lab, const Setting& setting, const device::Evidence& counted);
/// Of what either showed, leaves what is of no image or of this one.
void leave_image(lab::Lab& lab, std::int64_t image);

/// A bar for each shape, in the order of their labels.
lab::BarsExhibit::Group probability_bars(std::span<const float> probabilities);
/// What the trained network says of the reader's own drawing: "drawing", "drawn".
void drawing(lab::Lab& lab, const device::Evidence& counted);

/// Puts the weights of the long training into the network that `trainer` has. Ends the run where that is another one.
void restore_trained(const lab::Lab& lab, training::Trainer& trainer);

/// How the long training went that was recorded: "recorded", "recorded-end".
void recorded(lab::Lab& lab, const Setting& setting);

/// What cuDNN would run for each convolution of the network, where the reader asks: "libraries".
void libraries(lab::Lab& lab, const Setting& setting);

}  // namespace warpbook::lessons::cnn
