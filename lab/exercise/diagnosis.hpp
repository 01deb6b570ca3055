// What stands behind the findings of a trial: the cause that a student can mend, where the findings leave no doubt.
#pragma once

#include "lab/exercise/exercise_tools.hpp"

namespace warpbook::lab {

/// The cause of the trial's findings; empty where they say no more than their own sentences do.
///
///   findings of the submission                                 solution            cause
///   ----                                                       ----                ----
///   a race or an unwritten read in shared memory, no barrier   passes barriers     the barrier is missing
///   a race of two accesses of one line, one of them a write                        several threads change one place
Message cause_of(const TrialResult& submission, const TrialResult& solution);

}  // namespace warpbook::lab
