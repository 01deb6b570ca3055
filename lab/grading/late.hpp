// What handing in late costs.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "lab/grading/download.hpp"

namespace warpbook::lab {

struct LateRule {
  std::optional<std::int64_t> due;  ///< in seconds since 1970
  std::int64_t grace = 0;           ///< seconds after it that cost nothing
  double percent = 0;               ///< of the points that there are
  bool each_day = false;            ///< again for each day that has begun
};

/// "none", "zero", "10%" once, or "10%/day". Nothing where it is none of these.
std::optional<LateRule> parse_late_rule(std::string_view text);

/// How late a file is. Where the system only marks it, it is as late as one day that has begun.
struct Lateness {
  bool late = false;
  std::optional<std::int64_t> seconds;  ///< after it was due; nothing: only marked, or on time
};
Lateness lateness_of(const HandedIn& file, const LateRule& rule);

/// The points that are left of `points`, where there are `possible`: never below 0.
double points_after(const LateRule& rule, const Lateness& lateness, double points, double possible);

}  // namespace warpbook::lab
