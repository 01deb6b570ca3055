// How many passes a request to constant memory takes, from a launch's trace.
#pragma once

#include <optional>

#include "device/launch_record.hpp"

namespace warpbook::lab {

/// Different words of constant memory that a request names, on average over the trace: the constant cache serves one in each
/// pass (CUDA Programming Guide, on constant memory). Nothing where the trace has no such request.
std::optional<double> constant_passes_a_request(const device::LaunchRecord& record);

}  // namespace warpbook::lab
