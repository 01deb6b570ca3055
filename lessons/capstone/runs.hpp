// The chapter's parts: the reader's kernel, its place among ours, and a training by it.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "lab/exhibits/pareto/pareto.hpp"
#include "lab/experiment/lesson.hpp"
#include "lab/operation/operation.hpp"

namespace warpbook::lessons::capstone {

inline constexpr const char* kSlot = "layer";
inline constexpr const char* kFile = "layer.cu";  ///< what diagnostics call it

/// In a step of the training: the same in every step, so that the loss has to fall.
inline constexpr std::int64_t kTrainedImages = 10;

using Sizes = std::map<std::string, std::int64_t>;

/// What the reader chose: a convolution of the network cnn, and how many images it gets.
struct Setting {
  explicit Setting(const lab::Lab& lab);

  std::string layer;
  std::int64_t images = 1;
  lab::ParetoExhibit::Measure measure = lab::ParetoExhibit::Measure::sectors;

  [[nodiscard]] Sizes sizes() const;
};
/// Multiply-adds of a layer, those with padding, too.
std::int64_t products_of(const Sizes& sizes);

/// The lines of `//@` that the reader's source has anywhere, as a rung of convolution. Throws ExperimentFailed, with the line.
lab::Rung own_rung(const std::string& source);

/// The reader's kernel as it came out on the layer.
struct Own {
  lab::Rung rung;
  bool right = false, safe = false;
};

/// Begins to compile our kernels of all parts, in the order in which they are needed.
void compile_soon(lab::Lab& lab, const Setting& setting);

/// Our kernels on the layer, the reader's beside them, and whether that is right: "points", "own", "own-time", "check", "pareto".
Own chart(lab::Lab& lab, const Setting& setting, const device::Evidence& counted);

/// What a draft has of the chart, from a few blocks of each launch: "points", "pareto".
void draft(lab::Lab& lab, const Setting& setting);

/// Before each of a few steps of the network.
using Losses = std::vector<double>;
Losses losses_by_ours(lab::Lab& lab);
/// Of the reader's kernel in place of ours.
Losses losses_by(lab::Lab& lab, const lab::Rung& own);
/// Whether both are equal: "losses", "trained".
void show_trained(lab::Lab& lab, const Losses& ours, const Losses& yours,
                  const device::Evidence& counted);

/// The kernels that compute the gradient of the layer's weights.
lab::ParetoExhibit gradient(lab::Lab& lab, const Setting& setting);

}  // namespace warpbook::lessons::capstone
