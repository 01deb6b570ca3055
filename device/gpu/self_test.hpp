// A small kernel with a known answer, which a device has to compute before it is used.
#pragma once

#include "device/device.hpp"

namespace warpbook::device::gpu {

/// Loads, launches and copies back; the threads exchange values through shared memory across a barrier. The error
/// gpu_self_test says that the answer is wrong or that a step failed.
Expected<void> self_test(Device& device);

}  // namespace warpbook::device::gpu
