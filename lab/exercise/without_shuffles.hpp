// A kernel whose shuffles hand every lane its own value. Where a result that is to come about by shuffles is right then, too, they were
// only for show.
#pragma once

#include "lab/exercise/exercise_tools.hpp"

namespace warpbook::lab {

/// The PTX with a move in place of each shuffle: the destination becomes the lane's own value, and the predicate beside it true.
std::string without_shuffles(std::string_view ptx);

/// Whether the submission is right at the trial without its shuffles. What is found in that run concerns nobody. `thread_instructions`:
/// its budget.
bool is_right_without_shuffles(Checker& checker, const Trial& trial,
                               std::uint64_t thread_instructions);

}  // namespace warpbook::lab
