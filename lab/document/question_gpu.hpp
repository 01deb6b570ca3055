// Questions are about the usual GPU, whichever one the reader has chosen: their explanations work out their numbers for that one.
#pragma once

#include "device/device.hpp"
#include "lab/document/document.hpp"

namespace warpbook::lab {

/// The GPU that the question is about, where a reader has to be told: what it says rests on the GPU, and a run of `current`
/// simulates another one. Else null.
const device::Properties* gpu_to_name(const PredictDirective& question, const Inputs& current);

}  // namespace warpbook::lab
