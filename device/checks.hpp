// The checkers, by the names that compute-sanitizer gave them.
#pragma once

#include <string_view>

#include "device/error.hpp"

namespace warpbook::device {

/// What a launch is checked for. Nothing is paid for what is not asked for.
struct Checks {
  bool memcheck = true;    ///< report every bad access; else only the first, as the launch's error
  bool initcheck = true;   ///< report what depends on bytes that nobody wrote
  bool racecheck = false;  ///< report accesses that nothing orders; runs on one worker
  bool synccheck = false;  ///< report barriers that are reached in ways the hardware leaves open
  bool leaks = false;      ///< report what a kernel allocated and nobody freed when its launch ends
  friend bool operator==(const Checks&, const Checks&) = default;
};
template <class V>
void fields(V&& visit, Is<Checks> auto& v) {
  visit("memcheck", v.memcheck);
  visit("initcheck", v.initcheck);
  visit("racecheck", v.racecheck);
  visit("synccheck", v.synccheck);
  visit("leaks", v.leaks);
}

/// Lessons and exercises: everything but leaks, since a later kernel may free what an earlier one allocated.
inline constexpr Checks kLessonChecks{true, true, true, true, false};

/// "memcheck,racecheck", "all" or "none"; bad_argument names the word that is none of them.
Expected<Checks> parse_checks(std::string_view words);

}  // namespace warpbook::device
