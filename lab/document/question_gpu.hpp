// Questions are about the usual GPU, whichever one the reader has chosen: their explanations work out their numbers for that one.
#pragma once

#include "device/device.hpp"
#include "lab/experiment/lesson.hpp"

namespace warpbook::lab {

/// The GPU that questions are about, where a run of `current` simulates another one, so that a reader has to be told; else null.
const device::Properties* gpu_of_questions(const Inputs& current);

}  // namespace warpbook::lab
