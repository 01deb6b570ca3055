// The chapter's algorithms: the rungs of kernels/convolution*/, run at the layer's sizes and set side by side.
#pragma once

#include "lab/ladder/algorithms_of.hpp"
#include "lessons/convolution/layer.hpp"

namespace warpbook::lessons::convolution_algorithms {

using convolution::Layer;
using convolution::Numbers;

/// The names of all algorithms, of both layouts.
std::vector<std::string> algorithms();

/// Shows the exhibits "rungs", "multiplied", "rungs-check" and "roofline", and of the algorithm that was chosen "rung" and "rung-time". Of
/// a layer with many products only the chosen one runs; of others, "lookup" says where an element of im2col's matrix comes
/// from, and "sizes" how the times grow with the image. Gives back workspaces and estimated times.
lab::AlgorithmsExhibit::Group show_rungs(lab::Lab& lab, const Layer& layer, const Numbers& numbers,
                                         const std::vector<float>& truth,
                                         const device::Evidence& counted);

/// Both gradients, each by its first rung: "gradients" and "gradients-check". The gradient of x is computed once more by the
/// rung `direct`, as a convolution of the gradient of y.
void show_gradients(lab::Lab& lab, const Layer& layer, const Numbers& numbers,
                    const device::Evidence& counted);

}  // namespace warpbook::lessons::convolution_algorithms
