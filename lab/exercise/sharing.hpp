// How evenly a launch's work is shared among its threads and warps, measured in several ways by Jain's index
// (LaunchRecord::thread_evenness): 1 where all have the same part, k/n where k of n do everything.
#pragma once

#include "lab/exercise/exercise_tools.hpp"

namespace warpbook::lab {

/// How evenly one kind of work is shared, in a submission and in the solution.
struct Evenness {
  const char* side = "computing";  ///< what the strings call it: "computing", "loading", "storing"
  double got = 1, solution = 1;
  [[nodiscard]] double ratio() const { return got / solution; }
};

/// Of the elements that each thread was the last to write; of several launches the least even one's.
double storing_evenness(const Trial& trial, const device::LaunchRecord& record);

/// The kinds of work that are looked at besides the threads' instructions: the bytes that warps load from global memory, and the
/// elements that threads store.
struct SharedKinds {
  bool loads = true, stores = true;
};
/// The kind of work that is shared least evenly, compared with the solution.
Evenness least_even(const Trial& trial, const device::LaunchRecord& got,
                    const device::LaunchRecord& solution, SharedKinds kinds);

/// How many threads read the array, if all that do had equal parts of what is read: Jain's index times the threads. From the launch's
/// trace; 0 where nobody reads.
double readers_of(const device::LaunchRecord& record, const std::string& array);

/// The instructions of the busiest warp, or else thread, as a multiple of the average one's.
double longest_over_mean(const device::LaunchRecord& record, bool of_warps);

}  // namespace warpbook::lab
