// Which part of a launch's estimated time each line of PTX has, and what takes it.
#pragma once

#include "device/simulator/estimate/estimate.hpp"

namespace warpbook::device {

/// Shares the launch's time, without the time to launch, out among the lines of PTX. `bounds`: as bounds_of() gives them. Parts
/// are called as bounds are, and "barrier" is what waiting at barriers takes. What line 0 asks is left to the others.
TimesByLine times_by_line(const GpuModel& model, const Demand& whole,
                          const std::vector<EstimateBound>& bounds,
                          const std::map<std::uint32_t, LineDemand>& lines);

}  // namespace warpbook::device
