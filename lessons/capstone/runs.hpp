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

/// Our kernels on the layer, the reader's beside them, and whether that is right: "points", "own", "own-time", "check", "pareto".
Own chart(lab::Lab& lab, const Setting& setting, const device::Evidence& counted);

/// A few steps of the network by our kernels and by the reader's, and whether their losses are equal: "losses", "trained".
void train(lab::Lab& lab, const Own& own, const device::Evidence& counted);

/// The kernels that compute the gradient of the layer's weights: "gradient".
void gradient(lab::Lab& lab, const Setting& setting);

}  // namespace warpbook::lessons::capstone
