// Two launches held against each other level by level, from the threads' requests down to DRAM.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "lab/experiment/lesson.hpp"

namespace warpbook::lessons {

/// Shows the exhibit `id`, bars of both launches: of what they move at "l1", "l2" and "dram", of what the whole launch takes,
/// "time", and of what each part would need by itself, "l1_time" and so on; those of `shown`. Nothing where a launch has no
/// estimate. Its words begin with `words`: "coalescing."; its sentence has all of the figures as arguments: "a_l1", "b_l1",
/// "l1_ratio" and so on, and of the time also "low" and "high".
void show_levels(lab::Lab& lab, const std::string& words, const std::string& id,
                 const device::LaunchRecord& a, const device::LaunchRecord& b,
                 const std::vector<std::string>& shown);

/// Its arguments as figures: with "aos" and "soa", "aos-l2", "soa-time" and "layouts-l2-ratio".
std::vector<lab::LiveFigure> level_figures(const std::string& id, const std::string& a,
                                           const std::string& b);

/// How many times as many: "4", "5.33"; empty where that has no meaning.
std::string ratio(double many, double few);

}  // namespace warpbook::lessons
