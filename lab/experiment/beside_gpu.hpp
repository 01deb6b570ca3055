// A run on a GPU, which computes and has a clock, but counts and traces nothing. The same run on a simulated GPU of its kind stands
// beside it. Each exhibit of the two runs' report is one of either, so what it says and where that comes from stay together.
#pragma once

#include "device/device.hpp"
#include "lab/report/report.hpp"

namespace warpbook::lab {

/// The simulated GPU that says of `gpu`'s launches what it cannot: its row of the GPU table, or else what its driver says of it.
device::Properties simulated_beside(const device::Properties& gpu);

/// `counted`, which a simulated GPU made, with what the GPU's own run `measured`: arrays that were copied back, times, and beside the
/// simulator's, checks of results and the outcomes of repeated launches. Whatever else the GPU's run shows was made from
/// counters and traces that it has not, and is left out. So is what it refused because only a simulator can do it.
Report with_gpu(Report counted, const Report& measured);

}  // namespace warpbook::lab
