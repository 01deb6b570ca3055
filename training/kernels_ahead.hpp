// The kernels of a training, which compile while its first ones run.
#pragma once

#include <string_view>
#include <utility>
#include <vector>

#include "lab/experiment/lesson.hpp"
#include "training/kernel_choice.hpp"

namespace warpbook::training {

/// Operations, each with sizes by which its kernel is chosen.
using Foreseen = std::vector<std::pair<std::string_view, Sizes>>;

/// Begins to compile them in this order, as an Engine asks for them later.
void compile_soon(lab::Lab& lab, const Foreseen& operations);

}  // namespace warpbook::training
