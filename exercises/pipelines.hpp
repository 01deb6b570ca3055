// What the exercises with pipelines have in common: a program sends numbers through the GPU in chunks, and copies and kernels of
// different chunks can overlap.
#pragma once

#include "lab/exercise/exercise.hpp"

namespace warpbook::exercises {

/// Runs the submission with several numbers and chunks, and judges what it prints and the graph of its calls.
void check_pipeline(lab::Checker& checker);

}  // namespace warpbook::exercises
