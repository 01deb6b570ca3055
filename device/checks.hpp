// The checkers, by the names that compute-sanitizer gave them.
#pragma once

#include <string_view>

#include "device/error.hpp"

namespace warpbook::device {

/// The checkers of a launch. One that is off costs nothing.
struct Checks {
  bool memcheck = true;    ///< report every bad access; else only the first, as the launch's error
  bool initcheck = true;   ///< report results that depend on bytes that were never written
  bool racecheck = false;  ///< report accesses that nothing orders; runs on one worker
  bool synccheck = false;  ///< report barriers that are reached in ways the hardware leaves open
  bool leaks =
      false;  ///< report memory that a kernel allocated and that is not freed when its launch ends
  /// Report barriers of a whole block that some of its threads pass by, or reach elsewhere. PTX allows that between warps, and
  /// to threads that have ended; CUDA C++ does not (CUDA Programming Guide, "__syncthreads()"). Part of "synccheck".
  bool whole_barriers = false;
  friend bool operator==(const Checks&, const Checks&) = default;
};
template <class V>
void fields(V&& visit, Is<Checks> auto& v) {
  visit("memcheck", v.memcheck);
  visit("initcheck", v.initcheck);
  visit("racecheck", v.racecheck);
  visit("synccheck", v.synccheck);
  visit("leaks", v.leaks);
  visit("whole_barriers", v.whole_barriers);
}

/// The checkers of lessons and exercises: all but leaks, because a later kernel may free an earlier one's memory.
inline constexpr Checks kLessonChecks{true, true, true, true, false, true};

/// Bad accesses alone, in a third of the time: for kernels that are checked for everything in another launch.
inline constexpr Checks kAccessChecks{true, false, false, false, false, false};

/// "memcheck,racecheck", "all" or "none"; bad_argument names the word that is none of them.
Expected<Checks> parse_checks(std::string_view words);

}  // namespace warpbook::device
