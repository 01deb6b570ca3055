// Two launches held against each other level by level, from the threads' requests down to DRAM.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "lab/experiment/lesson.hpp"

namespace warpbook::lessons {

/// Shows the exhibit `id`: what each launch moves at L1, L2 and DRAM, how long each part would need by itself, and the whole.
/// Nothing where a launch has no estimate. Its words begin with `words`: "coalescing."; its arguments are called "a_l1",
/// "b_l1", "l1_ratio" and so on, right-aligned in their columns.
void show_levels(lab::Lab& lab, const std::string& words, const std::string& id,
                 const device::LaunchRecord& a, const device::LaunchRecord& b);

/// Of such a table, without its blanks.
std::string level(const lab::Report& report, std::string_view id, std::string_view name);
/// Its cells as figures: with "aos" and "soa", "aos-l2", "soa-time" and "layouts-l2-ratio".
std::vector<lab::LiveFigure> level_figures(const std::string& id, const std::string& a,
                                           const std::string& b);

/// How many times as many: "4", "5.33"; empty where that has no meaning.
std::string ratio(double many, double few);

}  // namespace warpbook::lessons
