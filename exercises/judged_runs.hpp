// What exercises on whole programs share whose gates count in two runs: one that is shown, and one that is drawn for the check.
#pragma once

#include <cstdint>
#include <vector>

#include "lab/exercise/program_trials.hpp"

namespace warpbook::exercises {

/// A run at which gates are judged.
struct JudgedRun {
  lab::ProgramTrial trial;
  const lab::ProgramResult& result;
};

/// Runs all of them, with what their kernels store; all but the first are hidden.
std::vector<JudgedRun> run_judged(lab::ProgramTrials& trials, std::vector<lab::ProgramTrial> all);

/// What the programs draw, each array with a salt of its own: whole numbers from -most to most.
std::vector<std::int64_t> drawn_numbers(std::int64_t count, std::uint32_t salt, std::int64_t most);

}  // namespace warpbook::exercises
