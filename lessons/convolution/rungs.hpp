// The chapter's algorithms: the rungs of kernels/convolution*/, run at the layer's sizes and set side by side.
#pragma once

#include "lab/ladder/algorithms_of.hpp"
#include "lessons/convolution/layer.hpp"

namespace warpbook::lessons::convolution {

/// The names of all algorithms, of both layouts.
std::vector<std::string> algorithms();

/// Shows the exhibits "rungs" and "rungs-check", and of the algorithm that was chosen "rung" and "rung-time". Of
/// a layer with many products the chosen one alone runs; where that is "direct", the page's own run stands for it.
/// Gives back workspaces and estimated times.
lab::AlgorithmsExhibit::Group show_rungs(lab::Lab& lab, const Layer& layer, const Numbers& numbers,
                                         const std::vector<float>& truth,
                                         const std::shared_ptr<const device::LaunchRecord>& own,
                                         const device::Evidence& counted);

/// Both backward passes by the first rung of each: "gradients" and "gradients-check". `forward_again` runs the page's
/// own kernel.
void show_gradients(
    lab::Lab& lab, const Layer& layer, const Numbers& numbers, const device::Evidence& counted,
    const std::function<std::vector<float>(const Layer&, const Numbers&)>& forward_again);

}  // namespace warpbook::lessons::convolution
