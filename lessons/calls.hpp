// What the host asked of the device in a chapter's run: an exhibit, and the figures that are read off it.
#pragma once

#include <string>
#include <vector>

#include "lab/experiment/lesson.hpp"

namespace warpbook::lessons {

/// The exhibit "calls": a list that host_calls() made, at once or earlier in the run.
void show_calls(lab::Lab& lab, lab::Message calls, const device::Evidence& counted);

/// "allocations", "copies" and "launches" of that exhibit.
std::vector<lab::LiveFigure> call_figures();

}  // namespace warpbook::lessons
