// Schedules made from runs: outputs that are alike become one outcome, and the checker's first race its two lines.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "device/launch_record.hpp"
#include "lab/exhibits/schedules/schedules.hpp"
#include "lab/exhibits/tensor/tensor.hpp"

namespace warpbook::lab {

/// `truth`: what the array should be. `outputs`: what the run under each schedule left there, from schedule 0 on; none where the
/// launch did not end. Arrays are compared bit by bit.
SchedulesExhibit schedules_of(const TensorExhibit& truth,
                              const std::vector<std::optional<TensorExhibit>>& outputs);

/// Adds what racecheck found in `record`, a launch of the kernel in `file`, whose text is `source`.
void add_races(SchedulesExhibit& schedules, const device::LaunchRecord& record,
               std::string_view file, std::string_view source);

}  // namespace warpbook::lab
