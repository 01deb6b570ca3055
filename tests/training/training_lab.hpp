// What the tests of training/ share: a simulated GPU with every check that a training runs with, and inputs.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "lab/experiment/lesson.hpp"
#include "training/engine.hpp"

namespace warpbook::tests {

/// Every checker on: a training's kernels are ours, and have to be clean.
std::unique_ptr<lab::Lab> training_lab(const std::string& gpu = "h200");

/// `count` numbers between -1 and 1 that a float holds exactly, the same for the same seed.
std::vector<float> some_floats(std::int64_t count, std::uint32_t seed);

std::vector<double> as_doubles(const std::vector<float>& values);

}  // namespace warpbook::tests
