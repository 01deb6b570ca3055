// The chapter's algorithms: the rungs of kernels/convolution*/, run at the layer's sizes and set side by side.
#pragma once

#include "lab/ladder/algorithms_of.hpp"
#include "lessons/convolution/layer.hpp"

namespace warpbook::lessons::convolution_algorithms {

using convolution::Layer;
using convolution::Numbers;

/// The names of all algorithms, of both layouts.
std::vector<std::string> algorithms();

/// Shows the exhibits "rungs", "rungs-check" and "roofline", and of the algorithm that was chosen "rung" and "rung-time". Of
/// a layer with many products only the chosen one runs. Gives back workspaces and estimated times.
lab::AlgorithmsExhibit::Group show_rungs(lab::Lab& lab, const Layer& layer, const Numbers& numbers,
                                         const std::vector<float>& truth,
                                         const device::Evidence& counted);

/// Both gradients, each by its first rung: "gradients" and "gradients-check". `forward_again` runs the page's own kernel, with
/// which the gradient of x is computed once more as a convolution.
void show_gradients(
    lab::Lab& lab, const Layer& layer, const Numbers& numbers, const device::Evidence& counted,
    const std::function<std::vector<float>(const Layer&, const Numbers&)>& forward_again);

}  // namespace warpbook::lessons::convolution_algorithms
