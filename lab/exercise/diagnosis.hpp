// What stands behind the findings of a trial: the cause that a student can mend, where the findings leave no doubt.
#pragma once

#include "lab/exercise/exercise_tools.hpp"

namespace warpbook::lab {

/// The cause of the trial's findings; empty where they say no more than their own sentences do.
///
///   findings of the submission                                 solution            cause
///   ----                                                       ----                ----
///   an access through null, and an array without elements                          the guard lets a thread through
///   a race or an unwritten read in shared memory, no barrier   passes barriers     the barrier is missing
///   an unwritten read in shared memory, with barriers          passes barriers     a place was never filled
///   a race of two lines in shared memory, with barriers        passes barriers     the barrier is elsewhere
///   two threads store one element of global memory, no stray                       the index is not each thread's own
///   a race of two accesses of one line, one of them a write                        several threads change one place
Message cause_of(const Trial& trial, const TrialResult& submission, const TrialResult& solution);

/// The finding to be told first: a barrier that some threads miss, else the first of all. The record has one.
const device::Finding& telling_finding(const device::LaunchRecord& record);

}  // namespace warpbook::lab
