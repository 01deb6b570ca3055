// warpbook run CHAPTER --against WHAT: the other run that the chapter's is held against.
#pragma once

#include <string>
#include <vector>

#include "device/error.hpp"
#include "lab/experiment/lesson.hpp"

namespace warpbook::cli {

inline constexpr const char* kAgainstForm =
    "NAME=VALUE, preset=NAME, gpu=NAME, seed=NUMBER, source=FILE, original";

/// The inputs of `now` with what each of `words` changes, one after another; commas separate, too:
///   stride=8        a parameter of the chapter, also where it is called like one of the words below
///   preset=ten      all parameters as the preset has them
///   gpu=t4, seed=7  the simulated GPU, the schedule
///   source=FILE     a source, as --source takes it
///   original        the chapter's own sources
/// Errors: those of the values; bad_argument for other words, and where nothing is changed.
device::Expected<lab::Inputs> against_inputs(const lab::Lesson& lesson, const lab::Inputs& now,
                                             const std::vector<std::string>& words);

}  // namespace warpbook::cli
