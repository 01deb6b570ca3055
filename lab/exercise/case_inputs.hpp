// What goes into a case that is wrong, as its reader would write it down to follow it by hand.
#pragma once

#include "lab/exercise/exercise_tools.hpp"

namespace warpbook::lab {

/// The launches of a trial as a host program writes them, and some elements of each array that holds something before them: the first
/// ones, or where an array is about as long as the wrong one, those from the first wrong element on. The trial is none of the hidden
/// ones, of which nothing is shown.
CheckExhibit::Inputs inputs_of(const Trial& trial, const device::Module& submission,
                               const TrialResult& wrong);

}  // namespace warpbook::lab
