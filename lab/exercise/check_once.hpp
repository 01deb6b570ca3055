// One check in a child process, without a second try: for whoever checks many submissions and repeats failures of the machine himself,
// when nothing else runs.
#pragma once

#include <stop_token>
#include <string>

#include "lab/exercise/exercise.hpp"

namespace warpbook::lab {

/// As check_in_child, but a check that the machine broke off is not repeated: it is "not graded" at once.
CheckReport check_once_in_child(const std::string& exercise_id, const std::string& file_name,
                                const std::string& source, const std::string& root,
                                const std::stop_token& stop, const CheckLimits& limits,
                                const CheckSetting& setting);

}  // namespace warpbook::lab
