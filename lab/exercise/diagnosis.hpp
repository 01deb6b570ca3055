// What stands behind the findings of a trial: the cause that a student can mend, where the findings leave no doubt.
#pragma once

#include "lab/exercise/exercise_tools.hpp"

namespace warpbook::lab {

/// The cause of the trial's findings; empty where they say no more than their own sentences do.
///
///   findings of the submission                                 solution            cause
///   ----                                                       ----                ----
///   an access through null, and an array without elements                          the guard lets a thread through
///   two lanes store one place of shared memory at once         no atomics          the index is not each thread's own
///   a race or an unwritten read in shared memory, no barrier   passes barriers     the barrier is missing, or is one of a warp, or a fence
///   an unwritten read in shared memory, with barriers          passes barriers     a place was never filled
///   a race of two lines in shared memory, with barriers        passes barriers     the barrier is elsewhere, or not in each round
///   an access beyond an array, or before it                                        the guard or the index
///   an access to shared memory, of which there is none                             the array has no size
///   two threads store one element of global memory, no stray   no atomics          it is a variable that all threads share; a turn of
///                                                                                  a loop too many; blockIdx; or the guard or the index
///   one block reads what another one changes                   no atomics          no barrier waits for another block
///   a race of two accesses of one line, one of them a write    no atomics          one element for two threads, or an order
///   the same in global memory                                  atomics             one of two changes is lost
///   the same in shared memory                                  atomics             several threads change one place
///   a read on one line of what another one changes, in global  atomics             reading and changing are two steps
///
/// The barrier that a cause recommends is __syncwarp() where lanes of one warp race, else __syncthreads().
Message cause_of(const Trial& trial, const TrialResult& submission, const TrialResult& solution);

/// The finding to be told first: a barrier that some threads miss, else an access that strays, else a race in shared memory between
/// warps, else the first of all; or, where that is a read of memory that no thread has written, a race within a warp, from which it may follow. The
/// record has one.
const device::Finding& telling_finding(const device::LaunchRecord& record);

/// A barrier of the launch is not reached by all threads that it waits for, or not by all in one place. Null: there was no launch.
bool has_barrier_of_some(const device::LaunchRecord* record);

/// In one line what the finding says, and nothing that contradicts its cause: where two threads have one element, neither an
/// atomic operation nor any order of the two would help, and no barrier where two blocks have.
Message summary_of(const device::Finding& finding, const Message& cause,
                   const TrialResult& solution);

/// What helps against `finding` helps against the told one as well: lines that race within a warp there race between warps here, or
/// between blocks; or an access that reaches beyond an array there begins at a wrong address here.
bool says_more(const device::Finding& finding, const device::Finding& told);

}  // namespace warpbook::lab
