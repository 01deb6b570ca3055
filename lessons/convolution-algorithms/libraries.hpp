// The same layer as libraries would compute it, beside the book's own kernels.
#pragma once

#include "lab/ladder/algorithms_of.hpp"
#include "lessons/convolution/layer.hpp"

namespace warpbook::lessons::convolution_algorithms {

using convolution::Layer;
using convolution::Numbers;

/// Shows "algorithms": `own`, and where the reader asked for them cuDNN's engines for the GPU of the run and oneDNN's
/// implementations on this CPU. Precision is theirs alone: kernels of the book compute in FP32.
void show_libraries(lab::Lab& lab, const Layer& layer, const Numbers& numbers,
                    const std::vector<float>& truth, lab::AlgorithmsExhibit::Group own);

}  // namespace warpbook::lessons::convolution_algorithms
