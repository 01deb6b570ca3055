// The chapter's algorithms: the rungs of kernels/convolution*/, run at the layer's sizes and set side by side.
#pragma once

#include "lab/ladder/algorithms_of.hpp"
#include "lessons/convolution/layer.hpp"

namespace warpbook::lessons::convolution_algorithms {

using convolution::Layer;
using convolution::Numbers;

/// The names of all algorithms, of both layouts.
std::vector<std::string> algorithms();

/// What one algorithm did, all its launches together.
struct RungRan {
  std::string name, idea;
  std::vector<std::shared_ptr<const device::LaunchRecord>> records;
  device::Counters total;
  std::uint64_t multiplications = 0;  ///< lanes that multiplied floats
  std::uint64_t loaded = 0;           ///< floats that lanes loaded from global memory
  std::uint64_t shared_loaded = 0;    ///< and from shared memory
  std::uint64_t blocks = 0;           ///< of the launch that takes longest
  lab::AlgorithmsExhibit::Row row;    ///< its workspace and its time, estimated
  std::vector<float> got;             ///< its output, in the layer's layout
  std::uint64_t findings = 0, agreeing = 0, elements = 0;
};

struct RungsRan {
  lab::AlgorithmsExhibit::Group group;  ///< with workspaces and estimated times
  std::vector<RungRan> rungs;           ///< without their outputs
};

/// Begins to compile what the runs after the first need.
void compile_soon(lab::Lab& lab, const Layer& layer);

/// The estimated times of all algorithms that take the layer, each from a few of its blocks.
lab::AlgorithmsExhibit::Group times_of(lab::Lab& lab, const Layer& layer, const Numbers& numbers);

/// Shows the exhibits "rungs", "multiplied", "rungs-check" and "roofline", and of the algorithm that was chosen "rung" and "rung-time". Of
/// a layer with many products only the chosen one runs.
RungsRan show_rungs(lab::Lab& lab, const Layer& layer, const Numbers& numbers,
                    const std::vector<float>& truth, const device::Evidence& counted);
/// Where an element of im2col's matrix comes from, "lookup"; how the times grow with the image, "sizes"; and both layouts, "layouts".
void show_others(lab::Lab& lab, const Layer& layer, const RungsRan& ran,
                 const device::Evidence& counted);

/// Both gradients, each by its first rung: "gradients" and "gradients-check". The gradient of x is computed once more by the
/// rung `direct`, as a convolution of the gradient of y.
void show_gradients(lab::Lab& lab, const Layer& layer, const Numbers& numbers,
                    const device::Evidence& counted);

}  // namespace warpbook::lessons::convolution_algorithms
