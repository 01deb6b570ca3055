// The memory spaces as one launch used them: from its record, never from a formula.
#pragma once

#include "device/device.hpp"
#include "lab/exhibits/spaces/spaces.hpp"

namespace warpbook::lab {

/// One row a space, from the registers down to DRAM, then the two read-only paths. What the record did not count or
/// estimate is not known; the passes over constant memory are known only where the trace is whole.
SpacesExhibit spaces_of(const device::LaunchRecord& record, const device::KernelInfo& kernel,
                        const device::Properties& gpu);

}  // namespace warpbook::lab
